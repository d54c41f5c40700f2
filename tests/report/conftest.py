"""The results of tests/report/samples.py as fixtures, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING

import pytest

from benchkit.results import Results

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAMPLES = run_path(str(Path(__file__).parents[1] / "report" / "samples.py"))
joined, pair_rows = SAMPLES["joined"], SAMPLES["pair_rows"]
summary_rows, request_rows = SAMPLES["summary_rows"], SAMPLES["request_rows"]


@pytest.fixture
def pair() -> Results:
    made: Results = joined(pair_rows())
    return made


@pytest.fixture
def summaries() -> Results:
    made: Results = joined(summary_rows())
    return made


@pytest.fixture
def known() -> Results:
    made: Results = joined(request_rows())
    return made


@pytest.fixture
def everything() -> Results:
    made: Results = joined(pair_rows(), summary_rows(), request_rows(), {"files": SAMPLES["FILES"]})
    return made


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api")
    quiet = run_path(str(Path(__file__).parents[1] / "report" / "browsing.py"))["QUIET"]
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(quiet))
        yield started
        started.close()
