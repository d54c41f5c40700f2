"""HdrHistogram: logs of intervals and tables of percentiles, whose unit stands elsewhere."""

from __future__ import annotations

import base64
import json
import shutil
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit.errors import NothingToReportError
from benchkit.ingest.unitless import unit_in_name
from tests.corpus_run import Run, runs_of


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    """The recorded files, without metadata."""
    return Path(shutil.copytree(data / "hdrhistogram", tmp_path / "hdrhistogram"))


def run_in(path: Path, unit: str | None = None) -> Run:
    """Return the one run in a file, with a unit in the metadata beside it."""
    meta = path.parent / "meta.json"
    meta.unlink(missing_ok=True)
    if unit is not None:
        meta.write_text(json.dumps({"unit": unit}), encoding="utf-8")
    (run,) = runs_of(benchkit.load(path)).values()
    return run


def refusal(path: Path) -> str:
    with pytest.raises(NothingToReportError) as refused:
        benchkit.load(path)
    return str(refused.value)


def latencies(run: Run) -> dict[str, Any]:
    return {name: v for name, v in run.columns.items() if name.startswith("latency_") and v}


#: As HdrHistogram itself computes them from these files.
PLAIN = {
    "latency_min_s": 100e-6,
    "latency_mean_s": 1014.8753333333333e-6,
    "latency_std_s": 908.7917009917924e-6,
    "latency_p50_s": 735e-6,
    "latency_p99_s": 4427e-6,
    "latency_p999_s": 6447e-6,
    "latency_max_s": 6535e-6,
}
WIDE = {
    "latency_mean_s": 1014.8106666666666e-6,
    "latency_std_s": 908.654313524248e-6,
    "latency_p50_s": 735e-6,
    "latency_p99_s": 4425e-6,
    "latency_p999_s": 6444e-6,
    "latency_max_s": 6533e-6,
}
DOUBLE = {
    "latency_min_s": 0.0999755859375e-3,
    "latency_mean_s": 1.014814412434896e-3,
    "latency_std_s": 0.9086458909394104e-3,
    "latency_p50_s": 0.73529052734375e-3,
    "latency_p99_s": 4.42572021484375e-3,
    "latency_p999_s": 6.44525146484375e-3,
    "latency_max_s": 6.53509521484375e-3,  # as its percentiles; its getMaxValue goes to the next
}


@pytest.mark.parametrize(
    ("name", "unit", "expected"),
    [
        ("plain.hlog", "us", PLAIN),
        ("no-base.hlog", "us", PLAIN),
        ("tags.hlog", "us", PLAIN),
        ("remark.hlog", None, PLAIN),
        ("wide.hlog", "us", WIDE),
        ("double.hlog", "ms", DOUBLE),
    ],
)
def test_a_log_reads_to_what_the_library_computes(
    name: str, unit: str | None, expected: dict[str, float], folder: Path
) -> None:
    run = run_in(folder / name, unit)
    assert {key: run.columns[key] for key in expected} == pytest.approx(expected, rel=1e-12)
    assert (run.columns["requests"], run.columns["duration_s"]) == (1500, 3.0)
    assert run.columns["throughput_rps"] == 500
    assert run.columns["started_at"].isoformat() == "2023-11-14T22:13:20+00:00"


def test_the_port_to_python_writes_the_same_log(folder: Path) -> None:
    run = run_in(folder / "python.hlog", "us")
    table = run_in(folder / "python.hgrm", "ms")
    assert run.columns["requests"] == table.columns["requests"] == 1200
    assert run.columns["latency_max_s"] == table.columns["latency_max_s"] == 6.147e-3
    assert run.columns["latency_mean_s"] == pytest.approx(table.columns["latency_mean_s"], abs=1e-6)
    assert table.columns["latency_std_s"] is None, "which is not in the unit of the table"
    assert run.columns["latency_std_s"] == pytest.approx(902.389e-6, rel=1e-3)


def test_a_footer_says_the_same_without_its_number_signs(folder: Path) -> None:
    path = folder / "plain-ms.hgrm"
    printed = latencies(run_in(path, "ms"))
    path.write_text(path.read_text("utf-8").replace("#[", "["), "utf-8")
    assert latencies(run_in(path, "ms")) == printed


def test_tags_are_counted_together_and_told_apart(folder: Path) -> None:
    run = run_in(folder / "tags.hlog", "us")
    assert run.figures("tag read", "total") == run.figures("tag write", "total") == [500]
    assert run.figures("intervals", "total") == [3]
    (note,) = [row["note"] for row in run.rows("notes")]
    assert note == (
        "the intervals of all tags are counted together: read 500, write 500; without one 500"
    )


def test_a_table_has_all_its_percentiles(folder: Path) -> None:
    run = run_in(folder / "plain-ms.hgrm")
    assert latencies(run) == pytest.approx(
        {
            "latency_min_s": 0.100e-3,
            "latency_mean_s": 1.023e-3,
            "latency_std_s": 0.908e-3,
            "latency_p50_s": 0.741e-3,
            "latency_p75_s": 1.402e-3,
            "latency_p90_s": 2.203e-3,
            "latency_p95_s": 2.807e-3,
            "latency_max_s": 6.535e-3,
        },
        rel=1e-12,
    )
    assert run.columns["requests"] == 2000
    assert len(run.rows("quantiles")) > 40


