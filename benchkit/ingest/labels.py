"""Names of runs: scenario, variant, repeat and label."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import urlsplit

from benchkit import format as show
from benchkit.ingest.found import FoundRun

_SEPARATOR: Final = " · "
_REPEAT: Final = re.compile(
    r"(?:(?:run|rep|repeat|round|iter|iteration|try|trial|r)[-_ ]?)?(\d{1,6})"
)
#: What a name rests on; of the records of one run, the best founded name is taken.
_PATH, _OWN, _PAGE, _FOLDER, _RUNS_OF_A_PAGE, _META, _COMMAND_LINE = range(7)


@dataclass
class Names:
    """How one run is called.

    `further` is added, from the left, where a label is taken; of `settings` those in
    which runs of one label differ, so that none is taken for a repetition of another;
    `host`, where they differ in nothing else.
    """

    scenario: str | None
    variant: str | None
    repeat: int | None
    label: str
    further: list[str] = field(default_factory=list)
    params: str | None = None
    settings: tuple[str | None, ...] = ()
    host: str | None = None
    founded: int = _PATH
    tool: str = ""
    position: tuple[object, ...] = ()


def first_names(runs: Sequence[FoundRun]) -> dict[int, Names]:
    """Return a name for every record, by its identity.

    A label comes from, in this order: the command line; `meta.json`; the page,
    where a file holds several runs; the folders below the given path as
    `scenario/variant[/repeat]`; the page; the path. What `meta.json` leaves open
    comes from the next.
    """
    names = [_names(run) for run in runs]
    _make_variants_distinct(names)
    return {id(run): name for run, name in zip(runs, names, strict=True)}


def name_runs(runs: Sequence[FoundRun], names: Mapping[int, Names]) -> list[Names]:
    """Return the names of the runs, every label unique, repetitions numbered."""
    chosen = [
        max((names[id(record)] for record in (run, *run.others)), key=_founded) for run in runs
    ]
    _keep_apart(chosen)
    _make_unique(chosen)
    _number_repeats(chosen)
    return chosen


def _keep_apart(names: Sequence[Names]) -> None:
    """Attacks of one name in two files are two variants."""
    taken = Counter((name.variant, name.tool) for name in names if name.founded == _OWN)
    for name in names:
        if name.founded == _OWN and taken[name.variant, name.tool] > 1:
            name.variant = name.label


def _founded(name: Names) -> int:
    return name.founded


def meta_of(run: FoundRun) -> dict[str, Any]:
    """Return the metadata beside a run's files, that of the most detailed first."""
    meta: dict[str, Any] = {}
    for record in (run, *run.others):
        meta = {**record.file.meta.columns, **meta}
    return meta


def _names(run: FoundRun) -> Names:
    file = run.file.input
    page = run.context is not None and _of_page(run)
    if file.label is not None:
        names = _labelled(run, file.label)
    elif page and (run.many or not file.parts):
        names = _page_names(run)
    elif file.parts:
        names = _folder_names(run)
    else:
        own = _own_name(run)
        label = f"{file.short}{_SEPARATOR}{own}" if own else file.short
        names = Names(None, own, None, label, settings=_settings(run), host=_host(run))
        names.founded = _OWN if own else _PATH
    names.tool = run.parser.tool
    names.position = (*_natural(file.short), run.number)
    return _with_meta(run, names)


def _labelled(run: FoundRun, label: str) -> Names:
    names = _folder_names(run) if run.file.input.parts else Names(None, None, None, label)
    own = _own_name(run)
    if run.file.input.parts:
        repeated = names.repeat is not None and len(run.file.input.parts) == 1
        names.variant = label if repeated else f"{label}/{names.variant}"
        names.label = f"{label}/{names.label}"
    else:
        names.label = f"{label}{_SEPARATOR}{own}" if own else label
        names.variant = names.label
        names.further = [_stem(run.file.input.name)]
    names.founded = _COMMAND_LINE
    return names


def _with_meta(run: FoundRun, names: Names) -> Names:
    meta = run.file.meta.columns
    if names.founded != _COMMAND_LINE and meta.keys() & {"scenario", "variant", "label", "repeat"}:
        names.founded = _META
        names.variant = meta.get("variant", names.variant)
        if not run.many and {"scenario", "variant"} & meta.keys():
            parts = (
                meta.get("scenario", names.scenario),
                names.variant,
                meta.get("repeat", names.repeat),
            )
            names.label = "/".join(str(part) for part in parts if part is not None) or names.label
            words = _in_words(meta.get("params"))
            names.further = [*words, _stem(run.file.input.name), *names.further]
        names.label = meta.get("label", names.label)
        names.variant = names.variant or meta.get("label")
    names.scenario = meta.get("scenario", names.scenario)
    names.repeat = meta.get("repeat", names.repeat)
    names.params = meta.get("params")
    return names


