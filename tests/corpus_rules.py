"""One check per pattern of keys that an index of real outputs may have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from tests.corpus_asides import ASIDES, failed_counts
from tests.corpus_run import Run, plain_rows
from tests.corpus_values import Check, count_of, figure_of, near, quantile_of, scale_of, value_of

#: Keys about the file and its maker, not about its content.
SILENT: Final = frozenset(
    (
        *("ansi", "by", "fields", "id", "locale", "note", "notes", "synthetic", "version"),
        *("collapsed", "encoding", "indent", "language", "layout", "source", "truncated"),
        "lua",  # figures that a user's script printed, in whatever unit
        *("companion_of", "fragment", "mean_ms_if_ms", "sub_result_rows"),
    )
)
#: Keys about the file as a whole, checked by `problems_of_file`.
OF_FILE: Final = frozenset(
    (
        *("aborted", "unreadable", "imitation", "refused", "runs", "first", "kind"),
        *("run_count", "run_count_at_least", "run_count_wrk_like", "aborted_runs"),
        *("refuse", "or_refuse", "alt_all_rows"),
    )
)
_MS: Final = 1e-3
#: Latency in s of a nearest-rank percentile, relative.
_NEAREST_RANK: Final = 1e-3


def _deviation(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    # bombardier's is of each distinct latency once: a figure, and not the column.
    matches = [run.columns["latency_std_s"], *run.figures("Latency", "stdev")]
    yield near(matches, wanted, scale=scale_of(key))


def _rate(run: Run, wanted: float, _: re.Match[str]) -> Iterator[str]:
    # vegeta prints the rate of sending, the others that of answers.
    rates = run.figures("Requests", "rate")
    yield near(
        rates if run.columns["tool"] == "vegeta" else [run.columns["throughput_rps"]], wanted
    )


def _rate_statistic(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    name = {"avg": "mean"}.get(key[1], key[1])
    if read := run.figures(r"Req(?:uest)?s?/sec", name):
        yield near(read, wanted)
    elif run.columns["throughput_rps"] == wanted:
        yield "the mean of samples was read as the throughput"


def _failures(run: Run, wanted: float, _: re.Match[str]) -> Iterator[str]:
    """Check `errors`, which are what each tool calls so."""
    tool = run.columns["tool"]
    if tool == "ab":
        matches = run.figures("Failed requests")
    elif tool == "vegeta":
        codes = run.counts("statuses", "status")
        failed = sum(count for code, count in codes.items() if not 200 <= int(code) < 400)
        matches = [float(failed)] if codes else []
    else:
        matches = [run.columns["errors"], *run.figures("errors")]
        matches = matches if any(value is not None for value in matches) else failed_counts(run)
    if wanted != 0 or any(value is not None for value in matches):
        yield near(matches, wanted)


def _percentile(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    within = _NEAREST_RANK if key["rank"] else 0.0
    yield near(run.quantile(quantile_of(key["p"])), wanted, scale=scale_of(key), within=within)


def _maximum(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    # wrk2's largest value and its 100 % row are not always the same.
    yield near(run.quantile(Decimal(1)), wanted, scale=scale_of(key))


def _rounded_percentile(run: Run, wanted: str, key: re.Match[str]) -> Iterator[str]:
    """Check a percentile whose characters are given: a finer value must round to them."""
    shown = re.fullmatch(r"([\d.]+)\s*(us|ms|s|m|h)", wanted)
    if shown is None:
        yield f"not a latency as a tool prints it: {wanted!r}"
        return
    number, unit = shown.groups()
    scale = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}[unit]
    step = float(Decimal(1).scaleb(int(Decimal(number).as_tuple().exponent))) * scale
    matches = run.quantile(quantile_of(key[1]))
    if not any(abs(value - float(number) * scale) <= step / 2 * 1.001 for value in matches):
        yield f"expected {wanted}, read {matches or 'nothing'}"


def _wrong_percentile(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    matches = run.quantile(quantile_of(key[1]))
    if matches and not near(matches, wanted, scale=_MS):
        yield f"{wanted} ms is garbage in the file, and was read"


def _garbage(run: Run, wanted: str, _: re.Match[str]) -> Iterator[str]:
    first, _dots, last = wanted.partition("..")
    for percent in range(int(first), int(last or first) + 1):
        if matches := run.quantile(Decimal(percent).scaleb(-2)):
            yield f"row {percent} is garbage in the file, and was read as {matches}"


def _rows(run: Run, wanted: int, _: re.Match[str]) -> Iterator[str]:
    """Check the rows of a file: requests, or percentiles of which some may be garbage."""
    if run.columns["requests"] is not None:
        yield near([run.columns["requests"]], wanted)
    elif not 0 < len(run.rows("quantiles")) <= wanted:
        yield f"expected up to {wanted} quantiles, read {len(run.rows('quantiles'))}"


def problems_of_first_request(run: Run, wanted: Mapping[str, Any]) -> Iterator[str]:
    """Check the first request, given as ab's `-g` has it."""
    row = plain_rows(run.results.requests(run.columns["run_id"]).head(1))[0]
    connect = row["connect_s"] or 0.0
    matches = {
        "seconds": row["started_at"].timestamp(),
        "ctime_ms": connect / _MS,
        "ttime_ms": row["latency_s"] / _MS,
        "dtime_ms": (row["latency_s"] - connect) / _MS,
        "wait_ms": None if row["first_byte_s"] is None else row["first_byte_s"] / _MS,
    }
    for key, value in wanted.items():
        if matches.get(key) is None or abs(matches[key] - value) > 0.5 + (key == "dtime_ms"):
            yield f"first row, {key}: expected {value}, read {matches.get(key)}"


