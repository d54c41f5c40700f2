"""Whether variants were loaded in the same way, apart from what is compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from benchkit import format as show
from benchkit.validity.evidence import Arm, Run, RunSet
from benchkit.validity.model import Check, NotApplicableError, Raised
from benchkit.validity.options import asked, headers

_Read = Callable[[Run], Any]


def _column(name: str) -> _Read:
    def read(run: Run) -> Any:  # noqa: ANN401 - a cell may hold any kind
        return run.get(name)

    return read


def _path(run: Run) -> str | None:
    try:
        return urlsplit(str(run.get("url"))).path or "/" if run.get("url") else None
    except ValueError:
        return None


def _seconds(run: Run) -> float | None:
    running = run.figure("Running", "value")
    return running if running is not None else _asked(run).get("duration_s")


def _asked(run: Run) -> dict[str, float]:
    return asked(run.tool, str(run.get("command") or ""))


def _wanted_requests(run: Run) -> float | None:
    return _asked(run).get("requests")


def _headers(run: Run) -> frozenset[str] | None:
    return headers(run.tool, str(run.get("command"))) if run.get("command") else None


#: What must be equal: name, how to read it, words of its name, whether it changes the load.
_SETTINGS: Final[tuple[tuple[str, _Read, tuple[str, ...], bool], ...]] = (
    (
        "connections",
        _column("connections"),
        ("conn", "connection", "connections", "concurrency", "clients"),
        True,
    ),
    ("pipelining", _column("pipelining"), ("p", "pipeline"), True),
    ("keep-alive", _column("keepalive"), ("k", "keep", "keepalive", "close"), True),
    ("offered rate", _column("offered_rate_rps"), ("r", "rate", "rps", "qps"), True),
    ("method", _column("method"), ("get", "post", "put", "patch", "delete", "head"), True),
    ("load model", _column("load_model"), ("open", "closed"), True),
    ("asked duration, s", _seconds, ("d", "duration", "seconds"), False),
    ("asked requests", _wanted_requests, ("n", "requests"), False),
    ("threads of the generator", _column("threads"), ("t", "threads", "workers"), False),
    ("timeout, s", _column("timeout_s"), ("timeout",), False),
    ("version of the generator", _column("tool_version"), ("version",), False),
)


def _config_differs(runs: RunSet) -> Iterator[Raised]:
    for arms in runs.comparable():
        for name, read, words, load in _SETTINGS:
            found = {arm.name: _values(arm, read) for arm in arms}
            if _differ(list(found.values())) and not _declared(arms, found, words):
                yield _raised(arms, name, found, load=load)
        yield from _paths(arms)
        yield from _extra_headers(arms)


def _values(arm: Arm, read: _Read) -> frozenset[Any]:
    return frozenset(value for run in arm.runs if (value := read(run)) is not None)


def _differ(values: Sequence[frozenset[Any]]) -> bool:
    known = {one for one in values if one}
    return len(known) > 1


def _declared(arms: Sequence[Arm], found: dict[str, frozenset[Any]], words: Sequence[str]) -> bool:
    """Whether the names of the variants say the setting: its word, or each of its values."""
    tokens = {arm.name: set(_tokens(arm.variant)) for arm in arms}
    if any({word for word in words if len(word) > 1} & own for own in tokens.values()):
        return True
    said = {value: False for values in found.values() for value in values}
    for name, values in found.items():
        for value in values:
            own = set(_tokens(_token(value)))
            said[value] = said[value] or (bool(own) and own <= tokens[name])
    return all(said.values())


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z]+|[0-9]+(?:\.[0-9]+)?", text.lower())


def _token(value: Any) -> str:  # noqa: ANN401 - a cell may hold any kind
    return f"{value:.15g}" if isinstance(value, float) else str(value).lower()


def _raised(
    arms: Sequence[Arm], name: str, found: dict[str, frozenset[Any]], *, load: bool
) -> Raised:
    sides: dict[str, list[str]] = {}
    for arm in arms:
        if found[arm.name]:
            said = show.listed(sorted(_said(value) for value in found[arm.name]))
            sides.setdefault(said, []).append(arm.name)
    shown = "; ".join(f"{value} in {show.listed(who[:4])}" for value, who in sides.items())
    return Raised(
        severity="error" if load else "warning",
        message=(
            f"The variants differ in more than themselves. {name[0].upper()}{name[1:]}: {shown}."
        ),
        values={
            "setting": name,
            "by_variant": {n: sorted(map(_said, v)) for n, v in found.items()},
        },
        touches=("throughput_rps", "latency_mean_s", "latency_p50_s", "latency_p99_s"),
        runs=[run for arm in arms for run in arm.runs],
    )


def _said(value: Any) -> str:  # noqa: ANN401 - a cell may hold any kind
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return show.number(value)
    return show.clean(str(value), limit=60)


def _paths(arms: Sequence[Arm]) -> Iterator[Raised]:
    """Look at paths: where each variant has its own, or they name it, that is compared."""
    found = {arm.name: _values(arm, _path) for arm in arms}
    known = [paths for paths in found.values() if paths]
    some = len(known) > 1 and len(set(known)) not in {1, len(known)}
    if some and not _declared(arms, found, ()):
        yield _raised(arms, "path", found, load=False)


def _extra_headers(arms: Sequence[Arm]) -> Iterator[Raised]:
    found = {arm.name: [h for run in arm.runs if (h := _headers(run)) is not None] for arm in arms}
    known = {name: frozenset().union(*sets) for name, sets in found.items() if sets}
    if len(known) < 2 or len(set(known.values())) < 2:
        return
    shared = frozenset.intersection(*known.values())
    said = [
        f"{name} sends {show.listed([_said(header) for header in sorted(own - shared)])}"
        for name, own in known.items()
        if own - shared
    ]
    yield Raised(
        severity="warning",
        message=f"The variants get different headers: {'; '.join(said)}; the others do not.",
        values={"headers": {name: sorted(own) for name, own in known.items()}},
        touches=("throughput_rps", "latency_mean_s"),
        runs=[run for arm in arms for run in arm.runs],
    )


def _checked(runs: RunSet) -> Iterator[Raised]:
    runs.comparable()
    settings = [read for _, read, *_ in _SETTINGS] + [_headers]
    if not any(read(run) is not None for read in settings for run in runs.runs):
        raise NotApplicableError("no setting is known")
    yield from _config_differs(runs)


CHECKS: Final = (
    Check(
        id="CONFIG_DIFFERS",
        title="The variants were loaded differently",
        needs="two variants with the same params; settings from output, command or metadata",
        rule=(
            "connections, pipelining, keep-alive, rate, method or load model differ (error); "
            "duration or number asked for, threads, timeout, version, path or headers differ "
            "(warning); not where the variants' names say so, nor params that differ"
        ),
        severities=("warning", "error"),
        source="convention",
        advice="Repeat with one configuration, or declare the setting in params.",
        of_set=_checked,
    ),
)
