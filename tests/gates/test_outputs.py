"""Every output of a check: the same rulings, whatever the names in them."""

from __future__ import annotations

import json
import re
from importlib.resources import files as resources
from typing import Any, Final
from xml.etree import ElementTree as ET  # of our own output

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.api import Results
from benchkit.errors import UsageError
from benchkit.gates import Conditions, gate
from benchkit.gates.ignored import exemptions
from benchkit.gates.rule import rule
from benchkit.gates.ruling import Gate
from benchkit.report.annotations import commands
from benchkit.report.document import document
from benchkit.report.gate_text import markdown, render, shortened, without_commands
from benchkit.report.gates import NO_RULES, gate_record, gate_table
from benchkit.report.junit import junit
from tests.compare.runs import four_metrics, interleaved, repeated

TOOL: Final = {"tool": "vegeta", "format": "vegeta-json"}
RULES: Final = ("p99<1s", "p99<1us", "p99<50ms", "p99<+5%", "p90<1s", "p90<1s?", "x: p99<1s")
HOSTILE: Final = (
    "<script>\"&'</script>",
    "]]><x/>",
    "::error::pwned",
    "##[error]pwned",
    "a|b`c`\n# d",
    "\x1b[31m\u202e\x00\ufffe",
    "%0A::set-output name=a::b",
)

CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\u202e]")


def made(runs: Results, *rules: str, **asked: Any) -> Gate:  # noqa: ANN401 - of `Conditions`
    return gate(runs, Conditions(tuple(map(rule, rules)), **asked))


@pytest.fixture(scope="module")
def runs() -> Results:
    faster = {name: values[::-1] for name, values in four_metrics(1.1).items()}
    return interleaved({"a": four_metrics(), "b": faster}, **TOOL)


@pytest.fixture(scope="module")
def every(runs: Results) -> Gate:
    """Each outcome once or more."""
    return made(runs, *RULES, baseline="a")


