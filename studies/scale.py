"""How a thousand files of a gigabyte go on a cluster, and a thousand variants through a report.

    python -m studies.scale [--megabytes 512] [--runs 64] [--variants 10 30 100]

Prints the tables of docs/scale.md. What reading, sending and combining cost is measured here, each
at a size and at half of it; what a cluster makes of that is computed by `scale_simulation`.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple

from studies import scale_costs as costs
from studies.scale_costs import FileCost, Process, RunsCost
from studies.scale_simulation import Site, Work, simulated

FILES: Final = 1000
FILE_BYTES: Final = 1e9
#: 10 Gbit/s.
LINK_BPS: Final = 1.25e9
#: Share of the files with which a worker dies once, at a random place.
DEATHS: Final = 0.01
_REPORTS: Final = 1000
_OF_EACH: Final = 100
_MANY: Final = 1000


class Doubled(NamedTuple):
    """What half of something costs, and all of it."""

    half: FileCost
    whole: FileCost

    @property
    def core_bps(self) -> float:
        """Bytes that a core reads in a second, beyond its start."""
        seconds = self.whole.read_s + self.whole.pack_s - self.half.read_s - self.half.pack_s
        return (self.whole.file_bytes - self.half.file_bytes) / seconds

    @property
    def start_s(self) -> float:
        """What the first file takes beyond its bytes."""
        return max(self.half.read_s - self.half.file_bytes / self.core_bps, 0.0)


def main() -> None:
    """Measure, compute and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Plain)
    parser.add_argument("--megabytes", type=float, default=512, help="of the larger file")
    parser.add_argument("--runs", type=int, default=64, help="the smaller number that is combined")
    parser.add_argument("--variants", type=int, nargs="*", default=[10, 30, 100])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        start = costs.process("--version")
        worker = costs.worker_start()
        print(f"start of benchkit {start.cpu_s:.2f} s, of a worker {worker.cpu_s:.2f} s\n")
        read = {}
        print_table(READING)
        for form in costs.FORMS:
            read[form] = reading(form, folder, given.megabytes)
            print_row(reading_row(form, read[form]))
        reports = reports_read(folder)
        print_row(reading_row(f"wrk, {_REPORTS:,} files of a report", reports))
        print_table(COMBINING)
        per_run = {}
        for form in costs.FORMS:
            pair = combining(folder / form, given.runs)
            per_run[form] = combine_s(pair)
            print_row(combining_row(form, pair))
        print_table(CLUSTER)
        for form in costs.FORMS:
            work = work_of(read[form], per_run[form])
            for row in cluster_rows(form, work, worker.cpu_s + read[form].start_s):
                print_row(row)
        print_table(PAGES)
        measured = dict(variants(folder, given.variants))
        print_table(VARIANTS)
        for row in variants_rows(measured, start):
            print_row(row)


class _Plain(argparse.RawDescriptionHelpFormatter):
    """The description as it is written."""


# --- files ---


def reading(form: str, folder: Path, megabytes: float) -> Doubled:
    """Return what a file of one form costs; the smaller one is left there."""
    whole, half = folder / "whole", folder / form
    costs.write_file(form, whole, megabytes)
    costs.write_file(form, half, megabytes / 2)
    costs.file_cost(half)  # what is translated once, and the page cache
    pair = Doubled(costs.file_cost(half), costs.file_cost(whole))
    whole.unlink()
    return pair


