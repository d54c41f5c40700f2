"""Names of runs: scenario, variant, repeat and label."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final
from urllib.parse import urlsplit

from benchkit.ingest.found import FoundRun

_SEPARATOR: Final = " · "


@dataclass
class Names:
    """How one run is called.

    `further` is added, from the left, where a label is taken; of `settings` those in
    which runs of one label differ, so that none is taken for a repetition of another.
    """

    scenario: str | None
    variant: str | None
    repeat: int | None
    label: str
    further: list[str]
    params: str | None = None
    settings: tuple[str | None, ...] = ()


def name_runs(runs: Sequence[FoundRun]) -> list[Names]:
    """Return names for all runs, every label unique.

    A label comes from, in this order: the command line; `meta.json`; the page,
    where a file holds several runs; the folders below the given path as
    `scenario/variant[/repeat]`; the page; the path.
    """
    names = [_names(run) for run in runs]
    _make_variants_distinct(names)
    _make_unique(names)
    _number_repeats(names)
    return names


def _names(run: FoundRun) -> Names:
    one, meta = run.file.input, run.file.meta.columns
    stem = _stem(one.name)
    if one.label is not None:
        label = f"{one.label}{_SEPARATOR}{own}" if (own := _own_name(run)) else one.label
        names = Names(None, label, None, label, [stem])
    elif meta.keys() & {"scenario", "variant", "label"}:
        names = Names(None, None, None, "", [stem])
    elif run.context is not None and (run.many or not one.parts) and _of_page(run):
        names = _page_names(run)
    elif one.parts:
        names = _folder_names(run)
    else:
        label = _SEPARATOR.join(part for part in (one.short, _own_name(run)) if part)
        names = Names(None, _own_name(run) or label, None, label, [])
    return _with_meta(run, names)


def _with_meta(run: FoundRun, names: Names) -> Names:
    meta = run.file.meta.columns
    names.scenario = meta.get("scenario", names.scenario)
    if run.file.input.label is None:
        names.variant = meta.get("variant", names.variant)
    names.repeat = meta.get("repeat", names.repeat)
    names.params = meta.get("params")
    if run.file.input.label is None and (meta.get("label") or not names.label):
        parts = (names.scenario, names.variant, None if names.repeat is None else str(names.repeat))
        joined = "/".join(part for part in parts if part)
        names.label = meta.get("label") or joined or run.file.input.short
        names.variant = names.variant or names.label
    return names


def _folder_names(run: FoundRun) -> Names:
    parts = list(run.file.input.parts)
    label = "/".join(parts)
    repeat = None
    if len(parts) > 1 and re.fullmatch(r"\d{1,6}", parts[-1]):
        repeat = int(parts.pop())
    further = [name for name in (_own_name(run), PurePath(run.file.input.name).name) if name]
    scenario = "/".join(parts[:-1]) or None
    return Names(scenario, parts[-1], repeat, label, further)


def _of_page(run: FoundRun) -> bool:
    context = run.context
    return context is not None and bool(context.title or context.trail or context.caption)


def _page_names(run: FoundRun) -> Names:
    context = run.context
    if context is None:  # pragma: no cover - the caller has looked
        raise ValueError(run)
    above = list(reversed(context.trail))
    own = [context.caption or run.record.name or ""] if context.caption or run.record.name else []
    candidates = own + above or [context.title or ""]
    # Pages called README in several folders are not one scenario.
    place = "/".join((*run.file.input.parts, _stem(run.file.input.name)))
    names = Names(context.title or place, None, None, candidates[0], candidates[1:])
    names.settings = _settings(run)
    return names


def _settings(run: FoundRun) -> tuple[str | None, ...]:
    """Return what was asked of the server, as labels: path, connections, pipelining, rate."""
    command = run.context.command if run.context else None
    known = {**(command.columns if command else {}), **run.columns}
    shown = [urlsplit(known.get("url") or "").path or None]
    for name, unit in (("connections", " connections"), ("pipelining", " pipelined")):
        shown.append(f"{known[name]}{unit}" if known.get(name) else None)
    rate = known.get("offered_rate_rps")
    return (*shown, f"{rate:g}/s" if rate else None)


def _own_name(run: FoundRun) -> str | None:
    return run.record.name if run.many else None


def _stem(name: str) -> str:
    path = PurePath(name)
    return path.name.removesuffix(".gz").removesuffix(path.suffix) or name


def _make_variants_distinct(names: list[Names]) -> None:
    """Page labels that are equal take the parent heading with them."""
    while True:
        taken = Counter((n.scenario, n.label) for n in names if n.variant is None)
        again = [n for n in names if n.variant is None and taken[n.scenario, n.label] > 1]
        again = [n for n in again if n.further]
        if not again:
            break
        for one in again:
            one.label = one.further.pop(0) + _SEPARATOR + one.label
    _add_settings([one for one in names if one.variant is None])
    for one in names:
        one.variant = one.variant or one.label


def _add_settings(names: list[Names]) -> None:
    """Runs of one label with different settings are no repetitions of each other."""
    groups: defaultdict[tuple[str | None, str], list[Names]] = defaultdict(list)
    for one in names:
        groups[one.scenario, one.label].append(one)
    for group in groups.values():
        for values in zip(*(one.settings for one in group), strict=False):
            if len({value for value in values if value}) < 2:
                continue
            for one, value in zip(group, values, strict=True):
                one.label += f"{_SEPARATOR}{value}" if value else ""


def _make_unique(names: list[Names]) -> None:
    for _ in range(8):
        taken = Counter(one.label for one in names)
        again = [one for one in names if taken[one.label] > 1 and one.further]
        if not again:
            break
        for one in again:
            one.label += _SEPARATOR + one.further.pop(0)
    seen: defaultdict[str, int] = defaultdict(int)
    taken = Counter(one.label for one in names)
    for one in names:
        if taken[one.label] > 1:
            label = one.label
            seen[label] += 1
            one.label = f"{label} #{seen[label]}"


def _number_repeats(names: list[Names]) -> None:
    groups: defaultdict[tuple[str | None, str | None, str | None], list[Names]] = defaultdict(list)
    for one in names:
        groups[one.scenario, one.variant, one.params].append(one)
    for group in groups.values():
        given = [one.repeat for one in group]
        if len(group) > 1 and (None in given or len(set(given)) < len(given)):
            for number, one in enumerate(group, 1):
                one.repeat = number
