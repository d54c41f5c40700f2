"""Five published benchmarks: what is to be known about them before their figures are believed.

The numbers are those of the documents; pages and names around them are written here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import benchkit
from benchkit.validity import Finding, findings
from tests.documents import (
    AB_RUNS,
    ATTACKS,
    AUTOCANNON,
    AUTOCANNON_RUNS,
    TIMES,
    TIMES_OF,
    WRK,
    WRK_RUNS,
    attack,
    block,
)
from tests.validity.runs import plain

Found = list[Finding]


def checked(folder: Path, sections: dict[str, str]) -> Found:
    """Return the findings of a page with a section, and a block in it, per run."""
    parts = [f"## {title}\n\n```\n{text}\n```\n" for title, text in sections.items()]
    page = folder / "page.md"
    page.write_text("# Measured\n\n" + "\n".join(parts), encoding="utf-8")
    return findings(benchkit.load(page))


def by_variant(findings: Found, check: str) -> dict[str | None, Finding]:
    """Return the findings of one check by variant."""
    return {finding.variant: finding for finding in findings if finding.check == check}


# --- six attacks: two servers with logs to two terminals, with no logs, with another recovery ---

LOGS, SILENT, OTHER = "logs", "no logs", "other recovery"
SHELL = "$ vegeta attack -duration=100s -targets=t.http | vegeta report\n"


@pytest.fixture
def attacks(tmp_path: Path) -> Found:
    names = [f"{n} {name}" for n in (1, 2) for name in (LOGS, SILENT, OTHER)]
    texts = [SHELL + attack(*finding).text for finding in ATTACKS]
    return checked(tmp_path, dict(zip(names, texts, strict=True)))


def test_a_run_of_timeouts_has_no_latencies(attacks: Found) -> None:
    (finding,) = by_variant(attacks, "CENSORED").values()
    assert (finding.variant, finding.severity) == ("1 logs", "error")
    assert finding.values["timed_out_share"] == pytest.approx(4992 / 5000)
    assert finding.values["timeout_s"] == 30
    shown = {"latency_mean_s", "latency_p50_s", "latency_p90_s", "latency_p95_s", "latency_p99_s"}
    assert set(finding.withheld) == shown | {"latency_max_s"}
    assert "99.84 % of the requests had no answer within 30 s" in plain(finding.message)


def test_failures_by_design_are_told_from_a_server_that_failed(attacks: Found) -> None:
    mixed = by_variant(attacks, "ERROR_MIX")
    assert mixed["1 logs"].severity == "error"
    assert mixed["1 logs"].values["failed_share"] == pytest.approx(0.9988)
    assert {mixed[name].severity for name in ("1 no logs", "2 logs")} == {"warning"}
    assert "2,500 with an error status, of 5,000" in plain(mixed["2 logs"].message)
    between = mixed[None]
    assert between.severity == "error"
    assert (
        "99.88\u00a0% of the requests failed in “1 logs”, 50\u00a0% in 5\u00a0variants"
        in between.message
    )


def test_a_minimum_above_the_mean(attacks: Found) -> None:
    findings = by_variant(attacks, "IMPOSSIBLE_ORDER")
    assert set(findings) == {"1 no logs", "2 no logs"}
    assert findings["1 no logs"].severity == "error"
    assert "the minimum (1.99 ms) is above the mean (1.07 ms)" in plain(
        findings["1 no logs"].message
    )
    assert "the mean (1.09 ms)" in plain(findings["2 no logs"].message)
    assert set(findings["1 no logs"].withheld) == {"latency_min_s"}


def test_a_clock_that_shows_nothing(attacks: Found) -> None:
    findings = by_variant(attacks, "CLOCK_STEP")
    assert set(findings) == {"1 other recovery", "2 other recovery"}
    finding = findings["1 other recovery"]
    assert "95 % of the latencies are 0 and the largest is 12.0 ms" in plain(finding.message)
    assert {"latency_p50_s", "latency_p99_s"} <= set(finding.withheld)  # 5.446 µs is interpolated


def test_bodies_of_another_server(attacks: Found) -> None:
    (finding,) = by_variant(attacks, "WORK_DIFFERS").values()
    sizes = finding.values["bytes_per_response"]
    assert sizes["1 other recovery"] == 24.5
    assert sizes["2 no logs"] == 6
    assert "1 logs" not in sizes  # eight answers say nothing


def test_single_runs_on_one_machine(attacks: Found) -> None:
    assert by_variant(attacks, "REPLICATES")[None].message.startswith("One run each")
    assert "127.0.0.1" in next(iter(by_variant(attacks, "ONE_HOST").values())).message


# --- connection times of two proxies ---


@pytest.fixture
def times(tmp_path: Path) -> Found:
    return checked(tmp_path, {name: block(TIMES, n).text for name, n in TIMES_OF.items()})


def test_connections_were_tried_again(times: Found) -> None:
    findings = by_variant(times, "SYN_RETRY")
    assert {name: finding.values["connect_max_s"] for name, finding in findings.items()} == {
        "workers kept": 7.088,
        "workers anew": 7.071,
    }
    assert "Connecting is 114 ms of the mean of 328 ms" in plain(findings["workers kept"].message)


def test_the_mean_and_the_median_disagree(times: Found) -> None:
    (finding,) = by_variant(times, "SIGN_CONFLICT").values()
    assert finding.values["ratios"]["latency_p50_s"] == pytest.approx(182 / 250)
    assert finding.values["ratios"]["latency_mean_s"] == pytest.approx(379 / 328)
    assert "has the lower mean, but “workers anew” has the lower p50" in plain(finding.message)


def test_nothing_graver_is_said_of_them(times: Found) -> None:
    assert {time.check for time in times} == {"SYN_RETRY", "SIGN_CONFLICT", "REPLICATES"}
    assert not [time for time in times if time.severity == "error"]


# --- four amounts of logging ---


def test_percentiles_of_ten_samples(tmp_path: Path) -> None:
    sections = {name: block(AUTOCANNON, n).text for name, n in AUTOCANNON_RUNS.items()}
    findings = checked(tmp_path, sections)
    samples = by_variant(findings, "SAMPLES_N")
    least = {name: finding.values["minimum"] for name, finding in samples.items()}
    assert least == {
        "silent": 586,
        "five short lines": 334,
        "five long lines": 251,
        "twenty tiny lines": 111,
    }
    assert "p1 and p2.5 are its minimum, 586" in plain(samples["silent"].message)
    assert {finding.check for finding in findings} == {
        "SAMPLES_N",
        "REPLICATES",
    }  # 75 B each: equal work


# --- ab, with requests merged and without ---

ONE_BY_ONE, MERGED = "One by one", "Merged"


@pytest.fixture
def merging(tmp_path: Path) -> Found:
    texts = []
    for (template, numbers), path in zip(AB_RUNS, ("/one", "/merged"), strict=True):
        shell = f"$ ab -n 100000 -c 1000 http://localhost:8080{path}\n"
        texts.append(shell + block(template, numbers, path=path).text)
    return checked(tmp_path, dict(zip((ONE_BY_ONE, MERGED), texts, strict=True)))


def test_length_failures_are_explained_by_bodies_of_145_bytes(merging: Found) -> None:
    findings = by_variant(merging, "AB_LENGTH")
    assert {name: finding.values["other_length"] for name, finding in findings.items()} == {
        ONE_BY_ONE: 145.0,
        MERGED: 145.0,
    }
    assert {finding.severity for finding in findings.values()} == {"info"}
    assert findings[ONE_BY_ONE].values["failures"] == 1591
    assert findings[MERGED].values["failures"] == 0


def test_one_request_lasted_as_long_as_the_run(merging: Found) -> None:
    (finding,) = by_variant(merging, "STRAGGLER").values()
    assert (finding.variant, finding.severity) == (ONE_BY_ONE, "error")
    assert "15.73 s of the test's 15.74 s" in plain(finding.message)


def test_connections_stood_idle(merging: Found) -> None:
    (finding,) = by_variant(merging, "LITTLE_LOW").values()
    assert (finding.variant, finding.severity) == (ONE_BY_ONE, "error")
    assert finding.values["kappa"] == pytest.approx(0.654, abs=0.001)
    assert "only 65\u00a0% of the 1,000\u00a0connections" in finding.message
    assert "about 4,900 req/s, not 3,176" in plain(finding.message)


def test_the_command_asks_for_twice_as_many(merging: Found) -> None:
    findings = by_variant(merging, "COMMAND_DIFFERS")
    assert set(findings) == {ONE_BY_ONE, MERGED}
    assert "100,000 requests, the report says 50,000" in findings[MERGED].message


def test_a_run_of_a_second_and_a_half(merging: Found) -> None:
    findings = by_variant(merging, "TOO_SHORT")
    assert "it lasted 1.53 s" in plain(findings[MERGED].message)
    assert "50 requests per connection" in findings[ONE_BY_ONE].message


def test_failures_on_one_side_only(merging: Found) -> None:
    findings = by_variant(merging, "ERROR_MIX")
    assert findings[ONE_BY_ONE].values["failed_share"] == pytest.approx(1591 / 50000)
    assert "1,591 with another status, of 50,000" in findings[ONE_BY_ONE].message
    assert findings[None].severity == "error"
    assert by_variant(merging, "WORK_DIFFERS")


def test_further_notes_on_merging(merging: Found) -> None:
    (retry,) = by_variant(merging, "SYN_RETRY").values()
    assert (retry.variant, retry.values["connect_max_s"]) == (MERGED, 1.039)
    assert {"REPLICATES", "ONE_HOST"} <= {finding.check for finding in merging}
    assert "CONFIG_DIFFERS" not in {
        finding.check for finding in merging
    }  # the path is what is compared


# --- four gateways ---


@pytest.fixture
def gateways(tmp_path: Path) -> Found:
    sections = {}
    for name, numbers in WRK_RUNS.items():
        url = f"http://localhost:{name[-4:]}/hello.txt"
        header = '-H "Host: web" ' if "4140" in name else ""
        shell = f"$ wrk {header}-t 10 -c 200 -d 30s {url}\n"
        sections[name] = shell + block(WRK, numbers, url=url).text
    return checked(tmp_path, sections)


@pytest.mark.parametrize(
    ("name", "kappa", "mean_ms", "severity"),
    [
        ("relay one, port 8082", 1.065, 6.21, "warning"),
        ("relay two, port 8081", 1.306, 9.62, "error"),
        ("relay three, port 4140", 1.069, 7.13, "warning"),
        ("straight, port 8000", 1.221, 1.71, "warning"),
    ],
)
def test_latencies_that_do_not_fit_the_connections(
    gateways: Found, name: str, kappa: float, mean_ms: float, severity: str
) -> None:
    finding = by_variant(gateways, "LITTLE_HIGH")[name]
    assert finding.severity == severity
    assert finding.values["kappa"] == pytest.approx(kappa, abs=0.001)
    assert finding.values["little_mean_s"] * 1e3 == pytest.approx(mean_ms, abs=0.005)
    assert "samples that wrk added" in finding.message
    assert "no script that sends several requests at a time" in finding.message


def test_the_headline_is_per_thread(gateways: Found) -> None:
    findings = by_variant(gateways, "PER_THREAD")
    assert len(findings) == 4
    text = plain(findings["relay one, port 8082"].message)
    assert "3.24 k, is of one thread of 10. The throughput is 32.2 k req/s" in text


def test_the_gateways_sent_different_bytes(gateways: Found) -> None:
    (finding,) = by_variant(gateways, "WORK_DIFFERS").values()
    sizes = {name: round(size) for name, size in finding.values["bytes_per_response"].items()}
    assert list(sizes.values()) == [190, 206, 232, 190]


def test_one_gateway_got_a_header_more(gateways: Found) -> None:
    (finding,) = by_variant(gateways, "CONFIG_DIFFERS").values()
    assert finding.severity == "warning"
    assert "relay three, port 4140 sends host: web" in finding.message


def test_further_notes_on_the_gateways(gateways: Found) -> None:
    assert {"REPLICATES", "ONE_HOST"} <= {finding.check for finding in gateways}
    errors = [finding for finding in gateways if finding.severity == "error"]
    assert [finding.check for finding in errors] == ["LITTLE_HIGH"]
