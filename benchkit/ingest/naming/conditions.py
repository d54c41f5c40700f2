"""Runs that are no repetitions of one another: what they print of load and target differs.

Names are one thing, what was measured is another: runs of one name are taken for repetitions
only where they were made alike, as far as outputs, commands and metadata say.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from benchkit import format as show
from benchkit.ingest.naming.names import Facts, Names, listed, short
from benchkit.model.grouping import same_params
from benchkit.model.variant import WARM_UP

#: Runs whose figures are as measured are alike where they differ by no more.
_ALIKE: Final = 0.15
#: What is asked for is round to so many digits.
_ROUND: Final = 2
#: Seconds by which a run may last longer than was asked for.
_LATE_S: Final = 0.12
#: As many runs, each with a port of its own, do not differ in their servers.
_FEWEST_PORTS: Final = 3
_PORT: Final = re.compile(r":[0-9]++$")


# --- what is asked for, of the runs of one name ---

_Values = list[Any]


def _asked_rate(run: Facts) -> float | None:
    """Return a round rate at which so many requests are sent in round time; vegeta prints none."""
    requests, measured = run.get("requests"), run.figures.get(("Requests", "rate"))
    if not requests or requests < _ROUND or not measured:
        return None
    sent = measured * (requests - 1) / requests
    for digits in (2, 3):
        rate = float(f"{sent:.{digits}g}")
        if abs(sent / rate - 1) < 0.005 and (2 * requests / rate) % 1 == 0:
            return rate
    return None


def _connections(runs: Sequence[Facts]) -> _Values:
    """Return the connections as printed, unless as many were opened by all.

    Of a run whose output does not print them, a command tells how many were opened.
    """
    printed = [run.printed.get("connections") for run in runs]
    opened = [run.get("connections") for run in runs]
    return opened if len(set(printed)) > len(set(opened)) == 1 else printed


def _durations(runs: Sequence[Facts]) -> _Values:
    """Return the seconds asked for: as printed, or such that all runs lasted hardly longer."""
    asked = [run.figures.get(("Running", "value")) for run in runs]
    if None not in asked:
        return _alike(asked)
    sent = [run.get("requests") or run.figures.get(("requests in", "total")) for run in runs]
    if len(sent) > 1 and sent[0] and len(set(sent)) == 1:
        return [None] * len(runs)  # so many were asked for, in whatever time
    lasted = [run.get("duration_s") or 0.0 for run in runs]
    late = all(value >= 1 and value % 1 <= _LATE_S for value in lasted)
    return _alike([float(int(value)) for value in lasted]) if late else [None] * len(runs)


def _requests(runs: Sequence[Facts]) -> _Values:
    """Return the requests asked for: numbers that are round, or the same in several runs."""
    numbers = [run.get("requests") for run in runs]
    if any(run.figures.get(("Running", "value")) for run in runs):
        return [run.figures.get(("Running", "total")) for run in runs]
    times = Counter(numbers)
    asked = all(n and n >= 10 and (times[n] > 1 or n == float(f"{n:.{_ROUND}g}")) for n in numbers)
    return _alike(numbers) if asked else [None] * len(runs)


def _alike(values: _Values) -> _Values:
    """Return measured values with those that differ little as one, the smallest of them."""
    first: dict[float, float] = {}
    low = None
    for value in sorted({value for value in values if value is not None}):
        low = value if low is None or value > low * (1 + _ALIKE) else low
        first[value] = low
    return [None if value is None else first[value] for value in values]


def _bodies(runs: Sequence[Facts]) -> _Values:
    sent = [(run.get("sent_bytes"), run.get("requests")) for run in runs]
    return _alike([float(f"{b / n:.3g}") if b is not None and n else None for b, n in sent])


def _versions(runs: Sequence[Facts]) -> _Values:
    """Return the versions of the tool where their figures mean different things."""
    meanings = {(run.get("clock"), run.get("correction")) for run in runs}
    return [run.get("tool_version") if len(meanings) > 1 else None for run in runs]


_CONDITIONS: Final[Mapping[str, Callable[[Sequence[Facts]], _Values]]] = {
    "connections": _connections,
    "threads": lambda runs: [run.get("threads") for run in runs],
    "rate": lambda runs: [run.get("offered_rate_rps") or _asked_rate(run) for run in runs],
    "pipelining": lambda runs: [run.get("pipelining") for run in runs],
    "keepalive": lambda runs: [run.get("keepalive") for run in runs],
    "duration": _durations,
    "requests": _requests,
    "method": lambda runs: [run.get("method") for run in runs],
    "path": lambda runs: [run.path for run in runs],
    "body": _bodies,
    "script": lambda runs: [run.script for run in runs],
    "version": _versions,
    "shell": lambda runs: [run.shell for run in runs],
}


def _hosts(runs: Sequence[Facts]) -> _Values:
    """Return the hosts; a port that each run has for itself is whichever was free."""
    hosts = [run.host for run in runs]
    if len(set(hosts)) < max(len(hosts), _FEWEST_PORTS):
        return hosts
    return [_PORT.sub("", host) if host else host for host in hosts]


_Member = tuple[Names, Facts]
#: Those of one name.
_Groups = Mapping[tuple[Any, ...], Sequence[_Member]]


def set_apart(names: Sequence[Names], facts: Sequence[Facts]) -> Iterator[str]:
    """Give runs of one name that were made differently a param each; yield what was done.

    A condition in which runs of one group differ becomes a param of all runs of that scenario
    and tool that print it, so that a level has one name everywhere.
    """
    scenarios: defaultdict[tuple[str | None, str], list[_Member]] = defaultdict(list)
    for name, known in zip(names, facts, strict=True):
        scenarios[name.scenario, name.tool].append((name, known))
    for members in scenarios.values():
        groups = _groups(members)
        for param, read in _CONDITIONS.items():
            told_apart = list(_split(groups, param, read))
            if told_apart or param == "duration":  # by which warm-ups are known
                groups = _groups(members)
            yield from told_apart
        unnamed = _groups([member for member in members if not member[0].telling])
        yield from _split(unnamed, "host", _hosts)


def _split(
    groups: _Groups, param: str, read: Callable[[Sequence[Facts]], _Values]
) -> Iterator[str]:
    values = {key: read([facts for _, facts in group]) for key, group in groups.items()}
    differing = {key for key, known in values.items() if len(set(known) - {None}) > 1}
    if param == "duration":
        measured = {value for key in values.keys() - differing for value in values[key]}
        differing -= {
            key for key in differing if _marks_warm_ups(groups[key], values[key], measured)
        }
    if not differing:
        return
    levels, alone = set(), 0
    for key, group in groups.items():
        for (name, _), value in zip(group, values[key], strict=True):
            if value is not None:
                name.params[param] = short(value)
                levels.add(short(value))
            elif key in differing:
                alone += 1
                name.params[param] = f"not known ({alone})"
    yield f"told apart by {param}, as the outputs have it: {listed(levels)}"
    if alone:
        runs = show.plural(alone, "run")
        yield f"{runs} single: others of the name differ in {param}, which is not known there"


def _groups(members: Sequence[_Member]) -> _Groups:
    groups: defaultdict[tuple[Any, ...], list[_Member]] = defaultdict(list)
    for name, facts in members:
        groups[name.variant, same_params(name.params)].append((name, facts))
    return groups


def _marks_warm_ups(
    group: Sequence[_Member], durations: _Values, measured: Collection[float | None]
) -> bool:
    """Mark the one shorter run before the others of a folder; whether that explains all.

    None is as long as all of another group, which were `measured`.
    """
    folders: defaultdict[tuple[str, ...], list[tuple[Any, float, Names]]] = defaultdict(list)
    for (name, facts), duration in zip(group, durations, strict=True):
        if duration is None:
            return False
        order = (str(facts.get("started_at") or ""), name.position)
        folders[name.folder].append((order, duration, name))
    warm = []
    for runs in folders.values():
        first, *rest = sorted(runs, key=lambda run: run[0])
        if len({duration for _, duration, _ in runs}) == 1:
            continue
        if len({duration for _, duration, _ in rest}) > 1 or 2 * first[1] > rest[0][1]:
            return False
        if first[1] in measured:
            return False
        warm.append(first[2])
    others = {d for n, d in zip([n for n, _ in group], durations, strict=True) if n not in warm}
    if len(others) > 1:
        return False
    for name in warm:
        name.params[WARM_UP] = True
    return bool(warm)
