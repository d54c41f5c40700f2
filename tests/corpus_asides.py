"""Rules for what a tool prints beside the figures that have columns.

Some of it has no column: a parser may keep it as a figure, under the tool's name for it, or leave
it out; where it was kept, its value is right. Some of it looks like a column and means something
else (a rate that counts failures, a duration rounded to seconds): that column has another value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tests.corpus_run import Run
from tests.corpus_values import Check, count_of, near, quantile_of, scale_of, slack


def _if_kept(metric: str, *statistics: str) -> Check:
    """Check the figures of some name, where there are any."""

    def check(run: Run, wanted: float, _: re.Match[str]) -> Iterator[str]:
        if matches := run.figures(metric, *statistics):
            yield near(matches, wanted)

    return check


def _share_if_kept(metric: str) -> Check:
    """Check a percentage, where it was kept."""

    def check(run: Run, wanted: float, _: re.Match[str]) -> Iterator[str]:
        if kept := run.figures(metric):
            yield near(kept, wanted, scale=0.01)

    return check


def _is_not(column: str) -> Check:
    """Check that a column has another value than one that is printed under its name."""

    def check(run: Run, wanted: float | str, _: re.Match[str]) -> Iterator[str]:
        number = float(str(wanted).rstrip("s"))
        if run.columns[column] == number:
            yield f"{wanted} is not what {column} means, and was read as it"

    return check


def _is_no_quantile(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    matches = run.quantile(quantile_of(key["p"]))
    if any(abs(value - wanted * 1e-3) <= slack(wanted) * 1e-3 for value in matches if value):
        yield f"{wanted} ms is a mean of the slowest, and was read as a percentile"


def _quantile_if_read(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    matches = [value for value in run.quantile(quantile_of(key["p"])) if value is not None]
    if matches:
        yield near(matches, wanted, scale=1e-3)


def failed_counts(run: Run) -> list[float]:
    """Return what a run gives for requests that the tool itself counts as failed."""
    matches = run.figures(r".*(?:fail|unsuccess|\bKO\b|\bErr\b).*")
    codes = run.counts("statuses", "status")
    bad = sum(count for code, count in codes.items() if int(code) >= 400)
    lost = run.columns["errors"] or 0
    matches += [lost + bad] if codes else []
    requests, ratio = run.columns["requests"], run.columns["success_ratio"]
    if requests is not None and ratio is not None:
        matches.append(round(requests * (1 - ratio)))
    return matches


def _failed(run: Run, wanted: float, _: re.Match[str]) -> Iterator[str]:
    matches = [run.columns["errors"], run.columns["non2xx"], *failed_counts(run)]
    if wanted != 0 or any(value is not None for value in matches):
        yield near(matches, wanted)


def _responses(run: Run, wanted: float, _: re.Match[str]) -> Iterator[str]:
    requests, errors = run.columns["requests"], run.columns["errors"]
    answered = [] if requests is None or errors is None else [requests - errors]
    codes = run.counts("statuses", "status")
    yield near([*answered, *([sum(codes.values())] if codes else [])], wanted)


def _offered(run: Run, wanted: str, _: re.Match[str]) -> Iterator[str]:
    """Check a rate that was asked for; `max` is none."""
    read = run.columns["offered_rate_rps"]
    if wanted == "max":
        if read is not None:
            yield f"no rate was asked for, read {read}"
    else:
        yield near([read], float(wanted))


def _parts(run: Run, wanted: Mapping[str, int], _: re.Match[str]) -> Iterator[str]:
    """Check the requests of each scenario or endpoint, where these are told apart."""
    for name, count in wanted.items():
        matches = run.figures(rf"(?:.*\W)?{re.escape(name)}(?:\W.*)?", "total")
        if matches and (complaint := near(matches, count)):
            yield f"{name}: {complaint}"


def _thresholds(run: Run, wanted: Sequence[str], key: re.Match[str]) -> Iterator[str]:
    """Check what is noted of thresholds: each that failed if any, and none that passed."""
    noted = [row["note"] for row in run.rows("notes") if "threshold" in row["note"].lower()]
    for name in wanted:
        expression = name.rpartition(": ")[2]
        named = any(expression in note for note in noted)
        if noted and named != (key[1] == "failed"):
            yield f"{name}: {'not ' if not named else ''}among the notes of thresholds"


def _in_its_unit(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    """Check a value whose unit is not in the file: a figure, and no latency."""
    matches = run.figures("Values?", key[1].removesuffix("_row"))
    if matches:
        yield near(matches, wanted)
    read = [name for name, value in run.columns.items() if name.startswith("latency_") and value]
    if read or run.rows("quantiles"):
        yield f"nothing says the unit, read {read or 'quantiles'}"


def _first_latency(run: Run, wanted: float, key: re.Match[str]) -> Iterator[str]:
    first = run.results.requests(run.columns["run_id"])["latency_s"].head(1)
    yield near(list(first), wanted, scale=scale_of(key))


ASIDES: Final[Mapping[str, Check]] = {
    "failed": _failed,
    "responses": _responses,
    "rps_printed": _is_not("throughput_rps"),
    "request_rate_printed": _is_not("throughput_rps"),
    "success_rate_printed": _is_not("success_ratio"),
    "elapsed_printed": _is_not("duration_s"),
    "finished_in_s": _is_not("duration_s"),
    # siege prints two digits of seconds: 0.01 may be a mean, 0.00 is none.
    "response_time_printed": lambda run, wanted, key: (
        _is_not("latency_mean_s")(run, wanted, key) if float(wanted) == 0 else iter(())
    ),
    "shortest_printed": _is_not("latency_min_s"),
    "p(?P<p>[0-9]+)_ms_printed_avg": _is_no_quantile,
    "p(?P<p>[0-9]+)_ms_in_assertion": _quantile_if_read,
    "median_total": lambda run, wanted, _: _quantile_if_read(run, wanted, _half()),
    "availability": _share_if_kept("Availability"),
    "concurrency_mean": _if_kept("Concurrency"),
    "successful_transactions": _if_kept("Successful[ _]transactions"),
    "dropped_iterations": _if_kept("dropped[ _]iterations", "total"),
    "complete_iterations": _if_kept("complete[ _]iterations", "total"),
    "interrupted_iterations": _if_kept("interrupted[ _]iterations", "total"),
    "http_req_failed": _if_kept("http_req_failed", "total"),
    "check_fails": lambda _run, _wanted, _key: iter(()),
    "threexx": lambda run, wanted, _: _class_of_three(run, wanted),
    "error_cases": _if_kept("error cases", "total"),
    "histogram_count": _if_kept("histogram count", "total"),
    "num_threads": count_of("connections", "threads"),
    "sockets": _if_kept("sockets(?: used)?", "total"),
    "requested_qps": _offered,
    "scenarios": _parts,
    "endpoints": _parts,
    "thresholds_(failed|passed)": _thresholds,
    "intervals": _if_kept("intervals", "total"),
    "tags": lambda _run, _wanted, _key: iter(()),
    "(?:value|raw)_(.+)": _in_its_unit,
    "elapsed_ms": _first_latency,
}


def _half() -> re.Match[str]:
    """Return a key that asks for the median."""
    matched = re.fullmatch("p(?P<p>[0-9]+)", "p50")
    assert matched is not None
    return matched


def _class_of_three(run: Run, wanted: float) -> Iterator[str]:
    codes = run.counts("statuses", "status")
    matches = run.figures("3xx", "total")
    matches += (
        [sum(count for code, count in codes.items() if code.startswith("3"))] if codes else []
    )
    if matches:
        yield near(matches, wanted)
