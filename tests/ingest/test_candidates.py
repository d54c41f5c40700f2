"""How many records are held against each other: a number of the order of the runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations, islice
from pathlib import Path
from random import Random

import pytest

import benchkit
from benchkit.ingest import agreement, candidates, identity, precision

Count = Callable[[Path], int]

WRK = """\
Running 10s test @ http://127.0.0.1:8080/
  4 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     {mean:.2f}ms    2.42ms  {max:.2f}ms   89.30%
    Req/Sec    33.95k     3.65k   41.61k    70.97%
  {requests} requests in 10.0{hundredth}s, 22.74MB read
Requests/sec:  {rate:.2f}
Transfer/sec:      7.34MB
"""
REPORT = """\
Requests      [total, rate, throughput]         4000, 800.20, 800.11
Duration      [total, attack, wait]             4.993s, 4.988s, 5.2ms
Latencies     [min, mean, 50, 90, 95, 99, max]  1ms, {mean}ms, 4.9ms, 6.1ms, 7.3ms, 9.4ms, {max}ms
Success       [ratio]                           100.00%
Status Codes  [code:count]                      200:4000
"""
JSON = """\
{{"latencies":{{"total":20,"mean":{mean}000000,"50th":4900000,"90th":6100000,"95th":7300000,\
"99th":9400000,"max":{max}000000,"min":1000000}},"bytes_in":{{"total":0,"mean":0}},\
"bytes_out":{{"total":0,"mean":0}},"earliest":"2026-01-01T00:00:00Z",\
"latest":"2026-01-01T00:00:05Z","end":"2026-01-01T00:00:05Z","duration":4988000000,\
"wait":5200000,"requests":4000,"rate":800.2,"throughput":800.11,"success":1,\
"status_codes":{{"200":4000}},"errors":[]}}
"""


def wrk(rng: Random) -> str:
    return WRK.format(
        mean=rng.uniform(2, 9),
        max=rng.uniform(10, 90),
        requests=rng.randrange(100_000, 400_000),
        hundredth=rng.randrange(10),
        rate=rng.uniform(1000, 9000),
    )


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    """Return how many records, or figures of them, are compared when a folder is read."""
    compared = 0

    def counted(function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            nonlocal compared
            compared += 1
            return function(*arguments)

        return call

    monkeypatch.setattr(identity, "agreement", counted(agreement.agreement))
    monkeypatch.setattr(identity, "says_the_same", counted(agreement.says_the_same))
    monkeypatch.setattr(candidates, "agree", counted(precision.agree))

    def count(folder: Path) -> int:
        nonlocal compared
        compared = 0
        benchkit.load(folder)
        return compared

    return count


def write(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize("joined", [False, True])
def test_reports_of_one_kind(count: Count, tmp_path: Path, *, copied: bool, joined: bool) -> None:
    compared = []
    for many in (50, 100, 200):
        rng = Random(7)  # noqa: S311 - figures, no secrets
        texts = [wrk(rng)] * many if copied else [wrk(rng) for _ in range(many)]
        files = {f"{at}.txt": f"run {at}\n{text}" for at, text in enumerate(texts)}
        if joined:
            files = {"all.txt": "\n".join(texts)}
        compared.append(count(write(tmp_path / str(many), files)))
    assert max(compared) <= 2


def test_two_files_of_each_run(count: Count, tmp_path: Path) -> None:
    """All with one number of requests, by design; the largest latency tells most of them apart."""
    compared = []
    for many in (50, 100, 200):
        rng = Random(7)  # noqa: S311 - figures, no secrets
        files = {}
        for at in range(many):
            figures = {"mean": rng.randrange(3, 9), "max": rng.randrange(10_000, 20_000)}
            files[f"{at}.txt"] = REPORT.format(**figures)
            files[f"{at}.json"] = JSON.format(**figures)
        folder = write(tmp_path / str(many), files)
        compared.append(count(folder))
    assert compared[1] < 2.6 * compared[0]
    assert compared[2] < 2.6 * compared[1]
    assert len(benchkit.load(folder)) == many


@pytest.mark.parametrize("own", [True, False])
def test_reports_that_nothing_tells_apart(count: Count, tmp_path: Path, *, own: bool) -> None:
    """Once each of many was held against all others: 130 kB took a minute."""
    for many in (100, 400, 800):
        parts = [
            f"http_req_duration........: p({at}.{at})=9ms "
            if own
            else f"http_req_duration........: p(80)=9ms {'ab'[at % 2]}_time........: avg={at}ms "
            for at in range(many)
        ]
        files = {"all.txt": f"TOTAL RESULTS\n{''.join(parts)}"}
        assert count(write(tmp_path / str(many), files)) <= 10_000 + 4 * many


def test_a_run_whose_figures_were_cut_in_many_ways_is_one(data: Path, tmp_path: Path) -> None:
    """k6's summary with other lines left out each time; once more than 32 were as many runs."""
    lines = (data / "k6" / "legacy.txt").read_text().splitlines(keepends=True)
    names = re.compile(r" (?:http_req_[bcrstw]|group_d|iteration_d|own_)\w*\.+: avg")
    further = [at for at, line in enumerate(lines) if names.search(line)]
    cuts = list(islice(combinations(further, 3), 60))
    for number, cut in enumerate(cuts):
        text = "".join(line for at, line in enumerate(lines) if at not in cut)
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    assert len(cuts) == 60
    assert len(benchkit.load(tmp_path)) == 1


HISTOGRAM = """\
Bucket           #    %       Histogram
[0s,    5ms]     {below}  {share:.2f}%  ###
[5ms,   +Inf]    {above}  {rest:.2f}%  ###
"""


def histogram(number: int) -> str:
    below = 2100 + number
    above = 4000 - below
    return HISTOGRAM.format(below=below, above=above, share=below / 40, rest=above / 40)


def test_of_very_many_forms_of_runs_names_tell_which_are_one(tmp_path: Path) -> None:
    """No figure does: each histogram may be that of each report. 14,400 pairs are too many."""
    for number in range(120):
        mean, most = 3 + number / 1000, 10 + number
        report = REPORT.format(mean=mean, max=most)
        (tmp_path / f"report_{number:03}.txt").write_text(report, "utf-8")
        (tmp_path / f"hist_{number:03}.txt").write_text(histogram(number), "utf-8")
    results = benchkit.load(tmp_path)
    assert len(results) == 120
    for run in results:
        assert run.get("other_sources") == run.get("source").replace("report_", "hist_")


def test_a_crowd_of_one_form_leaves_the_pairs_of_others_as_they_are(tmp_path: Path) -> None:
    for folder in ("json", "txt"):
        (tmp_path / folder).mkdir()
    for number in range(120):
        figures = {"mean": 3 + number, "max": 200 + number}
        (tmp_path / "json" / f"{number}.json").write_text(JSON.format(**figures), "utf-8")
        report = REPORT.format(**figures)
        (tmp_path / "txt" / f"{number}.report.txt").write_text(report, "utf-8")
        (tmp_path / "txt" / f"{number}.hist.txt").write_text(histogram(number), "utf-8")
    assert len(benchkit.load(tmp_path)) == 120
