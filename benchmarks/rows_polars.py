"""Counts requests in a file of rows by Polars, as benchkit does: `rows.py` runs it.

    python benchmarks/rows_polars.py FORMAT FILE

The file is read once, by the streaming engine, into a frame of the columns that count. A part of
what is counted, which reads as an answer, is printed.
"""

# ruff: noqa: INP001, T201
# A script, run by a Python that has Polars.

from __future__ import annotations

import json
import sys

import polars as pl
from polars import col

QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.99, 0.999)
NOTHING = pl.lit(None)


def requests(name: str, path: str) -> pl.LazyFrame:
    """Return start and latency in µs, status, endpoint, error, bytes received and sent."""
    if name == "jmeter-csv":
        frame = pl.scan_csv(path).filter(
            ~col("responseMessage").str.starts_with("Number of samples in transaction : ")
        )
        words = pl.concat_str(col("responseCode").cast(pl.String), "responseMessage", separator=" ")
        return frame.select(
            start=col("timeStamp") * 1000,
            took=col("elapsed") * 1000,
            status=col("responseCode").cast(pl.Int16, strict=False).fill_null(0),
            endpoint="URL",
            error=pl.when(~col("success")).then(pl.coalesce("failureMessage", words)),
            received="bytes",
            sent="sentBytes",
        )
    if name == "h2load-log":
        frame = pl.scan_csv(path, separator="\t", has_header=False)
        start, took, status = pl.nth(0), pl.nth(2), pl.nth(1).clip(0)
        endpoint = error = NOTHING
    elif name == "k6-csv":
        frame = pl.scan_csv(path).filter(col("metric_name") == "http_req_duration")
        took, status, error = col("metric_value") * 1000, col("status"), col("error")
        start = col("timestamp") * 1_000_000 - took.cast(pl.Int64)
        endpoint = pl.concat_str("method", "name", separator=" ")
    else:
        tags = dict.fromkeys(("status", "method", "name", "error"), pl.String)
        data = {"time": pl.String, "value": pl.Float64, "tags": pl.Struct(tags)}
        schema = {"metric": pl.String, "type": pl.String, "data": pl.Struct(data)}
        frame = pl.scan_ndjson(path, schema=schema).filter(
            (col("metric") == "http_req_duration") & (col("type") == "Point")
        )
        point, tags_of = col("data").struct.field, col("data").struct.field("tags").struct.field
        took, status = point("value") * 1000, tags_of("status").cast(pl.Int16)
        ended = point("time").str.to_datetime("%Y-%m-%dT%H:%M:%S%.fZ", time_unit="us")
        start = ended.cast(pl.Int64) - took.cast(pl.Int64)
        endpoint = pl.concat_str(tags_of("method"), tags_of("name"), separator=" ")
        error = tags_of("error")
    return frame.select(
        start=start,
        took=took,
        status=status.fill_null(0),
        endpoint=endpoint,
        error=error,
        received=NOTHING.cast(pl.Int64),
        sent=NOTHING.cast(pl.Int64),
    )


def main() -> None:
    """Count, and print what can be compared."""
    outcome = (
        pl.when(col("status").is_between(200, 399))
        .then(pl.lit("success"))
        .when(col("status") == 0)
        .then(pl.lit("no-response"))
        .otherwise(pl.lit("http-error"))
        .cast(pl.Enum(["success", "http-error", "no-response"]))
    )
    frame = requests(*sys.argv[1:]).with_columns(outcome=outcome).collect(engine="streaming")
    end = (col("start") + col("took")).cast(pl.Int64)
    took = col("took")
    run = frame.select(
        requests=pl.len(),
        smallest=took.min(),
        mean_us=took.mean(),
        std=took.std(),
        max_us=took.max(),
        **{f"p{round(1000 * q)}": took.quantile(q, "higher") for q in QUANTILES},
        received=col("received").sum() if frame["received"].count() else NOTHING,
        sent=col("sent").sum() if frame["sent"].count() else NOTHING,
        first=col("start").min(),
        last=col("start").max(),
        end=end.max(),
    ).row(0, named=True)
    statuses = frame.group_by("status").len().sort("status")
    errors = frame.filter(col("error").is_not_null()).group_by("error").len()
    seconds = (
        frame.group_by(second=col("start") // 1_000_000)
        .agg(
            requests=pl.len(),
            max_us=took.max(),
            received=col("received").sum(),
            lost=(col("outcome") == "no-response").sum(),
            failed=(col("outcome") == "http-error").sum(),
            **{f"p{round(100 * q)}": took.quantile(q, "higher") for q in (0.5, 0.9, 0.99)},
        )
        .sort("second")
    )
    ended = frame.group_by(second=end // 1_000_000).len().sort("second")
    # Slices so long that there are at most 128, and bins of 1/64 of a power of two.
    slice_us = max((run["last"] - run["first"]) // 127, 1_000_000)
    cells = (
        frame.group_by(
            "endpoint",
            "outcome",
            slice=(col("start") - run["first"]) // slice_us,
            bin=((took + 1).log(2) * 64).round().cast(pl.Int16),
        )
        .len()
        .sort("slice", "endpoint", "outcome", "bin")
    )
    answer = {
        **{name: run[name] for name in ("requests", "mean_us", "max_us")},
        "p50_us": run["p500"],
        "p99_us": run["p990"],
        "received_bytes": run["received"],
        "statuses": {str(status): count for status, count in statuses.iter_rows()},
        "errors": errors["len"].sum(),
        "seconds": len(seconds),
        "ended": ended["len"].sum(),
        "largest_p99_us": seconds["p99"].max(),
        "in_cells": cells["len"].sum(),
        "endpoints": cells["endpoint"].n_unique(),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
