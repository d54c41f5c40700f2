"""A scenario at a glance: verdicts by variant and level, each leading to its row."""

from __future__ import annotations

import json
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Any

import pytest

from benchkit.api import Results
from benchkit.report.grid import VerdictGrid

from .browsing import opened, wait_until
from .pages import Pages, section, viewed
from .pages import written as page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAMPLES = run_path(str(Path(__file__).parent / "samples.py"))
Rows = dict[str, list[dict[str, Any]]]


def settings(**effects: float) -> Rows:
    """`old` and `new`, repeated in each setting, where `new` is faster by a factor."""
    parts = []
    for number, (name, effect) in enumerate(effects.items()):
        part: Rows = SAMPLES["repeated_rows"](effect=effect, seed=number)
        for rows in part.values():
            for row in rows:
                row["run_id"] += name
        for row in part["runs"]:
            row["params"] = json.dumps({"pool": name})
        parts.append(part)
    joined: Rows = SAMPLES["together"](*parts)
    return joined


def swept(*, levels: dict[int, float], **setting: bool | int) -> Rows:
    """A sweep of the connections, in one setting if one is given."""
    rows = settings(**{str(level): effect for level, effect in levels.items()})
    for row in rows["runs"]:
        level = {"c": int(json.loads(row["params"])["pool"])}
        row["params"] = json.dumps(level | setting)
        row["run_id"] += "".join(f"-{name}{value}" for name, value in setting.items())
    return {"runs": rows["runs"]}


def texts(grid: VerdictGrid) -> dict[str, list[str]]:
    """Return the cells of each row in words."""
    return {
        head.label: [f"{cell.change} {cell.verdict}".replace("\u00a0", " ") for cell in cells]
        for head, cells in grid.rows
    }


def test_settings_stand_beside_each_other() -> None:
    page = viewed(settings(small=1.5, large=1.0))
    (grid,) = page.grids
    assert grid.title == "checkout: throughput against old"
    assert [head.label for head in grid.columns] == ["pool small", "pool large"]
    assert texts(grid) == {"new": ["+49 % ● faster", "+1.8 % ○ inconclusive"]}
    assert [cell.tone for _, cells in grid.rows for cell in cells] == ["better", ""]


def test_a_cell_says_what_the_table_of_its_comparison_says() -> None:
    page = viewed(settings(small=1.5, large=0.7))
    (grid,) = page.grids
    assert [head.target for head in grid.columns] == [each.anchor for each in page.sections]
    for section_view, cell in zip(page.sections, grid.rows[0][1], strict=True):
        table = section_view.answer.table
        (row,) = [row for row in table.rows if row.column == table.ranking]
        change = row.cells[-1].change
        assert change is not None
        assert (cell.change, cell.verdict[2:]) == (change.text, change.verdict)
        assert cell.target == f"{section_view.anchor}.variant-{table.names[-1].number}"


def test_a_sweep_has_a_column_per_level_and_a_row_per_setting() -> None:
    rows = SAMPLES["together"](
        swept(levels={1: 1.0, 10: 2.0}, tls=False),
        swept(levels={10: 0.5, 100: 3.0}, tls=True),
    )
    (grid,) = viewed(rows).grids
    assert [head.label for head in grid.columns] == ["1", "10", "100"]
    assert grid.title == "checkout: throughput against old by c"
    cells = {head.label: [cell.tone for cell in line] for head, line in grid.rows}
    assert cells == {"new, no tls": ["", "better", ""], "new, tls": ["", "worse", "better"]}
    assert texts(grid)["new, tls"][0].strip() == "not run"


def test_alone_it_stands_in_its_comparison() -> None:
    page = viewed(swept(levels={1: 1.0, 10: 2.0, 100: 3.0}))
    assert page.grids == ()
    grid = page.sections[0].answer.grid
    assert grid is not None
    assert len(grid.columns) == 3
    against = page.sections[0].choices[0].answer.grid
    assert against is not None
    assert [cell.tone for _, cells in against.rows for cell in cells] == ["", "worse", "worse"]


