"""A comparison of hundreds of variants: what is in the document, and what is put there later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.report.browsing import opened, wait_until
from tests.report.pages import written
from tests.report.samples import identity

if TYPE_CHECKING:
    from playwright.sync_api import Browser

VARIANTS = 300
ROWS = "document.querySelectorAll('.ranking tbody tr').length"
NODES = "document.querySelectorAll('*').length"


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs: list[dict[str, Any]] = [
        identity(f"r{n}", "echo", f"server-{n:03}", "oha")
        | {"requests": 100_000, "throughput_rps": 1e5 / (1 + n / 100), "load_model": "closed"}
        | {"latency_p50_s": 1e-3 * (1 + n / 100), "latency_p99_s": 5e-3 * (1 + n / 100)}
        for n in range(VARIANTS)
    ]
    return written({"runs": runs}, tmp_path_factory.mktemp("many") / "page.html")


def test_the_first_rows_are_there_and_the_others_when_they_are_asked_for(
    browser: Browser, many: Path
) -> None:
    with opened(browser, many) as page:
        assert page.evaluate(ROWS) == 100
        assert page.evaluate(NODES) < 10_000
        assert "first 100 of 300 rows" in page.inner_text(".hint")
        page.get_by_role("button", name="All 300 rows").click()
        assert page.evaluate(ROWS) == VARIANTS


def test_a_link_to_a_row_that_is_not_there_leads_to_it(browser: Browser, many: Path) -> None:
    with opened(browser, many) as page:
        for anchor in ("echo.variant-250", "echo.printed-250"):
            page.evaluate(f"location.hash = '#{anchor}'")
            wait_until(page, f"document.getElementById('{anchor}')?.checkVisibility()")


def test_all_rows_are_sorted_and_copied(browser: Browser, many: Path) -> None:
    with opened(browser, many) as page:
        copied = page.evaluate("asCsv(document.querySelector('.ranking'))")
        assert copied.count("\r\n") == 1 + VARIANTS
        page.locator(".ranking .sort", has_text="p99").click()
        page.locator(".ranking .sort", has_text="p99").click()
        assert "server-299" in page.inner_text(".ranking tbody tr >> nth=0")


def test_the_second_line_of_a_heading_stays_when_its_column_can_be_sorted(
    browser: Browser, many: Path
) -> None:
    head = "<thead><tr><th>p99<small>paired change</small></thead>"
    row = "<tbody><tr><td>5 <small>1.2×</small></tbody>"
    with opened(browser, many) as page:
        copied = page.evaluate(
            "html => { const table = make('table', {innerHTML: html}); sortButtons(table);"
            " return asCsv(table); }",
            head + row,
        )
        assert copied == "p99,paired change\r\n5,1.2×\r\n"


def test_all_rows_are_on_paper_and_there_without_script(browser: Browser, many: Path) -> None:
    with opened(browser, many) as page:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.evaluate(ROWS) == VARIANTS
    with opened(browser, many, java_script_enabled=False) as page:
        assert page.locator(".ranking tbody tr").count() == VARIANTS
