"""What became of each file: the run it holds, how that is called, or why it holds none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show

if TYPE_CHECKING:
    from benchkit.api import Results
    from benchkit.model.run import Run

_COLUMNS: Final = ("file", "state", "scenario", "variant", "params", "repeat", "tool")
_NO_RUN: Final = "no output of a load generator"
_NOT_ASKED: Final = "not among those asked for"


def file_records(results: Results) -> list[dict[str, Any]]:
    """Return a record per file and run in it, of a file without any one that says why.

    Keys: file, state, run (its label), scenario, variant, params (an object), repeat, tool,
    merged_with (further files of the run) and message.
    """
    runs: defaultdict[str, list[Run]] = defaultdict(list)
    for run in results:
        for source in dict.fromkeys([run.get("source"), *_others(run)]):
            runs[source].append(run)
    return [record for row in results.sources for record in _records(row, runs[row["source"]])]


def _others(run: Run) -> list[str]:
    return str(run.get("other_sources") or "").split("; ") if run.get("other_sources") else []


def _records(row: Mapping[str, Any], runs: Sequence[Run]) -> Iterator[dict[str, Any]]:
    known = {"file": row["source"], "state": row["state"], "message": row["message"]}
    if not runs or row["state"] not in {"read", "merged"}:
        empty = dict.fromkeys(("run", "scenario", "variant", "params", "repeat", "tool"))
        why = _NO_RUN if row["state"] == "foreign" else _NOT_ASKED
        yield known | empty | {"merged_with": [], "message": row["message"] or why}
        return
    for run in runs:
        together = [run.get("source"), *_others(run)]
        yield known | {
            "run": run.label,
            "scenario": run.scenario,
            "variant": run.variant,
            "params": dict(run.params),
            "repeat": run.get("repeat"),
            "tool": run.tool,
            "merged_with": [source for source in together if source != row["source"]],
        }


def file_rows(records: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], list[list[str]]]:
    """Return headings and rows of text for a table of the records."""
    rows = []
    for record in records:
        cells = {name: record[name] for name in _COLUMNS}
        cells["params"] = ", ".join(show.params(record["params"] or {}))
        merged = ", ".join(record["merged_with"])
        notes = [f"with {merged}"] if merged else []
        notes += [record["message"]] if record["message"] else []
        rows.append(
            [
                *("" if v is None else show.clean(str(v)) for v in cells.values()),
                show.clean("; ".join(notes)),
            ]
        )
    return (*_COLUMNS, "note"), rows
