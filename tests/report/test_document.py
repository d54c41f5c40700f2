"""The report as Markdown."""

import re
from pathlib import Path
from runpy import run_path

from benchkit.api import Results

from .pages import Rows, as_markdown

SAMPLES = run_path(str(Path(__file__).parent / "samples.py"))
REPEATED, with_columns = SAMPLES["repeated"], SAMPLES["with_columns"]


def test_the_document_is_what_it_was(everything: Results, golden: object) -> None:
    assert callable(golden)
    golden("report/report.md", as_markdown(everything, title="Sample", command="benchkit report ."))


def test_a_change_has_its_verdict_and_its_findings() -> None:
    text = as_markdown(REPEATED(effect=1.5, errors=12_000)).replace("\u00a0", " ")
    assert "**◕ In these runs only.** In these runs new is faster than old: thr" in text
    assert re.search(
        r"^\| p99, ms \|.*\| \*\*−32 %\*\* \(faster, −34 to −31 %\) \|$",
        text,
        re.MULTILINE,
    )
    assert "\n- (1) **Over 1 % of the requests failed.** old/1: 6 %" in text


def test_every_row_of_a_table_has_its_cells(everything: Results) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", as_markdown(everything), re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(cells) == 1, table


def test_hostile_names_stay_text(pair: Rows) -> None:
    names = ["<img src=x>|`a`", "[b](javascript:c)"]
    hostile = with_columns(pair, variant=names, label=names, scenario=["# *x* | <b>"] * 2)
    text = as_markdown(hostile, command="benchkit report '`rm`'\n# x")
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    assert not re.search(r"(?<!\\)<", prose)
    assert "](" not in prose.replace("\\]", "")
    assert text.count("\n    benchkit") == 1
