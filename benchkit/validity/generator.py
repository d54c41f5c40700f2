"""Whether the load generator had processor time left, where what it used was recorded."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Final

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.metric import FIGURES
from benchkit.model.run import Run
from benchkit.validity.finding import Check, Raised

#: From this share on nothing is left: samples are means over some time.
_BUSY: Final = 0.9


@Check(
    "GENERATOR_BUSY",
    "No processor time was left for the load generator",
    "on average it kept 90 % of its threads busy, as far as there are processors for them; or all "
    "sampled processes together 90 % of the machine's processors",
    needs="samples of the load generator's processor time; its threads or the machine's processors",
    advice=(
        "Give the generator a machine of its own, and more threads where all of them were busy: "
        "the throughput may be its limit, and answers may have waited for it. A variant that alone "
        "met that limit may be faster still."
    ),
).for_run
def _generator_busy(run: Run) -> Iterator[Raised]:
    loads = {process: _load(run, process) for process in run.samples_by_process}
    own = loads.get(run.tool)
    if own is None:
        raise MissingError("what the load generator used was not sampled")
    cores, threads = run.environment.get("cores"), _threads(run)
    limits = [limit for limit in (cores, threads) if isinstance(limit, int) and limit > 0]
    if not limits:
        raise MissingError("neither the generator's threads nor the processors are known")
    used = sum(load for load in loads.values() if load is not None)
    tool, busy = show.clean(run.tool), show.fixed(own, 2)
    if own >= _BUSY * min(limits):
        most = "its one thread can" if threads == 1 else f"it can: {min(limits)}"
        message, title = f"{tool} kept {busy} processors busy on average, as many as {most}", ""
    elif isinstance(cores, int) and used >= _BUSY * cores:
        message = (
            f"the sampled processes kept {show.fixed(used, 2)} of the machine's "
            f"{show.plural(cores, 'processor')} busy on average, {busy} of them {tool}"
        )
        title = "Load generator and servers kept all processors busy"
    else:
        return
    yield Raised(
        f"{run.name}: {message}.",
        title=title,
        values={"generator_cores": own, "all_cores": used, "cores": cores, "threads": threads},
        touches=FIGURES,
    )


def _load(run: Run, process: str | None) -> float | None:
    """Return how many processors a process kept busy on average, None where that is not known."""
    samples = run.samples_by_process[process]
    known = [float(s["cpu_ratio"]) for s in samples if s.get("cpu_ratio") is not None]
    return statistics.fmean(known) if known else None


def _threads(run: Run) -> int | None:
    """Return by how many threads the generator sends, None where it is not known."""
    threads = run.get("threads")
    if threads is None and registry.tool(run.tool).single_threaded:
        return 1
    return None if threads is None else int(threads)
