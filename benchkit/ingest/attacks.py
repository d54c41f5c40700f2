"""Runs of one attack that several generators made together, to one run: what adds up is added.

Which ones belong together a pattern of names says by its field `generator`, or `meta.json` by its
key of that name; they must also overlap in time. Counts and histograms add up, percentiles do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from benchkit import format as show
from benchkit.errors import InputError
from benchkit.ingest.addition import Contribution, Period, added
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.meta import GENERATOR
from benchkit.ingest.naming.patterns import fitting_pattern

#: Keys of `meta.json` that are of the attack, not of one of its generators.
_OF_ATTACK: Final = ("scenario", "variant", "params", "repeat", "label")
#: Share of the shorter run for which two must overlap.
_OVERLAP: Final = 0.5


def joined(runs: Sequence[FileRun]) -> list[FileRun]:
    """Return the runs, those of one attack as one, in the order of its first.

    What cannot be added is no run of its own either: its files get the reason.
    """
    attacks: defaultdict[Hashable, list[Contribution]] = defaultdict(list)
    for run in runs:
        named = _named(run)
        if named is not None:
            attack, generator = named
            attacks[attack].append(Contribution(run, generator))
    instead: dict[FileRun, FileRun | None] = {}
    for parts in attacks.values():
        for together in _overlapping(parts):
            instead.update(dict.fromkeys((part.run for part in together), None))
            try:
                instead[together[0].run] = _one_run(together, parts)
            except InputError as error:
                _refuse(together, error)
    chosen = (instead.get(run, run) for run in runs)
    kept = [run for run in chosen if run is not None]
    _note_parts(kept)
    return kept


def note_copy(first: FileOutcome, copy: FileOutcome) -> None:
    """Say of a file that another generator's has the same content, which counts once."""
    attacks = (_named(file.runs[0]) for file in (first, copy))
    generators = {attack[1] for attack in attacks if attack is not None}
    if len(generators) > 1:
        lost = f"{copy.input.name}, of another generator, has the same content: it counts once"
        first.lose(lost)
        for run in first.runs:
            run.record.damaged(lost)


def _note_parts(runs: Sequence[FileRun]) -> None:
    """Say of the files that hold only parts of attacks where the rest is."""
    leading = {run.file for run in runs}
    for run in runs:
        for record in run.records:
            if record.file not in leading and record.file.state == "read":
                record.file.state = "merged"
                lost = f"; {record.file.message}" if record.file.message else ""
                if record.file.message:
                    run.file.lose(f"of one attack with it, {record.file.message}")
                record.file.message = f"of one attack with {run.file.input.name}{lost}"


def _named(run: FileRun) -> tuple[Hashable, str] | None:
    """Return which attack a run is of, and its generator; None where nothing says so."""
    own = run.record.name if run.many else None
    fitting = fitting_pattern(run.file.input)
    if fitting is not None:
        text, fields = fitting
        generator = fields.get(GENERATOR)
        rest = (f"{field}={value}" for field, value in fields.items() if field != GENERATOR)
        return None if generator is None else ((text, own, *sorted(rest)), str(generator))
    generator, meta = run.file.meta.generator, run.file.meta.columns
    if generator is None:
        return None
    return (own, *(meta.get(key) for key in _OF_ATTACK)), generator


def _overlapping(parts: Sequence[Contribution]) -> Iterator[Sequence[Contribution]]:
    """Yield the parts of each attack: those that overlap, where it is known when they were."""
    spans = [part.span for part in parts]
    if any(span is None for span in spans):
        yield parts
        return
    timed = sorted(zip(spans, range(len(parts)), strict=True), key=lambda pair: pair[0] or (0, 0))
    clusters: list[list[int]] = []
    latest: Period | None = None
    for span, at in timed:
        if span is None:
            continue
        if latest is None or latest.overlap(span) < _OVERLAP:
            clusters.append([])
            latest = span
        clusters[-1].append(at)
        latest = Period(latest.first_ns, max(latest.end_ns, span.end_ns))
    for cluster in clusters:
        yield [parts[at] for at in sorted(cluster)]


def _one_run(together: Sequence[Contribution], parts: Sequence[Contribution]) -> FileRun:
    """Return the run of an attack.

    Raises:
        InputError: which parts are of it is not known, or they do not add up.
    """
    names = [part.generator for part in together]
    known = sorted({part.generator for part in parts})
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            "one run of each generator in an attack",
            actual=f"{names.count(twice)} of {twice}",
            hint="say which belong together: a field {repeat}, or 'repeat' and 'started_at' "
            "in meta.json",
        )
    if len(together) == 1 and len(parts) == len(known) > 1:
        raise InputError(
            f"runs of {show.listed(known)} that overlap in time, as those of one attack",
            actual="none that overlaps this one, by the clocks of the generators",
            hint="correct 'started_at' in meta.json, or name them as runs of their own",
        )
    run = added(together)
    missing = sorted(set(known) - set(names))
    if missing:
        run.record.damaged(f"no run of {show.listed(missing)}, which took part in other attacks")
    return run


def _refuse(together: Sequence[Contribution], error: InputError) -> None:
    for part in together:
        file = part.run.file
        file.runs.remove(part.run)
        if not file.runs:
            file.state = "skipped"
        if not any(str(problem) == str(error.within(file.input.name)) for problem in file.problems):
            file.problems.append(error.within(file.input.name))
