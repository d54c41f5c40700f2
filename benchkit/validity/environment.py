"""Whether runs were made on one machine, with one system and one server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.run import Run
from benchkit.validity.evidence import RunSet
from benchkit.validity.finding import Check, Raised
from benchkit.validity.settings import Setting, differences, pooled

#: Of the environment, what makes another machine: key, title, words of names that declare it.
_MACHINE: Final = (
    ("cpu", "processor", "cpu processor"),
    ("architecture", "architecture", "arch"),
    ("cores", "processor cores", "cpu cpus core cores"),
    ("machine", "machine", "machine host"),
)
#: What is known of every machine and says nothing of its speed, or is a part of the above.
_IGNORED: Final = {"boot_id", "python", *(key for key, *_ in _MACHINE)}
_FORBIDS: Final = "the variants ran on different machines"


def _read(key: str) -> Callable[[Run], Any]:
    def read(run: Run) -> Any:  # noqa: ANN401 - a value of JSON
        value: Any = run.environment
        for part in key.split("/"):
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


CHECKS: Final = (
    Check(
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
        of_set=_environment_differs,
    ),
)
