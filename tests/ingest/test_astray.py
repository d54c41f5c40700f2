"""A time far from all others is damaged, and no run lasts decades because of it."""

from pathlib import Path

import pandas as pd
import pytest

import benchkit

FAR = [
    ("jmeter/plain.jtl", "1795378275721,", "17953782757,"),
    ("jmeter/plain.xml", 'ts="1795378355373"', 'ts="8795378355373"'),
    ("vegeta/ok.csv", "1795174800092003832,", "1195174800092003832,"),
    ("vegeta/ok.json", "2026-11-20T11:40:00.092", "2062-11-20T11:40:00.092"),
    ("k6/points.csv", "2026-11-22T20:12:22.013981159Z", "1986-11-22T20:12:22.013981159Z"),
    ("k6/points.json", "2026-11-22T20:12:22.013981159Z", "2027-11-22T20:12:22.013981159Z"),
    ("h2load/mixed.tsv", "1795380290291207\t", "7795380290291207\t"),
    ("fortio/access.influx", " 1795378308301098862", " 1195378308301098862"),
    ("fortio/access.log.json", "1795378307284597678", "1095378307284597678"),
    ("hey/mixed.csv", "500,0.0034", "500,90034.0034"),
    ("oha/mixed.csv", "0.00227136,", "922713.6,"),
]


def changed(path: Path, old: str, new: str, to: Path) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    to.write_text(text.replace(old, new), encoding="utf-8")
    return to


@pytest.mark.parametrize(("name", "old", "new"), FAR)
def test_one_time_far_from_all_others_leaves_no_duration(
    name: str, old: str, new: str, *, data: Path, tmp_path: Path
) -> None:
    results = benchkit.load(changed(data / name, old, new, tmp_path / Path(name).name))
    (run,) = results.runs.to_dict("records")
    (whole,) = benchkit.load(data / name).runs.to_dict("records")
    for column in ("started_at", "duration_s", "wait_s", "throughput_rps", "goodput_rps"):
        assert pd.isna(run[column]), column
    for column in ("requests", "latency_p50_s", "latency_max_s", "non2xx"):
        assert run[column] == whole[column] or pd.isna(whole[column]), column
    (message,) = results.files["message"]
    assert " sent a day or more from all others: these times are damaged" in message
    assert results.timeline["second"].max() < 3600
