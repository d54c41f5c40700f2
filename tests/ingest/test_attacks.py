"""One attack from many generators: what adds up is added, what does not is refused."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import benchkit
from benchkit.counting.skew import skew_ns
from benchkit.counting.slices import Slices
from benchkit.errors import NothingToReportError, UsageError
from tests.ingest.outputs import recorded, wrk

NAMES = "{variant}-{generator}"
START_NS = 1_795_174_800_000_000_000
SECOND_NS = 1_000_000_000


def row(sent_ns: int, latency_ns: int, seq: int, *, status: int = 200, attack: str = "") -> str:
    url = "http://127.0.0.1:8931/"
    return f"{sent_ns},{status},{latency_ns},0,12,,SGVsbG8=,{attack},{seq},GET,{url},\n"


def attack(path: Path, *, rate: int, first_s: float, seconds: float, status: int = 200) -> None:
    """Write what vegeta would at a rate, from so many seconds after the start on."""
    sends = range(round(seconds * rate))
    first_ns = START_NS + round(first_s * SECOND_NS)
    rows = (
        row(first_ns + n * SECOND_NS // rate, 2_000_000, n, status=status if n % 2 else 200)
        for n in sends
    )
    path.write_text("".join(rows), encoding="utf-8")


def only(results: benchkit.Results) -> Mapping[Any, Any]:
    (run,) = results.runs.to_dict("records")
    return run


def test_the_parts_of_an_attack_are_the_attack(data: Path, tmp_path: Path) -> None:
    rows = (
        (data / "vegeta" / "mixed-post.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    )
    np.random.default_rng(3).shuffle(rows)
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "gin.csv").write_text("".join(sorted(rows)), encoding="utf-8")
    (tmp_path / "parts").mkdir()
    for number in range(3):
        part = "".join(sorted(rows[number::3]))
        (tmp_path / "parts" / f"gin-g{number}.csv").write_text(part, encoding="utf-8")
    whole = benchkit.load(tmp_path / "whole", names="{variant}")
    joined = benchkit.load(tmp_path / "parts", names=NAMES)
    expected, run = only(whole), only(joined)
    # Their numbers are those of one generator here; the throughput is of the common window.
    own = {"run_id", "sha256", "label", "source", "other_sources", "unrecorded"}
    own |= {"throughput_rps", "goodput_rps"}
    assert {k: v for k, v in run.items() if k not in own and not pd.isna(v)} == {
        k: v for k, v in expected.items() if k not in own and not pd.isna(v)
    }
    assert run["variant"] == "gin"
    assert str(run["other_sources"]).count("; ") == 1
    for table in ("quantiles", "statuses", "errors", "timeline", "histogram"):
        ours, theirs = (results.table(table).drop(columns="run_id") for results in (joined, whole))
        if table == "errors":  # in order of appearance
            ours, theirs = (
                errors.sort_values("error", ignore_index=True) for errors in (ours, theirs)
            )
        assert ours.equals(theirs), table
    assert len(joined.requests()) == len(rows)


def test_the_throughput_is_that_of_the_time_in_which_all_sent(tmp_path: Path) -> None:
    attack(tmp_path / "gin-a.csv", rate=100, first_s=0, seconds=10)
    attack(tmp_path / "gin-b.csv", rate=300, first_s=2, seconds=10, status=500)
    results = benchkit.load(tmp_path, names=NAMES)
    run = only(results)
    assert run["requests"] == 4000
    assert run["duration_s"] == pytest.approx(12, abs=0.02)
    assert run["throughput_rps"] == pytest.approx(400, rel=0.003)
    assert run["goodput_rps"] == pytest.approx(250, rel=0.003)
    notes = [note.replace("\xa0", " ") for note in results.notes["note"]]
    assert "2 generators together: a and b" in notes
    assert (
        "first requests within 2 s, last within 2.0 s of each other, by the generators' clocks"
        in (notes)
    )
    assert "the throughput is that of the 7.94 s in which all sent" in notes


def test_what_asked_for_a_load_adds_up(tmp_path: Path) -> None:
    for name, rate in (("a", 100), ("b", 200)):
        folder = tmp_path / name
        folder.mkdir()
        attack(folder / "results.csv", rate=rate, first_s=0, seconds=2)
        meta = {
            "scenario": "ping",
            "variant": "gin",
            "generator": name,
            "connections": 10,
            "command": f"vegeta attack -rate={rate}/s -duration=2s",
        }
        (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    run = only(benchkit.load(tmp_path))
    assert (run["scenario"], run["variant"]) == ("ping", "gin")
    assert (run["offered_rate_rps"], run["connections"]) == (300, 20)
    assert pd.isna(run["command"])


def test_attacks_of_one_name_are_told_apart_by_time(tmp_path: Path) -> None:
    for repeat, first_s in enumerate((0, 60, 120)):
        for generator in "abc":
            path = tmp_path / f"run{repeat}" / f"gin-{generator}.csv"
            path.parent.mkdir(exist_ok=True)
            attack(path, rate=50, first_s=first_s + ord(generator) % 3 / 10, seconds=5)
    runs = benchkit.load(tmp_path, names=NAMES).runs
    assert runs["requests"].tolist() == [750, 750, 750]
    assert sorted(runs["repeat"]) == [1, 2, 3]


def test_percentiles_are_never_averaged(tmp_path: Path) -> None:
    for name in ("gin-a.txt", "gin-b.txt", "echo-a.txt"):
        (tmp_path / name).write_text(wrk(), encoding="utf-8")
    (tmp_path / "net.txt").write_text(wrk(), encoding="utf-8")
    results = benchkit.load(tmp_path, names=[NAMES, "{variant}"])
    assert sorted(results.runs["variant"]) == ["echo", "net"]
    files = results.files.set_index("source")
    (message,) = {m.partition(": ")[2] for m in files[files["state"] == "skipped"]["message"]}
    assert message == (
        "expected rows or counts of latencies, which add up, found 'percentiles, which do not'; "
        "record rows or a histogram on each generator, or name them as runs of their own"
    )


def test_only_what_does_not_add_up_is_nothing(tmp_path: Path) -> None:
    for name in ("gin-a.txt", "gin-b.txt"):
        (tmp_path / name).write_text(wrk(), encoding="utf-8")
    with pytest.raises(NothingToReportError, match="percentiles, which do not"):
        benchkit.load(tmp_path, names=NAMES)


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        ({"gin-a": 0, "gin-b": 30}, "runs of a and b that overlap in time"),
        ({"gin-a": 0, "2/gin-a": 0.1, "gin-b": 0}, "one run of each generator in an attack"),
    ],
)
def test_which_belong_together_is_never_guessed(
    starts: Mapping[str, float], expected: str, tmp_path: Path
) -> None:
    for rate, (name, first_s) in enumerate(starts.items(), 50):
        path = tmp_path / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        attack(path, rate=rate, first_s=first_s, seconds=5)
    with pytest.raises(NothingToReportError, match=expected):
        benchkit.load(tmp_path, names=NAMES)


def test_a_generator_that_is_missing_is_lost(tmp_path: Path) -> None:
    for name, first_s, rate in (("gin-a", 0, 50), ("gin-b", 0, 60), ("2/gin-a", 60, 50)):
        path = tmp_path / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        attack(path, rate=rate, first_s=first_s, seconds=5)
    results = benchkit.load(tmp_path, names=NAMES)
    assert sorted(results.runs["requests"]) == [250, 550]
    notes = results.notes["note"].tolist()
    assert "no run of b, which took part in other attacks" in notes


@pytest.mark.parametrize(("apart_s", "alongside"), [(0, True), (1, False)])
def test_histograms_add_up(apart_s: int, *, alongside: bool, tmp_path: Path) -> None:
    text = recorded("wrk/histogram.csv")
    longer = re.sub(r"(?m)^duration_us,(\d+)", lambda m: f"duration_us,{int(m[1]) + 7}", text)
    (tmp_path / "single.csv").write_text(text, encoding="utf-8")
    single = benchkit.load(tmp_path / "single.csv")
    for number, content in enumerate((text, longer)):
        folder = tmp_path / "joined" / f"{number}"
        folder.mkdir(parents=True)
        (folder / "wrk.csv").write_text(content, encoding="utf-8")
        started = f"2026-11-22T10:00:0{number * apart_s}Z"
        meta = {"variant": "gin", "generator": number, "started_at": started}
        (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    alone, run = only(single), only(benchkit.load(tmp_path / "joined"))
    for column in ("requests", "received_bytes", "errors", "non2xx"):
        assert run[column] == 2 * alone[column]
    for column in ("latency_min_s", "latency_max_s", "latency_mean_s", "latency_p99_s"):
        assert run[column] == pytest.approx(alone[column], rel=0.005), column  # a bin of the file
    assert run["duration_s"] == pytest.approx(alone["duration_s"] + apart_s, abs=1e-4)
    assert pd.isna(run["throughput_rps"]) is not alongside
    if alongside:
        assert run["throughput_rps"] == pytest.approx(2 * alone["throughput_rps"], rel=1e-4)


def hey_rows(data: Path, path: Path, count: int) -> None:
    """Write the heading and the first rows of what hey wrote."""
    text = (data / "hey" / "mixed.csv").read_text(encoding="utf-8")
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(text.splitlines(keepends=True)[: count + 1]), encoding="utf-8")


def test_times_from_each_generators_own_start_say_nothing_of_the_overlap(
    data: Path, tmp_path: Path
) -> None:
    # An hour or a second apart, for all that hey writes.
    hey_rows(data, tmp_path / "gin-a.csv", 300)
    hey_rows(data, tmp_path / "gin-b.csv", 290)
    results = benchkit.load(tmp_path, names=NAMES)
    run = only(results)
    assert run["requests"] == 590
    assert run["latency_max_s"] == only(benchkit.load(data / "hey" / "mixed.csv"))["latency_max_s"]
    unknown = ("started_at", "duration_s", "wait_s", "throughput_rps", "goodput_rps", "errors")
    assert [column for column in unknown if not pd.isna(run[column])] == []
    assert results.timeline.empty
    notes = results.notes["note"].str.cat(sep="\n")
    assert "when each generator ran is not known, and so no throughput of all" in notes
    assert "clock" not in notes
    assert "first requests" not in notes


@pytest.mark.parametrize(("apart_ms", "alongside"), [(0.5, True), (3_600_000, False)])
def test_metadata_may_say_when_each_generator_began(
    data: Path, tmp_path: Path, *, apart_ms: float, alongside: bool
) -> None:
    rates = []
    for number, count in enumerate((300, 299)):
        folder = tmp_path / f"{number}"
        hey_rows(data, folder / "hey.csv", count)
        rates.append(only(benchkit.load(folder))["throughput_rps"])
        began = datetime(2026, 11, 22, 10, tzinfo=UTC) + timedelta(milliseconds=number * apart_ms)
        meta = {"variant": "gin", "generator": number, "started_at": began.isoformat()}
        (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    if not alongside:
        with pytest.raises(NothingToReportError, match="none that overlaps this one"):
            benchkit.load(tmp_path)
        return
    run = only(benchkit.load(tmp_path))
    assert run["duration_s"] == pytest.approx(0.0187 + 0.0005)
    assert run["throughput_rps"] == pytest.approx(sum(rates))


def stalled(offset_s: float, stalls: Sequence[float], *, seed: int) -> Slices:
    """Return 30 s of requests to a server that stops for 0.4 s at some moments."""
    rng = np.random.default_rng(seed)
    sent = np.sort(rng.uniform(0, 30, 3000))
    latency = rng.lognormal(np.log(0.005), 0.3, len(sent))
    for stall in stalls:
        waiting = (sent >= stall) & (sent < stall + 0.4)
        latency[waiting] += stall + 0.4 - sent[waiting]
    none = np.zeros(len(sent), np.int64)
    started = START_NS + ((sent + offset_s) * 1e9).astype(np.int64)
    return Slices.from_requests(
        (latency * 1e9).astype(np.int64),
        started_ns=started,
        kinds=none,
        endpoints=none,
        received=None,
    )


@pytest.mark.parametrize("offset_s", [0.0, 0.2, -1.3, 4.0])
def test_clocks_are_compared_by_the_stalls_that_both_saw(offset_s: float) -> None:
    stalls = [3.0, 7.7, 15.0, 22.1]
    skew = skew_ns(stalled(0, stalls, seed=1), stalled(offset_s, stalls, seed=2))
    assert skew is not None
    assert skew / SECOND_NS == pytest.approx(offset_s, abs=0.0625)


def test_without_a_stall_nothing_is_said_of_the_clocks() -> None:
    assert all(
        skew_ns(stalled(0, [], seed=n), stalled(1, [], seed=n + 100)) is None for n in range(50)
    )


def test_a_pattern_with_a_generator_alone_names_no_variant(tmp_path: Path) -> None:
    attack(tmp_path / "a.csv", rate=50, first_s=0, seconds=2)
    attack(tmp_path / "b.csv", rate=60, first_s=0, seconds=2)
    run = only(benchkit.load(tmp_path, names="{generator}"))
    assert run["requests"] == 220
    with pytest.raises(UsageError, match="fits no name"):
        benchkit.load(tmp_path, names="x-{generator}")


def test_a_part_that_is_cut_is_told_of_the_attack(tmp_path: Path) -> None:
    attack(tmp_path / "gin-g0.csv", rate=100, first_s=0, seconds=4)
    attack(tmp_path / "gin-g1.csv", rate=90, first_s=0, seconds=4)
    whole = (tmp_path / "gin-g1.csv").read_bytes()
    (tmp_path / "gin-g1.csv").write_bytes(whole[:-10])
    results = benchkit.load(tmp_path, names=NAMES)
    (note,) = [text for text in results.notes["note"] if "broken place" in text]
    assert note.startswith("g1: read up to a broken place: line 360: ")
    first = str(results.files.set_index("state").loc["read", "message"])
    assert "of one attack with it" in first
    assert "gin-g1.csv: read up to a broken place" in first


def test_the_same_output_of_two_generators_counts_once_and_is_told(tmp_path: Path) -> None:
    for name in ("gin-g0.csv", "gin-g1.csv"):
        attack(tmp_path / name, rate=100, first_s=0, seconds=4)
    results = benchkit.load(tmp_path, names=NAMES)
    assert only(results)["requests"] == 400
    (note,) = [text for text in results.notes["note"] if "same content" in text]
    assert note.endswith("gin-g1.csv, of another generator, has the same content: it counts once")
    assert note in str(results.files.set_index("state").loc["read", "message"])


def test_a_copy_of_one_generators_output_is_no_loss(tmp_path: Path) -> None:
    for name in ("a/gin-g0.csv", "b/gin-g0.csv"):
        (tmp_path / name).parent.mkdir()
        attack(tmp_path / name, rate=100, first_s=0, seconds=4)
    results = benchkit.load(tmp_path, names=NAMES)
    assert not results.notes["note"].str.contains("same content").any()
