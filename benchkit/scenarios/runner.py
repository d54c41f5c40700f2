"""Runs a plan: builds, then every run in its turn, each into a folder of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal

from benchkit.errors import BenchkitError, UsageError
from benchkit.scenarios import build as builds
from benchkit.scenarios import environment, finish, folders, samples
from benchkit.scenarios.declaration import HERE
from benchkit.scenarios.harness import TRY_AGAIN, Harness, supported
from benchkit.scenarios.matrix import AA, RunPlan
from benchkit.scenarios.needs import Need, needs_of, tool_of
from benchkit.scenarios.runset import Entry, Schedule, open_set
from benchkit.scenarios.until import Watch

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


Listener = Callable[[News], None]


@dataclass(slots=True)
class Outcome:
    """What became of a run set: runs made, there before, and failed, each with a reason."""

    folder: Path
    runs: int = 0
    before: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)


def missing(plan: RunPlan) -> list[Need]:
    """Return the needs that must be installed before anything can run."""
    tool = tool_of(plan.scenario, plan.tool)
    others = (n for n in needs_of(plan.scenario) if n.name not in plan.scenario.tool_names)
    return [need for need in (*others, tool) if not need.good]


def execute(
    plan: RunPlan,
    results: Path,
    *,
    seed: int,
    listener: Listener,
    keep_secrets: bool = False,
    watch: Watch | None = None,
) -> Outcome:
    """Run what is not there yet; a run that fails is recorded and does not end the others.

    The scenario's results go into a folder of its name in `results`; `listener` is called several
    times a second; `seed` is for the order, where the run set is new. Where there is a `watch` it
    is asked before each repeat whether those that are there are enough.

    Raises:
        UsageError: something is missing, a run set of other settings lies there, or what a run
            would write lies outside `results` or over something else; another process runs
            benchmarks into `results`.
        BuildError: what all variants need cannot be built.
    """
    supported()
    lacking = missing(plan)
    if lacking:
        names = ", ".join(need.wanted for need in lacking)
        name = plan.scenario.name
        raise UsageError(f"{name} lacks {names}: `benchkit doctor {name}` says what installs it")
    tool = tool_of(plan.scenario, plan.tool)
    _opened(results, plan, tool, seed)  # before anything is made
    with folders.alone(results):
        runs, todo = _opened(results, plan, tool, seed)
        if watch is not None:
            watch.begin(runs, plan)
        runs.save()
        outcome = Outcome(runs.folder, before=len(plan.cells) * plan.repeats - len(todo))
        _Execution(plan, runs, tool, listener, outcome, keep_secrets, watch).all(todo)
    if watch is not None:
        watch.finish(plan.repeats)
    return outcome


def _opened(
    results: Path, plan: RunPlan, tool: Need, seed: int
) -> tuple[Schedule, Sequence[Entry]]:
    """Return the run set of a plan, and which of its runs are to be made."""
    runs = open_set(results, plan, tool=tool.name, seed=seed)
    todo = runs.extend(plan)
    runs.check(todo)
    return runs, todo


@dataclass(slots=True)
class _Execution:
    plan: RunPlan
    runs: Schedule
    tool: Need
    listener: Listener
    outcome: Outcome
    keep_secrets: bool
    watch: Watch | None = None
    number: int = 0
    total: int = 0
    spent_s: float = 0.0
    unbuilt: dict[str, str] = field(default_factory=dict)
    surroundings: dict[str, Any] = field(default_factory=dict)

    def all(self, todo: Sequence[Entry]) -> None:
        """Make the runs in order, repeat by repeat, as long as more are wanted."""
        self.total = len(todo)
        if not todo:
            return
        self.surroundings = environment.environment()
        self._build(todo)
        for repeat, block in groupby(todo, key=lambda entry: entry.repeat):
            if self.watch is not None and self.watch.enough(repeat - 1):
                self.runs.leave_out(todo[self.number :])
                self.runs.save()
                return
            for entry in block:
                self._run_entry(entry)

    def _run_entry(self, entry: Entry) -> None:
        self.number += 1
        started, label = time.monotonic(), f"{entry.cell.label} #{entry.repeat}"
        self._report("run", label)
        reason = self._make(entry)
        self.spent_s += time.monotonic() - started
        self.runs.save()
        if reason:
            self.outcome.failed.append((label, reason))
        else:
            self.outcome.runs += 1
        self._report("failed" if reason else "done", f"{label}: {reason}" if reason else label)

    def _report(self, what: What, text: str) -> None:
        finished = self.outcome.runs + len(self.outcome.failed)
        mean = self.spent_s / finished if finished else self.plan.run_s
        left_s = mean * (self.total - finished)
        self.listener(News(what, text, self.number, self.total, left_s))

    def _harness(self, variant: str) -> Harness:
        scenario = self.plan.scenario
        needs = [*needs_of(scenario, [variant]), self.tool]
        own = variant if scenario.build == "variant" else ""
        return Harness(scenario, self.tool.name, needs, builds.folder_of(scenario, needs, own))

    def _build(self, todo: Sequence[Entry]) -> None:
        """Build what the runs need; a variant that cannot be built fails, and no other."""
        scenario = self.plan.scenario
        variants = list(dict.fromkeys(entry.variant for entry in todo))
        for variant in variants:
            lacking = [
                need.wanted
                for need in needs_of(scenario, [variant])
                if not need.good and need.name not in scenario.tool_names
            ]
            if lacking:
                self.unbuilt[variant] = f"lacks {', '.join(lacking)}"
        if scenario.build == "none":
            return
        ready = [variant for variant in variants if variant not in self.unbuilt]
        for variant in ready if scenario.build == "variant" else ready[:1]:
            harness = self._harness(variant)
            if builds.is_built(harness.build):
                continue
            self._report("build", variant if scenario.build == "variant" else scenario.name)
            try:
                tick = partial(self._report, "step", "build")
                builds.build(harness, variant=variant, settings=self.plan.settings, tick=tick)
            except builds.BuildError as error:
                if scenario.build == "once":
                    raise
                self.unbuilt[variant] = str(error)

    def _make(self, entry: Entry) -> str:
        """Make one run; return why it failed, empty where it did not."""
        entry.state, entry.reason = "failed", self.unbuilt.get(entry.variant, "")
        if entry.reason:
            return entry.reason
        entry.started_at, entry.ended_at = _now(), ""
        self.runs.check([entry])  # much may have happened since the first
        running = self.runs.hidden_folder(entry, "running")
        for _ in range(_ATTEMPTS):
            folders.remove(running)
            folders.make(running)
            try:
                status, reason = self._attempt(entry, running)
            except BaseException:
                # Interrupted: this run never was.
                folders.remove(running)
                entry.state, entry.started_at = "pending", ""
                self.runs.save()
                raise
            if status != TRY_AGAIN:
                break
        entry.ended_at = _now()
        entry.state, entry.reason = ("failed", reason) if reason else ("done", "")
        self.runs.check([entry])
        # Killed here, the run counts as done and gone, and is made again.
        self.runs.save()
        failed = self.runs.hidden_folder(entry, "failed")
        folders.remove(failed)
        running.rename(failed if reason else self.runs.run_folder(entry))
        return reason

    def _attempt(self, entry: Entry, out: Path) -> tuple[int, str]:
        harness = self._harness(entry.variant)
        values = {**self.plan.settings, **{k: v for k, v in entry.params.items() if k != AA}}
        limit = max(_LEAST_LIMIT_S, self.plan.run_s * _TIMES_EXPECTED)
        before = environment.moment()
        with folders.scratch() as scratch:
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
                tick=lambda: self._report("step", finish.step_of(work)),
            )
            reason = _reason(status, work, scratch / "harness.log", limit)
            names = _names(env)
            measured = finish.measured(work, names)
            reason = reason or ("" if measured else "the harness measured nothing")
            if measured:
                looks = samples.read_samples(work / "samples.csv")
                samples.write_resources(
                    out / samples.FILE,
                    looks,
                    start_s=measured.start_s,
                    end_s=measured.end_s,
                    loaded_until_s=measured.loaded_until_s,
                )
            facts = finish.facts(work)
            content = {
                **self._meta(entry, harness, measured),
                "warm_up_capped": finish.flag(facts, "warm_up_capped"),
                "facts": facts,
                "commands": finish.commands(work, names),
                "before": before,
                "after": environment.moment(),
            }
            content |= {"failure": reason} if reason else {}
            finish.write_meta(out, content, keep_secrets=self.keep_secrets)
        finish.pack(out)
        return status, reason or _unreadable(out)

    def _meta(
        self, entry: Entry, harness: Harness, measured: finish.Measurement | None
    ) -> dict[str, Any]:
        scenario = self.plan.scenario
        from benchkit import __version__

        return {
            "scenario": scenario.name,
            "variant": entry.variant,
            "params": entry.params,
            "baseline": scenario.baseline,
            "repeat": entry.repeat,
            "looks": self.runs.looks or None,
            "server": scenario.server or None,
            "tool": self.tool.name,
            "tool_version": self.tool.version,
            "command": measured.command if measured else None,
            "started_at": finish.instant(measured.start_s) if measured else None,
            "ended_at": finish.instant(measured.end_s) if measured else None,
            "profile": self.plan.profile,
            "settings": dict(self.plan.settings),
            "benchkit": __version__,
            "sources_sha256": builds.sources_hash(scenario, HERE / "lib.sh"),
            "build_sha256": builds.description(harness.build),
            "needs": {need.name: need.version for need in harness.needs if need.version},
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
    reason = finish.reason_of(work) or (lines[-1] if lines else "")
    return reason or f"the harness ended with status {status}"


def _unreadable(out: Path) -> str:
    """Return the reason why the outputs hold no run; empty where they hold one."""
    from benchkit.api import load

    try:
        load(out)
    except BenchkitError as error:
        return str(error)
    return ""


def _names(env: Mapping[str, str]) -> dict[str, str]:
    """Return names for the places of this machine, which say nothing elsewhere."""
    keys = ("BK_LIB", "BK_SCENARIO", "BK_BUILD", "BK_WORK")
    names = {env[key]: f"${key}" for key in keys}
    return names | {f"{env['BK_OUT']}/": "", env["BK_OUT"]: ".", sys.executable: "python3"}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
