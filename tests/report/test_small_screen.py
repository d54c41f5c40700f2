"""On a small screen: what matters stands first, and it shows that there is more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .browsing import opened, unfold, views, wait_until
from .pages import Pages
from .pages import written as page_of
from .test_grid import SAMPLES, swept

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HEADS = "[...document.querySelectorAll('.ranking')][0].tHead.rows[0].innerText.split('\\t')"
ROWS = "[...document.querySelector('.pair tbody').rows].map(row => row.cells[0].innerText)"


#: Intervals of changes within which a line ends.
BROKEN = r"""() => {
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const match of text.data.matchAll(/[−+]?[\d.,]+(.to.|–)[−+]?[\d.,]+(.%|×)/g)) {
            const range = new Range();
            range.setStart(text, match.index);
            range.setEnd(text, match.index + match[0].length);
            if (range.getClientRects().length > 1) broken.push(match[0]);
        }
    }
    return broken;
}"""
#: Tables of the overview and of the answer that are wider than the screen.
WIDER = """[...document.querySelectorAll('.levels .scroll, .answer .scroll')]
    .filter(area => area.scrollWidth > area.clientWidth).map(area => area.ariaLabel)"""


def test_of_two_variants_all_columns_fit_with_whole_intervals(
    browser: Browser, pages: Pages
) -> None:
    path = pages.examples("request-coalescing")
    with opened(browser, path, viewport={"width": 390, "height": 844}) as page:
        for name in views(page):
            assert page.evaluate(WIDER) == [], name
            assert page.evaluate(BROKEN) == [], name


#: The px between the words of neighbouring cells that stand on one line, where they are least.
NEAREST = """() => {
    const linesOf = (cell) => {
        const range = new Range();
        range.selectNodeContents(cell);
        return [...range.getClientRects()].filter((line) => line.width > 0);
    };
    const gaps = [...document.querySelectorAll('.comparison:not([hidden]) .answer tbody td')]
        .flatMap((cell) => linesOf(cell).flatMap((line) => linesOf(cell.previousElementSibling)
            .filter((before) => before.top < line.bottom && line.top < before.bottom)
            .map((before) => line.left - before.right)));
    return Math.min(...gaps);
}"""


@pytest.mark.parametrize("width", [1440, 390])
def test_intervals_of_two_columns_never_read_as_one(
    browser: Browser, pages: Pages, width: int
) -> None:
    path = pages.examples("gateways", "request-coalescing")
    with opened(browser, path, viewport={"width": width, "height": 844}) as page:
        for fragment in (
            "gateways",
            "gateways?against=finagle-stand-in",
            "request-coalescing-pool-unbounded",
        ):
            page.evaluate("fragment => { location.hash = fragment; }", fragment)
            wait_until(page, "document.querySelector('.comparison:not([hidden]) .asked select')")
            page.wait_for_timeout(50)
            assert page.evaluate(NEAREST) >= 10, fragment
            assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(
    ("width", "heads", "more"),
    [(390, ["Throughput", "p99", "p50"], True), (1440, ["Throughput", "p50", "p99"], False)],
)
def test_throughput_and_p99_stand_first(
    browser: Browser, pages: Pages, *, width: int, heads: list[str], more: bool
) -> None:
    path = pages.kept("swept", lambda: swept(levels={1: 1.0, 10: 2.0, 100: 3.0}))
    with opened(browser, path, viewport={"width": width, "height": 800}) as page:
        unfold(page)
        names = [head.split(",")[0].strip() for head in page.evaluate(HEADS)]
        assert [name for name in names[1:] if name in heads][:3] == heads
        assert page.locator(".answer .scroll.more").count() == (1 if more else 0)
        if more:
            assert page.locator(".answer .hint").first.is_visible()
            assert page.evaluate("document.documentElement.scrollWidth") == width
            for row in page.query_selector_all(".ranking tbody tr")[:2]:
                assert len(row.query_selector_all("td")) == len(names) - 1


def test_of_a_pair_their_rows_do(browser: Browser, pages: Pages) -> None:
    path = pages.repeated(effect=1.5)
    with opened(browser, path, viewport={"width": 390, "height": 800}) as page:
        unfold(page)
        first = page.evaluate(ROWS)
        assert [text.split(",")[0] for text in first[:2]] == ["Throughput", "p99"]
        assert len(first) == len(set(first))


def test_a_malformed_fragment_is_no_error(browser: Browser, pages: Pages) -> None:
    path = pages.repeated(effect=1.5)
    with opened(browser, path) as page:
        page.evaluate("location.hash = '%E0%A4%A'")
        unfold(page)
        assert page.locator("#checkout h2").is_visible()


#: The lines of text that are seen of names at the ends of lines and left of axes.
NAMES_SEEN = """[...document.querySelectorAll('.plot text.b, .plot .y text')].map(
    text => [...text.querySelectorAll('.n')].filter(part => part.getClientRects().length)
        .map(part => part.textContent))"""


def test_long_names_stand_on_two_lines_in_figures(browser: Browser, pages: Pages) -> None:
    """Once they were cut: "finagle…in"."""
    path = pages.examples("gateways")
    for width, lines in ((1440, set()), (390, {("finagle-", "stand-in")})):
        with opened(browser, path, viewport={"width": width, "height": 844}) as page:
            unfold(page)
            seen = {tuple(each) for each in page.evaluate(NAMES_SEEN)}
            plain = {tuple(part.rstrip(" ①②") for part in each) for each in seen}
            assert {each for each in plain if "finagle" in "".join(each)} == lines
            assert not any("…" in each for each in seen)


def test_the_whole_of_a_name_that_is_cut_is_said(browser: Browser, tmp_path: Path) -> None:
    name = "abcdefghijklmnopqrstuvwxyz"
    rows = SAMPLES["repeated_rows"](effect=1.5)
    for row in rows["runs"]:
        row["variant"] = row["variant"].replace("new", name)
    path = page_of(rows, tmp_path / "report.html")
    with opened(browser, path, viewport={"width": 390, "height": 800}) as page:
        unfold(page)
        page.locator(".main text.b", has_text=name[-4:]).click()
        assert page.inner_text(".tip") == name
