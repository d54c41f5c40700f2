"""`benchkit run`."""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli import options
from benchkit.cli.console import complain, say, styled, width
from benchkit.errors import UsageError
from benchkit.format import clean, plural

if TYPE_CHECKING:
    from benchkit.scenarios.matrix import RunPlan
    from benchkit.scenarios.runner import News, Outcome
    from benchkit.scenarios.until import Goal, Watch


def run(
    scenarios: Annotated[
        list[str],
        typer.Argument(
            metavar="SCENARIO...", help="Names that `benchkit scenarios` lists, or folders."
        ),
    ],
    *,
    profile: Annotated[
        str, typer.Option(metavar="NAME", help="How much is run: quick or full.")
    ] = "quick",
    repeats: Annotated[
        int | None, typer.Option(metavar="N", help="Runs of each variant; else the profile's.")
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this variant; repeatable.")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a setting, or the levels of a param (a,b,c); repeatable.",
        ),
    ] = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WIDTH",
            help="Add repeats until the intervals of all changes are within ±3%, or that of one "
            "metric (p99:±5%), or a verdict stands; repeatable.",
        ),
    ] = None,
    most_repeats: Annotated[
        int | None,
        typer.Option(metavar="N", help="The most repeats of --until; else 30."),
    ] = None,
    most_minutes: Annotated[
        float | None,
        typer.Option(metavar="MINUTES", help="The most minutes of --until for each scenario."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where results go.")
    ] = Path("results"),
    aa: Annotated[
        bool,
        typer.Option("--aa", help="Run a second copy of the baseline, to measure the noise."),
    ] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="For the random order; it is recorded.")
    ] = None,
    keep_secrets: options.KeepSecrets = False,
) -> int:
    """Run benchmarks: build, start, warm up, measure, stop.

    Repeats run interleaved, in a random order that is recorded.
    With --until they are added until they say enough, at looks that are fixed beforehand and
    recorded: the comparisons of these runs keep their level without being told.
    What was interrupted goes on where it stopped when the same command is given again; more
    repeats or variants are added to what is there. Load goes to 127.0.0.1 only.

    Exit status: 0 all runs are there; 1 some failed; 2 nothing could be run; 130 interrupted.
    """
    from benchkit.scenarios.declaration import find
    from benchkit.scenarios.harness import handled
    from benchkit.scenarios.matrix import Wishes, plan
    from benchkit.scenarios.runner import execute
    from benchkit.scenarios.until import Watch, comparable, goal, read_folder

    wanted = goal(until or (), most_repeats=most_repeats, most_minutes=most_minutes)
    if wanted is not None:
        if repeats is not None:
            raise UsageError("--repeats fixes a number, --until does not: give --most-repeats")
        repeats = wanted.most_repeats
    wishes = Wishes(profile, repeats, tuple(variant or ()), tuple(setting or ()), aa)
    plans = [plan(find(name), wishes) for name in dict.fromkeys(scenarios)]
    for run_plan in plans if wanted else ():
        comparable(run_plan)
    drawn = secrets.randbelow(2**31) if seed is None else seed
    failed = made = 0
    with _resumable(), handled({signal.SIGTERM: _leave}):
        for run_plan in plans:
            _announce(run_plan, wanted)
            watch = None if wanted is None else Watch(wanted, complain, read_folder)
            with _display() as listener:
                outcome = execute(
                    run_plan,
                    output,
                    seed=drawn,
                    listener=listener,
                    keep_secrets=keep_secrets,
                    watch=watch,
                )
            _answer(watch)
            _sum_up(outcome)
            failed += len(outcome.failed)
            made += outcome.runs + outcome.before
    if made:
        say(f"benchkit report {output}   shows what came out\n")
    return int(failed > 0)


def _answer(watch: Watch | None) -> None:
    """Say what the runs that were added have shown, and why no more were."""
    if watch is None:
        return
    if watch.assessment is not None:
        from benchkit.report.terminal import render_verdicts

        say(render_verdicts(watch.assessment.comparisons, width=width(), colour=styled()) + "\n")
    repeats = plural(watch.repeats, "repeat")
    say(f"ended after {repeats} and {watch.minutes:.1f} min: {clean(watch.reason)}\n")


def _announce(plan: RunPlan, wanted: Goal | None) -> None:
    from benchkit.scenarios.matrix import about

    runs = len(plan.cells) * plan.repeats
    most = "at most " if wanted else ""
    build_s = plan.scenario.build_s
    build = "" if plan.scenario.build == "none" else " after the build"
    if build_s:
        build += f", which takes {about(build_s)} at first"
    time = about(plan.duration_s) + build
    say(
        f"{plan.scenario.name}: {plan.scenario.question}\n"
        f"{most}{plural(runs, 'run')} ({plural(len(plan.cells), 'cell')}, "
        f"{plural(plan.repeats, 'repeat')}), {time}\n"
    )


def _sum_up(outcome: Outcome) -> None:
    before = f", {outcome.before} were there" if outcome.before else ""
    say(f"{outcome.folder}: {plural(outcome.runs, 'run')} made{before}\n")
    for label, reason in outcome.failed:
        complain(f"failed: {label}: {reason}")


@contextmanager
def _resumable() -> Iterator[None]:
    """Say of an interruption that nothing is lost by it."""
    try:
        yield
    except KeyboardInterrupt:
        complain("interrupted: the same command goes on where this one stopped")
        raise


def _leave(*_: object) -> None:
    """Let a TERM unwind this process, so that what it started is ended."""
    raise KeyboardInterrupt


@contextmanager
def _display() -> Iterator[Callable[[News], None]]:
    """Yield what shows the news: a line that changes on a terminal, a line per run elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _plainly
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from benchkit.scenarios.matrix import about

    columns = (BarColumn(20), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    console = Console(stderr=True)
    # Rarely drawn: the display shares the machine with what is measured.
    with Progress(*columns, console=console, transient=True, refresh_per_second=2) as bar:
        task = bar.add_task("", total=None)
        name = ""

        def listener(news: News) -> None:
            nonlocal name
            if news.what in {"done", "failed"}:
                bar.print(f"{news.what}: {news.text}", markup=False, highlight=False)
            if news.what in {"run", "build"}:
                name = news.text
            step = f": {news.text}" if news.what == "step" and news.text else ""
            left = f"  ({about(news.left_s)} left)" if news.total else ""
            done = max(news.number - (news.what not in {"done", "failed"}), 0)
            bar.update(task, description=f"{name}{step}{left}", completed=done, total=news.total)

        yield listener


def _plainly(news: News) -> None:
    from benchkit.scenarios.matrix import about

    if news.what == "build":
        say(f"building {news.text}\n")
    elif news.what in {"done", "failed"}:
        left = f"  ({about(news.left_s)} left)" if news.number < news.total else ""
        word = "" if news.what == "done" else "failed: "
        say(f"[{news.number}/{news.total}] {word}{news.text}{left}\n")
