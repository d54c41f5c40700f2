"""The page in a real browser, with the network off."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.report.runs import run_names, run_table
from benchkit.schema import TABLES
from tests.recorded import assessed, example

from .browsing import opened, views, wait_until
from .pages import Pages, Rows
from .pages import written as page_of
from .payloads import PAYLOADS
from .samples import repeated_rows
from .test_grid import swept

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


#: The data of each figure that is shown, once the browser has had time for them.
_TABLES_ARE_MADE = """
    [...document.querySelectorAll('.plot')].every(slot =>
        !slot.offsetParent || slot.parentElement.querySelector('.data [data-v]'))
"""


def test_every_figure_has_words_for_those_who_do_not_see_it(
    browser: Browser, written: Path
) -> None:
    with opened(browser, written) as page:
        figures = 0
        for _ in views(page):
            wait_until(page, _TABLES_ARE_MADE)
            for slot in page.query_selector_all(".plot:visible"):
                assert slot.query_selector("svg.still") is not None
                assert slot.get_attribute("aria-label")
                figures += 1
        assert figures >= 5


def test_a_mark_says_what_it_stands_for(browser: Browser, pages: Pages) -> None:
    target = pages.repeated(effect=1.5)
    with opened(browser, target, viewport={"width": 1440, "height": 900}) as page:
        page.evaluate("location.hash = 'checkout.runs'")
        wait_until(page, "document.querySelector('[id=\"checkout.runs\"] circle')")
        mark = page.locator("[id='checkout.runs'] circle").first
        box = mark.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert plain(page.inner_text(".tip")) == "new, run 1\nThroughput 7.38 k req/s"
        page.mouse.move(5, 5)
        assert not page.locator(".tip").is_visible()


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_scrolls_sideways_but_tables(browser: Browser, written: Path, width: int) -> None:
    with opened(browser, written, viewport={"width": width, "height": 900}) as page:
        for name in views(page):
            assert page.evaluate("document.documentElement.scrollWidth") == width, name


def test_the_page_follows_the_colour_scheme(browser: Browser, written: Path) -> None:
    colour = "getComputedStyle(document.querySelector('.plot .t, .plot text')).color"
    with opened(browser, written, color_scheme="light") as page:
        next(view for view in views(page) if view != "overview")
        light = page.evaluate(colour)
        page.emulate_media(color_scheme="dark")
        wait_until(page, f"{colour} !== '{light}'")
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == "rgb(20, 23, 28)"


def test_bands_have_the_colour_of_their_lines_and_are_stronger_in_the_dark(
    browser: Browser, pages: Pages
) -> None:
    """Once a rule for another band took theirs for its own, and they were as grey as the page."""
    path = pages.examples("request-coalescing")
    style = "getComputedStyle(document.querySelector('.plot path.v0.z'))"
    line = "getComputedStyle(document.querySelector('.plot path.v0:not(.z)')).stroke"
    with opened(browser, path, color_scheme="light") as page:
        next(view for view in views(page) if view != "overview")
        light = float(page.evaluate(f"{style}.opacity"))
        assert page.evaluate(f"{style}.fill") == page.evaluate(line)
        page.emulate_media(color_scheme="dark")
        wait_until(page, f"Number({style}.opacity) > {light}")
        assert page.evaluate(f"{style}.fill") == page.evaluate(line)


def test_words_tables_and_the_main_figure_are_there_without_script(
    browser: Browser, written: Path
) -> None:
    with opened(browser, written, java_script_enabled=False) as page:
        assert "at every printed percentile" in page.inner_text("h2 >> nth=0")
        sections = page.locator(".comparison").count()
        assert page.locator(".comparison .pair, .comparison .ranking").count() >= sections
        assert page.locator(".comparison svg.still").count() == sections
        page.locator("details.data summary").first.click()
        assert page.locator("details.data table").first.is_visible()


def test_one_comparison_is_shown_and_leads_to_the_others(browser: Browser, written: Path) -> None:
    shown = "[...document.querySelectorAll('.comparison:not([hidden])')].map(s => s.id)"
    with opened(browser, written, viewport={"width": 1440, "height": 900}) as page:
        assert page.evaluate(shown) == []
        names = page.eval_on_selector_all(".answers a", "all => all.map(a => a.hash.slice(1))")
        page.click(f".answers a[href='#{names[1]}']")
        wait_until(page, f"({shown}).length === 1")
        assert page.evaluate(shown) == [names[1]]
        page.keyboard.press("k")
        wait_until(page, f"location.hash === '#{names[0]}'")
        wait_until(page, f"({shown})[0] === '{names[0]}'")
        current = page.locator(".contents [aria-current=page]")
        assert current.get_attribute("href") == f"#{names[0]}"
        page.keyboard.press("o")
        wait_until(page, f"({shown}).length === 0")
        assert page.locator(".answers").is_visible()
        page.keyboard.press("/")
        link = page.locator(".answers a").first.inner_text()
        page.keyboard.type(f"{link} with")
        assert page.locator(".answers li:visible").count() == 1
        page.keyboard.press("Enter")
        wait_until(page, f"({shown}).length === 1")


#: Whether the row with the focus is what is seen at its own place, and nothing lies over it.
UNCOVERED = """() => {
    const box = document.activeElement.getBoundingClientRect();
    const seen = document.elementFromPoint(box.left + 30, box.top + box.height / 2);
    return Boolean(seen) && seen.closest('tr') === document.activeElement;
}"""
ON_A_ROW = "document.activeElement.matches('tr')"


@pytest.fixture
def gin_panic(pages: Pages) -> Path:
    return pages.examples("gin-panic")


@cache
def run_anchor(name: str, sink: str) -> str:
    """Where a run stands in its section, read off the only run of that name and sink."""
    named = (run for run in example("gin-panic") if run.label.startswith(f"gin-panic/{name} "))
    (run,) = (run for run in named if run.params["sink"] == sink)
    return f"run-{run.run_id}"


def test_a_run_stands_at_the_same_place_whatever_other_runs_there_are() -> None:
    every = example("gin-panic")
    fewer = Results(run for run in every if run.get("repeat") != 1)
    places = [
        {anchor for c in assess(runs).comparisons for anchor in run_names(c)}
        for runs in (every, fewer)
    ]
    assert places[1] < places[0]
    assert len(places[0]) == len(every)


@pytest.mark.parametrize("width", [1440, 390])
def test_a_run_is_some_keys_away(browser: Browser, gin_panic: Path, width: int) -> None:
    with opened(browser, gin_panic, viewport={"width": width, "height": 844}) as page:
        page.keyboard.press("/")
        page.keyboard.type("recover/3 null")
        assert page.inner_text(".contents .quiet") == "1 of 3"
        page.keyboard.press("Enter")
        wait_until(page, ON_A_ROW)
        assert page.evaluate("location.hash").startswith("#gin-panic-sink-null.run-")
        row = page.evaluate("document.activeElement.innerText")
        assert row.strip().startswith("recover/3")
        assert page.evaluate(UNCOVERED)
        page.keyboard.press("/")
        page.click(".hits a")  # where the page is already
        assert page.evaluate(ON_A_ROW)
        assert page.evaluate(UNCOVERED)


#: Whether the heading of its first column is seen above the row that has the focus.
HAS_HEADING = """(() => {
    const row = document.activeElement.getBoundingClientRect();
    const [head] = document.activeElement.closest('table').tHead.rows[0].cells;
    const {top, bottom} = head.getBoundingClientRect();
    return top >= 0 && bottom <= row.top + 1;
})()"""


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("name", ["default/1", "recover/3", "recover/8"])
def test_a_link_to_a_run_shows_it_below_its_headings(
    browser: Browser, gin_panic: Path, width: int, name: str
) -> None:
    with opened(browser, gin_panic, viewport={"width": width, "height": 844}) as page:
        page.goto("about:blank")
        page.goto(f"{gin_panic.as_uri()}#gin-panic-sink-null.{run_anchor(name, 'null')}")
        wait_until(page, ON_A_ROW)
        assert page.evaluate(UNCOVERED)
        assert page.evaluate(HAS_HEADING)


def test_asked_for_again_a_run_is_shown_again(browser: Browser, gin_panic: Path) -> None:
    """Its address is there already: a browser would put its row below the top, headings above."""
    with opened(browser, gin_panic) as page:
        page.keyboard.press("/")
        page.keyboard.type("null recover 8")
        page.keyboard.press("Enter")
        wait_until(page, ON_A_ROW)
        for where in ("0", "document.body.scrollHeight"):
            page.evaluate(f"scrollTo(0, {where})")
            page.keyboard.press("/")
            page.keyboard.press("Enter")
            wait_until(page, UNCOVERED)
            assert page.evaluate(HAS_HEADING)


#: How far below the bar that stays on top, or the edge of the window, an element begins, and how
#: far one can scroll on, in px.
BELOW_BAR = """id => {
    const bar = document.querySelector('.contents').getBoundingClientRect();
    const covered = bar.width > innerWidth / 2 ? bar.bottom : 0;
    const {top} = document.getElementById(id).getBoundingClientRect();
    return [top - covered, document.documentElement.scrollHeight - innerHeight - scrollY];
}"""


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("target", ["findings", "1", "3", "ridges"])
def test_a_link_leads_right_to_its_place(
    browser: Browser, gin_panic: Path, width: int, target: str
) -> None:
    """Once the page scrolled before it was whole, and a finding lay under the bar."""
    anchor = f"gin-panic-sink-null.{target}"
    with opened(browser, gin_panic, viewport={"width": width, "height": 844}) as page:
        page.goto("about:blank")
        page.goto(f"{gin_panic.as_uri()}#{anchor}")
        wait_until(page, "document.querySelector('.folds') && scrollY > 0")
        page.wait_for_timeout(100)
        below, left = page.evaluate(BELOW_BAR, anchor)
        assert below >= 0
        assert below <= 20 or left < 1


def test_the_rows_of_runs_bear_every_finding_about_them() -> None:
    comparisons = [c for c in assessed("gin-panic").comparisons if c.runs > len(c.variants)]
    most = 0
    for comparison in comparisons:
        table = run_table(comparison, dict.fromkeys(comparison.order, ""))
        assert table is not None
        borne = {name.anchor: {mark.number for mark in name.marks} for name in table.names}
        expected: dict[str, set[int]] = {anchor: set() for anchor in borne}
        for numbered in comparison.findings:
            for finding in numbered.findings:
                if finding.run_id is not None:
                    expected[f"run-{finding.run_id}"].add(numbered.number)
        assert borne == expected
        most = max(most, *map(len, borne.values()))
    assert most > 3


#: Whether what is marked is inside its table's window and below its head.
IN_VIEW = """() => {
    const box = document.querySelector('td.at').getBoundingClientRect();
    const seen = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return seen === document.querySelector('td.at');
}"""
#: The names above and beside it, the first read off where it is seen.
NAMES_OF_MARKED = """() => {
    const cell = document.querySelector('td.at');
    const table = cell.closest('table');
    const box = cell.getBoundingClientRect();
    const top = table.closest('.scroll').getBoundingClientRect().top;
    const above = document.elementFromPoint((box.left + box.right) / 2, top + 12).closest('th');
    return [above?.innerText, cell.parentElement.cells[0].innerText];
}"""


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("name", ["null nolog/2", "null nolog/7"])
def test_a_withheld_figure_leads_to_the_cell_of_its_run(
    browser: Browser, gin_panic: Path, width: int, name: str
) -> None:
    sink, run = name.split()
    with opened(browser, gin_panic, viewport={"width": width, "height": 844}) as page:
        section = f"gin-panic-sink-{sink}"
        anchor = run_anchor(run, sink)
        page.evaluate(f"location.hash = '{section}.{anchor}'")
        wait_until(page, ON_A_ROW)
        page.locator("tr:focus a.value[href*='.p99.run-']").click()
        wait_until(page, "document.querySelectorAll('td.at').length === 1")
        assert page.evaluate(IN_VIEW)
        above, beside = page.evaluate(NAMES_OF_MARKED)
        assert (above, beside[:3]) == (run, "p99")


def test_a_withheld_figure_of_a_run_leads_to_what_was_printed(
    browser: Browser, gin_panic: Path
) -> None:
    with opened(browser, gin_panic) as page:
        anchor = run_anchor("default/1", "console")
        spot = f"gin-panic-sink-console.{anchor}"
        page.evaluate(f"location.hash = '{spot}'")
        wait_until(page, ON_A_ROW)
        links = page.locator("tr:focus a.value")
        assert set(links.all_inner_texts()) == {"withheld"}
        row = "gin-panic-sink-console.printed-1.p99"
        page.locator(f"tr:focus a.value[href='#{row}.{anchor}']").click()
        wait_until(page, f"document.activeElement.id.startsWith('{row}')")
        assert page.locator("tr:focus th").inner_text().startswith("p99")
        printed = page.inner_text("[id='gin-panic-sink-console.printed-1']")
        assert "default/1" in printed
        assert "latency_max_s" in printed
        assert page.locator("[id='gin-panic-sink-console.printed-1'] table").is_visible()


def test_folders_are_found_and_a_name_alone_says_how_to_list_runs(
    browser: Browser, gin_panic: Path
) -> None:
    with opened(browser, gin_panic) as page:
        page.fill(".contents input", "default+sink-file")  # no run is called so
        assert page.inner_text(".contents .quiet") == "1 of 3"
        page.fill(".contents input", "recover")
        assert page.inner_text(".contents .quiet") == "3 of 3; runs: add a number, “recover 1”"
        assert not page.locator(".hits").count()
        page.fill(".contents input", "recover 1")
        assert page.inner_text(".contents .quiet") == "3 of 3"
        assert page.locator(".hits a").count() > 2


def test_the_load_that_is_shown_is_found(browser: Browser, pages: Pages) -> None:
    """Once only params were: "200 connections" stood on the page, and was in no comparison."""
    with opened(browser, pages.examples("gateways", "quickstart")) as page:
        for words in ("200 connections", "8.10 s"):
            page.fill(".contents input", words)
            assert page.inner_text(".contents .quiet") == "1 of 2", words


HITS = "[...document.querySelectorAll('.hits a')].map(a => a.textContent)"


@pytest.mark.parametrize("load", ["1000", "1,000 connections", "concurrency 1000"])
def test_a_run_is_found_by_the_load_that_all_have(
    load: str, browser: Browser, pages: Pages
) -> None:
    """Once it led to the comparison alone; ab calls connections concurrency."""
    with opened(browser, pages.examples("request-coalescing")) as page:
        page.fill(".contents input", f"coalescing unbounded without {load} run 5")
        assert page.evaluate(HITS) == ["without/5"]


def _of_levels(*levels: int, variant: str = "new") -> Rows:
    by_level = {level: float(n) for n, level in enumerate(levels, 1)}
    rows = swept(levels=by_level, tls=True)
    rows["runs"] += swept(levels=by_level, tls=False)["runs"]
    for row in rows["runs"]:
        row["variant"] = row["variant"].replace("new", variant)
        row["label"] = row["label"].replace("new", variant)
        row["label"] += f" · c {json.loads(row['params'])['c']}"
    return rows


@pytest.fixture
def three_levels(pages: Pages) -> Path:
    return pages.kept("three levels", lambda: _of_levels(10, 100, 1000))


def test_a_number_that_is_looked_for_is_a_whole_one(browser: Browser, three_levels: Path) -> None:
    with opened(browser, three_levels) as page:
        page.fill(".contents input", "new/1 100")
        assert page.evaluate(HITS) == ["new/1 · c 100"] * 2
        page.fill(".contents input", "new/1 00")  # no whole number: it is looked for in any
        assert page.evaluate(HITS) == ["new/1 · c 100", "new/1 · c 1000"] * 2
        page.fill(".contents input", "new/1 c100")  # a letter for the param
        assert page.evaluate(HITS) == ["new/1 · c 100"] * 2


def test_a_run_is_found_by_its_name_as_the_page_writes_it(
    browser: Browser, three_levels: Path
) -> None:
    """With a comma behind the variant, and between thousands."""
    with opened(browser, three_levels) as page:
        for words in ("new, c 1000 1", "new, 1,000 1", "new/1, c 1,000", "NEW/1 1000"):
            page.fill(".contents input", words)
            assert page.evaluate(HITS) == ["new/1 · c 1000"] * 2, words


@pytest.mark.parametrize(
    ("words", "fillers"),
    [
        ("p99 of run 1 of new at 100", "p99 of of at"),
        ("the run 1 of new with c 100", "the of with"),
    ],
)
def test_a_run_is_asked_for_in_a_sentence(
    words: str, fillers: str, browser: Browser, three_levels: Path
) -> None:
    with opened(browser, three_levels) as page:
        page.fill(".contents input", words)
        assert page.evaluate(HITS) == ["new/1 · c 100"] * 2
        assert page.inner_text(".contents .quiet").endswith(f"; without “{fillers}”")


def test_fillers_are_none_of_the_words_that_are_asked_about(
    browser: Browser, three_levels: Path
) -> None:
    with opened(browser, three_levels) as page:
        page.fill(".contents input", "p99 of run 1 of new at 100 foo")
        assert page.inner_text(".contents .quiet").endswith(" without “foo”")
        page.fill(".contents input", "the new")
        assert "; runs: add a number, “new 1”" in page.inner_text(".contents .quiet")


def test_a_filler_within_a_longer_name_is_one(browser: Browser, pages: Pages) -> None:
    longer = pages.kept("with-tls", lambda: _of_levels(10, 100, 1000, variant="with-tls"))
    with opened(browser, longer) as page:
        page.fill(".contents input", "run 1 of old with c 100")
        assert page.evaluate(HITS) == ["old/1 · c 100"] * 2


def test_the_name_of_a_variant_is_no_filler(browser: Browser, tmp_path: Path) -> None:
    rows = _of_levels(10, 100, 1000, variant="with")
    rows["runs"] = [
        row
        for row in rows["runs"]
        if row["variant"] == "old" or json.loads(row["params"])["c"] != 100
    ]
    with opened(browser, page_of(rows, tmp_path / "report.html")) as page:
        page.fill(".contents input", "run 1 of with at 10")
        assert page.evaluate(HITS) == ["with/1 · c 10"] * 2
        page.fill(".contents input", "run 1 of with at 100")
        assert page.evaluate(HITS) == []


def test_words_of_a_run_go_before_those_of_its_setting(browser: Browser, tmp_path: Path) -> None:
    """In one comparison 100 is a level, in the other what all its runs share."""
    rows = swept(levels={10: 1.0, 100: 2.0}, sleep=0)
    rows["runs"] += swept(levels={10: 1.0, 20: 2.0}, sleep=100)["runs"]
    for row in rows["runs"]:
        row["label"] += f" · c {json.loads(row['params'])['c']}"
    with opened(browser, page_of(rows, tmp_path / "report.html")) as page:
        page.fill(".contents input", "new/1 100")
        assert page.evaluate(HITS) == ["new/1 · c 100"]
        assert page.inner_text(".contents .quiet") == "1 of 2"


def test_what_all_runs_share_gives_way_to_names_and_settings(
    browser: Browser, tmp_path: Path
) -> None:
    """The 5 of 5 s is not looked for where a run 5 is, nor the 10 of a path for a run 10."""
    rows: Rows = {"runs": []}
    for pool in ("on", "off"):
        for run in repeated_rows(effect=1.2, runs=8)["runs"]:
            params = json.dumps({"pool": pool, "path": "/items/10"})
            shared = {"connections": 1, "duration_s": 5.0, "source": f"{pool}/{run['source']}"}
            named = {"run_id": f"{run['run_id']}{pool}", "label": f"{run['label']} · pool {pool}"}
            rows["runs"].append(run | shared | named | {"params": params})
    with opened(browser, page_of(rows, tmp_path / "report.html")) as page:

        def hits(words: str) -> tuple[list[str], int]:
            page.fill(".contents input", words)
            return page.evaluate(HITS), len(shown_in(page))

        assert hits("pool on new 5") == (["new/5"], 1)
        assert hits("checkout pool on new run 5") == (["new/5"], 1)
        assert hits("new run 10")[0] == []
        assert hits("new concurrency 1 run 3") == (["new/3"] * 2, 2)


def test_few_runs_are_listed_without_a_number(browser: Browser, pages: Pages) -> None:
    with opened(browser, pages.examples("gateways", "quickstart")) as page:
        page.fill(".contents input", "zuul")
        assert page.evaluate(HITS) == [f"zuul/{number}" for number in range(1, 9)]
        assert page.inner_text(".contents .quiet") == "1 of 2"
        for nothing in ("", "the"):
            page.fill(".contents input", nothing)
            assert page.evaluate(HITS) == []
            assert "runs:" not in page.inner_text(".contents .quiet")


def shown_in(page: Page) -> list[str]:
    """Return the comparisons that the list beside the page shows, without their grades."""
    links = page.eval_on_selector_all(
        ".contents ol > li:not([hidden]) > a", "all => all.map(link => link.textContent)"
    )
    return [str(text)[2:] for text in links]


def test_what_is_on_is_not_found_where_it_is_off(browser: Browser, tmp_path: Path) -> None:
    rows = swept(levels={10: 1.0, 100: 2.0}, tls=True)
    rows["runs"] += swept(levels={10: 1.0, 100: 2.0}, tls=False)["runs"]
    with opened(browser, page_of(rows, tmp_path / "report.html")) as page:
        page.fill(".contents input", "tls")
        assert shown_in(page) == ["checkout, c 10, tls", "checkout, c 100, tls"]
        assert not page.is_visible(".levels")
        page.fill(".contents input", "no tls")
        assert shown_in(page) == ["checkout, c 10, no tls", "checkout, c 100, no tls"]


def test_where_nothing_is_found_the_page_says_what_there_is(
    browser: Browser, gin_panic: Path
) -> None:
    with opened(browser, gin_panic) as page:
        page.fill(".contents input", "linkerd")
        text = page.inner_text(".contents .quiet")
        assert text == "0 of 3; there are gin-panic, and the variants in each"
        page.fill(".contents input", "nolog linkerd")
        assert page.inner_text(".contents .quiet") == "0 of 3; 3 without “linkerd”"


def test_the_number_of_a_run_is_no_part_of_a_name(browser: Browser, tmp_path: Path) -> None:
    """Once "run 2" listed all runs of 20x2 too."""
    rows = swept(levels={10: 1.0, 100: 2.0}, tls=True)
    rows["runs"] += swept(levels={10: 1.0, 100: 2.0}, tls=False)["runs"]
    for row in rows["runs"]:
        row["variant"] = row["variant"].replace("new", "20x2")
        row["label"] = row["label"].replace("new", "20x2")
    with opened(browser, page_of(rows, tmp_path / "report.html")) as page:
        for words in ("20x2 run 2", "20x2 repeat 2"):
            page.fill(".contents input", words)
            assert {*page.evaluate(HITS)} == {"20x2/2"}, words


def test_a_number_beside_a_name_is_that_of_a_run(browser: Browser, tmp_path: Path) -> None:
    """Once "20x5 5" listed all runs of 20x5, in each of which there is a 5."""
    rows = _of_levels(10, 100, 1000, variant="20x5")
    with opened(browser, page_of(rows, tmp_path / "report.html")) as page:
        for words in ("20x5 5", "checkout 20x5 5"):
            page.fill(".contents input", words)
            assert {text.partition(" ")[0] for text in page.evaluate(HITS)} == {"20x5/5"}, words
        page.fill(".contents input", "20x5 100 1")
        assert page.evaluate(HITS) == ["20x5/1 · c 100"] * 2
        page.keyboard.press("Enter")
        wait_until(page, ON_A_ROW)


def test_a_run_of_that_number_stands_before_others(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(_of_levels(2, 100, 1000), tmp_path / "report.html")) as page:
        page.fill(".contents input", "new 2")
        names = page.evaluate(HITS)[: len(page.evaluate(HITS)) // 2]
        assert [name.startswith("new/2") for name in names] == [True] * 3 + [False] * 5
        assert "new/1 · c 2" in names


def test_a_run_is_found_with_its_p99_before_it_is_opened(browser: Browser, tmp_path: Path) -> None:
    results = swept(levels={10: 1.0, 100: 2.0, 1000: 3.0}, tls=True)
    results["runs"] += swept(levels={10: 1.0, 100: 2.0, 1000: 3.0}, tls=False)["runs"]
    with opened(browser, page_of(results, tmp_path / "report.html")) as page:
        page.keyboard.press("/")
        page.keyboard.type("new/1")
        beside = page.inner_text(".hits li >> nth=0 >> b").split()
        page.keyboard.press("Enter")
        wait_until(page, "document.querySelector('[id*=\".run-\"]')")
        anchor = page.evaluate("location.hash.slice(1)")
        texts = "all => all.map(cell => cell.innerText)"
        cells = page.eval_on_selector_all(f"[id='{anchor}'] td", texts)
        heads = page.eval_on_selector_all(f"table:has([id='{anchor}']) thead th", texts)
        at = next(n for n, head in enumerate(heads) if head.startswith("p99,"))
        assert beside[:2] == ["p99", cells[at - 1]]
        assert heads[at].startswith(f"p99, {beside[2]}")


def test_all_that_is_folded_is_opened_and_closed(browser: Browser, gin_panic: Path) -> None:
    closed = ".comparison:not([hidden]) details:not([open])"
    with opened(browser, gin_panic) as page:
        page.evaluate("location.hash = 'gin-panic-sink-null'")
        wait_until(page, "document.querySelector('.folds')")
        assert page.locator(closed).count() > 5
        page.click(".all")
        assert page.locator(closed).count() == 0
        assert page.locator("[id='gin-panic-sink-null.printed-1'] table").is_visible()
        wait_until(page, "document.querySelector('.all').textContent === 'Close all'")
        page.click(".all")
        wait_until(page, "document.querySelector('.all').textContent === 'Open all'")
        assert page.locator("[id='gin-panic-sink-null'] details[open]").count() == 0


def test_little_is_made_before_it_is_asked_for(browser: Browser, written: Path) -> None:
    with opened(browser, written) as page:
        before = page.locator("*").count()
        for _ in views(page):
            pass
        assert before < page.locator("*").count() / 4


#: What must stay as it is for a run to be one.
KEPT = {
    *("run_id", "params", "state", "origin", "outcome", "tool", "environment"),
    *("load_model", "correction", "clock"),
}


def hostile(rows: Rows, first: int) -> Rows:
    """Rows with hostile text in every free column of text, other texts for each `first`."""
    # As they come in: no table takes a lone surrogate.
    texts = [text.encode("utf-8", "backslashreplace").decode() for text in PAYLOADS]
    changed: Rows = {}
    for table, listed in rows.items():
        free = [
            column.name
            for column in TABLES[table].columns
            if column.kind == "string" and column.name not in KEPT
        ]
        changed[table] = [
            row
            | {
                name: f"{texts[(first + at + 7 * n) % len(texts)]}{n}"
                for at, name in enumerate(free)
            }
            for n, row in enumerate(listed)
        ]
    for n, run in enumerate(changed["runs"]):
        own = texts[first + n :: 11]
        run["environment"] = json.dumps(dict(zip(own, reversed(own), strict=True)))
    return changed


def test_there_are_a_hundred_payloads() -> None:
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 100


@pytest.mark.parametrize("first", range(0, len(PAYLOADS), 28))
def test_hostile_text_in_every_column_is_only_text(
    first: int, browser: Browser, every_row: Rows, tmp_path: Path
) -> None:
    everything = hostile(every_row, first)
    title = " ".join(PAYLOADS[first : first + 28]).encode("utf-8", "backslashreplace").decode()
    path = page_of(everything, tmp_path / "hostile.html", title=title)
    with opened(browser, path) as page:
        texts = [page.inner_text("body") for _ in views(page)]
        assert page.locator("img, main svg a, iframe, object, embed, base, form").count() == 0
        handlers = "[onload], [onerror], [onfocus], [onmouseover], [ontoggle], [onclick], [onbegin]"
        assert page.locator(handlers).count() == 0
        assert page.locator("image, foreignObject, video, audio, marquee").count() == 0
        assert page.locator("a[href^=javascript]").count() == 0
        text = "\n".join(texts)
        assert PAYLOADS[first].strip() in text or not PAYLOADS[first].isprintable()
        assert "\x1b" not in page.content()
        assert "\u202e" not in page.content()


def test_a_number_leads_to_its_finding(browser: Browser, pages: Pages) -> None:
    target = pages.repeated(effect=1.5, non2xx=4000)
    with opened(browser, target, viewport={"width": 1440, "height": 900}) as page:
        page.click(".grade .s")
        wait_until(page, "document.activeElement.id === 'checkout.1'")
        text = page.inner_text('[id="checkout.1"]')
        assert text.startswith("①")
        assert "Failures differ between variants" in text


def test_the_answer_stands_on_the_first_screen(browser: Browser, pages: Pages) -> None:
    target = pages.repeated(effect=1.5, non2xx=4000)
    with opened(browser, target, viewport={"width": 1440, "height": 900}) as page:
        for what in ("h2", ".chip", ".pair", ".plot"):
            matches = page.query_selector(what)
            assert matches is not None
            box = matches.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 900, what


def test_runs_of_a_few_variants_are_in_sight_without_a_box_that_scrolls(
    browser: Browser, pages: Pages
) -> None:
    target = pages.examples("gateways")
    with opened(browser, target, viewport={"width": 1440, "height": 900}) as page:
        page.evaluate("location.hash = 'gateways.all-runs'")
        wait_until(page, "document.querySelector('[id=\"gateways.all-runs\"] table')")
        area = page.locator("[id='gateways.all-runs'] .scroll")
        assert area.locator("tbody tr").count() == 32
        assert area.evaluate("area => area.scrollHeight <= area.clientHeight")