def _pipelining(run: Run, wanted: int, _: re.Match[str]) -> Iterator[str]:
    # autocannon prints it where it is not 1, on the line of the connections.
    if wanted != 1 or run.columns["connections"] is not None:
        yield near([run.columns["pipelining"]], wanted)


def _status_codes(run: Run, wanted: Mapping[str, int], _: re.Match[str]) -> Iterator[str]:
    matches = run.counts("statuses", "status")
    if matches != dict(wanted):
        yield f"expected {dict(wanted)}, read {matches}"


def _parts(run: Run, wanted: Mapping[str, int], _: re.Match[str]) -> Iterator[str]:
    """Check a breakdown of failures: among the errors, or as figures of their own."""
    for name, count in wanted.items():
        matches = [n for error, n in run.counts("errors", "error").items() if name in error]
        matches += run.figures(rf"(?:.*\W)?{name}(?: errors)?", "total")
        if count != 0 or matches:
            complaint = near(matches, count)
            yield f"{name}: {complaint}" if complaint else ""


def _part(run: Run, wanted: int, key: re.Match[str]) -> Iterator[str]:
    yield from _parts(run, {key[1]: wanted}, key)


def _status_class(run: Run, wanted: int, key: re.Match[str]) -> Iterator[str]:
    codes = run.counts("statuses", "status")
    counted = sum(count for code, count in codes.items() if code[0] == key[1][0])
    yield near([*run.figures(f"{key[1]}(?: responses)?"), counted], wanted)


def _table(run: Run, wanted: Mapping[str, Any], _: re.Match[str]) -> Iterator[str]:
    for percent, value in wanted.items():
        complaint = near(run.quantile(Decimal(percent).scaleb(-2)), value, scale=_MS)
        yield f"{percent} %: {complaint}" if complaint else ""


def _buckets(run: Run, wanted: Sequence[Sequence[Any]], _: re.Match[str]) -> Iterator[str]:
    for low, high, count in wanted:
        complaint = near(run.figures(re.escape(f"[{low}, {high}]"), "total"), count)
        yield f"[{low}, {high}]: {complaint}" if complaint else ""


def _no_latency(run: Run, wanted: bool, _: re.Match[str]) -> Iterator[str]:  # noqa: FBT001
    named = [key for key in run.columns if key.startswith("latency_")]
    filled = [key for key in named if run.columns[key] is not None]
    if not wanted and (filled or run.rows("quantiles")):
        yield f"the report has no latency, read {filled or 'quantiles'}"
    if wanted and not filled:
        yield "the report has a latency, read none"


def _title(run: Run, wanted: str, _: re.Match[str]) -> Iterator[str]:
    # A run that is alone in its file is called by its place.
    if (
        len(run.results.runs) > 1
        and wanted not in f"{run.columns['label']} {run.columns['variant']}"
    ):
        yield f"expected {wanted!r} in the label {run.columns['label']!r}"


def _stated(run: Run, wanted: str, key: re.Match[str]) -> Iterator[str]:
    """Check characters as printed: of a figure, or retold in a note."""
    printed = {row["printed"] for row in run.rows("figures")}
    message = any(wanted in row["note"] for row in run.rows("notes"))
    column = {"requests": "requests"}.get(key[1])
    exact = wanted.isdigit() and column and run.columns[column] == int(wanted)
    if not (wanted in printed or message or exact):
        yield f"expected {wanted!r} to be kept as printed"