def _in_words(params: str | None) -> list[str]:
    """Return what tells runs of one variant apart, `concurrency 10, no keepalive`; or nothing."""
    given = json.loads(params) if params else {}
    return [", ".join(show.params(given))] if given else []


def _folder_names(run: FoundRun) -> Names:
    parts = list(run.file.input.parts)
    label = "/".join(parts)
    repeat = _REPEAT.fullmatch(parts[-1]) if len(parts) > 1 or run.file.input.label else None
    if repeat:
        parts.pop()
    further = [name for name in (_own_name(run), PurePath(run.file.input.name).name) if name]
    return Names(
        scenario="/".join(parts[:-1]) or None,
        variant=parts[-1] if parts else None,
        repeat=int(repeat[1]) if repeat else None,
        label=label,
        further=further,
        founded=_FOLDER,
    )


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
    location = "/".join((*run.file.input.parts, _stem(run.file.input.name)))
    names = Names(context.title or location, None, None, candidates[0], candidates[1:])
    names.settings, names.host = _settings(run), _host(run)
    names.founded = _RUNS_OF_A_PAGE if run.many else _PAGE
    return names


def _settings(run: FoundRun) -> tuple[str | None, ...]:
    """Return what was asked of the server, as labels: path, connections, pipelining, rate."""
    command = run.context.command if run.context else None
    known = {**(command.columns if command else {}), **run.columns}
    shown = [_path_of(known.get("url") or "")]
    for name, unit in (("connections", " connections"), ("pipelining", " pipelined")):
        shown.append(f"{known[name]}{unit}" if known.get(name) else None)
    rate = known.get("offered_rate_rps")
    return (*shown, f"{rate:g}/s" if rate else None)


def _host(run: FoundRun) -> str | None:
    """Return host and port of the target, as the run itself has them."""
    try:
        return urlsplit(run.columns.get("url") or "").netloc.rpartition("@")[2] or None
    except ValueError:
        return None


def _path_of(url: str) -> str | None:
    try:
        return urlsplit(url).path or None
    except ValueError:
        return None


def _own_name(run: FoundRun) -> str | None:
    return run.record.name if run.many else None


def _stem(name: str) -> str:
    path = PurePath(name)
    return path.name.removesuffix(".gz").removesuffix(path.suffix) or name


def _make_variants_distinct(names: Sequence[Names]) -> None:
    """Page labels that are equal take the parent heading with them."""
    while True:
        taken = Counter((n.scenario, n.label) for n in names if n.variant is None)
        again = [n for n in names if n.variant is None and taken[n.scenario, n.label] > 1]
        again = [n for n in again if n.further]
        if not again:
            break
        for name in again:
            name.label = name.further.pop(0) + _SEPARATOR + name.label
    _add_settings([name for name in names if name.variant is None])
    for name in names:
        name.variant = name.variant or name.label


def _add_settings(names: Sequence[Names]) -> None:
    """Runs of one label with different settings are no repetitions of each other."""
    groups: defaultdict[tuple[str | None, str, str], list[Names]] = defaultdict(list)
    for name in names:
        groups[name.scenario, name.label, name.tool].append(name)
    for group in groups.values():
        different = False
        for values in zip(*(name.settings for name in group), strict=False):
            if len({value for value in values if value}) < 2:
                continue
            different = True
            for name, value in zip(group, values, strict=True):
                name.label += f"{_SEPARATOR}{value}" if value else ""
        if (
            not different
            and len({name.host for name in group}) > 1
            and all(name.host for name in group)
        ):
            for name in group:
                name.label += f"{_SEPARATOR}{name.host}"


def _make_unique(names: Sequence[Names]) -> None:
    for _ in range(8):
        taken = Counter(name.label for name in names)
        again = [name for name in names if taken[name.label] > 1 and name.further]
        if not again:
            break
        for name in again:
            name.label += _SEPARATOR + name.further.pop(0)
    seen: defaultdict[str, int] = defaultdict(int)
    taken = Counter(name.label for name in names)
    for name in names:
        if taken[name.label] > 1:
            label = name.label
            seen[label] += 1
            name.label = f"{label} #{seen[label]}"


def _number_repeats(names: Sequence[Names]) -> None:
    """Number the runs of one tool, variant and set of params, by their names where they can."""
    groups: defaultdict[tuple[str | None, ...], list[Names]] = defaultdict(list)
    for name in names:
        groups[name.scenario, name.variant, name.params, name.tool].append(name)
    for group in groups.values():
        given = [name.repeat for name in group]
        if len(group) < 2 or (None not in given and len(set(given)) == len(given)):
            continue
        for number, name in enumerate(sorted(group, key=lambda name: name.position), 1):
            name.repeat = number


def _natural(name: str) -> tuple[object, ...]:
    """Return a key by which run-10 comes after run-9."""
    parts = re.split(r"(\d{1,18})", name)
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
