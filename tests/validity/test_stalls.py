from __future__ import annotations

from pathlib import Path

import pytest

from tests.validity.runs import in_file, plain, raised, run, state

# --- PERIODIC_STALLS ---


def maxima(*stalled: int, seconds: int = 60) -> tuple[float, ...]:
    return tuple(0.3 if second in stalled else 0.012 for second in range(seconds))


def test_a_stall_every_five_seconds() -> None:
    (finding,) = raised("PERIODIC_STALLS", run("vegeta", maxima=maxima(*range(2, 60, 5))))
    assert finding.severity == "warning"
    assert "about every 5 s the slowest request took 300 ms, otherwise 12 ms (12 times)" in plain(
        finding.message
    )


@pytest.mark.parametrize(
    "stalled",
    [
        (2, 9, 13, 30, 34, 51),  # at no even distances
        (2, 12, 22, 32),  # four may be chance
        (1, 6, 11, 16, 21),  # a part of the run only
        (),
    ],
)
def test_stalls_that_do_not_recur(stalled: tuple[int, ...]) -> None:
    assert not raised("PERIODIC_STALLS", run("vegeta", maxima=maxima(*stalled)))


def test_a_stall_over_the_end_of_a_second_is_one() -> None:
    twice = [second for start in range(4, 60, 10) for second in (start, start + 1)]
    (finding,) = raised("PERIODIC_STALLS", run("vegeta", maxima=maxima(*twice)))
    assert finding.values["distance_s"] == 10


def test_maxima_that_scatter_are_no_stalls() -> None:
    mild = tuple(0.04 if second % 5 == 0 else 0.012 for second in range(60))
    assert not raised("PERIODIC_STALLS", run("vegeta", maxima=mild))
    assert state("PERIODIC_STALLS", run("vegeta", maxima=maxima(seconds=19))) == {"not applicable"}


# --- STALLED_RUN ---


def repeated(*slowest: float) -> list[str]:
    return [
        plain(finding.message)
        for finding in raised("STALLED_RUN", *(run("wrk", latency_max_s=slow) for slow in slowest))
    ]


def test_one_run_of_eight_was_held_up() -> None:
    (message,) = repeated(0.03, 0.03, 0.04, 1.2, 0.02, 0.03, 0.05, 0.03)
    assert "a 3: the slowest request took up to 1.2 s, in other runs of a 30 ms" in message
    assert "Something held 1 of 8 runs up" in message


@pytest.mark.parametrize(
    "slowest",
    [
        (0.03, 0.03, 0.2),  # seven times
        (0.001, 0.001, 0.09),  # below a tenth of a second
        (1.2, 1.3, 0.03),  # most are so
    ],
)
def test_maxima_differ(slowest: tuple[float, ...]) -> None:
    assert not repeated(*slowest)


def test_two_runs_show_no_usual_one() -> None:
    two = [run("wrk", latency_max_s=slow) for slow in (0.03, 1.2)]
    assert state("STALLED_RUN", *two) == {"not applicable"}


# --- OMISSION ---


def closed_loop(folder: Path, *, stall_ms: float, every: int) -> Path:
    """Write rows of one connection: 2 ms each, and a stall at each so many-th of 4,000."""
    lines, at = [], 1_700_000_000_000_000_000
    for number in range(4000):
        took = round((stall_ms if number % every == every - 1 else 2.0) * 1e6)
        lines.append(f"{at},200,{took},0,6,,,a,{number},GET,http://h/,\n")
        at += took
    path = folder / "a.csv"
    path.write_text("".join(lines), encoding="utf-8")
    (folder / "meta.json").write_text('{"load_model": "closed"}', encoding="utf-8")
    return path


def test_stalls_that_p99_does_not_show(tmp_path: Path) -> None:
    """Each 400 ms hold back the 200 requests that would have waited."""
    closed_loop(tmp_path, stall_ms=400, every=1000)
    (finding,) = in_file("OMISSION", tmp_path)
    assert finding.severity == "warning"
    text = plain(finding.message)
    assert (
        "4 requests above 20.0 ms are 0.1 % of all and took 17 % of the connections' time" in text
    )
    assert "p99 is 2.00 ms" in text


@pytest.mark.parametrize(("stall_ms", "every"), [(400, 50), (15, 1000)])
def test_stalls_that_p99_shows_or_that_are_none(
    tmp_path: Path, stall_ms: float, every: int
) -> None:
    closed_loop(tmp_path, stall_ms=stall_ms, every=every)
    assert not in_file("OMISSION", tmp_path)


PRINTED = {"latency_p99_s": 0.013, "latency_max_s": 0.417, "duration_s": 12.0}


def test_printed_figures_say_what_one_stall_would_take() -> None:
    (finding,) = raised("OMISSION", run("ab", **PRINTED))
    assert finding.severity == "info"
    text = plain(finding.message)
    assert "the slowest request took 417 ms, p99 is 13 ms" in text
    assert "that was 3.5 % of the run; the figures do not say how often" in text


@pytest.mark.parametrize("other", [{"latency_max_s": 0.25}, {"duration_s": 60.0}])
def test_printed_figures_that_need_not_hide_much(other: dict[str, float]) -> None:
    """The maximum is 19 × p99, or 0.7 % of the run."""
    assert not raised("OMISSION", run("ab", **PRINTED | other))


def test_only_a_closed_loop_without_correction_leaves_them_out() -> None:
    for tool in ("vegeta", "wrk", "wrk2"):
        assert state("OMISSION", run(tool, **PRINTED)) == {"not applicable"}


def test_a_loop_in_which_every_connection_is_busy_is_taken_for_a_closed_one() -> None:
    """Whatever was asked for: a stall holds requests back where no connection is free."""
    busy = PRINTED | {"connections": 10, "throughput_rps": 1000.0, "latency_mean_s": 0.010}
    (finding,) = raised("OMISSION", run("autocannon", **busy))
    assert finding.severity == "info"
    idle = busy | {"throughput_rps": 500.0}
    assert state("OMISSION", run("autocannon", **idle)) == {"not applicable"}


# --- HEAVY_TAIL ---


def test_a_mean_above_p99_is_of_few_requests() -> None:
    (finding,) = raised("HEAVY_TAIL", run("vegeta", latency_mean_s=0.0333, latency_p99_s=0.0208))
    message = plain(finding.message)
    assert "the mean, 33.3 ms, is above p99, 20.8 ms: at most 1 % of the requests took" in message
    assert "took 38 % of the time at least" in message
    assert not raised("HEAVY_TAIL", run("vegeta", latency_mean_s=0.02, latency_p99_s=0.0208))
    assert state("HEAVY_TAIL", run("vegeta", latency_mean_s=0.02)) == {"not applicable"}
    rounded = run("autocannon", latency_mean_s=1e-5, latency_p99_s=0.0, resolution_s=1e-3)
    assert not raised("HEAVY_TAIL", rounded)