def validate(record: object) -> None:
    schema = json.loads(resources("benchkit").joinpath("schemas/check.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(record)


def test_the_table_has_rule_limit_measured_interval_runs_and_verdict(every: Gate) -> None:
    rows = [row.cells for row in gate_table(every).rows]
    plain = [tuple(cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row) for row in rows]
    assert plain[0] == ("p99<1s", "s/a", "< 1 s", "50.0 ms", "49.7–50.3 ms", "8", "passed")
    assert plain[6] == (*("p99<+5%", "s/b", "< +5 %", "−9 %", "−10 to −8 %", "8 and 8", "passed"),)
    assert plain[-1] == ("x: p99<1s", "", "< 1 s", "", "", "", "missing")


def test_every_output_says_the_same_of_each_rule(every: Gate, runs: Results) -> None:
    rows = gate_table(every).rows
    texts = {
        "terminal": render(every, width=100),
        "markdown": markdown(every),
        "page": document(runs, baseline="a", gate=every),
    }
    for row in rows:
        assert row.cells[-1] in texts["terminal"]
    for text in texts.values():
        assert "Trouble" in text
        assert "8 and 8" in text.replace("\N{NO-BREAK SPACE}", " ")
        assert text.count("inconclusive") >= 2
    verdicts = [entry["verdict"] for entry in gate_record(every)["rules"]]
    assert verdicts == [row.outcome for row in rows]
    cases = ET.fromstring(junit(every).encode()).findall(".//testcase")  # noqa: S314
    kinds = {"passed": [], "failed": ["failure"], "missing": ["error"]}
    expected = [kinds.get(verdict, ["skipped"]) for verdict in verdicts]
    assert [[child.tag for child in case] for case in cases[: len(rows)]] == expected


def test_junit_has_a_suite_per_scenario_with_true_counts(runs: Results) -> None:
    two = Results([*runs, *(r.with_columns(run_id=f"t{r.run_id}", scenario="t") for r in runs)])
    root = ET.fromstring(junit(made(two, *RULES, baseline="a"), title="T").encode())  # noqa: S314
    assert root.get("name") == "T"
    assert [suite.get("name") for suite in root] == ["s", "t", "benchkit"]
    for suite in root:
        cases = suite.findall("testcase")
        names = [(case.get("classname"), case.get("name")) for case in cases]
        assert len(set(names)) == len(names)
        assert int(suite.get("tests", 0)) == len(cases)
        for kind, counter in (("failure", "failures"), ("error", "errors"), ("skipped",) * 2):
            assert int(suite.get(counter, -1)) == len(suite.findall(f"testcase/{kind}"))
    assert root.find(".//testcase[@classname='s.b']") is not None


def test_json_keeps_to_its_schema(every: Gate, runs: Results) -> None:
    validate(gate_record(every))
    validate(gate_record(made(runs)))
    ignored = exemptions({"REPLICATES": "eight are what there is time for"})
    record = gate_record(made(runs, "p99<+5%", baseline="a", exempt=ignored, troubles=["x"]))
    assert record["ignored"]
    validate(json.loads(json.dumps(record)))
    record["more"] = 1
    with pytest.raises(jsonschema.ValidationError):
        validate(record)


def test_an_ignored_finding_is_listed_with_its_reason(runs: Results) -> None:
    reason = "eight are what there is time for"
    spared = made(runs, "p99<1s", exempt=exemptions({"REPLICATES": reason}))
    for text in (render(spared, width=80), markdown(spared), document(runs, gate=spared)):
        assert re.search(rf"ignored: {reason}", " ".join(text.split()))


def test_without_a_rule_it_says_that_findings_decide(runs: Results) -> None:
    assert NO_RULES in " ".join(render(made(runs), width=80).split())
    assert NO_RULES not in " ".join(render(made(runs, "p99<1s"), width=80).split())


def test_the_worse_side_of_a_limit_is_pointed_out(runs: Results) -> None:
    text = " ".join(render(made(runs, "p99>1ms"), width=80).split())
    assert "p99>1ms holds where p99 is on the worse side of its limit." in text


@pytest.mark.parametrize("width", [40, 60, 100])
def test_the_terminal_at_each_width(width: int, every: Gate) -> None:
    assert max(map(len, render(every, width=width).splitlines())) <= width


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_do_nothing_in_any_output(name: str) -> None:
    runs = repeated({name: four_metrics(), "b": four_metrics(0.5)}, **TOOL, scenario=name)
    asked = made(runs, *RULES, baseline="b", troubles=[f"{name} could not be read"])
    root = ET.fromstring(junit(asked, title=name).encode())  # noqa: S314
    assert {child.tag for child in root} == {"testsuite"}
    assert {each.tag for each in root.iter()} <= {
        *("testsuites", "testsuite", "testcase", "failure", "error", "skipped"),
    }
    for text in (render(asked, width=80), markdown(asked, title="T")):
        safe = without_commands(text)
        assert not CONTROL.search(safe.replace("\n", ""))
        assert not re.search(r"^\s*::|##\[", safe, re.MULTILINE)
        assert "<script>" not in markdown(asked)
    for line in commands(asked).splitlines():
        assert re.fullmatch(r"::(error|warning|notice) title=[^:,]*::[^\r\n]*", line)
        assert not CONTROL.search(line)
    page = document(runs, gate=asked, baseline="b")
    assert name not in page or not set(name) & set("<>&")
    validate(json.loads(json.dumps(gate_record(asked)).encode("utf-8", "replace")))


@given(st.text(max_size=60))
def test_junit_is_xml_whatever_a_name_is(name: str) -> None:
    runs = repeated({"a": {"latency_p99_s": [0.05]}}, **TOOL, scenario=f"s{name}")
    ET.fromstring(junit(made(runs, "p99<1s"), title=name).encode())  # noqa: S314


def test_a_summary_is_cut_between_lines_with_a_note() -> None:
    document_of_lines = "".join(f"- é line {n}\n" for n in range(1000))
    cut = shortened(document_of_lines, 5000)
    assert len(cut.encode()) <= 5000
    *lines, blank, note = cut.splitlines()
    assert all(re.fullmatch(r"- é line \d+", line) for line in lines)
    assert (blank, note) == ("", "*Cut here: a summary has room for no more.*")
    assert shortened("short\n", 5000) == "short\n"
    assert shortened(document_of_lines, 10) == ""


def test_annotations_tell_failed_from_open(every: Gate) -> None:
    lines = commands(every).splitlines()
    assert "::error title=failed%3A p99<1us::" in "".join(lines)
    assert any(
        line.startswith("::warning title=inconclusive%3A p99<50ms::s/a%3A"[:38]) for line in lines
    )
    assert not any("p99<1s::" in line and line.startswith("::error title=failed") for line in lines)


def test_values_have_the_digits_that_tables_show() -> None:
    rates = [471.04, 470.52, 471.3]
    runs = repeated({"a": {"throughput_rps": rates, "latency_p99_s": [0.0043512] * 3}}, **TOOL)
    rows = gate_table(made(runs, "throughput>5k", "p99<1s")).rows
    plain = [[cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row.cells[2:5]] for row in rows]
    assert plain == [["> 5,000 req/s", "471.0 req/s", "470.5–471.3"], ["< 1 s", "4.35 ms", ""]]


def test_python_has_a_row_per_ruling_as_json_has(runs: Results) -> None:
    frame = runs.check(RULES, baseline="a")
    records = gate_record(made(runs, *RULES, baseline="a"))["rules"]
    assert frame.columns.tolist() == list(records[0])
    as_python = frame.astype(object).where(frame.notna(), None).to_dict("records")
    assert as_python == records
    assert runs.check("p99<1s")["verdict"].tolist() == ["passed", "passed"]


def test_python_takes_runs_made_earlier_as_baseline(runs: Results) -> None:
    before = [run.with_columns(run_id=f"before {run.run_id}") for run in runs]
    frame = runs.check("p99<+5%", baseline=before)
    assert frame["baseline"].tolist() == ["a (the baseline)", "b (the baseline)"]
    assert frame["verdict"].tolist() == ["passed", "passed"]
    with pytest.raises(UsageError, match="nobody"):
        runs.check("p99<+5%", baseline="nobody")
