"""Runs a plan: builds, then every run in its turn, each into a folder of its own."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from benchkit.errors import BenchkitError, UsageError
from benchkit.scenarios import build as builds
from benchkit.scenarios import environment, finish, places, samples
from benchkit.scenarios.declaration import HERE
from benchkit.scenarios.harness import TRY_AGAIN, Harness, supported
from benchkit.scenarios.matrix import AA, Plan
from benchkit.scenarios.needs import Found, needs_of, tool_of
from benchkit.scenarios.runset import Entry, RunSet, open_set

_ATTEMPTS: Final = 3
_LEAST_LIMIT_S: Final = 90.0
_TIMES_EXPECTED: Final = 10.0

What = Literal["build", "run", "step", "done", "failed"]


@dataclass(frozen=True, slots=True)
class News:
    """What is going on, for whoever watches.

    Attributes:
        text: A name, a step or a reason.
        number: Of the run, from 1, out of `total`.
        left_s: Seconds that all the rest should take.
    """

    what: What
    text: str
    number: int = 0
    total: int = 0
    left_s: float = 0.0


Tell = Callable[[News], None]


@dataclass(slots=True)
class Outcome:
    """What became of a run set.

    Attributes:
        runs: Made now; `before` were there already.
        failed: Label and reason of each run that failed now.
    """

    folder: Path
    runs: int = 0
    before: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)


def missing(plan: Plan) -> list[Found]:
    """Return what must be installed before anything can run."""
    tool = tool_of(plan.scenario, plan.tool)
    found = [one for one in needs_of(plan.scenario) if one.name not in plan.scenario.tool_names]
    return [one for one in (*found, tool) if not one.good]


def execute(plan: Plan, results: Path, *, seed: int, tell: Tell) -> Outcome:
    """Run what is not there yet; a run that fails is recorded and does not end the others.

    Args:
        plan: What is wanted.
        results: The scenario's results go into a folder of its name in it.
        seed: For the order, where the run set is new.
        tell: Called with what is going on, several times a second.

    Raises:
        UsageError: something is missing, or a run set of other settings lies there.
        BuildError: what all variants need cannot be built.
    """
    supported()
    lacking = missing(plan)
    if lacking:
        names = ", ".join(one.wanted for one in lacking)
        name = plan.scenario.name
        raise UsageError(f"{name} lacks {names}: `benchkit doctor {name}` says what installs it")
    tool = tool_of(plan.scenario, plan.tool)
    runs = open_set(results, plan, tool=tool.name, seed=seed)
    todo = runs.extend(plan)
    runs.save()
    outcome = Outcome(runs.folder, before=len(plan.cells) * plan.repeats - len(todo))
    return _Execution(plan, runs, tool, tell, outcome).all(todo)


@dataclass(slots=True)
class _Execution:
    plan: Plan
    runs: RunSet
    tool: Found
    tell: Tell
    outcome: Outcome
    number: int = 0
    total: int = 0
    spent_s: float = 0.0
    unbuilt: dict[str, str] = field(default_factory=dict)
    surroundings: dict[str, Any] = field(default_factory=dict)

    def all(self, todo: Sequence[Entry]) -> Outcome:
        """Make the runs in order."""
        self.total = len(todo)
        if not todo:
            return self.outcome
        self.surroundings = environment.environment()
        self._build(todo)
        for self.number, entry in enumerate(todo, 1):
            started = time.monotonic()
            self._tell("run", f"{entry.cell.label} #{entry.repeat}")
            reason = self._one(entry)
            self.spent_s += time.monotonic() - started
            self.runs.save()
            label = f"{entry.cell.label} #{entry.repeat}"
            if reason:
                self.outcome.failed.append((label, reason))
            else:
                self.outcome.runs += 1
            self._tell("failed" if reason else "done", f"{label}: {reason}" if reason else label)
        return self.outcome

    def _tell(self, what: What, text: str) -> None:
        made = self.outcome.runs + len(self.outcome.failed)
        mean = self.spent_s / made if made else self.plan.run_s
        left = mean * (self.total - made)
        self.tell(News(what, text, self.number, self.total, left))

    def _harness(self, variant: str) -> Harness:
        scenario = self.plan.scenario
        needs = [*needs_of(scenario, [variant]), self.tool]
        of = variant if scenario.build == "variant" else ""
        return Harness(scenario, self.tool.name, needs, builds.folder_of(scenario, needs, of))

    def _build(self, todo: Sequence[Entry]) -> None:
        """Build what the runs need; a variant that cannot be built fails, and no other."""
        scenario = self.plan.scenario
        variants = list(dict.fromkeys(entry.variant for entry in todo))
        for variant in variants:
            lacking = [one for one in needs_of(scenario, [variant]) if not one.good]
            lacking = [one for one in lacking if one.name not in scenario.tool_names]
            if lacking:
                self.unbuilt[variant] = "lacks " + ", ".join(one.wanted for one in lacking)
        if scenario.build == "none":
            return
        ready = [variant for variant in variants if variant not in self.unbuilt]
        for variant in ready if scenario.build == "variant" else ready[:1]:
            harness = self._harness(variant)
            if builds.is_built(harness.build):
                continue
            self._tell("build", variant if scenario.build == "variant" else scenario.name)
            try:
                builds.build(harness, variant=variant, settings=self.plan.settings, tick=self._tick)
            except builds.BuildError as error:
                if scenario.build == "once":
                    raise
                self.unbuilt[variant] = str(error)

    def _tick(self) -> None:
        self._tell("step", "build")

    def _one(self, entry: Entry) -> str:
        """Make one run; return why it failed, empty where it did not."""
        entry.state, entry.reason = "failed", self.unbuilt.get(entry.variant)
        if entry.reason:
            return entry.reason
        entry.started_at, entry.ended_at = _now(), None
        running = self.runs.aside(entry, "running")
        for _ in range(_ATTEMPTS):
            shutil.rmtree(running, ignore_errors=True)
            running.mkdir(parents=True)
            try:
                status, reason = self._attempt(entry, running)
            except BaseException:
                # Interrupted: this run never was.
                shutil.rmtree(running, ignore_errors=True)
                entry.state, entry.started_at = "pending", None
                self.runs.save()
                raise
            if status != TRY_AGAIN:
                break
        entry.ended_at = _now()
        target = self.runs.aside(entry, "failed") if reason else self.runs.place(entry)
        for old in (self.runs.aside(entry, "failed"), target):
            shutil.rmtree(old, ignore_errors=True)
        running.rename(target)
        entry.state, entry.reason = ("failed", reason) if reason else ("done", None)
        return reason

    def _attempt(self, entry: Entry, out: Path) -> tuple[int, str]:
        harness = self._harness(entry.variant)
        values = {**self.plan.settings, **{k: v for k, v in entry.params.items() if k != AA}}
        limit = max(_LEAST_LIMIT_S, self.plan.run_s * _TIMES_EXPECTED)
        before = environment.moment()
        with places.scratch() as scratch:
            work = scratch / "work"
            work.mkdir()
            work.chmod(0o755)
            env = harness.variables(entry.variant, values)
            env |= {"BK_WORK": str(work), "BK_SCRATCH": str(scratch)}
            env |= {"BK_OUT": str(out.absolute()), "TMPDIR": str(work)}
            status = harness.call(
                "run",
                env,
                log=scratch / "harness.log",
                limit_s=limit,
                tick=lambda: self._tell("step", finish.step_of(work)),
            )
            reason = _reason(status, work, scratch / "harness.log", limit)
            known = _names(env)
            seen = finish.measured(work, known)
            reason = reason or ("" if seen else "the harness measured nothing")
            if seen:
                looks = samples.read_samples(work / "samples.csv")
                samples.write_resources(
                    out / samples.FILE, looks, start_s=seen.start_s, end_s=seen.end_s
                )
            facts = finish.facts(work)
            content = {
                **self._meta(entry, harness, seen),
                "warm_up_capped": finish.flag(facts, "warm_up_capped"),
                "facts": facts,
                "commands": finish.commands(work, known),
                "before": before,
                "after": environment.moment(),
            }
            finish.write_meta(out, content | ({"failure": reason} if reason else {}))
        finish.pack(out)
        return status, reason or _unreadable(out)

    def _meta(self, entry: Entry, harness: Harness, seen: finish.Measured | None) -> dict[str, Any]:
        scenario = self.plan.scenario
        from benchkit import __version__

        return {
            "scenario": scenario.name,
            "variant": entry.variant,
            "params": entry.params,
            "baseline": scenario.baseline,
            "repeat": entry.repeat,
            "server": scenario.server or None,
            "tool": self.tool.name,
            "tool_version": self.tool.version,
            "command": seen.command if seen else None,
            "started_at": finish.instant(seen.start_s) if seen else None,
            "ended_at": finish.instant(seen.end_s) if seen else None,
            "profile": self.plan.profile,
            "settings": dict(self.plan.settings),
            "benchkit": __version__,
            "sources_sha256": builds.sources_hash(scenario, HERE / "lib.sh"),
            "build_sha256": builds.description(harness.build),
            "needs": {one.name: one.version for one in harness.needs if one.version},
            "environment": self.surroundings,
        }


def _reason(status: int, work: Path, log: Path, limit_s: float) -> str:
    if status == 0:
        return ""
    if status == -1:
        return (
            f"took longer than {limit_s:.0f} s, while it was to {finish.step_of(work) or 'start'}"
        )
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    said = finish.reason_of(work) or (lines[-1] if lines else "")
    return said or f"the harness ended with status {status}"


def _unreadable(out: Path) -> str:
    """Return why the outputs hold no run; empty where they hold one."""
    from benchkit.ingest import load

    try:
        load(out)
    except BenchkitError as error:
        return str(error)
    return ""


def _names(env: Mapping[str, str]) -> dict[str, str]:
    """Return names for the places of this machine, which say nothing elsewhere."""
    keys = ("BK_LIB", "BK_SCENARIO", "BK_BUILD", "BK_WORK")
    found = {env[key]: f"${key}" for key in keys}
    return found | {f"{env['BK_OUT']}/": "", env["BK_OUT"]: ".", sys.executable: "python3"}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
