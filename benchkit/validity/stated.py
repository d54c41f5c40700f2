"""Whether a run's name says of its load what its output says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.run import IN_NAME, Run
from benchkit.validity.finding import Check, Raised

_WORDS: Final = {
    "connections": "connections",
    "threads": "threads",
    "pipelining": "pipelined requests",
    "offered_rate_rps": "requests per second",
    "keepalive": "keep-alive",
}
#: A rate is as measured.
_CLOSE: Final = {"offered_rate_rps": 0.05}


def _name_differs(run: Run) -> Iterator[Raised]:
    stated = {f.statistic: f.value for f in run.figures if f.metric == IN_NAME}
    if not stated:
        raise MissingError("the name states no load that the output prints")
    for column, value in stated.items():
        known = float(run.get(column))
        # Some tools open fewer connections than they are asked for, and print both.
        printed = {known, run.figure(column, "value") or known}
        if min(abs(value - number) for number in printed) <= _CLOSE.get(column, 0.0) * known:
            continue
        yield Raised(
            severity="warning",
            message=(
                f"{run.name}: the name says {show.number(value)} {_WORDS[column]}, the output "
                f"{show.number(known)}. What the output says is taken."
            ),
            values={"setting": column, "name": value, "output": known},
            touches=(column,),
        )


CHECKS: Final = (
    Check(
        id="NAME_DIFFERS",
        title="The name says something else than the output",
        needs="a folder or file name that states a load, and an output that prints it",
        rule=(
            "connections, threads, pipelining or keep-alive in the name (`c50`) are not those of "
            "the output, or a rate in the name is more than 5 % off"
        ),
        severities=("warning",),
        source="convention",
        advice="Rename the file, or see whether it was overwritten by another run.",
        of_run=_name_differs,
    ),
)