def reports_read(folder: Path) -> Doubled:
    """Return what printed reports cost, of which there is one in each file."""
    sizes = (_REPORTS // 2 // _OF_EACH, _REPORTS // _OF_EACH)
    sets = [costs.write_variants(folder / f"reports{n}", n, _OF_EACH) for n in sizes]
    return Doubled(*map(costs.file_cost, sets))


READING: Final = (
    "of a file",
    *("MB", "MB/s and core", "first file, s", "outcome, kB: half", "all", "to take, ms", "peak MB"),
)


def reading_row(form: str, read: Doubled) -> Iterator[str]:
    """Yield what reading costs."""
    half, whole = read
    yield form
    yield f"{whole.file_bytes / 1e6:,.1f}"
    yield f"{read.core_bps / 1e6:,.2g}" if read.core_bps < 1e7 else f"{read.core_bps / 1e6:,.0f}"
    yield f"{read.start_s:.1f}"
    yield from (f"{cost.outcome_bytes / 1e3:,.0f}" for cost in read)
    yield f"{whole.unpack_s * 1e3:,.0f}"
    yield f"{max(half.peak_mb, whole.peak_mb):,.0f}"


# --- what the client does ---


class Combined(NamedTuple):
    """What so many runs cost who combines them, and who shows their dataset then."""

    cost: RunsCost
    shown: Process


def combining(path: Path, runs: int) -> tuple[Combined, Combined]:
    """Return what so many outcomes cost, and what twice as many do."""
    half, whole = (_combined(path, many) for many in (runs, 2 * runs))
    return half, whole


def _combined(path: Path, runs: int) -> Combined:
    dataset = path.with_name(f"{path.name} {runs}")
    cost = costs.runs_cost(path, runs, dataset)
    return Combined(cost, costs.process("show", str(dataset)))


def combine_s(pair: Sequence[Combined]) -> float:
    """Return what the client needs for one more run, at the end."""
    return _each(pair, "combine_s") + _each(pair, "write_s")


def _each(pair: Sequence[Combined], name: str) -> float:
    half, whole = (float(getattr(each.cost, name)) for each in pair)
    return (whole - half) / (pair[1].cost.runs - pair[0].cost.runs)


COMBINING: Final = (
    "each more run of",
    *("combined, ms", "tables, ms", "waiting, MB", "dataset, kB", "shown, ms", "shown, MB"),
    *("all: with tables, MB", "shown, MB"),
)


def combining_row(form: str, pair: tuple[Combined, Combined]) -> Iterator[str]:
    """Yield what each run more costs, and what all of them took."""
    half, whole = pair
    more = whole.cost.runs - half.cost.runs
    yield form
    yield f"{_each(pair, 'combine_s') * 1e3:,.1f}"
    yield f"{_each(pair, 'write_s') * 1e3:,.0f}"
    yield f"{_each(pair, 'taken_mb'):,.1f}"
    yield f"{_each(pair, 'dataset_bytes') / 1e3:,.0f}"
    yield f"{(whole.shown.cpu_s - half.shown.cpu_s) / more * 1e3:,.0f}"
    yield f"{(whole.shown.peak_mb - half.shown.peak_mb) / more:,.1f}"
    yield f"{whole.cost.written_mb:,.0f}"
    yield f"{whole.shown.peak_mb:,.0f}"


# --- the cluster ---


def work_of(read: Doubled, combine_s: float) -> Work:
    """Return the work of a thousand such files of a gigabyte; what is kept of one is bounded."""
    return Work(
        FILES,
        FILE_BYTES,
        read.core_bps,
        outcome_bytes=read.whole.outcome_bytes,
        take_s=read.whole.unpack_s,
        combine_s=combine_s,
    )


CLUSTER: Final = (
    "",
    *("workers", "read, s", "combined, s", "client busy", "store of 10 Gbit/s: read, s"),
    *("1 % of files end their worker: read, s", "what limits"),
)


def cluster_rows(form: str, work: Work, start_s: float) -> Iterator[Iterator[str]]:
    """Yield how each cluster does the work."""
    for workers in (4, 16, 64):
        yield _cluster_row(form, Site(workers, 4, LINK_BPS, start_s=start_s), work)


def _cluster_row(form: str, site: Site, work: Work) -> Iterator[str]:
    draw = random.Random(1)  # noqa: S311 - no secret
    lost = {at: (draw.random(),) for at in range(FILES) if draw.random() < DEATHS}
    plain = simulated(site, work)
    one_store = simulated(replace(site, store_bps=LINK_BPS), work)
    deaths = simulated(site, replace(work, deaths=lost))
    yield form
    yield f"{site.workers}"
    yield f"{plain.read_s:,.0f}"
    yield f"{plain.done_s:,.0f}"
    yield f"{plain.client_busy_s / plain.done_s:.0%}"
    yield f"{one_store.read_s:,.0f}"
    yield f"{deaths.read_s:,.0f}"
    yield _limit(site, work)


def _limit(site: Site, work: Work) -> str:
    """Return what takes longest: each part as if nothing else were."""
    total = work.files * work.file_bytes
    parts = {
        "cores": total / (site.workers * work.core_bps),
        "links": total / (site.link_bps * math.ceil(site.workers / site.per_machine)),
        "client": work.files * (work.take_s + work.combine_s + work.outcome_bytes / site.link_bps),
    }
    return max(parts, key=lambda name: parts[name])


# --- variants ---

Measured = Mapping[str, Process]
COMMANDS: Final = ("ingest", "show", "compare", "report", "show of the dataset")


PAGES: Final = ("variants", "page, MB", "elements")


class _Tags(HTMLParser):
    """How many elements a page has."""

    count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count one."""
        del tag, attrs
        self.count += 1


def variants(folder: Path, sizes: Sequence[int]) -> Iterator[tuple[int, Measured]]:
    """Yield what so many variants of a hundred runs cost; of the page size and elements."""
    for many in sizes:
        runs = str(costs.write_variants(folder / f"variants{many}", many, _OF_EACH))
        dataset, page = str(folder / f"dataset{many}"), folder / f"page{many}.html"
        measured = {
            "ingest": costs.process("ingest", runs, "--to", dataset),
            "show": costs.process("show", runs),
            "compare": costs.process("compare", runs),
            "report": costs.process("report", runs, "-o", str(page)),
            "show of the dataset": costs.process("show", dataset),
        }
        tags = _Tags()
        tags.feed(page.read_text(encoding="utf-8"))
        print_row(iter((f"{many}", f"{page.stat().st_size / 1e6:.2f}", f"{tags.count:,}")))
        yield many, measured


VARIANTS: Final = ("command", "variants", "s", "MB", "exponent of s", "at 1,000: s", "MB")


def variants_rows(measured: Mapping[int, Measured], start: Process) -> Iterator[Iterator[str]]:
    """Yield what was measured, and what follows for a thousand variants."""
    *_, before, last = measured
    for command in COMMANDS:
        for size in measured:
            cost = measured[size][command]
            row = [command, f"{size}", f"{cost.cpu_s:.1f}", f"{cost.peak_mb:,.0f}", "", "", ""]
            if size == last:
                few = measured[before][command]
                power = _exponent(few.cpu_s - start.cpu_s, cost.cpu_s - start.cpu_s, last / before)
                seconds = start.cpu_s + (cost.cpu_s - start.cpu_s) * (_MANY / last) ** power
                more = (_MANY - last) / (last - before)
                seconds = max(seconds, cost.cpu_s + (cost.cpu_s - few.cpu_s) * more)
                peak_mb = cost.peak_mb + (cost.peak_mb - few.peak_mb) * more
                row[4:] = [f"{power:.2f}", f"{seconds:,.0f}", f"{peak_mb:,.0f}"]
            yield iter(row)


def _exponent(few: float, many: float, growth: float) -> float:
    """Return the power with which a cost grows; 1 is linear, less what a start hides."""
    return math.log(many / few) / math.log(growth)


# --- Markdown ---


def print_table(headings: Sequence[str]) -> None:
    """Print the head of a table."""
    print(f"\n| {' | '.join(headings)} |\n|---|{'--:|' * (len(headings) - 1)}", flush=True)


def print_row(cells: Iterator[str]) -> None:
    """Print a row of it."""
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
