"""What else than the commit may change a figure: machine, tool, load, and benchkit itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from typing import Any, Final

from benchkit import format as show
from benchkit.history.saves import Save
from benchkit.model.run import MACHINE
from benchkit.model.variant import Variant, distinct

#: Value by what it is of; None for what nobody wrote down.
Circumstances = Mapping[str, str | None]

#: Clocks of machines may differ so far.
_CLOCKS_APART: Final = timedelta(hours=1)
_LOAD: Final = {
    "connections": "connections",
    "threads": "threads",
    "pipelining": "pipelining",
    "keepalive": "keep-alive",
    "offered_rate_rps": "offered rate",
    "load_model": "load model",
    "correction": "correction",
    "clock": "clock of latencies",
    "resolution_s": "resolution of latencies",
}


@dataclass(frozen=True)
class Break:
    """Where runs were made in a way in which none before had been.

    Attributes:
        at: The first save of that way.
        differences: From the save before it, in words, such as `cores: 2, before 4`.
    """

    at: Save
    differences: tuple[str, ...]


def circumstances_of(variant: Variant, save: Save) -> dict[str, str | None]:
    """Return how the runs of a variant were made."""
    environments = [run.made_on(save.machine).environment for run in variant.runs]
    known: dict[str, str | None] = {
        key: _text(_word(environment.get(key)) for environment in environments) for key in MACHINE
    }
    known["tool"] = _text(run.tool for run in variant.runs)
    known["tool version"] = _text(run.get("tool_version") for run in variant.runs)
    for column, title in _LOAD.items():
        known[title] = _text(run.get(column) for run in variant.runs)
    return known | {"benchkit": save.benchkit}


def remarks(name: str, saves: Iterable[Save]) -> list[str]:
    """Return what sets saves apart from runs that are read now, a sentence each.

    The machine is no part of it: that is known of each run.
    """
    listed = list(saves)
    own = version("benchkit")
    others = sorted({save.benchkit for save in listed} - {own})
    now = datetime.now(UTC)
    late = max((save.saved_at for save in listed), default="")
    sentences = []
    if others:
        sentences.append(
            f"{name} was read by benchkit {show.listed(others)}, these runs by {own}: "
            "what another version makes of a file may differ."
        )
    if late and datetime.fromisoformat(late) > now + _CLOCKS_APART:
        sentences.append(
            f"{name} says that it was saved on {late[:10]}, and today is {now.date()}: "
            "the clock of one of the machines is wrong, and so may be the order of the saves."
        )
    return sentences


def grouped(
    listed: Sequence[tuple[Save, Circumstances]],
) -> tuple[list[int], list[Circumstances], list[Break]]:
    """Return the group of each save, what is known of each group, and where a new one begins.

    Saves of one group contradict each other in nothing that both know; what was measured on two
    machines in turn is two groups.
    """
    groups: list[dict[str, str | None]] = []
    recent: list[int] = []
    numbers: list[int] = []
    breaks: list[Break] = []
    for save, circumstances in listed:
        fitting = (n for n in reversed(recent) if not _differ(groups[n], circumstances))
        number = next(fitting, None)
        if number is None:
            number = len(groups)
            groups.append({})
            if numbers:
                breaks.append(Break(save, tuple(_words(groups[numbers[-1]], circumstances))))
        groups[number] |= {name: text for name, text in circumstances.items() if text is not None}
        recent = [*(n for n in recent if n != number), number]
        numbers.append(number)
    return numbers, [*groups], breaks


def set_apart(groups: Sequence[Circumstances], number: int) -> tuple[str, ...]:
    """Return in words what a group is alone with, such as `cores: 2`; nothing of one group."""
    others = [group for n, group in enumerate(groups) if n != number]
    differing = dict.fromkeys(name for other in others for name in _differ(other, groups[number]))
    return tuple(f"{name}: {show.clean(str(groups[number][name]), limit=60)}" for name in differing)


def _differ(group: Circumstances, circumstances: Circumstances) -> list[str]:
    return [
        name
        for name, text in circumstances.items()
        if text is not None and group.get(name) not in {None, text}
    ]


def _words(group: Circumstances, circumstances: Circumstances) -> Iterable[str]:
    for name in _differ(group, circumstances):
        values = (show.clean(str(known[name]), limit=60) for known in (circumstances, group))
        yield f"{name}: {', before '.join(values)}"


def _word(value: Any) -> Any:  # noqa: ANN401 - a value of JSON
    """Return what can be compared: some have saved a list, or an object, of their own form."""
    return json.dumps(value, sort_keys=True) if isinstance(value, list | dict) else value


def _text(values: Iterable[Any]) -> str | None:
    known = distinct(values)
    texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in known]
    return " and ".join(sorted(texts)) or None
