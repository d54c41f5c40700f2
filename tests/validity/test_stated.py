from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import benchkit
from benchkit.model.run import IN_NAME
from benchkit.parsing import Figure
from benchkit.validity import Finding, examine
from tests.outputs import DATA
from tests.validity.runs import results, run, state


def findings_of(stated: float, *, connections: int, asked: float | None = None) -> list[Finding]:
    """What is found of a run whose name states so many connections."""
    figures = [Figure(IN_NAME, "connections", stated)]
    figures += [Figure("connections", "value", asked)] if asked else []
    made = [
        replace(each, figures=tuple(figures))
        for each in results(run("wrk", connections=connections))
    ]
    return [each for each in examine(made).findings if each.check == "NAME_DIFFERS"]


def test_another_number_of_connections_than_the_name_says() -> None:
    (finding,) = findings_of(50, connections=100)
    assert "the name says 50 connections, the output 100." in finding.message
    assert finding.values == {"setting": "connections", "name": 50, "output": 100}


def test_the_name_may_say_what_was_asked_for() -> None:
    assert not findings_of(50, connections=50)
    assert not findings_of(10, connections=9, asked=10)


def test_another_number_of_connections_than_the_metadata_says(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes((DATA / "wrk" / "all-late.txt").read_bytes())
    (tmp_path / "meta.json").write_text('{"variant": "a", "connections": 9999}')
    findings = benchkit.load(tmp_path).findings()
    (finding,) = findings[findings["check"] == "NAME_DIFFERS"].to_dict("records")
    assert "meta.json says 9,999 connections, the output " in finding["message"]
    assert finding["values"]["meta.json"] == 9999


def test_a_name_without_a_load() -> None:
    assert state("NAME_DIFFERS", run("wrk")) == {"not applicable"}
