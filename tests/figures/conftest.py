"""The results of tests/report/samples.py as fixtures."""

from pathlib import Path
from runpy import run_path

import pytest

from benchkit.results import Results

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
