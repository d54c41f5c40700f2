"""Samples of processes to `resources.csv`: equal steps over the time that was measured."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchkit.output import whole_file

FILE: Final = "resources.csv"
COLUMNS: Final = ("elapsed_s", "process", "cpu_ratio", "rss_bytes", "threads", "descriptors")
_STEP_S: Final = 0.25
_MOST_ROWS: Final = 120


@dataclass(frozen=True, slots=True)
class Sample:
    """One look at a process: instant and processor time in s since some origin."""

    epoch_s: float
    cpu_s: float
    rss_bytes: int
    threads: int
    descriptors: int


def read_samples(path: Path) -> dict[str, list[Sample]]:
    """Return the sampler's rows, by process; those cut off or broken are left out."""
    samples: dict[str, list[Sample]] = defaultdict(list)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                sample = _sample(row)
                if sample is not None:
                    samples[row["process"]].append(sample)
    except (OSError, csv.Error):
        return {}
    return samples


def _sample(row: Mapping[str, str | None]) -> Sample | None:
    try:
        return Sample(
            float(row["epoch_s"] or ""),
            float(row["cpu_s"] or ""),
            *(int(row[name] or "") for name in ("rss_bytes", "threads", "descriptors")),
        )
    except (KeyError, ValueError):
        return None


def write_resources(
    path: Path,
    samples: Mapping[str, Sequence[Sample]],
    *,
    start_s: float,
    end_s: float,
    loaded_until_s: float | None = None,
) -> None:
    """Write the samples between two instants as `resources.csv`; nothing where there are none.

    Processor time is spread over equal steps, so that the mean of `cpu_ratio` times the duration
    is the processor time that was spent. `loaded_until_s` is when the load before the start ended,
    a warm-up: what that still spent behind the last look before the start is estimated.
    """
    rows: list[tuple[str, str, str, int, int, int]] = [
        (f"{elapsed:.3f}", name, f"{ratio:.4f}", at.rss_bytes, at.threads, at.descriptors)
        for name, looks in samples.items()
        for elapsed, ratio, at in _steps(looks, start_s, end_s, loaded_until_s)
    ]
    if not rows:
        return
    rows.sort(key=lambda row: (float(row[0]), row[1]))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    with whole_file(path) as file:
        file.write(text.getvalue().encode("utf-8", "backslashreplace"))


def _steps(
    looks: Sequence[Sample], start_s: float, end_s: float, loaded_until_s: float | None
) -> Iterator[tuple[float, float, Sample]]:
    import numpy as np

    duration = end_s - start_s
    points = _points(looks, start_s, end_s, loaded_until_s)
    if duration <= 0 or len(points) < 2:
        return
    count = min(max(round(duration / _STEP_S), 1), _MOST_ROWS)
    instants = [start_s + duration * number / count for number in range(count + 1)]
    known = np.array(points)
    spent = np.interp(instants, known[:, 0], known[:, 1]).tolist()
    for at, before, now in zip(instants[1:], spent, spent[1:], strict=False):
        yield at - start_s, max(now - before, 0.0) / (duration / count), _latest(looks, at)


def _points(
    looks: Sequence[Sample], start_s: float, end_s: float, loaded_until_s: float | None
) -> list[tuple[float, float]]:
    """Return (instant, processor time) from start to end.

    What was spent between the last look before the start and the start is of a load before, or
    nothing, as nothing was asked of the process; so is what was spent between the end and the
    next look.
    """
    inside = [(look.epoch_s, look.cpu_s) for look in looks if start_s < look.epoch_s < end_s]
    before = [look for look in looks if look.epoch_s <= start_s]
    after = [look.cpu_s for look in looks if look.epoch_s >= end_s]
    if not looks or looks[0].epoch_s >= end_s:
        return []
    # A process that began with the measurement had spent nothing at its start.
    spent = before[-1].cpu_s if before else 0.0
    seen = inside[0][1] if inside else (after[0] if after else spent)
    spent = min(spent + _spent_since(before, min(loaded_until_s or 0.0, start_s)), seen)
    last = (end_s, after[0] if after else (inside[-1][1] if inside else spent))
    return [(start_s, spent), *inside, last]


def _spent_since(looks: Sequence[Sample], until_s: float) -> float:
    """Return what was spent behind the last of some looks until an instant, as before that look."""
    if len(looks) < 2 or until_s <= looks[-1].epoch_s:
        return 0.0
    earlier, last = looks[-2:]
    passed_s = last.epoch_s - earlier.epoch_s
    return (until_s - last.epoch_s) * (last.cpu_s - earlier.cpu_s) / passed_s if passed_s else 0.0


def _latest(looks: Sequence[Sample], at: float) -> Sample:
    """Return the last look up to an instant, or else the first look."""
    return next((look for look in reversed(looks) if look.epoch_s <= at), looks[0])
