"""A set of runs: in which order, what became of each, and where to go on."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal

from benchkit.errors import InputError, UsageError, Where, printable
from benchkit.output import whole_file
from benchkit.redaction import redact, redact_json
from benchkit.scenarios import folders
from benchkit.scenarios.checked import Value, read_table
from benchkit.scenarios.declaration import text_of
from benchkit.scenarios.matrix import MatrixCell, RunPlan

FILE: Final = "run-set.json"
#: For people who look into the file.
_ORDER: Final = "order"
#: What there is of a run set that is looked at while it is made.
_OF_LOOKS: Final = ("looks", "until", "most_repeats", "looked")
EntryState = Literal["pending", "done", "failed"]


@dataclass(slots=True)
class Entry:
    """One run of the set; `reason` is why it failed."""

    variant: str
    params: Mapping[str, Value]
    repeat: int
    state: EntryState = "pending"
    started_at: str = ""
    ended_at: str = ""
    reason: str = ""

    @property
    def cell(self) -> MatrixCell:
        """Its place in the matrix."""
        return MatrixCell(self.variant, tuple(self.params.items()))


@dataclass(slots=True)
class Schedule:
    """All runs of one scenario in one folder, in the order drawn from `seed`.

    Attributes:
        looks: How often they are looked at while they are made, 0 where they are not.
        until: How narrow which intervals should be, as it was asked for.
        most_repeats: However wide they still are; 0 where nothing was asked for.
        looked: The looks that were made, each with its `repeat`.
    """

    folder: Path
    scenario: str
    profile: str
    tool: str
    settings: Mapping[str, Value]
    seed: int
    runs: list[Entry] = field(default_factory=list)
    looks: int = 0
    until: Sequence[str] = ()
    most_repeats: int = 0
    looked: Sequence[Mapping[str, Value]] = ()

    def save(self) -> None:
        """Write it down; a reader sees the old or the new one, never half.

        Raises:
            UsageError: it cannot be written.
        """
        folders.make(self.folder)
        content = {
            part.name: getattr(self, part.name)
            for part in fields(self)
            if part.name not in {"folder", "runs"} and (self.looks or part.name not in _OF_LOOKS)
        }
        content |= {
            _ORDER: "every repeat runs all cells once, in an order drawn from the seed",
            "runs": [_written(run) for run in self.runs],
        }
        with whole_file(self.folder / FILE) as file:
            file.write((json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())

    def leave_out(self, entries: Sequence[Entry]) -> None:
        """Take away runs that were planned, and are not needed now that others say enough."""
        needless = {id(entry) for entry in entries if entry.state == "pending"}
        self.runs = [run for run in self.runs if id(run) not in needless]

    def run_folder(self, entry: Entry) -> Path:
        """Return the folder of a run's results."""
        return self.folder / entry.cell.folder / str(entry.repeat)

    def hidden_folder(self, entry: Entry, state: str) -> Path:
        """Return a hidden folder for a run that is under way or failed: no result to be read."""
        return self.folder / entry.cell.folder / f".{state}-{entry.repeat}"

    def check(self, entries: Sequence[Entry]) -> None:
        """Make sure that making some runs writes nothing outside the results folder, and over none.

        Raises:
            UsageError: a link leads out of it, or something lies where a run goes.
        """
        _keep_inside(self.folder, self.folder / FILE)
        for entry in entries:
            target = self.run_folder(entry)
            _keep_inside(self.folder, target)
            if os.path.lexists(target):
                raise UsageError(
                    f"{target} is there already, and {FILE} does not say that this run was made: "
                    "move it away, or name another folder with -o"
                )

    def extend(self, plan: RunPlan) -> list[Entry]:
        """Add the runs of a plan that are not there, and return those that are to be made.

        These are the ones that are pending, failed, or done but gone from the disk.

        Raises:
            UsageError: two would share a folder, which has characters of names alone.
        """
        wanted: dict[tuple[str, int], MatrixCell] = {}
        for repeat in range(1, plan.repeats + 1):
            for cell in plan.cells:
                _keep_apart(cell, wanted.setdefault(_key(cell, repeat), cell))
        there = {_key(run.cell, run.repeat): run for run in self.runs}
        for repeat in range(1, plan.repeats + 1):
            missing = [cell for cell in plan.cells if _key(cell, repeat) not in there]
            drawn_from = f"{self.seed}/{repeat}/{len(self.runs)}"
            random.Random(drawn_from).shuffle(missing)  # noqa: S311 - an order, not a secret
            for cell in missing:
                run = Entry(cell.variant, dict(cell.params), repeat)
                there[_key(cell, repeat)] = run
                self.runs.append(run)
        chosen = [run for run in self.runs if _key(run.cell, run.repeat) in wanted]
        for run in chosen:
            _keep_apart(run.cell, wanted[_key(run.cell, run.repeat)])
        return [run for run in chosen if run.state != "done" or not self.run_folder(run).is_dir()]


