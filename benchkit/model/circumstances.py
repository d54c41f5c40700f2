"""What the runs of comparisons share, in words: for the page, the terminal and captions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from benchkit import format as show
from benchkit.model.comparison import Comparison
from benchkit.model.metric import is_cost
from benchkit.model.run import Run

_FEW: Final = 3  # processes that are named, and rates
#: What a process of the server is called where nobody names it otherwise.
USUAL: Final = "server"


def circumstances(comparisons: Sequence[Comparison]) -> list[str]:
    """Return tool, load and number of runs in words, as far as all runs share them.

    How long they were is a range where it differs: it may be what limits them most.
    """
    first = comparisons[0]

    def facts(column: str) -> list[Any]:
        return list(dict.fromkeys(v for each in comparisons for v in each.facts(column)))

    parts, load = [first.tool], {}
    for column, noun in (("connections", "connection"), ("requests", "request")):
        values = facts(column)
        if len(values) == 1:
            load[column] = int(values[0])
            parts.append(show.plural(load[column], noun))
    asked = sorted(facts("offered_rate_rps"))
    if asked:
        span = f"{len(asked)} rates from {show.rate(asked[0])} to {show.rate(asked[-1])}"
        few = show.listed([*map(show.rate, asked)])
        parts.append(f"{few if len(asked) <= _FEW else span}{show.NBSP}req/s asked")
    durations = facts("duration_s")
    if durations and max(durations) < 1.02 * min(durations):
        parts.append(show.duration(durations[0]))
    elif durations:
        ends = (show.duration(min(durations)), show.duration(max(durations)))
        parts.append(" to ".join(ends))
    others = [each.shared_params for each in comparisons[1:]]
    parts += show.params(
        {
            name: value
            for name, value in first.shared_params.items()
            if all(name in params and params[name] == value for params in others)
            and load.get(name) != value
        }
    )
    variants = [variant for each in comparisons for variant in each.variants]
    runs = sorted({len(variant) for variant in variants})
    span = show.plural(runs[0], "run") if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
    each_has = " each" if len(variants) > 1 else ""
    return [*(show.clean(part, limit=60) for part in parts), span + each_has]


def cost_processes(runs: Iterable[Run]) -> list[str]:
    """Return the processes whose processor time and memory are what the server spent."""
    known = (process for run in runs for process in run.samples_by_process if is_cost(process, run))
    return [show.clean(name, limit=30) for name in dict.fromkeys(known) if name is not None]


def together(processes: Sequence[str]) -> str:
    """Return whose sum a cost is: `process proxy`, `gateway and static together`."""
    if len(processes) == 1:
        return "the server" if processes[0] == USUAL else f"process {processes[0]}"
    few = len(processes) <= _FEW
    return f"{show.listed(processes) if few else f'{len(processes)} processes'} together"
