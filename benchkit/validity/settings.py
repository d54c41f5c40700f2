"""Whether variants were loaded in the same way, apart from what is compared, and as named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlsplit

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.grouping import grouped, same_params
from benchkit.model.load import have_one_in_common, loads_of
from benchkit.model.metric import FIGURES
from benchkit.model.run import IN_META, IN_NAME, Run
from benchkit.model.variant import Variant
from benchkit.validity.evidence import RunSet, names, runs_of
from benchkit.validity.finding import Check, Raised


def _path(run: Run) -> str | None:
    try:
        return urlsplit(str(run.get("url"))).path or "/" if run.get("url") else None
    except ValueError:
        return None


def _seconds(run: Run) -> float | None:
    running = run.figure("Running", "value")
    return running if running is not None else _asked(run).get("duration_s")


def _asked(run: Run) -> Mapping[str, float]:
    return registry.tool(run.tool).asked(str(run.get("command") or ""))


def _headers(run: Run) -> frozenset[str] | None:
    command = run.get("command")
    return registry.tool(run.tool).headers(str(command)) if command else None


class Setting(NamedTuple):
    """What must be equal: its title, a column or how to read it, words of its name, its weight.

    An amount of load is no part of a variant, whatever its name says.
    """

    title: str
    source: str | Callable[[Run], Any]
    words: str = ""
    grave: bool = False
    amount: bool = False

    def read(self, run: Run) -> Any:  # noqa: ANN401 - a cell may hold any kind
        """Return what it was in a run, None where that is not known."""
        return run.get(self.source) if isinstance(self.source, str) else self.source(run)


_SETTINGS: Final = (
    Setting("connections", "connections", grave=True, amount=True),
    Setting("pipelining", "pipelining", grave=True, amount=True),
    Setting("keep-alive", "keepalive", "k keep keepalive close", grave=True),
    Setting("offered rate", "offered_rate_rps", grave=True, amount=True),
    Setting("method", "method", "get post put patch delete head", grave=True),
    Setting("load model", "load_model", "open closed", grave=True),
    Setting("asked duration, s", _seconds, "d duration seconds"),
    Setting("asked requests", lambda run: _asked(run).get("requests"), "n requests"),
    Setting("threads of the generator", "threads", "t threads workers"),
    Setting("timeout, s", "timeout_s", "timeout"),
    Setting("version of the generator", "tool_version", "version"),
)
_PATH: Final = Setting("path", _path)
#: Settings that a name may state, in words.
_STATED: Final = {
    "connections": "connections",
    "threads": "threads",
    "pipelining": "pipelined requests",
    "offered_rate_rps": "requests per second",
    "keepalive": "keep-alive",
}
#: What states them beside the output, by the metric of its figures.
_STATES: Final = {IN_NAME: "the name", IN_META: "meta.json"}
#: A rate is as measured.
_CLOSE: Final = {"offered_rate_rps": 0.05}


def differences(
    variants: Sequence[Variant], settings: Sequence[Setting], *, forbids: str
) -> Iterator[Raised]:
    """Yield the settings in which variants that are compared differ.

    Not those that their names say to be what is compared, which an amount of load never is.
    """
    for setting in settings:
        values = {variant.label: _values(variant, setting) for variant in variants}
        if len({*values.values()} - {frozenset()}) < 2:
            continue
        declared = "" if setting.amount else _declared(variants, values, setting.words)
        if declared != "by value":
            why = "" if declared else forbids
            yield _difference(variants, setting, values, forbids=why)


def pooled(variant: Variant, settings: Sequence[Setting], *, forbids: str = "") -> Iterator[Raised]:
    """Yield the settings in which the runs of one variant differ."""
    for setting in settings:
        values = _values(variant, setting)
        if len(values) < 2:
            continue
        yield Raised(
            f"The runs of {names([variant])} are no repetitions of one another. "
            f"{_capital(setting.title)}: {show.listed(_all_shown(values))}.",
            severity="error" if setting.grave and forbids else "warning",
            values={"setting": setting.title, "values": _all_shown(values)},
            touches=FIGURES,
            runs=variant.runs,
            forbids=forbids if setting.grave else "",
        )


def _values(variant: Variant, setting: Setting) -> frozenset[Any]:
    return frozenset(value for run in variant.runs if (value := setting.read(run)) is not None)


def _declared(
    variants: Sequence[Variant], values: Mapping[str, frozenset[Any]], words: str
) -> Literal["by value", "by word", ""]:
    """Return how the names of the variants say that a setting is what is compared.

    By its values, of which one may go unsaid where the setting has a word in a name; or by that
    word alone, which may be there for another reason: a post office is no method.
    """
    tokens = {variant.label: set(_tokens(variant.name)) for variant in variants}
    word = any({word for word in words.split() if len(word) > 1} & own for own in tokens.values())
    unsaid = {value for known in values.values() for value in known}
    if word and unsaid <= {True, False}:
        return "by value"
    for label, known in values.items():
        unsaid -= {v for v in known if (own := set(_tokens(_token(v)))) and own <= tokens[label]}
    if len(unsaid) <= int(word):
        return "by value"
    return "by word" if word else ""


def says(variant: Variant, option: str) -> bool:
    """Whether the name of a variant says an option, or the value that ends it."""
    value = set(_tokens(re.split("[ =]", option)[-1]))
    return bool(value) and value <= set(_tokens(variant.name))


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z]+|[0-9]+(?:\.[0-9]+)?", text.lower())


def _token(value: Any) -> str:  # noqa: ANN401 - a cell may hold any kind
    return f"{value:.15g}" if isinstance(value, float) else str(value).lower()


def _difference(
    variants: Sequence[Variant],
    setting: Setting,
    values: Mapping[str, frozenset[Any]],
    *,
    forbids: str,
) -> Raised:
    sides: dict[frozenset[Any], list[Variant]] = {}
    for variant in variants:
        if values[variant.label]:
            sides.setdefault(values[variant.label], []).append(variant)
    shown = "; ".join(
        f"{show.listed(_all_shown(known))} in {names(having)}" for known, having in sides.items()
    )
    levels = sorted(frozenset[Any]().union(*sides) if setting.grave else ())
    return Raised(
        f"The variants differ in more than themselves. {_capital(setting.title)}: {shown}.",
        severity="error" if setting.grave else "warning",
        values={
            "setting": setting.title,
            "by_variant": {label: _all_shown(known) for label, known in values.items()},
        },
        touches=FIGURES,
        runs=runs_of(variants),
        forbids=forbids if setting.grave else "",
        spans={
            run.run_id: (levels.index(value), levels.index(value))
            for run in runs_of(variants)
            if levels and (value := setting.read(run)) is not None
        },
    )


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _all_shown(values: frozenset[Any]) -> list[str]:
    return [_shown(value) for value in sorted(values)]


def _shown(value: Any) -> str:  # noqa: ANN401 - a cell may hold any kind
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return show.number(value)
    return show.clean(str(value), limit=60)


def _paths(variants: Sequence[Variant]) -> Iterator[Raised]:
    """Look at paths: where each variant has its own, or they name it, that is compared."""
    known = [paths for variant in variants if (paths := _values(variant, _PATH))]
    if len(set(known)) < len(known):
        yield from differences(variants, [_PATH], forbids="")


def _extra_headers(variants: Sequence[Variant]) -> Iterator[Raised]:
    sent = {
        variant.label: [each for run in variant.runs if (each := _headers(run)) is not None]
        for variant in variants
    }
    known = {label: frozenset().union(*sets) for label, sets in sent.items() if sets}
    if len(known) < 2 or len(set(known.values())) < 2:
        return
    shared = frozenset.intersection(*known.values())
    more = [
        f"{label} sends {show.listed([_shown(header) for header in sorted(own - shared)])}"
        for label, own in known.items()
        if own - shared
    ]
    if len(more) < len(known):
        more.append("the others do not")
    yield Raised(
        f"The variants get different headers: {'; '.join(more)}.",
        values={"headers": {label: sorted(own) for label, own in known.items()}},
        touches=FIGURES,
        runs=runs_of(variants),
    )


@Check(
    "CONFIG_DIFFERS",
    "The settings of the variants differ",
    "connections, pipelining, keep-alive, rate, method or load model differ (error, no "
    "verdict); duration or number asked for, threads, timeout, version, path (unless each variant "
    "has its own) or headers differ (warning). Variants with the same params are looked at; all, "
    "where each ran under one set of params; else those too that have neither params nor a load in "
    "common. Not the levels of one variant, nor of several that share levels. Names excuse no "
    "connections, pipelining or rate, other settings where those of the variants say the values; a "
    "verdict on these runs only where they have the setting's word alone. Between runs of one "
    "variant likewise",
    needs="two runs; settings from output, command or metadata",
    severities=("warning", "error"),
    advice="Repeat all variants with one configuration, or each at every level of it.",
).for_set
def _config_differs(runs: RunSet) -> Iterator[Raised]:
    reads = [*(setting.read for setting in _SETTINGS), _headers]
    if len(runs.runs) < 2:
        raise MissingError("no second run")
    if not any(read(run) is not None for read in reads for run in runs.runs):
        raise MissingError("no setting is known")
    for variant in runs.variants:
        yield from pooled(
            variant, _SETTINGS, forbids=f"the runs of {names([variant])} were loaded differently"
        )
    for variants in _looked_at(runs):
        yield from differences(variants, _SETTINGS, forbids="the variants were loaded differently")
        yield from _paths(variants)
        yield from _extra_headers(variants)


def _looked_at(runs: RunSet) -> Sequence[Sequence[Variant]]:
    """Return the variants that are compared, and those that ran under loads of their own.

    Params that each of two variants has for itself belong to them: they excuse nothing.
    """
    measured = [variant for variant in runs.variants if not variant.is_warm_up]
    named = grouped(measured, lambda variant: variant.name)
    params = {name: {same_params(v.factors) for v in own} for name, own in named.items()}
    loads = {name: loads_of(runs_of(own)) for name, own in named.items()}
    whole = {
        name: Variant(name, {}, show.clean(name, limit=60), tuple(runs_of(own)))
        for name, own in named.items()
    }
    if max(map(len, params.values()), default=0) == 1:
        return [[*whole.values()]]
    apart = {
        name
        for pair in combinations(named, 2)
        if set.isdisjoint(*(params[name] for name in pair))
        and not have_one_in_common(*(loads[name] for name in pair))
        for name in pair
    }
    alike: list[list[Variant]] = []
    with suppress(MissingError):
        alike = runs.comparable()
    return [*alike, [whole[name] for name in named if name in apart]]


@Check(
    "NAME_DIFFERS",
    "The name, or meta.json, says something else than the output",
    "connections, threads, pipelining or keep-alive in the name (`c50`) or in `meta.json` are "
    "not those of the output, or a rate is more than 5 % off",
    needs="a folder or file name, or a `meta.json`, that states a load, and an output that "
    "prints it",
    advice="Correct the name or `meta.json`, or see whether the file is another run's.",
).for_run
def _name_differs(run: Run) -> Iterator[Raised]:
    stated = [f for f in run.figures if f.metric in _STATES and f.statistic in _STATED]
    if not stated:
        raise MissingError("neither name nor meta.json states a load that the output prints")
    for figure in stated:
        column, value, where = figure.statistic, figure.value, _STATES[figure.metric]
        known = float(run.get(column))
        # Some tools open fewer connections than they are asked for, and print both.
        printed = {known, run.figure(column, "value") or known}
        if min(abs(value - number) for number in printed) <= _CLOSE.get(column, 0.0) * known:
            continue
        yield Raised(
            f"{run.name}: {where} says {show.number(value)} {_STATED[column]}, the output "
            f"{show.number(known)}. What the output says is taken.",
            values={"setting": column, where.removeprefix("the "): value, "output": known},
            touches=(column,),
        )
