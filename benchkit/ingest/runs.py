"""Files and what was found in them to runs."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any, Final, NamedTuple

from benchkit import format as show
from benchkit.counting.cells import Cells
from benchkit.counting.distribution import Distribution
from benchkit.counting.summary import RequestSummary
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.meta import params_text
from benchkit.ingest.naming import COLUMNS, Facts, Levels, Names, meta_of
from benchkit.ingest.perrequest import Clean, PartsReader, RequestReader
from benchkit.ingest.precision import SLACK, printed_step
from benchkit.ingest.sources import STDIN
from benchkit.model.bounds import most_of
from benchkit.model.run import Counts, Quantile, RequestsReader, Run
from benchkit.parsing import Figure, RowsParser
from benchkit.redaction import redact
from benchkit.redaction.factors import relabelled
from benchkit.schema import FILES, QUANTILE_COLUMNS, RUNS

_LATENCIES: Final = ("latency_min_s", *QUANTILE_COLUMNS.values(), "latency_max_s")
_Row = dict[str, Any]
#: Texts that are ours, not those of an input.
_OURS: Final = frozenset({"run_id", "sha256", "tool", "format", "state", "params"})
#: What the tool printed beside what it measured, as a figure's metric.
WITH_ADDED: Final = "latency with added samples"


class _Quantiles(NamedTuple):
    """The quantiles of the file of a run that has the smallest steps, in their order.

    Attributes:
        highest_s: The largest latency up to each quantile.
        lowest_s: The smallest from it on.
    """

    quantiles: Sequence[float]
    highest_s: Sequence[float]
    lowest_s: Sequence[float]

    @staticmethod
    def of(run: FileRun) -> _Quantiles:
        """Return what a file gives, the extremes among it."""
        at = {0.0: "latency_min_s", **QUANTILE_COLUMNS, 1.0: "latency_max_s"}
        columns = ((quantile, run.columns.get(column)) for quantile, column in at.items())
        given = (*columns, *run.record.quantiles)
        pairs = sorted({(float(q), float(s)) for q, s in given if s is not None})
        values = [latency_s for _, latency_s in pairs]
        lowest = [*accumulate(reversed(values), min)][::-1]
        return _Quantiles([q for q, _ in pairs], [*accumulate(values, max)], lowest)

    def beside(self, quantile: float, latency_s: float, step_s: float) -> float:
        """Return a quantile of larger steps as what lies between those of smaller ones around it.

        17 ms, rounded, is 17.215 ms where that is the p99 and this is the p99.9. What lies further
        off than its own step was measured in another way, and stays.
        """
        below = bisect_right(self.quantiles, quantile)
        above = bisect_left(self.quantiles, quantile)
        low = self.highest_s[below - 1] if below else latency_s
        high = self.lowest_s[above] if above < len(self.quantiles) else latency_s
        between = min(max(latency_s, low), high)
        return between if abs(between - latency_s) <= step_s * SLACK else latency_s


def runs_of(
    merged: Sequence[FileRun],
    names: Sequence[Names],
    facts: Sequence[Facts],
    samples: Mapping[int, Sequence[Mapping[str, Any]]],
    levels: Levels,
    *,
    show_secrets: bool,
) -> tuple[Run, ...]:
    """Return the runs, given each one's records, name, facts, and samples by its number.

    `levels` returns params as they may be shown.
    """
    clean = cleaner(show_secrets=show_secrets)
    return tuple(
        _run(
            record,
            _named(record, name, known.columns, levels(name.params)),
            [replace(f, statistic=clean(f.statistic)) for f in known.stated(name)],
            samples.get(at, ()),
            clean,
        )
        for at, (record, name, known) in enumerate(zip(merged, names, facts, strict=True))
    )


def cleaner(*, show_secrets: bool) -> Clean:
    """Return what is done to each text before anybody sees it."""
    return _encodable if show_secrets else _redacted


def _run(
    record: FileRun,
    row: _Row,
    stated: Sequence[Figure],
    samples: Sequence[Mapping[str, Any]],
    clean: Clean,
) -> Run:
    together = [record, *record.others]
    counted = next((each for each in together if each.record.statuses), record)
    telling = next((each for each in together if each.record.errors), record)
    measured = next((each.record.measured for each in together if each.record.measured), None)
    figures = (*_figures(together, clean), *stated)
    steps = _coarser(record)
    finest = _finest(record)
    fine = _Quantiles.of(finest)
    row |= {
        column: fine.beside(quantile, row[column], steps[column])
        for quantile, column in QUANTILE_COLUMNS.items()
        if column in steps and row.get(column) is not None
    }
    quantiles = _quantiles(together, fine, _step(finest))
    counts = Counts() if record.summary is None else _counts(record.summary, clean)
    if measured is not None:
        figures += tuple(_padded(row, quantiles))
        row |= measured.columns | {"correction": "none"}
        known = dict(sorted(measured.quantiles))
        quantiles = tuple(Quantile(q, latency_s, "computed") for q, latency_s in known.items())
        row |= {column: known.get(q) for q, column in QUANTILE_COLUMNS.items()}
        counts = Counts({"": Distribution.from_counts(measured.counts)})
    return Run(
        columns=RUNS.record(_cleaned(row, clean)),
        quantiles=quantiles,
        figures=figures,
        statuses=dict(sorted(counted.record.statuses.items())),
        errors={clean(text): count for text, count in telling.record.errors.items()},
        notes=tuple(clean(note) for each in together for note in each.record.notes),
        counts=counts,
        steps=steps,
        commands=_started(record, clean),
        samples=tuple(_cleaned(sample, clean) for sample in samples),
        requests=reader_of(record, row["run_id"], clean),
    )


def _counts(summary: RequestSummary, clean: Clean) -> Counts:
    first, last = summary.numbering.span if summary.numbering else (None, None)
    return Counts(
        summary.outcomes,
        partial(_cells, summary, clean),
        summary.timeline,
        first_seq=first,
        last_seq=last,
        repeated_seq=summary.numbering.repeated if summary.numbering else 0,
    )


def _cells(summary: RequestSummary, clean: Clean) -> Cells:
    return summary.cells().renamed(clean)


def facts_of(run: FileRun) -> Facts:
    """Return what the files, the command and the metadata of a run say of it, but its name."""
    from benchkit.ingest.commands import read_command

    meta = meta_of(run)
    commands = [record.context.command for record in (run, *run.others) if record.context]
    command = next((line for line in commands if line), None)
    asked = read_command(meta["command"]) if meta.get("command") else None
    row: _Row = {}
    for line in filter(None, (command, asked)):
        row |= {name: value for name, value in line.columns.items() if _is_possible(name, value)}
    for other in reversed(run.others):
        row |= _present(other.columns)
    row |= _present(run.columns)
    row |= _finer(run)
    given = {"label", "scenario", "variant", "repeat", "params"}
    row |= {k: v for k, v in meta.items() if k not in given and row.get(k) is None}
    row["command"] = meta.get("command") or (command.text if command else None)
    figures = {key: value for key, (value, _) in _finest_figures((run, *run.others)).items()}
    scripts = [line.script for line in (asked, command) if line]
    overruled = {
        column: float(value)
        for column, value in meta.items()
        if isinstance(value, int | float) and run.columns.get(column) is not None
    }
    return Facts(
        *(row, figures, command.shell if command else None),
        script=next(iter(scripts), None),
        overruled=overruled,
    )


def _is_possible(column: str, value: Any) -> bool:  # noqa: ANN401 - of any column
    """Whether a run can have what a command asks for."""
    most = most_of(RUNS, column)
    return most is None or not isinstance(value, int | float) or value < most


def _named(run: FileRun, name: Names, known: Mapping[str, Any], params: Mapping[str, Any]) -> _Row:
    others = sorted({record.file.input.name for record in run.records} - {run.file.input.name})
    stated = {COLUMNS[param]: value for param, value in name.stated.items() if param in COLUMNS}
    row = {**known} | {
        "run_id": f"{run.file.key[:12]}-{run.number}",
        "scenario": name.scenario,
        "variant": name.variant,
        "params": _encodable(params_text(params)) if params else None,
        "repeat": name.repeat,
        "label": relabelled(name.label, name.params, params),
        "tool": run.parser.tool,
        "format": run.parser.name,
        "source": run.file.input.name,
        "other_sources": "; ".join(others) or None,
        "sha256": run.file.sha256,
    }
    row |= {column: value for column, value in stated.items() if row.get(column) is None}
    return {key: value for key, value in row.items() if key in RUNS.kinds}


def _finer(run: FileRun) -> _Row:
    """Return latencies that another file of the run gives in smaller steps, and the step.

    ab's report has whole milliseconds where its `-e` file has three more digits.
    """
    finest = _finest(run)
    if finest is run:
        return {}
    latencies = _present({name: finest.columns.get(name) for name in _LATENCIES})
    return {**latencies, "resolution_s": _step(finest)} if latencies else {}


def _finest(run: FileRun) -> FileRun:
    """Return the file of a run whose latencies have the smallest step, the first of equals."""
    return min((run, *run.others), key=_step)


def _step(run: FileRun) -> float:
    return float(run.columns.get("resolution_s") or math.inf)


def _started(record: FileRun, clean: Clean) -> dict[str, str]:
    """Return what the harness started, of the file beside which it is written; see the runner."""
    rows = (each.file.meta.further.get("commands") for each in (record, *record.others))
    listed = next((row for row in rows if isinstance(row, list)), [])
    texts = (row for row in listed if isinstance(row, dict))
    pairs = ((row.get("name"), row.get("command")) for row in texts)
    return {clean(n): clean(c) for n, c in pairs if isinstance(n, str) and isinstance(c, str)}


def _present(columns: Mapping[str, Any]) -> _Row:
    return {key: value for key, value in columns.items() if value is not None}


def _padded(row: _Row, quantiles: Sequence[Quantile]) -> Iterator[Figure]:
    """Yield what the tool printed of all samples, those that it added among them."""
    for statistic in ("mean", "std"):
        value = row.get(f"latency_{statistic}_s")
        if value is not None:
            yield Figure(WITH_ADDED, statistic, float(value), "s")
    for quantile, latency_s, _ in quantiles:
        yield Figure(WITH_ADDED, show.percentile(quantile), latency_s, "s")


def _coarser(record: FileRun) -> dict[str, float]:
    """Return the step per latency column that is larger than that of the run.

    It comes from a file of larger steps than the rest, or was printed with few digits.
    """
    finest = _finest(record)
    steps: dict[str, float] = {}
    for each in (*reversed(record.others), record, finest):
        printed = each.parser.step_s
        for column in ("latency_mean_s", *_LATENCIES):
            value = each.columns.get(column)
            if value is not None:
                steps[column] = max(_step(each), printed(value) if printed else 0.0)
    return {column: step for column, step in steps.items() if _step(finest) < step < math.inf}


def _quantiles(
    together: Sequence[FileRun], fine: _Quantiles, finest_s: float
) -> tuple[Quantile, ...]:
    known: dict[tuple[float, str], Quantile] = {}
    for each in sorted(together, key=_step):
        step_s = _step(each) if finest_s < _step(each) < math.inf else 0.0
        computed = each.summary.quantiles() if each.summary else ()
        for origin, pairs in (("printed", each.record.quantiles), ("computed", computed)):
            for quantile, given_s in pairs:
                latency_s = fine.beside(quantile, float(given_s), step_s)
                made = Quantile(float(quantile), latency_s, origin)
                known.setdefault((made.quantile, origin), made)
    return tuple(known[key] for key in sorted(known))


def _figures(together: Sequence[FileRun], clean: Clean) -> tuple[Figure, ...]:
    """Return the figures of all files; of those that several give, the one with more digits."""
    finest = _finest_figures(together)
    known: dict[tuple[str, str, float], Figure] = {}
    for each in together:
        single = each.known_figures
        for figure in each.record.figures:
            key = figure.metric, figure.statistic
            if key in single and finest[key][1] is not each:
                continue
            printed = None if figure.printed is None else clean(figure.printed)
            known.setdefault(
                (*key, figure.value),
                Figure(clean(key[0]), key[1], float(figure.value), figure.unit, printed),
            )
    return tuple(known.values())


def _finest_figures(
    together: Sequence[FileRun],
) -> dict[tuple[str, str], tuple[float, FileRun]]:
    """Return, per figure, the value with most digits and whose it is, the first of equals."""
    finest: dict[tuple[str, str], tuple[float, FileRun]] = {}
    for each in together:
        for key, value in each.known_figures.items():
            if key not in finest or printed_step(value) < printed_step(finest[key][0]):
                finest[key] = value, each
    return finest


def file_rows(outcome: FileOutcome, clean: Clean) -> Iterator[_Row]:
    """Yield what became of a file, and of each part that cannot be read."""
    row: _Row = {
        "source": outcome.input.name,
        "state": outcome.state,
        "format": outcome.format,
        "runs": len(outcome.runs),
        "sha256": outcome.sha256,
        "size_bytes": outcome.size_bytes,
        "message": outcome.message,
    }
    if outcome.state != "skipped":
        yield FILES.record(_cleaned(row, clean))
    for problem in outcome.problems:
        yield FILES.record(_cleaned(row | {"state": "skipped", "message": str(problem)}, clean))


def _cleaned(row: Mapping[str, Any], clean: Clean) -> _Row:
    return {
        key: clean(value) if isinstance(value, str) and key not in _OURS else value
        for key, value in row.items()
    }


@lru_cache(maxsize=4096)
def _redacted(text: str) -> str:
    return redact(_encodable(text))


def _encodable(text: str) -> str:
    # Names of files and strings of JSON may hold lone surrogates, which no table takes.
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def reader_of(run: FileRun, run_id: str, clean: Clean) -> RequestsReader | None:
    """Return what reads the requests of a run again, None where its files have none."""
    if run.parts:
        readers = [reader_of(part, run_id, clean) for part in run.parts]
        return PartsReader(tuple(reader for reader in readers if reader is not None))
    if not isinstance(run.parser, RowsParser):
        return None
    stdin = run.file.input.path == STDIN
    return RequestReader(
        run_id=run_id,
        path=None if stdin else run.file.input.path,
        data=run.file.standard_input,
        parser=run.parser.name,
        attack=run.record.name or "",
        clean=clean,
        kept=run.file.sends,
    )
