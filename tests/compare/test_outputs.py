"""Whatever is asked of the same runs, the answer is the same: one comparison, rendered often."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

import benchkit
from benchkit import format as show
from benchkit.api import Results
from benchkit.cli.guard import run
from benchkit.compare.assess import Assessment, assess
from benchkit.figures import chart
from benchkit.model.metric import COMPARED
from benchkit.report.sections import sections
from benchkit.report.table import comparison_table
from tests.compare.runs import plain

RECORDED = Path(__file__).resolve().parents[2] / "examples" / "results"


def wrk_reports(folder: Path) -> Path:
    """Five runs each of two servers, one of which was asked to close its connections."""
    for name, rate, connections in (("a", 10_000, 10), ("b", 5_000, 100)):
        (folder / name).mkdir(parents=True)
        for repeat in range(1, 6):
            text = (
                f"Running 30s test @ http://127.0.0.1:8080/\n  2 threads and {connections} "
                "connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
                f"    Latency     1.{repeat}0ms  120.00us   9.{repeat}1ms   81.00%\n"
                "    Req/Sec     5.00k   100.00     5.60k    71.00%\n"
                f"  {rate * 30 + repeat} requests in 30.00s, 40.00MB read\n"
                f"Requests/sec:  {rate + repeat}.20\nTransfer/sec:      1.33MB\n"
            )
            (folder / name / f"{repeat}.txt").write_text(text, encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Outputs:
    """What every command says of the same runs."""

    compare: str
    shown: str
    report: str
    effects: list[dict[str, object]]
    variants: list[dict[str, object]]
    assessment: Assessment


@pytest.fixture(scope="module", params=["gateways", "request-coalescing", "settings differ"])
def outputs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    folder = RECORDED / request.param
    made = tmp_path_factory.mktemp("outputs")
    if not folder.exists():
        folder = wrk_reports(made / "runs")

    def output(*arguments: str) -> str:
        command, *options = arguments
        with (
            pytest.MonkeyPatch.context() as patch,
            (made / "out").open("w+", encoding="utf-8") as to,
        ):
            patch.setenv("COLUMNS", "400")
            patch.setattr("sys.stdout", to)
            assert run([command, str(folder), *options]) == 0
            to.seek(0)
            return plain(to.read())

    return Outputs(
        compare=output("compare"),
        shown=output("show"),
        report=output("report", "--format", "markdown"),
        effects=json.loads(output("compare", "--format", "json")),
        variants=json.loads(output("show", "--format", "json")),
        assessment=assess(benchkit.load(folder)),
    )


def test_the_grade_is_the_same_everywhere(outputs: Outputs) -> None:
    """Once `compare` said [established] where the report said "In these runs only"."""
    grades = [comparison.grade for comparison in outputs.assessment.comparisons]
    words = [grade.words.lower() for grade in grades]
    assert re.findall(r"^\*\*(. .*?)\.\*\*", outputs.report, flags=re.MULTILINE) == [
        f"{grade.symbol} {grade.words}" for grade in grades
    ]
    assert {str(record["evidence"]) for record in outputs.variants} == set(words)
    for text in (outputs.shown, outputs.compare):
        assert [word for word in words if f"[{word}]" not in text] == []
    each = {w.words.lower() for c in outputs.assessment.comparisons for w in c.grades.values()}
    assert {str(record["grade"]) for record in outputs.effects} >= each


def test_the_number_of_tests_is_the_same_everywhere(outputs: Outputs) -> None:
    tests = {comparison.tests for comparison in outputs.assessment.comparisons}
    tested = [e for e in outputs.assessment.effects if e.adjusted_p is not None]
    assert tests == {len(tested)}
    if not tested:
        assert "adjusted for" not in outputs.compare
        return
    for text in (outputs.shown, outputs.report):
        assert {int(n) for n in re.findall(r"\b(\d+) tests?\b", text)} == tests
    assert {int(n) for n in re.findall(r"adjusted for (\d+) tests", outputs.compare)} == tests


def test_a_change_is_the_same_number_everywhere(outputs: Outputs) -> None:
    records = {(r["scenario"], r["variant"], str(r["metric"])): r for r in outputs.effects}
    for comparison in outputs.assessment.comparisons:
        for effect in comparison.effects:
            label = show.joined(effect.variant, comparison.setting)
            record = records[comparison.scenario, label, effect.metric.name]
            assert (record["ratio"], record["value"]) == (effect.ratio, effect.value)
            assert record["verdict"] == effect.verdict
    shown = {(r["scenario"], r["label"]): r for r in outputs.variants}
    for (scenario, variant, metric), record in records.items():
        if metric in COMPARED:
            column = f"{COMPARED[metric].column}_ratio"
            row = shown[scenario, variant]
            assert (row[column], row[f"{column}_estimate"]) == (record["ratio"], record["estimate"])
            assert row["baseline"] in {record["baseline"], None}


def test_changes_and_intervals_are_written_alike(outputs: Outputs) -> None:
    """Once 90× in a table, and "88× lower" in a finding of the same page."""
    for comparison in outputs.assessment.comparisons:
        for label in comparison.grades:
            effect = comparison.effect(label, "throughput_rps")
            if effect is None or effect.ratio is None:
                continue
            bounds = effect.interval[:2] if effect.interval else ()
            factors = "throughput_rps" in comparison.factors
            change = plain(show.change(effect.ratio, *bounds, as_factor=factors))
            assert change in outputs.compare
            assert change in outputs.report
            if bounds:
                interval = plain(show.change_interval(effect.ratio, *bounds, as_factor=factors))
                assert interval in outputs.compare


def test_a_metric_has_one_notation_of_changes(outputs: Outputs) -> None:
    """Once +14 % in a headline, and 1.14× in the overview above it; once 1.029× for a p50."""
    comparisons = outputs.assessment.comparisons
    for comparison in comparisons:
        for row in comparison_table(comparison).rows:
            written = {cell.change.text[-1] for cell in row.cells if cell.change}
            assert written <= {show.TIMES if row.column in comparison.factors else "%"}
        small = set(comparison.factors) - comparison.large_changes
        ranking = {c.rank_metric.column for c in comparisons if c.rank_metric}
        assert small <= ranking | {"goodput_rps"}  # it is written as the throughput beside it
    for column in {c.rank_metric.column for c in comparisons if c.rank_metric}:
        assert len({column in comparison.factors for comparison in comparisons}) == 1


def test_a_metric_has_one_unit(outputs: Outputs) -> None:
    """Once 0.0195 ms in a table, and 19.5 µs in the figure beside it."""
    for comparison in outputs.assessment.comparisons:
        headings = {row.column: row.heading for row in comparison_table(comparison).rows}
        for section in sections(comparison):
            for row in section.table.rows:
                assert headings.get(row.column, row.heading) == row.heading
        made = chart(comparison, "ridges")
        if made is not None:
            # `p50 19.5 µs` beside a column `p50, µs`.
            beside = {
                (note.text.split()[0], note.text.split()[-1]) for note in made.panels[0].notes
            }
            named = {tuple(heading.split(", ")) for heading in headings.values()}
            assert ("p50", headings["latency_p50_s"].removeprefix("p50, ")) in beside
            known = {name for name, *_ in named}
            assert {(name, unit) for name, unit in beside if name in known} <= named


def test_a_notebook_has_the_same_records_as_the_command_line(outputs: Outputs) -> None:
    names = (
        "scenario tool metric baseline variant baseline_value value ratio ci_low ci_high "
        "confidence baseline_runs runs verdict more_runs reason grade estimate points"
    )
    frame = Results(outputs.assessment.runs).compare()
    assert list(frame.columns) == list(outputs.effects[0]) == names.split()
    assert frame["ratio"].tolist() == [
        pd.NA if record["ratio"] is None else record["ratio"] for record in outputs.effects
    ]
    assert frame["verdict"].tolist() == [record["verdict"] for record in outputs.effects]


def test_no_direction_is_put_into_a_word(outputs: Outputs) -> None:
    """A change is signed, or a factor above or below 1; "lower" beside a range was read wrong."""
    for text in (outputs.compare, outputs.shown, outputs.report):
        assert not re.search(r"[0-9]× (?:lower|higher)", text)


def test_where_nothing_may_be_established_nothing_is(outputs: Outputs) -> None:
    for comparison in outputs.assessment.comparisons:
        forbidding = [
            finding for n in comparison.findings for finding in n.findings if finding.forbids
        ]
        if forbidding and len(comparison.variants) == 2:
            assert not comparison.grade.words.startswith("Established")
