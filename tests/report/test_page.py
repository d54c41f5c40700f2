"""The page in a real browser, with the network off."""

from __future__ import annotations

import json
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING

import pytest

from benchkit.api import Results
from benchkit.schema import TABLES

from .browsing import draw_all, opened, wait_until
from .pages import Rows
from .pages import written as page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPEATED = run_path(str(Path(__file__).parent / "samples.py"))["repeated"]

#: Values that each figure draws (guides left out), and those of its data table.
VALUES = """() => [...document.querySelectorAll('.plot')].map(slot => {
    const cells = document.querySelectorAll(`[data-of="${slot.dataset.figure}"] [data-v]`);
    const drawn = slot.data.filter(t => t.meta !== 'guide').map(t => [t.x, t.y]);
    return {drawn, listed: [...cells].map(cell => Number(cell.dataset.v))};
})"""


@pytest.fixture
def written(everything: Results, tmp_path: Path) -> Path:
    return page_of(everything, tmp_path / "report.html")


def test_every_figure_is_drawn_with_the_data_of_its_table(browser: Browser, written: Path) -> None:
    with opened(browser, written) as page:
        draw_all(page)
        found = page.evaluate(VALUES)
        assert len(found) >= 5
        for figure in found:
            listed = [f"{value:.7g}" for value in figure["listed"]]
            assert figure["drawn"]
            for xs, ys in figure["drawn"]:
                by_x = all(f"{x:.7g}" in listed for x in xs)
                assert by_x or all(f"{y:.7g}" in listed for y in ys)
        assert all(s.get_attribute("aria-label") for s in page.query_selector_all("[role=img]"))


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_scrolls_sideways_but_tables(browser: Browser, written: Path, width: int) -> None:
    with opened(browser, written, viewport={"width": width, "height": 900}) as page:
        draw_all(page)
        for details in page.query_selector_all("details"):
            details.evaluate("one => one.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_page_follows_the_colour_scheme(browser: Browser, written: Path) -> None:
    colour = "document.querySelector('.plot .annotation-text').style.fill"
    with opened(browser, written, color_scheme="light") as page:
        draw_all(page)
        light = page.evaluate(colour)
        page.emulate_media(color_scheme="dark")
        wait_until(page, f"{colour} !== '{light}'")
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == "rgb(20, 23, 28)"


def test_words_tables_and_data_are_there_without_script(browser: Browser, written: Path) -> None:
    with opened(browser, written, java_script_enabled=False) as page:
        assert "every printed percentile was lower" in page.inner_text("h2 >> nth=0")
        assert page.locator("[data-v]").count() > 100
        page.locator("details.data summary").first.click()
        assert page.locator("details.data table").first.is_visible()


HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{ 7*7 }}{% raw %}{# x #}",
    "\x1b]0;title\x07\x1b[31m",
    '<a href="javascript:alert(1)">%{y}<b>x</b></a>',
    '=HYPERLINK("http://x")',
    "]]>--><!--",
    "'};*{color:red}/*",
    "\u202egnp.exe",
    "&lt;b&gt;@v1",
)


#: What must stay as it is for a run to be one.
KEPT = {
    *("run_id", "params", "state", "origin", "outcome", "tool", "environment"),
    *("load_model", "correction", "clock"),
}


def hostile(rows: Rows) -> Rows:
    """Rows with hostile text in every free column of text."""
    changed: Rows = {}
    for table, listed in rows.items():
        free = [
            column.name
            for column in TABLES[table].columns
            if column.kind == "string" and column.name not in KEPT
        ]
        changed[table] = [
            row
            | {name: f"{HOSTILE[(place + n) % len(HOSTILE)]}{n}" for place, name in enumerate(free)}
            for n, row in enumerate(listed)
        ]
    machine = [json.dumps({text: text}) for text in HOSTILE]
    for n, run in enumerate(changed["runs"]):
        run["environment"] = machine[n % len(machine)]
    return changed


def test_hostile_text_in_every_column_is_only_text(
    browser: Browser, every_row: Rows, tmp_path: Path
) -> None:
    everything = hostile(every_row)
    path = page_of(everything, tmp_path / "hostile.html", title=HOSTILE[0] + HOSTILE[1])
    with opened(browser, path) as page:
        draw_all(page)
        for details in page.query_selector_all("details"):
            details.evaluate("one => one.open = true")
        page.wait_for_timeout(200)
        assert page.locator("img, main svg a, iframe, [onload], [onerror]").count() == 0
        assert page.locator("a[href^=javascript]").count() == 0
        text = page.inner_text("body")
        assert HOSTILE[1] in text
        assert "{{ 7*7 }}" in text
        assert "\x1b" not in page.content()
        assert "\u202e" not in page.content()


def test_a_number_leads_to_its_finding(browser: Browser, tmp_path: Path) -> None:
    target = page_of(REPEATED(effect=1.5, non2xx=4000), tmp_path / "report.html")
    with opened(browser, target, viewport={"width": 1440, "height": 900}) as page:
        page.click(".grade .s")
        assert page.evaluate("document.activeElement.id") == "checkout.1"
        text = page.inner_text('[id="checkout.1"]')
        assert text.startswith("①")
        assert "Failures among the requests" in text


def test_the_answer_stands_on_the_first_screen(browser: Browser, tmp_path: Path) -> None:
    target = page_of(REPEATED(effect=1.5, non2xx=4000), tmp_path / "report.html")
    with opened(browser, target, viewport={"width": 1440, "height": 900}) as page:
        for what in ("h2", ".chip", ".pair", ".plot"):
            found = page.query_selector(what)
            assert found is not None
            box = found.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 900, what
