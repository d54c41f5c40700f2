"""Whether runs are runs, and not pieces of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.run import Run
from benchkit.validity.evidence import RunSet, sending_rate, started_s
from benchkit.validity.finding import Check, Raised

#: Runs without numbers that adjoin by chance are not so many.
_CHAIN: Final = 3
#: Rows are in order of their ends: a piece may begin with numbers before the last one's.
_OUT_OF_ORDER: Final = 64


def _pieces(runs: RunSet) -> Iterator[Raised]:
    """Look for runs that go on where the one before ended, and for a lone later part."""
    began = {run: at for run in runs.runs if (at := started_s(run)) is not None}
    ordered = sorted(began, key=began.__getitem__)
    if not any(run.counts.first_seq is not None for run in ordered) and len(ordered) < _CHAIN:
        raise MissingError("no number of each request, nor the time of several runs")
    for chain in _chains(ordered):
        numbered = chain[0].counts.first_seq is not None
        if len(chain) < (2 if numbered else _CHAIN):
            if chain[0].counts.first_seq:
                yield _part(chain[0])
            continue
        how = "each begins where the one before ended, without a pause"
        yield Raised(
            f"{chain[0].name} to {chain[-1].name} are {show.count(len(chain))} pieces of one "
            f"run: {f'their requests are numbered on, and {how}' if numbered else how}. They "
            "repeat nothing, and how much a repetition would differ is not known.",
            values={"pieces": [run.run_id for run in chain]},
            runs=chain,
            forbids="its runs are pieces of one run",
        )


def _part(run: Run) -> Raised:
    first = run.counts.first_seq or 0
    return Raised(
        f"{run.name}: its requests are numbered from {show.count(first)} on. It is a later "
        "part of a run, whose beginning is not here.",
        values={"first_seq": first},
        runs=[run],
        forbids="it is a part of a run",
    )


def _chains(ordered: Sequence[Run]) -> Iterator[list[Run]]:
    chain: list[Run] = []
    for run in ordered:
        if chain and not _adjoins(chain[-1], run):
            yield chain
            chain = []
        chain.append(run)
    if chain:
        yield chain


def _adjoins(run: Run, later: Run) -> bool:
    """Whether a run goes on where another ended: by its numbers, else by its time."""
    last, first = run.counts.last_seq, later.counts.first_seq
    if last is not None and first is not None:
        return 0 < first <= last + 1 + _OUT_OF_ORDER and (later.counts.last_seq or 0) > last
    start, next_start, wait = started_s(run), started_s(later), run.number("wait_s")
    duration = run.number("duration_s")
    if start is None or next_start is None or duration is None or wait is None:
        return False
    try:
        interval = 1 / sending_rate(run)
    except MissingError:
        return False
    return 0 < next_start - (start + duration - wait) < 1.5 * interval


CHECKS: Final = (
    Check(
        "PIECES",
        "Pieces of one run",
        "requests are numbered on from one run to the next, or from above 0; without numbers "
        "three or more runs begin within 1.5 intervals of the last send of the one before",
        needs="the number and time of each request, or the time of three or more runs",
        severities=("error",),
        source="vegeta 12 numbers the requests of an attack from 0",
        advice="Put the pieces together again, and repeat the run itself.",
        concerns=lambda tool: tool.numbers_requests,
        of_set=_pieces,
    ),
)
