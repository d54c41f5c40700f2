"""Whether runs were made on one machine, with one system and one server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.metric import FIGURES
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.validity.evidence import RunSet, names, runs_of
from benchkit.validity.finding import Check, Raised
from benchkit.validity.settings import Setting, differences, pooled, says

#: Of the environment, what makes another machine: key, title, words of names that declare it.
_MACHINE: Final = (
    ("cpu", "processor", "cpu processor"),
    ("architecture", "architecture", "arch"),
    ("cores", "processor cores", "cpu cpus core cores"),
    ("machine", "machine", "machine host"),
)
#: What is known of every machine and says nothing of its speed, or is a part of the above.
_IGNORED: Final = {"boot_id", "python", *(key for key, *_ in _MACHINE)}
_WARM_UP: Final = "warm-up"
_PORT: Final = re.compile(r"\b[1-6][0-9]{4}\b")
_FORBIDS: Final = "the variants ran on different machines"


def _read(key: str) -> Callable[[Run], Any]:
    parts = key.split("/")

    def read(run: Run) -> Any:  # noqa: ANN401 - a value of JSON
        value: Any = run.environment
        for part in parts:
            value = value.get(part) if isinstance(value, dict) else None
        if key == "memory_bytes" and isinstance(value, int | float):
            return show.size(float(f"{value:.1e}"))  # a kernel more or less takes a part of it
        return value if isinstance(value, str | int | float) else None

    return read


def _settings(runs: Sequence[Run]) -> Iterator[Setting]:
    for key, title, words in _MACHINE:
        yield Setting(title, _read(key), words, grave=True)
    keys: dict[str, None] = {}
    for run in runs:
        for key, value in run.environment.items():
            if key in _IGNORED:
                continue
            inner = [f"{key}/{part}" for part in value] if isinstance(value, dict) else [key]
            keys |= dict.fromkeys(inner)
    for key in keys:
        title = key.split("/")[-1].removesuffix("_bytes").replace("_", " ")
        yield Setting(title, _read(key))
    yield Setting("process under test", "server")


@Check(
    "ENVIRONMENT_DIFFERS",
    "The machines or their systems differ",
    "processor, its cores, architecture or machine differ between variants with the same "
    "params (error, no verdict); kernel, system, memory, limits, kernel settings or the "
    "process under test differ (warning); not where the variants' names say the values. Any of "
    "these between runs of one variant (warning)",
    needs="`environment` or `server` in the metadata of two runs",
    severities=("warning", "error"),
    source="convention; Kalibera & Jones 2013: the machine is a level of repetition",
    advice="Repeat all variants on one machine, or declare what differs in params.",
).for_set
def _environment_differs(runs: RunSet) -> Iterator[Raised]:
    if len(runs.runs) < 2:
        raise MissingError("no second run")
    if not any(run.environment or run.get("server") for run in runs.runs):
        raise MissingError("no environment")
    settings = list(_settings(runs.runs))
    for variant in runs.variants:
        yield from pooled(variant, settings)
    with suppress(MissingError):
        for variants in runs.comparable():
            yield from differences(variants, settings, forbids=_FORBIDS)


@Check(
    "SERVERS_DIFFER",
    "The servers were started with other options",
    "one program has other options in variants with the same params, apart from ports and "
    "what varies from run to run; not where the variants' names say so. One option, or what "
    "one variant lacks, is perhaps what is compared (info); else it is more (warning)",
    needs="`commands` in the metadata, as `benchkit run` writes them",
    severities=("info", "warning"),
    advice="Change one thing at a time, and let the variants' names say which.",
).for_set
def _servers_differ(runs: RunSet) -> Iterator[Raised]:
    """Look at the options of processes of one name and program, but for those that vary by run."""
    if not any(run.commands for run in runs.runs):
        raise MissingError("no command lines of servers")
    for variants in runs.comparable():
        options = {variant: _options(variant) for variant in variants}
        for process in dict.fromkeys(name for own in options.values() for name in own):
            having = {v: own[process] for v, own in options.items() if process in own}
            if len({own[0] for own in having.values()}) == 1:
                yield from _started_differently(process, having)


def _options(variant: Variant) -> Mapping[str, Sequence[str]]:
    """Return program and options of each process, as far as all runs have them."""
    by_name: dict[str, list[list[str]]] = {}
    for run in variant.runs:
        for name, command in run.commands.items():
            if name not in {run.tool, _WARM_UP}:
                by_name.setdefault(name, []).append(_split(command))
    return {
        name: [option for option in lists[0] if all(option in other for other in lists)]
        for name, lists in by_name.items()
        if len({other[0] for other in lists}) == 1
    }


def _split(command: str) -> list[str]:
    """Return the program, and each option with its value; ports are left out."""
    words = [word.rpartition("/")[2] for word in _PORT.sub("", command).split()] or [""]
    parts = words[:1]
    for before, word in pairwise(words):
        if before.startswith("-") and not word.startswith("-") and before is not words[0]:
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    return parts


def _started_differently(
    process: str, options: Mapping[Variant, Sequence[str]]
) -> Iterator[Raised]:
    shared = set.intersection(*map(set, options.values()))
    further = {
        variant: [option for option in own if option not in shared and not says(variant, option)]
        for variant, own in options.items()
    }
    if not any(further.values()):
        return
    shown = "; ".join(
        f"{show.clean(' '.join(own) or 'none of these', limit=80)} in {names([variant])}"
        for variant, own in further.items()
    )
    several = len({option.split()[0].split("=")[0] for own in further.values() for option in own})
    yield Raised(
        f"Options of {show.clean(process, limit=60)} differ: {shown}.",
        severity="warning" if several > 1 and all(further.values()) else "info",
        values={"options": {variant.label: own for variant, own in further.items()}},
        touches=FIGURES,
        runs=runs_of(options),
    )
