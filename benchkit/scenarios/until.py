"""Repeats that are added until they say enough, looked at as often as was fixed before.

How often is fixed by the most repeats alone, and recorded with every run, so that each later
comparison keeps the level (`benchkit.stats.looks`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchkit import format as show
from benchkit.compare.assess import Assessment, Options, assess
from benchkit.compare.precision import Look, Precision, look, metrics_of, precision
from benchkit.errors import BenchkitError, UsageError
from benchkit.scenarios.checked import Value
from benchkit.scenarios.matrix import RunPlan
from benchkit.scenarios.runset import Schedule
from benchkit.stats.contrast import LEAST_PAIRS
from benchkit.stats.looks import looks_at

#: Repeats where nobody says how many there may be.
MOST_REPEATS: Final = 30


@dataclass(frozen=True, slots=True)
class Goal:
    """What ends a run set.

    Attributes:
        precisions: How narrow which intervals should be.
        most_repeats: Blocks, however wide they still are.
        most_minutes: From the start of a scenario, its build counted; None for any number.
    """

    precisions: tuple[Precision, ...]
    most_repeats: int = MOST_REPEATS
    most_minutes: float | None = None


def goal(
    texts: Sequence[str], *, most_repeats: int | None, most_minutes: float | None
) -> Goal | None:
    """Return what the command line asks for, None where it asks for no end of this kind.

    Raises:
        UsageError: a text is no precision, there are too few repeats, or bounds of nothing.
    """
    bounds = {"--most-repeats": most_repeats, "--most-minutes": most_minutes}
    if not texts:
        for name, bound in bounds.items():
            if bound is not None:
                raise UsageError(f"{name} bounds --until, which says how narrow: --until ±3%")
        return None
    if most_repeats is not None and most_repeats < LEAST_PAIRS:
        raise UsageError(
            f"--most-repeats {most_repeats}: at least {LEAST_PAIRS}, fewer reach no verdict"
        )
    if most_minutes is not None and not most_minutes > 0:
        raise UsageError(f"--most-minutes {most_minutes:g}: more than 0")
    return Goal(tuple(map(precision, texts)), most_repeats or MOST_REPEATS, most_minutes)


def comparable(plan: RunPlan) -> None:
    """Make sure that there is something to be compared.

    Raises:
        UsageError: there is one variant alone.
    """
    if len(plan.cells) < 2:
        raise UsageError("--until compares variants with a baseline, and there is one alone")


@dataclass(slots=True)
class Watch:
    """Looks at a growing run set and says when it is enough.

    Attributes:
        notify: Called with a line after each look.
        read: Returns what the runs of a folder say, as its user would be told.
        clock: Seconds that never go back.
        reason: Why it ended; empty until then.
        assessment: Of the last look; None where nothing could be read.
    """

    goal: Goal
    notify: Callable[[str], None]
    read: Callable[[Path, Options], Assessment]
    clock: Callable[[], float] = time.monotonic
    reason: str = ""
    repeats: int = 0
    assessment: Assessment | None = None
    _runs: Schedule | None = None
    _due: tuple[int, ...] = ()
    _began_s: float = field(init=False)
    _last_s: float = field(init=False)

    def __post_init__(self) -> None:
        self._began_s = self._last_s = self.clock()

    @property
    def minutes(self) -> float:
        """Since it began."""
        return (self.clock() - self._began_s) / 60

    def begin(self, runs: Schedule, plan: RunPlan) -> None:
        """Fix the looks at a run set, those that were made before included, and write them down.

        Raises:
            UsageError: there is nothing to be compared.
        """
        comparable(plan)
        before = {
            int(each["repeat"]) for each in runs.looked if isinstance(each.get("repeat"), int)
        }
        last_done = max((run.repeat for run in runs.runs if run.state == "done"), default=0)
        if last_done and not runs.looks:
            before.add(last_done)  # whoever adds runs to these has seen them
        last = max(before, default=0)
        self._due = tuple(n for n in looks_at(self.goal.most_repeats) if n > last)
        runs.looks = max(runs.looks, len(before) + len(self._due))
        runs.until = [each.text for each in self.goal.precisions]
        runs.most_repeats = self.goal.most_repeats
        self._runs = runs

    def enough(self, repeats: int) -> bool:
        """Whether so many whole blocks need no further one; asked before each."""
        now = self.clock()
        block_s, self._last_s = now - self._last_s, now
        limit = self.goal.most_minutes
        late = limit is not None and now - self._began_s + block_s > 60 * limit
        looked = self._runs.looked if self._runs else ()
        seen = any(each.get("repeat") == repeats for each in looked)
        if repeats in self._due or seen or (late and repeats):
            self._look(repeats, late=late)
        elif late:
            self.reason = "the most minutes"
        return bool(self.reason)

    def finish(self, repeats: int) -> None:
        """Look a last time, after the most repeats, where nothing ended it before."""
        if not self.reason:
            self._look(repeats, late=False)

    def _look(self, repeats: int, *, late: bool) -> None:
        runs = self._runs
        assert runs is not None  # noqa: S101 - begun before
        self.repeats, seen = repeats, Look(())
        options = Options(metrics=metrics_of(self.goal.precisions), looks=runs.looks)
        try:
            self.assessment = self.read(runs.folder, options)
            seen = look(self.assessment, self.goal.precisions)
            self.reason = seen.ending
        except BenchkitError as error:
            self.reason = f"nothing can be compared: {error}"
        if not self.reason:
            bound = self.goal.most_repeats <= repeats
            self.reason = "the most repeats" if bound else "the most minutes" if late else ""
        self._record(runs, seen)
        self.notify(self._line(seen))

    def _record(self, runs: Schedule, seen: Look) -> None:
        widest = seen.widest
        entry: dict[str, Value] = {
            "repeat": self.repeats,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "open": len(seen.open),
            "half_width": round(widest.half_width or 0.0, 6) if widest else "",
            "ended": self.reason,
        }
        others = [each for each in runs.looked if each.get("repeat") != self.repeats]
        runs.looked = [*others, {key: value for key, value in entry.items() if value != ""}]
        runs.save()

    def _line(self, seen: Look) -> str:
        """Return one line about a look: repeat, width, time, what goes on."""
        at = f"repeat {self.repeats} of at most {self.goal.most_repeats}"
        widest = seen.widest
        reached = "no interval yet"
        if widest is not None:
            width, wanted = show.margin(widest.half_width or 0.0), show.margin(widest.limit)
            name = show.clean(widest.name, limit=40)
            verdict = f", {widest.effect.verdict}" if widest.decided else ""
            reached = f"{widest.effect.metric.name} of {name} {width} for {wanted}{verdict}"
        following = next((n for n in self._due if n > self.repeats), self.goal.most_repeats)
        onward = f"ends: {self.reason}" if self.reason else f"goes on to repeat {following}"
        return f"{at}: {reached}; {self.minutes:.1f} min so far; {onward}"


def read_folder(folder: Path, options: Options) -> Assessment:
    """Return what the runs in a folder say."""
    from benchkit.api import load

    return assess(load(folder), options=options)
