"""What names state of how runs were made: loads, paths, dates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benchkit.ingest.naming.names import COLUMNS
from benchkit.ingest.naming.path_names import At, Name
from benchkit.ingest.naming.tokens import Token


def take_paths(names: Sequence[Name]) -> None:
    """Take words that are the ends of paths for the paths, where other words are compared there.

    As in `main_home`, `main_login`, `pr_home`, `pr_login`: two paths of main and pr each.
    """
    ends: list[At] = []
    paths: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for name in names:
        end = (name.path or "").partition("?")[0].rpartition("/")[2].lower()
        words = name.tokens("word", "plain")
        own = [at for at, token in words if end and token.lower == end]
        if len(own) != 1:
            return
        ends += own
        others = (token.lower for at, token in words if at not in own and token.kind == "word")
        paths[tuple(others)].add(name.path or "")
    shared = len(set().union(*paths.values())) < sum(map(len, paths.values()))
    if shared and () not in paths and max(map(len, paths.values())) > 1:
        for name, (part, at) in zip(names, ends, strict=True):
            token = name.parts[part][at]
            name.parts[part][at] = replace(token, kind="load", param="path", value=name.path)


def deny_loads(names: Sequence[Name]) -> None:
    """Take what no output was asked for as words: `512m` is memory, `2c` beside `c10` cores."""
    for name in names:
        loads: defaultdict[str, list[tuple[At, Token]]] = defaultdict(list)
        for at, token in name.tokens("load"):
            loads[token.param].append((at, token))
        for param, known in loads.items():
            if param in name.printed and len({token.value for _, token in known}) > 1:
                _deny(name, [each for each in known if each[1].value != name.printed[param]])
    timed = [
        (name, at, t) for name in names for at, t in name.tokens("load") if t.param == "duration"
    ]
    asked = [(name.printed.get("duration"), token.value) for name, _, token in timed]
    if all(lasted is not None and lasted != value for lasted, value in asked):
        for name, at, token in timed:
            _deny(name, [(at, token)])


def _deny(name: Name, tokens: Sequence[tuple[At, Token]]) -> None:
    for (part, at), token in tokens:
        name.parts[part][at] = replace(token, kind="word", param="", value=None)


def take_dates(names: Sequence[Name]) -> None:
    """Take dates for what is compared where nothing else is, and each has runs counted anew."""
    dates: defaultdict[tuple[str, ...], list[Name]] = defaultdict(list)
    counted: defaultdict[tuple[str, ...], set[Any]] = defaultdict(set)
    for name in names:
        name.when = tuple(token.text for _, token in name.tokens("when"))
        date = tuple(token.lower for _, token in name.tokens("when"))
        dates[date].append(name)
        counted[date].update(token.value for _, token in name.tokens("repeat"))
    worded = {tuple(token.lower for _, token in name.tokens("word", "load")) for name in names}
    several = len(dates) > 1 and min(map(len, dates.values())) > 1
    if several and len(worded) == 1 and () not in dates and set.intersection(*counted.values()):
        for name in names:
            for (part, at), token in name.tokens("when"):
                name.parts[part][at] = replace(token, kind="word")


def take_loads(names: Sequence[Name]) -> None:
    """Take what names state; into the params what differs, what all have alike not."""
    values: defaultdict[str, list[Any]] = defaultdict(list)
    contradicted = _contradicted(names)
    factors: dict[int, dict[str, Any]] = {}
    for name in names:
        own = factors[id(name)] = {}
        for _, token in name.tokens("load"):
            name.stated.setdefault(token.param, token.value)
            factor = f"{token.param} in the name" if token.param in contradicted else token.param
            own.setdefault(factor, token.value)
        name.repeats = [t.value for _, t in name.tokens("repeat") if t.value is not None]
        name.warm_up = bool(name.tokens("warm-up"))
        for param, value in own.items():
            values[param].append(value)
    varying = {
        param
        for param, known in values.items()
        if len(known) < len(names) or len(set(map(str, known))) > 1
    }
    warm = all(name.warm_up for name in names)
    for name in names:
        own = factors[id(name)]
        name.params = {param: value for param, value in own.items() if param in varying}
        name.warm_up = name.warm_up and not warm


def _contradicted(names: Sequence[Name]) -> set[str]:
    """Return the loads that names state differently where all outputs print the same.

    `-2c` and `-4c` are cores then, or a mistake: either way their runs are not alike.
    """
    stated: defaultdict[str, set[Any]] = defaultdict(set)
    printed: defaultdict[str, set[float]] = defaultdict(set)
    for name in names:
        for _, token in name.tokens("load"):
            if token.param in name.printed:
                stated[token.param].add(token.value)
                printed[token.param].add(name.printed[token.param])
    return {p for p in COLUMNS if len(stated[p]) > 1 and len(printed[p]) == 1}
