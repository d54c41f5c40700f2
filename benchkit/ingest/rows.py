"""Runs as found to the rows of the tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchkit.ingest.found import FileOutcome, FoundRun
from benchkit.ingest.labels import Names, meta_of
from benchkit.ingest.requests import Clean, RequestReader
from benchkit.ingest.resources import samples_of
from benchkit.ingest.sources import STDIN
from benchkit.parsing import RowsParser
from benchkit.redact import redact
from benchkit.results import RequestsReader, Results
from benchkit.schema import QUANTILE_COLUMNS, RUNS

if TYPE_CHECKING:
    from benchkit.counting.summary import RequestSummary

_Row = dict[str, Any]
_Columns = dict[str, dict[str, list[Sequence[Any]]]]


def tables_of(
    runs: Sequence[FoundRun],
    names: Sequence[Names],
    outcomes: Sequence[FileOutcome],
    *,
    show_secrets: bool,
) -> Results:
    """Return the tables of some runs and of all files that were looked at."""
    clean: Clean = _encodable if show_secrets else _redacted
    rows: dict[str, list[_Row]] = {}
    columns: _Columns = {}
    readers: dict[str, RequestsReader] = {}
    samples = samples_of(runs)
    for at, (run, name) in enumerate(zip(runs, names, strict=True)):
        run_id = _run_id(run)
        rows.setdefault("runs", []).append(clean(_run_row(run, name, run_id)))
        for table, found in {**_parts(run), "resources": samples.get(at, ())}.items():
            rows.setdefault(table, []).extend(clean({"run_id": run_id, **row}) for row in found)
        if run.summary is not None:
            _add_columns(columns, run.summary, run_id, clean)
        if (reader := _reader(run, run_id, clean)) is not None:
            readers[run_id] = reader
    rows["files"] = [clean(row) for outcome in outcomes for row in _file_rows(outcome)]
    return Results.of(rows, readers, _joined(columns))


def _add_columns(columns: _Columns, summary: RequestSummary, run_id: str, clean: Clean) -> None:
    """Add a run to the tables with many rows, which are made of columns."""
    for table, found in (("latencies", summary.latencies()), ("histogram", summary.histogram())):
        into = columns.setdefault(table, {"run_id": []})
        into["run_id"].append([run_id] * len(found["count"]))
        for name, values in found.items():
            if name == "endpoint":
                texts = {text: clean({"url": text})["url"] for text in set(values)}
                into.setdefault(name, []).append([texts[text] for text in values])
            else:
                into.setdefault(name, []).append(values)


def _joined(columns: _Columns) -> dict[str, dict[str, Sequence[Any]]]:
    import numpy as np

    def join(parts: list[Sequence[Any]]) -> Sequence[Any]:
        if all(isinstance(part, np.ndarray) and part.dtype != object for part in parts):
            return np.concatenate(parts)  # type: ignore[return-value]
        return [value for part in parts for value in part]

    return {
        table: {name: join(parts) for name, parts in found.items()}
        for table, found in columns.items()
    }


def _run_id(run: FoundRun) -> str:
    return f"{run.file.key[:12]}-{run.number}"


def _run_row(run: FoundRun, name: Names, run_id: str) -> _Row:
    meta = meta_of(run)
    commands = [one.context.command for one in (run, *run.others) if one.context]
    command = next((found for found in commands if found), None)
    row: _Row = dict(command.columns) if command else {}
    row |= _command_of(meta)
    for other in reversed(run.others):
        row |= _present(other.columns)
    row |= _present(run.columns)
    row |= _finer(run)
    given = {"label", "scenario", "variant", "repeat", "params"}
    row |= {k: v for k, v in meta.items() if k not in given and row.get(k) is None}
    others = sorted({other.file.input.name for other in run.others} - {run.file.input.name})
    row |= {
        "run_id": run_id,
        "scenario": name.scenario,
        "variant": name.variant,
        "params": name.params,
        "repeat": name.repeat,
        "label": name.label,
        "tool": run.parser.tool,
        "format": run.parser.name,
        "source": run.file.input.name,
        "other_sources": "; ".join(others) or None,
        "sha256": run.file.sha256,
    }
    row["command"] = meta.get("command") or (command.text if command else None)
    return {key: value for key, value in row.items() if key in RUNS.names}


def _command_of(meta: Mapping[str, Any]) -> _Row:
    from benchkit.ingest.commands import read_command

    found = read_command(meta["command"]) if meta.get("command") else None
    return dict(found.columns) if found else {}


def _finer(run: FoundRun) -> _Row:
    """Return latencies that another file of the run gives in smaller steps, and the step.

    ab's report has whole milliseconds where its `-e` file has three more digits.
    """
    finest = _finest(run)
    if finest is run:
        return {}
    names = ("latency_min_s", *QUANTILE_COLUMNS.values(), "latency_max_s")
    found = _present({name: finest.columns.get(name) for name in names})
    return {**found, "resolution_s": _step(finest)} if found else {}


def _finest(run: FoundRun) -> FoundRun:
    """Return the file of a run whose latencies have the smallest step, the first of equals."""
    return min((run, *run.others), key=_step)


def _step(run: FoundRun) -> float:
    return float(run.columns.get("resolution_s") or math.inf)


def _present(columns: Mapping[str, Any]) -> _Row:
    return {key: value for key, value in columns.items() if value is not None}


def _parts(run: FoundRun) -> dict[str, list[_Row]]:
    together = [run, *run.others]
    parts: dict[str, list[_Row]] = {
        "quantiles": _quantile_rows(together),
        "figures": _figure_rows(together),
        "notes": [{"note": note} for one in together for note in one.record.notes],
    }
    counted = next((one for one in together if one.record.statuses), run)
    parts["statuses"] = [
        {"status": status, "count": count}
        for status, count in sorted(counted.record.statuses.items())
    ]
    told = next((one for one in together if one.record.errors), run)
    parts["errors"] = [{"error": text, "count": n} for text, n in told.record.errors.items()]
    if run.summary is not None:
        parts["timeline"] = run.summary.timeline()
    return parts


def _quantile_rows(together: Sequence[FoundRun]) -> list[_Row]:
    rows: dict[tuple[float, str], _Row] = {}
    for one in sorted(together, key=_step):
        for q, latency in one.record.quantiles:
            row = {"quantile": q, "latency_s": latency, "origin": "printed"}
            rows.setdefault((q, "printed"), row)
        for q, latency in one.summary.quantiles() if one.summary else ():
            row = {"quantile": q, "latency_s": latency, "origin": "computed"}
            rows.setdefault((q, "computed"), row)
    return [rows[key] for key in sorted(rows)]


def _figure_rows(together: Sequence[FoundRun]) -> list[_Row]:
    rows: dict[tuple[str, str, float], _Row] = {}
    for one in together:
        for f in one.record.figures:
            row = {"metric": f.metric, "statistic": f.statistic, "value": f.value}
            row |= {"unit": f.unit or None, "printed": f.printed}
            rows.setdefault((f.metric, f.statistic, f.value), row)
    return list(rows.values())


def _file_rows(outcome: FileOutcome) -> Iterator[_Row]:
    row: _Row = {
        "source": outcome.input.name,
        "state": outcome.state,
        "format": outcome.format,
        "runs": len(outcome.runs),
        "sha256": outcome.sha256,
        "size_bytes": outcome.opened.size_bytes if outcome.opened else None,
        "message": outcome.message,
    }
    if outcome.state != "skipped":
        yield row
    for problem in outcome.problems:
        yield row | {"state": "skipped", "message": str(problem)}


def _redacted(row: _Row) -> _Row:
    kept = {"run_id", "sha256", "tool", "format", "origin", "state"}
    return {
        key: redact(value) if isinstance(value, str) and key not in kept else value
        for key, value in _encodable(row).items()
    }


def _encodable(row: _Row) -> _Row:
    # Names of files and strings of JSON may hold lone surrogates, which no table takes.
    return {
        key: value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
        for key, value in row.items()
    }


def _reader(run: FoundRun, run_id: str, clean: Clean) -> RequestReader | None:
    opened = run.file.opened
    if opened is None or not isinstance(run.parser, RowsParser):
        return None
    stdin = run.file.input.path == STDIN
    return RequestReader(
        run_id=run_id,
        path=None if stdin else run.file.input.path,
        data=opened.source.data if stdin else b"",
        parser=run.parser.name,
        attack=run.record.name or "",
        clean=clean,
    )