def _variable(run: Run, wanted: float | str, _: re.Match[str]) -> Iterator[str]:
    lengths = run.figures("Document Length")
    if isinstance(wanted, str):
        if lengths:
            yield f"expected no length ({wanted}), read {lengths}"
    else:
        yield near(lengths, wanted)


def _nested(run: Run, wanted: Mapping[str, Any], _: re.Match[str]) -> Iterator[str]:
    return problems_of_run(run, wanted)


def _nothing(_run: Run, _wanted: object, _key: re.Match[str]) -> Iterator[str]:
    return iter(())


def _uncorrected(run: Run, wanted: bool, _: re.Match[str]) -> Iterator[str]:  # noqa: FBT001
    if wanted and not run.figures(".*uncorrected.*"):
        yield "the uncorrected distribution is lost"


_DIGITS: Final = r"\d+(?:_\d+)?"
_T: Final = r"_(?:ns|us|ms|s)"
RULES: Final[Mapping[str, Check]] = {
    "requests": value_of("requests"),
    **ASIDES,
    "(?:errors|failed_requests)": _failures,
    "non_?2xx": count_of("non2xx"),
    "timeouts": count_of("timeouts"),
    "duration(?:_total)?" + _T: value_of("duration_s"),
    "attack" + _T: figure_of("Duration", "attack"),
    "wait" + _T: value_of("wait_s"),
    "rps": _rate,
    r"(?:rps|reqsec)_(avg|mean|stdev|min|max|p[\d.]+)": _rate_statistic,
    "throughput": figure_of("Requests", "throughput"),
    "success_ratio": value_of("success_ratio"),
    "mean" + _T: value_of("latency_mean_s"),
    "mean_printed" + _T: figure_of("Latency", "mean"),
    "std(?:ev|dev)?" + _T: _deviation,
    "min" + _T: value_of("latency_min_s"),
    "max" + _T: _maximum,
    "median" + _T: value_of("latency_p50_s"),
    f"p(?P<p>{_DIGITS}){_T}(?P<rank>_nearest_rank)?": _percentile,
    f"p({_DIGITS})_printed": _rounded_percentile,
    f"p({_DIGITS})_ms_wrong": _wrong_percentile,
    "time_per_request" + _T: figure_of("Time per request", "mean"),
    "(?:connections|concurrency)": count_of("connections", figure="connections"),
    "(?:threads|workers)": value_of("threads"),
    "pipelining": _pipelining,
    "(?:rate|offered_rate)": value_of("offered_rate_rps"),
    "sent": figure_of("sent", "total"),
    "keep_?alive(?:_requests)?": figure_of("Keep-Alive requests"),
    "(?:total_transferred|received_bytes|bytes_in)": value_of("received_bytes", "body_bytes"),
    "(?:html_transferred|body_bytes)": value_of("body_bytes"),
    "(?:bytes_out|sent_bytes|total_body_sent)": value_of("sent_bytes"),
    "mismatches": count_of(figure="mismatches|requests with mismatched body"),
    "resets": count_of(figure="resets|request pipeline was reset"),
    "(connect|read|receive|write|length|timeout|exceptions)_errors": _part,
    "(?:hdr_)?total_count": figure_of("Total ?count", "total"),
    "status(?:_codes|es)?": _status_codes,
    "([1-5]xx)": _status_class,
    "(?:socket_errors|failed_breakdown)": _parts,
    "latency_table": _table,
    "buckets": _buckets,
    "latency_valid": _no_latency,
    "title": _title,
    "doc(?:ument)?_length": _variable,
    "rows": _rows,
    "garbage_rows": _garbage,
    "recorded": _nested,
    "has_uncorrected": _uncorrected,
    "interrupted": _nothing,  # the figures of an interrupted run are those of any other
    r"(\w+)_printed": _stated,
}


def problems_of_run(run: Run, expected: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a run is not what the index expects, and keys that no rule knows."""
    # Beside the requests, rows are those of the file.
    silent = SILENT | OF_FILE | ({"rows"} if "requests" in expected else set())
    no_latency = expected.get("latency_valid") is False
    for key, wanted in expected.items():
        if key in silent or wanted is None:
            continue
        matched = [(check, m) for rule, check in RULES.items() if (m := re.fullmatch(rule, key))]
        if not matched:
            yield f"the index has a key that tests/corpus_rules.py does not know: {key}"
            continue
        if no_latency and wanted == 0 and re.search(_T + "$", key):
            continue
        check, match = matched[0]
        yield from (f"{key}: {complaint}" for complaint in check(run, wanted, match) if complaint)
