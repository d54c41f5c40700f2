"""What is run: the cells of a scenario's matrix, and what the command line makes of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchkit.errors import UsageError
from benchkit.scenarios.checked import Value
from benchkit.scenarios.declaration import Profile, Scenario, text_of

#: The param that declares a second copy of the baseline.
AA: Final = "aa"


#: Settings and params of which there is no load with less than one.
_FROM_ONE: Final = frozenset(
    {"concurrency", "connections", "duration", "pipelining", "rate", "requests", "threads"}
)
_LEAST_RUN_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One variant under one set of params."""

    variant: str
    params: tuple[tuple[str, Value], ...] = ()

    @property
    def folder(self) -> str:
        """Name of its folder, such as `with+pool-bounded`; meta.json has the parts."""
        parts = [self.variant]
        parts += [key if value is True else f"{key}-{text_of(value)}" for key, value in self.params]
        return re.sub(r"[^\w.+-]", "_", "+".join(parts)).lstrip(".") or "_"

    @property
    def label(self) -> str:
        """Its name for people."""
        params = ", ".join(f"{key}={text_of(value)}" for key, value in self.params if key != AA)
        copy = " (second copy)" if dict(self.params).get(AA) else ""
        return f"{self.variant}{f' ({params})' if params else ''}{copy}"


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What was asked for.

    Attributes:
        settings: What all cells have in common.
        cells: Each is run `repeats` times.
        run_s: Seconds that one run should take.
        tool: The load generator that was asked for, empty for the first that is installed.
    """

    scenario: Scenario
    profile: str
    repeats: int
    settings: Mapping[str, Value]
    cells: Sequence[MatrixCell]
    run_s: float
    tool: str = ""

    @property
    def duration_s(self) -> float:
        """What its runs should take, builds not counted."""
        return len(self.cells) * self.repeats * self.run_s


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for.

    Attributes:
        repeats: Runs of each cell, None for the profile's number.
        variants: Only these, empty for all.
        set: `key=value` for settings, `key=value,value` for the levels of a param, `tool=name`.
        copy: Whether a second copy of the baseline is run.
    """

    profile: str = "quick"
    repeats: int | None = None
    variants: Sequence[str] = ()
    set: Sequence[str] = ()
    copy: bool = False


def about(duration_s: float) -> str:
    """Return a duration in words, no finer than anybody can know: `about 4 min`."""
    if duration_s < 90:
        return f"about {max(round(duration_s / 5) * 5, 5)} s"
    if duration_s < 90 * 60:
        return f"about {round(duration_s / 60)} min"
    return f"about {duration_s / 3600:.1f} h"


def plan(scenario: Scenario, wishes: Wishes) -> RunPlan:
    """Return the cells and settings of a run set.

    Raises:
        UsageError: an unknown profile, variant, param or setting, or a value of another type.
    """
    profile = scenario.profile(wishes.profile)
    tools = [text.partition("=")[2] for text in wishes.set if text.startswith("tool=")]
    others = [text for text in wishes.set if not text.startswith("tool=")]
    settings, levels = _chosen(scenario, profile, others)
    for name in wishes.variants:
        if name not in scenario.variants:
            raise UsageError(f"no variant '{name}'; there are {', '.join(scenario.variants)}")
    repeats = profile.repeats if wishes.repeats is None else wishes.repeats
    if repeats < 1:
        raise UsageError(f"--repeats {repeats}: at least 1")
    cells = tuple(_cells(scenario, levels, wishes, [*scenario.exclude, *profile.exclude]))
    if not cells:
        raise UsageError(f"{scenario.name}: nothing is left to run")
    tool = tools[-1] if tools else ""
    if tool and tool not in scenario.tool_names:
        raise UsageError(f"tool={tool}: {scenario.name} knows {', '.join(scenario.tool_names)}")
    run_s = _run_s(scenario, profile, settings)
    return RunPlan(scenario, wishes.profile, repeats, settings, cells, run_s, tool)


def _run_s(scenario: Scenario, profile: Profile, settings: Mapping[str, Value]) -> float:
    """Return how long one run should take with what was asked for instead of the profile's."""
    usual = {**scenario.settings, **profile.settings}
    run_s = profile.run_s
    for name, adds in (("requests", False), ("duration", True)):
        before, now = usual.get(name), settings.get(name)
        if isinstance(before, int | float) and isinstance(now, int | float) and before:
            run_s = run_s + now - before if adds else run_s * now / before
    return max(run_s, _LEAST_RUN_S)


def _cells(
    scenario: Scenario,
    levels: Mapping[str, Sequence[Value]],
    wishes: Wishes,
    exclude: Sequence[Mapping[str, Value]],
) -> Iterator[MatrixCell]:
    chosen = [name for name in scenario.variants if not wishes.variants or name in wishes.variants]
    for values in itertools.product(*levels.values()):
        params = tuple(zip(levels, values, strict=True))
        for variant in chosen:
            factors = {**dict(params), "variant": variant}
            if not any(rule.items() <= factors.items() for rule in exclude):
                yield MatrixCell(variant, params)
                if wishes.copy and variant == scenario.baseline:
                    yield MatrixCell(variant, (*params, (AA, True)))


def _chosen(
    scenario: Scenario, profile: Profile, wanted: Sequence[str]
) -> tuple[dict[str, Value], dict[str, Sequence[Value]]]:
    settings = {**scenario.settings, **profile.settings}
    levels = {**scenario.params, **profile.params}
    for option in wanted:
        key, equals, text = option.partition("=")
        if not equals or (key not in settings and key not in levels):
            names = ", ".join([*levels, *settings, "tool"])
            raise UsageError(f"--set {option}: write NAME=VALUE; the names are {names}")
        if key in levels:
            like = levels[key][0]
            levels[key] = tuple(
                dict.fromkeys(_typed(part, like, option) for part in text.split(","))
            )
        else:
            settings[key] = _typed(text, settings[key], option)
    return settings, levels


def _typed(text: str, like: Any, option: str) -> Value:  # noqa: ANN401 - a value of TOML
    """Return a text as a value of the type that the declaration has, in a range that can be run."""
    value = _of_type(text, like, option)
    least = 1 if option.partition("=")[0] in _FROM_ONE else 0
    if isinstance(value, int | float) and not isinstance(value, bool) and not value >= least:
        raise UsageError(f"--set {option}: expected {least} or more, found '{text}'")
    return value


def _of_type(text: str, like: Any, option: str) -> Value:  # noqa: ANN401 - a value of TOML
    try:
        if isinstance(like, bool):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(like, int):
            return int(text)
        if isinstance(like, float):
            return float(text)
    except (ValueError, KeyError):
        kind = {bool: "true or false", int: "a whole number", float: "a number"}[type(like)]
        raise UsageError(f"--set {option}: expected {kind}, found '{text}'") from None
    return text
