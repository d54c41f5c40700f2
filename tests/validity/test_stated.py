from __future__ import annotations

from dataclasses import replace

from benchkit.model.run import IN_NAME
from benchkit.parsing import Figure
from benchkit.validity import Finding, examine
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


def test_a_name_without_a_load() -> None:
    assert state("NAME_DIFFERS", run("wrk")) == {"not applicable"}
