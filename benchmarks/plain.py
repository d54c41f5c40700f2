"""What somebody in a hurry would write instead: wrk's reports by regexes to a pandas table.

    python benchmarks/plain.py FOLDER

It is the measure of what reading many small files may cost: run it and `benchkit show`, or
`benchkit export`, over the same folder. It knows one layout and checks nothing.
"""

# ruff: noqa: INP001, T201
# A script, which talks to who runs it.

from __future__ import annotations

import re
import sys
from pathlib import Path

import pandas as pd

UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "": 1.0, "k": 1e3, "M": 1e6}
FIGURE = r"([\d.]+)(us|ms|s|m|k|M|)"
ROW = re.compile(rf"Latency\s+{FIGURE}\s+{FIGURE}\s+{FIGURE}")
QUANTILE = re.compile(rf"^\s+([\d.]+)%\s+{FIGURE}$", re.MULTILINE)
TOTAL = re.compile(rf"(\d+) requests in {FIGURE}")
RATE = re.compile(r"Requests/sec:\s+([\d.]+)")


def read(path: Path) -> dict[str, object] | None:
    """Return the figures of a report, None where there is none."""
    text = path.read_text(encoding="utf-8", errors="replace")
    row, total, rate = ROW.search(text), TOTAL.search(text), RATE.search(text)
    if row is None or total is None or rate is None:
        return None
    mean, std, most = (float(row[at]) * UNITS[row[at + 1]] for at in (1, 3, 5))
    return {
        "source": str(path),
        "requests": int(total[1]),
        "duration_s": float(total[2]) * UNITS[total[3]],
        "throughput_rps": float(rate[1]),
        "latency_mean_s": mean,
        "latency_std_s": std,
        "latency_max_s": most,
        **{f"p{q}": float(value) * UNITS[unit] for q, value, unit in QUANTILE.findall(text)},
    }


def main() -> None:
    """Print the table of a folder's reports."""
    paths = sorted(path for path in Path(sys.argv[1]).rglob("*") if path.is_file())
    rows = [row for path in paths if (row := read(path)) is not None]
    print(pd.DataFrame(rows).to_string(max_rows=40))


if __name__ == "__main__":
    main()