def test_what_has_one_setting_has_none() -> None:
    assert section(SAMPLES["repeated_rows"](effect=1.5)).answer.grid is None


def test_few_runs_are_not_called_faster() -> None:
    rows = settings(small=1.5, large=0.7)
    few = {"runs": [row for row in rows["runs"] if row["repeat"] <= 2]}
    (grid,) = viewed(Results.from_tables(few)).grids
    cells = [cell for _, cells in grid.rows for cell in cells]
    assert {cell.tone for cell in cells} == {""}
    assert {cell.verdict for cell in cells} == {"◔ inconclusive"}


@pytest.mark.parametrize("script", [True, False])
def test_a_cell_leads_to_its_row(browser: Browser, tmp_path: Path, *, script: bool) -> None:
    rows = SAMPLES["together"](
        swept(levels={1: 1.0, 10: 2.0}, tls=False), swept(levels={10: 0.5, 100: 3.0}, tls=True)
    )
    path = page_of(rows, tmp_path / "report.html")
    with opened(browser, path, java_script_enabled=script) as page:
        cell = page.locator(".verdicts .worse a")
        target = cell.get_attribute("href")
        assert target
        cell.click()
        if script:
            wait_until(page, "document.querySelector('.folds')")
        row = page.locator(f"[id='{target[1:]}']")
        assert row.is_visible()
        assert row.inner_text().split("\t")[0].strip().startswith("new")
        assert "slower" in row.inner_text()


def test_number_and_verdict_of_a_cell_are_of_one_metric() -> None:
    """Once the change of an undecided throughput stood beside the verdict of a latency."""
    rows = settings(small=1.0, large=1.5)
    for row in rows["runs"]:
        if row["variant"] == "new" and "small" in row["params"]:
            row["latency_p50_s"] *= 1.4
    page = viewed(rows)
    (grid,) = page.grids
    table = page.sections[0].answer.table
    (p50,) = [row for row in table.rows if row.column == "latency_p50_s"]
    (ranking,) = [row for row in table.rows if row.column == table.ranking]
    change, leading = p50.cells[-1].change, ranking.cells[-1].change
    assert change is not None
    assert leading is not None
    assert leading.verdict == "inconclusive"
    cell = grid.rows[0][1][0]
    assert (cell.change, cell.verdict) == (f"p50 {change.text}", "◕ slower")
    # Else a reader takes it for a change of the throughput.
    assert grid.title.endswith("; p50 where it decided")


def test_a_grid_of_many_levels_leaves_room_for_what_follows(
    browser: Browser, tmp_path: Path
) -> None:
    levels = dict.fromkeys(range(1, 31), 1.5)
    rows = {"runs": [row for tls in (0, 1) for row in swept(levels=levels, tls=tls)["runs"]]}
    with opened(browser, page_of(rows, tmp_path / "report.html")) as page:
        grid = page.locator(".levels .scroll")
        assert grid.locator("tbody tr").count() == 30
        assert grid.evaluate("grid => grid.offsetHeight") <= 600
        assert "30 rows" in page.inner_text(".levels .hint")


def test_what_holds_for_these_runs_only_is_paler(browser: Browser, pages: Pages) -> None:
    with opened(browser, pages.examples("gin-panic", "logging-cost")) as page:
        cells = page.eval_on_selector_all(
            ".verdicts td:is(.better, .worse)",
            "all => all.map(td => [td.innerText.includes('●'), td.classList.contains('pale'), "
            "getComputedStyle(td).backgroundColor])",
        )
    assert {(sure, pale) for sure, pale, _ in cells} == {(True, False), (False, True)}
    colours = [{colour for sure, _, colour in cells if sure == grade} for grade in (True, False)]
    assert not colours[0] & colours[1]