def _written(run: Entry) -> dict[str, Any]:
    known = {key: value for key, value in asdict(run).items() if value != ""}
    return known | ({"reason": redact(run.reason)} if run.reason else {})


def _keep_inside(scenario_folder: Path, path: Path) -> None:
    """Raise a UsageError where a path leads out of the results folder by any link."""
    results = scenario_folder.parent.resolve()
    leads_to = path.resolve()
    if not leads_to.is_relative_to(results):
        raise UsageError(
            f"{path} leads to {leads_to}, out of the folder {scenario_folder.parent}: "
            "remove the link, or name another folder with -o"
        )


def _keep_apart(cell: MatrixCell, other: MatrixCell) -> None:
    if (cell.variant, dict(cell.params)) != (other.variant, dict(other.params)):
        raise UsageError(
            f"{printable(cell.label)} and {printable(other.label)} would share the folder "
            f"{cell.folder}: rename one, or name another folder with -o"
        )


def _key(cell: MatrixCell, repeat: int) -> tuple[str, int]:
    return cell.folder, repeat


def open_set(results: Path, plan: RunPlan, *, tool: str, seed: int) -> Schedule:
    """Return the run set of a results folder, a new one where there is none.

    Raises:
        UsageError: one is there that was run otherwise, which must not be mixed.
        InputError: its file is broken.
    """
    folder = results / plan.scenario.name
    settings = redact_json(dict(plan.settings))
    fresh = Schedule(folder, plan.scenario.name, plan.profile, tool, settings, seed)
    if not (folder / FILE).is_file():
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"{folder} has no {FILE}, but other files; name another folder: -o")
        return fresh
    old = _read(folder)
    compared = [(name, getattr(old, name), getattr(fresh, name)) for name in ("profile", "tool")]
    keys = {**old.settings, **fresh.settings}
    compared += [(key, old.settings.get(key), fresh.settings.get(key)) for key in keys]
    for name, before, now in compared:
        if before != now:
            raise UsageError(
                f"{folder} was run with {name} {text_of(before)}, this would be {text_of(now)}; "
                "runs of one set must be alike: name another folder with -o, or remove that one"
            )
    return old


def _read(folder: Path) -> Schedule:
    source = (folder / FILE).as_posix()
    try:
        content = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        expected = "a run set as `benchkit run` writes it"
        raise InputError(expected, actual=str(error), source=source) from error
    listed = content.pop("runs", None) if isinstance(content, dict) else []
    if not isinstance(listed, list):
        where = Where(path="runs")
        raise InputError("a list of runs", actual=str(listed), where=where, source=source)
    runs = [read_table(Entry, run, source, f"runs.{n}.") for n, run in enumerate(listed)]
    if isinstance(content, dict):
        content.pop(_ORDER, None)
    return read_table(Schedule, content, source, folder=folder, runs=runs)
