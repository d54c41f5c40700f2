"""Counts requests in a file of rows by DuckDB, as benchkit does: `rows.py` runs it.

    python benchmarks/rows_duckdb.py FORMAT FILE

The file is read once, into a table of the columns that count; queries over that are quicker than
one over the file with all groupings. A part of a file, which reads as an answer, is printed.
"""

# ruff: noqa: INP001, T201, S608
# A script of constant queries.

from __future__ import annotations

import json
import sys

import duckdb

#: By format: start and latency in µs, status, endpoint, error, bytes received and sent.
TABLES = {
    "jmeter-csv": """
SELECT timeStamp * 1000 AS start, elapsed * 1000 AS took,
    coalesce(try_cast(responseCode AS SMALLINT), 0) AS status, URL AS endpoint,
    CASE WHEN success THEN NULL ELSE coalesce(failureMessage::VARCHAR,
        responseCode || ' ' || responseMessage) END AS error,
    bytes AS received, sentBytes AS sent
FROM read_csv(?) WHERE NOT starts_with(responseMessage, 'Number of samples in transaction : ')""",
    "h2load-log": """
SELECT column0 AS start, column2 AS took, greatest(column1, 0) AS status, NULL AS endpoint,
    NULL AS error, NULL AS received, NULL AS sent
FROM read_csv(?)""",
    "k6-csv": """
SELECT (timestamp * 1000000 - metric_value * 1000)::BIGINT AS start, metric_value * 1000 AS took,
    coalesce(status, 0) AS status, method || ' ' || name AS endpoint, error,
    NULL AS received, NULL AS sent
FROM read_csv(?) WHERE metric_name = 'http_req_duration'""",
    "k6-points": """
SELECT (epoch_us(data.time) - data.value * 1000)::BIGINT AS start, data.value * 1000 AS took,
    coalesce(data.tags.status, 0) AS status, data.tags.method || ' ' || data.tags.name AS endpoint,
    data.tags.error AS error, NULL AS received, NULL AS sent
FROM read_json(?, format='newline_delimited',
    columns={metric: 'VARCHAR', type: 'VARCHAR', data: 'STRUCT(time TIMESTAMP, value DOUBLE,
    tags STRUCT(status SMALLINT, method VARCHAR, name VARCHAR, error VARCHAR))'})
WHERE metric = 'http_req_duration' AND type = 'Point'""",
}
OUTCOME = (
    "CASE WHEN status BETWEEN 200 AND 399 THEN 'success'"
    " WHEN status = 0 THEN 'no-response' ELSE 'http-error' END"
)
RUN = """
SELECT count(*), min(took), avg(took), stddev(took), max(took),
    quantile_disc(took, [0.5, 0.75, 0.9, 0.95, 0.99, 0.999]),
    sum(received), sum(sent), min(start), max(start), max(start + took)
FROM requests"""
STATUSES = "SELECT status, count(*) FROM requests GROUP BY status ORDER BY status"
ERRORS = "SELECT error, count(*) FROM requests WHERE error IS NOT NULL GROUP BY error"
SECONDS = f"""
SELECT start // 1000000 AS second, count(*), quantile_disc(took, [0.5, 0.9, 0.99]), max(took),
    sum(received), count(*) FILTER ({OUTCOME} = 'no-response'),
    count(*) FILTER ({OUTCOME} = 'http-error')
FROM requests GROUP BY second ORDER BY second"""
ENDED = """
SELECT (start + took)::BIGINT // 1000000 AS second, count(*)
FROM requests GROUP BY second ORDER BY second"""
#: Slices so long that there are at most 128, and bins of 1/64 of a power of two.
CELLS = f"""
CREATE TEMP TABLE cells AS
SELECT (start - $first) // $slice AS slice, endpoint, {OUTCOME} AS outcome,
    round(log2(took + 1) * 64) AS bin, count(*) AS requests
FROM requests GROUP BY ALL ORDER BY ALL"""


def main() -> None:
    """Count, and print what can be compared."""
    name, path = sys.argv[1:]
    duckdb.execute("SET enable_progress_bar = false")
    duckdb.execute(f"CREATE TEMP TABLE requests AS {TABLES[name]}", [path])
    rows = [duckdb.execute(query).fetchall() for query in (RUN, STATUSES, ERRORS, SECONDS, ENDED)]
    [run], statuses, errors, seconds, ended = rows
    given = {"first": run[8], "slice": max((run[9] - run[8]) // 127, 1_000_000)}
    duckdb.execute(CELLS, given)
    cells = duckdb.execute("SELECT sum(requests), count(DISTINCT endpoint) FROM cells").fetchone()
    answer = {
        "requests": run[0],
        "mean_us": run[2],
        "max_us": run[4],
        "p50_us": run[5][0],
        "p99_us": run[5][4],
        "received_bytes": run[6] and int(run[6]),
        "statuses": {str(int(status)): count for status, count in statuses},
        "errors": sum(count for _, count in errors),
        "seconds": len(seconds),
        "ended": sum(count for _, count in ended),
        "largest_p99_us": max(second[2][2] for second in seconds),
        "in_cells": int(cells[0]),
        "endpoints": max(cells[1], 1),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
