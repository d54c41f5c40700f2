"""What names state of how runs were made: loads, paths, dates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from benchkit.ingest.naming.names import COLUMNS
from benchkit.ingest.naming.path_names import At, Name

#: What of a load in a name is no word.
_UNNUMBERED: Final = re.compile(r"[\W\d_]+")


def take_paths(names: Sequence[Name]) -> None:
    """Take words that are the ends of paths for the paths, where other words are compared there.

    As in `main_home`, `main_login`, `pr_home`, `pr_login`: two paths of main and pr each.
    """
    ends: list[At] = []
    paths: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for name in names:
        end = (name.path or "").partition("?")[0].rpartition("/")[2].lower()
        words = list(name.tokens("word", "plain"))
        own = [at for at, token in words if end and token.lower == end]
        if len(own) != 1:
            return
        ends += own
        others = (token.lower for at, token in words if at not in own and token.kind == "word")
        paths[tuple(others)].add(name.path or "")
    if len(paths) > 1 and () not in paths and max(map(len, paths.values())) > 1:
        for name, (part, at) in zip(names, ends, strict=True):
            token = name.parts[part][at]
            name.parts[part][at] = replace(token, kind="load", param="path", value=name.path)


def deny_durations(names: Sequence[Name]) -> None:
    """Take times that no output was asked for as words: `512m` is memory."""
    known = [
        (name, at, t) for name in names for at, t in name.tokens("load") if t.param == "duration"
    ]
    printed = [name.printed.get("duration") for name, _, _ in known]
    values = [token.value for _, _, token in known]
    if None in printed or any(a == b for a, b in zip(printed, values, strict=True)):
        return
    for name, (part, at), token in known:
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
            key = _UNNUMBERED.sub("", token.text) if token.param in contradicted else ""
            own.setdefault(
                f"{key} in the name" if key in COLUMNS else key or token.param, token.value
            )
        name.repeats = [t.value for _, t in name.tokens("repeat") if t.value is not None]
        name.warm_up = any(True for _ in name.tokens("warm-up"))
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