@pytest.mark.parametrize("name", ["plain.hlog", "python.hgrm"])
def test_without_a_unit_there_is_no_latency_but_a_line_that_says_what_to_write(
    name: str, folder: Path
) -> None:
    results = benchkit.load(folder / name)
    (run,) = runs_of(results).values()
    assert not latencies(run)
    assert not run.rows("quantiles")
    assert run.figures("Value", "max") == pytest.approx([6535 if name == "plain.hlog" else 6.147])
    assert results.files["state"].tolist() == ["read"]
    message = results.files["message"].item()
    assert str(message).endswith(
        f"{name}: expected the unit of its values (ns, us, ms, s), without which they are no "
        'latencies, found \'none\'; write it into meta.json beside the file, as {"unit": "us"}'
    )


def test_the_output_goes_before_the_metadata_and_these_before_the_name(folder: Path) -> None:
    assert run_in(folder / "remark.hlog", "ms").columns["latency_max_s"] == 6535e-6
    assert run_in(folder / "plain-ms.hgrm", "us").columns["latency_max_s"] == 6.535e-6


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("a/ms/total.hgrm", None),
        ("total.hgrm", None),
        ("total-ms.hgrm", "ms"),
        ("total_us.1.hlog", "us"),
        ("read.microseconds.hlog", "us"),
        ("nanos.hlog", "ns"),
        ("items.hlog", None),
        ("status.hlog", None),
        ("run-s.hlog", None),
        ("run-sec.hlog", "s"),
        ("us-in-ms.hlog", None),
    ],
)
def test_a_unit_is_a_word_of_the_name(name: str, unit: str | None) -> None:
    assert unit_in_name(name) == unit


def test_a_unit_that_is_none_is_named(folder: Path) -> None:
    (folder / "meta.json").write_text('{"unit": "minutes"}', encoding="utf-8")
    messages = "\n".join(benchkit.load(folder / "plain.hlog").files["message"].dropna())
    assert "meta.json: expected 'unit' to be ns or us or ms or s, found" in messages


def test_what_holds_nothing_has_no_latency(folder: Path) -> None:
    run = run_in(folder / "empty.hgrm", "us")
    assert (run.columns["requests"], latencies(run)) == (0, {})
    assert "expected an interval of HdrHistogram's log, found 'a log without one'" in refusal(
        folder / "empty.hlog"
    )


@pytest.mark.parametrize(
    ("old", "new", "actual"),
    [
        (",HISTF", ",AAAAF", "no packed histogram of the encoding V2"),
        (",HISTFA", ",HISTIg", "a histogram of the encoding V1"),
        ("version 1.3", "version 2.0", "version 2.0"),
        ("1.000,1.000", "soon,1.000", "soon,1.000,"),
    ],
)
def test_a_log_that_cannot_be_read_names_the_line(
    old: str, new: str, actual: str, folder: Path
) -> None:
    path = folder / "plain.hlog"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert actual in refusal(path)
    assert ", line " in refusal(path)


def packed(counts: bytes, *, highest: int = 2**63 - 1, digits: int = 5) -> str:
    """Return a histogram with some bytes as its counts, packed as HdrHistogram does."""
    header = struct.pack(">IIIIQQd", 0x1C849313, len(counts), 0, digits, 1, highest, 1.0)
    body = zlib.compress(header + counts)
    return base64.b64encode(struct.pack(">II", 0x1C849314, len(body)) + body).decode()


def log_of(*histograms: str) -> str:
    rows = (f"{at}.0,1.0,9.0,{histogram}\n" for at, histogram in enumerate(histograms))
    return "#[Histogram log format version 1.3]\n" + "".join(rows)


def test_zeros_that_are_not_counted_are_passed_over_at_once(tmp_path: Path) -> None:
    path = tmp_path / "us.hlog"
    path.write_text(log_of(packed(bytes(1_000_000) + b"\2")), encoding="utf-8")
    assert run_in(path).columns["requests"] == 1


@pytest.mark.parametrize(
    ("histograms", "actual"),
    [
        ([packed(bytes(2**26))], "histograms that unpack to far too much"),
        ([packed(b"\2" * 500_000)] * 8, "histograms that unpack to far too much"),
        (
            [packed(b"\2" * 2**20, highest=10_000, digits=3)],
            "unpacks to more counts than its range has",
        ),
    ],
)
def test_what_unpacks_to_more_than_a_histogram_has_is_refused_soon(
    histograms: list[str], actual: str, tmp_path: Path
) -> None:
    path = tmp_path / "us.hlog"
    path.write_text(log_of(*histograms, packed(b"\2")), encoding="utf-8")
    message = refusal(path)
    assert actual in message
    assert ", line " in message


def test_a_log_that_breaks_off_is_read_up_to_there(folder: Path) -> None:
    path = folder / "plain.hlog"
    path.write_bytes(path.read_bytes()[:-40])
    run = run_in(path, "us")
    assert run.columns["requests"] == 1000
    (note,) = [row["note"] for row in run.rows("notes")]
    assert note == "line 8 breaks off: the last interval is left out"


def test_a_report_of_wrk2_has_its_table_once(data: Path) -> None:
    runs = benchkit.load(data / "wrk2" / "uncorrected.txt").runs
    assert list(runs["tool"]) == ["wrk2"]
