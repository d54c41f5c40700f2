from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import benchkit
from benchkit.model.grouping import variants_of
from benchkit.validity import examine, findings
from benchkit.validity.evidence import lie_apart, sets_of
from tests.ingest.outputs import wrk
from tests.validity.runs import One, in_file, plain, raised, results, run, state

# --- SIGN_CONFLICT ---

BASE = {"latency_p50_s": 0.010, "latency_mean_s": 0.012, "latency_p99_s": 0.040}


def test_faster_by_the_median_and_slower_in_the_tail() -> None:
    other = BASE | {"latency_p50_s": 0.008, "latency_p99_s": 0.080}
    (finding,) = raised("SIGN_CONFLICT", run("wrk", "a", **BASE), run("wrk", "b", **other))
    assert "a has the lower p99, but b has the lower p50." in plain(finding.message)
    assert len(finding.run_ids) == 2


def test_each_two_variants_are_looked_at() -> None:
    """Which of them is the baseline is for the reader to choose."""
    first = BASE | {column: 3 * value for column, value in BASE.items()}
    other = BASE | {"latency_p50_s": 0.008, "latency_p99_s": 0.080}
    runs = (run("wrk", name, **own) for name, own in zip("abc", (first, BASE, other), strict=True))
    (finding,) = raised("SIGN_CONFLICT", *runs)
    assert "b has the lower p99, but c has the lower p50." in plain(finding.message)


@pytest.mark.parametrize(
    "other",
    [
        BASE | {"latency_p50_s": 0.008, "latency_p99_s": 0.030},
        BASE | {"latency_p50_s": 0.008, "latency_p99_s": 0.041},
    ],
    ids=["all faster", "a fortieth slower"],
)
def test_no_conflict(other: dict[str, float]) -> None:
    assert not raised("SIGN_CONFLICT", run("wrk", "a", **BASE), run("wrk", "b", **other))


def test_points_of_a_sweep_are_not_set_against_each_other() -> None:
    other = BASE | {"latency_p50_s": 0.008, "latency_p99_s": 0.080}
    first, second = (
        run("wrk", f"{count} connections", connections=count, **figures)
        for count, figures in ((10, BASE), (20, other))
    )
    assert state("SIGN_CONFLICT", first, second) == {"not applicable"}
    slow = run("vegeta", "5/s", figures={("Requests", "rate"): 5.02}, **BASE)
    fast = run("vegeta", "50/s", figures={("Requests", "rate"): 50.02}, **other)
    assert state("SIGN_CONFLICT", slow, fast) == {"not applicable"}


def test_a_figure_that_is_withheld_is_not_told() -> None:
    """The padded p99 cannot be: by Little's law the mean is at most 10 ms."""
    full = BASE | {"connections": 10, "throughput_rps": 1000.0, "pipelining": 1}
    first = run("wrk", "a", **full | {"latency_p99_s": 0.9, "latency_mean_s": 0.02})
    other = run("wrk", "b", **full | {"latency_p50_s": 0.008, "latency_p99_s": 2.0})
    assert not raised("SIGN_CONFLICT", first, other)


def test_runs_that_overlap_do_not_conflict() -> None:
    """The medians over the runs do, but each p99 lies within those of the other variant."""
    a = [run("wrk", "a", **BASE | {"latency_p99_s": p99}) for p99 in (0.03, 0.04, 0.09)]
    b = [
        run("wrk", "b", **BASE | {"latency_p50_s": 0.008, "latency_p99_s": p99})
        for p99 in (0.05, 0.06, 0.07)
    ]
    assert not raised("SIGN_CONFLICT", *a, *b)
    assert raised("SIGN_CONFLICT", a[0], b[0])


def test_a_step_of_the_clock_is_no_conflict() -> None:
    """ab prints whole milliseconds: 2 against 1 may be 1.5 against 1.49."""
    contradicting = {"latency_p50_s": 0.002, "latency_mean_s": 0.010}
    other = {"latency_p50_s": 0.001, "latency_mean_s": 0.013}
    assert not raised("SIGN_CONFLICT", run("ab", "a", **contradicting), run("ab", "b", **other))
    assert raised("SIGN_CONFLICT", run("wrk", "a", **contradicting), run("wrk", "b", **other))


# --- WORK_DIFFERS ---


@pytest.mark.parametrize(("octets", "raises"), [(20_150, False), (20_300, True)])
def test_bytes_per_response(octets: int, *, raises: bool) -> None:
    first = run("ab", "a", requests=200, body_bytes=20_000)
    other = run("ab", "b", requests=200, body_bytes=octets)
    assert bool(raised("WORK_DIFFERS", first, other)) is raises


@pytest.mark.parametrize(
    ("each", "other_each", "raises"), [(148, 164, False), (190, 232, True), (5000, 5060, False)]
)
def test_headers_of_another_length_are_no_other_work(
    each: int, other_each: int, *, raises: bool
) -> None:
    first = run("wrk", "a", requests=200, received_bytes=200 * each)
    other = run("wrk", "b", requests=200, received_bytes=200 * other_each)
    assert bool(raised("WORK_DIFFERS", first, other)) is raises


def test_bodies_are_compared_where_they_are_known() -> None:
    """Headers may differ in length where bodies do not."""
    first = run("ab", "a", requests=200, received_bytes=50_000, body_bytes=20_000)
    other = run("ab", "b", requests=200, received_bytes=60_000, body_bytes=20_000)
    assert not raised("WORK_DIFFERS", first, other)


@pytest.mark.parametrize(("limit", "raises"), [("-t 1", False), ("-n 1000", True)])
def test_what_the_time_limit_of_ab_cuts_off_is_no_difference(limit: str, *, raises: bool) -> None:
    """ab counts the bytes of responses that it does not wait for to end."""
    command = f"ab -q {limit} -c 40 http://localhost/"
    octets = {"a": 3_000_000, "b": 3_090_000}
    first, other = (
        run("ab", name, requests=1000, connections=40, body_bytes=size, command=command)
        for name, size in octets.items()
    )
    assert bool(raised("WORK_DIFFERS", first, other)) is raises


def test_a_rate_of_bytes_serves_where_no_count_is_printed() -> None:
    def table(octets: float) -> dict[tuple[str, str], float]:
        return {("Bytes/Sec", "mean"): octets, ("Req/Sec", "mean"): 100.0}

    first = run("autocannon", "a", figures=table(7_500))
    assert not raised("WORK_DIFFERS", first, run("autocannon", "b", figures=table(10_500)))
    assert raised("WORK_DIFFERS", first, run("autocannon", "b", figures=table(11_000)))


def test_a_handful_of_answers_is_not_compared() -> None:
    first = run("vegeta", "a", requests=5000, errors=4992, body_bytes=72)
    other = run("vegeta", "b", requests=5000, errors=0, body_bytes=30_000)
    assert state("WORK_DIFFERS", first, other) == {"not applicable"}


# --- ONE_HOST ---


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "127.1.2.3:80", "[::1]:8080"])
def test_a_target_on_this_machine(host: str) -> None:
    (finding,) = raised("ONE_HOST", run("wrk", url=f"http://{host}/"))
    assert finding.severity == "info"


@pytest.mark.parametrize("host", ["example.com", "10.0.0.1", "localhost.example.com", "[fe80::1]"])
def test_a_target_elsewhere(host: str) -> None:
    assert not raised("ONE_HOST", run("wrk", url=f"http://{host}/"))


def test_errors_may_tell_the_target(data: Path) -> None:
    text: dict[str, int | None] = {'Get "http://127.0.0.1:8080/": EOF': None}
    assert raised("ONE_HOST", run("vegeta", texts=text))
    assert state("ONE_HOST", run("vegeta", texts={"EOF": None})) == {"not applicable"}
    assert in_file("ONE_HOST", data / "wrk" / "latency.txt")


# --- ORDER_UNKNOWN ---


def test_runs_of_which_nothing_says_the_order() -> None:
    runs = [run("wrk", v) for v in "ab" for _ in range(5)]
    (finding,) = raised("ORDER_UNKNOWN", *runs)
    assert (finding.severity, finding.forbids) == ("warning", "")
    assert not raised("ORDER_UNKNOWN", *at("a", 1, 3, 5, 7, 9), *at("b", 2, 4, 6, 8, 10))
    assert state("ORDER_UNKNOWN", *runs[:9]) == {"not applicable"}


#: What says when a run was made, and no more than the day.
_TIMED = ("{n:02}-{v}.txt", "run{n:02}_{v}.txt", "20261120T1015{n:02}_{v}.txt")
_DATED = ("2026112{day}/{v}_{repeat}.txt", "{v}/2026-11-2{day}/{repeat}.txt")


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        *((name, "aaaaabbbbb") for name in (*_TIMED, *_DATED, "{v}_2026-11-20_10h{n:02}.txt")),
        *((name, "ababababab") for name in _TIMED),
    ],
)
def test_the_order_is_that_of_dates_and_counts_in_names(
    tmp_path: Path, name: str, turns: str
) -> None:
    blocked = turns == "aaaaabbbbb"
    for n, v in enumerate(turns, 1):
        path = tmp_path / name.format(n=n, v=v, day=int(n > 5), repeat=(n - 1) % 5 + 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wrk(), encoding="utf-8")
    checks = {finding.check: finding for finding in findings(benchkit.load(tmp_path))}
    assert ("BLOCKED_ORDER" in checks) is blocked
    assert "ORDER_UNKNOWN" not in checks
    if blocked:
        assert "came before all runs of b, by their names" in checks["BLOCKED_ORDER"].message


# --- BLOCKED_ORDER ---


def at(variant: str, *minutes: int) -> list[One]:
    times = [pd.Timestamp("2026-01-01", tz="UTC") + pd.Timedelta(minutes=m) for m in minutes]
    return [run("wrk", variant, started_at=time) for time in times]


def test_all_of_one_before_all_of_the_other() -> None:
    (finding,) = raised("BLOCKED_ORDER", *at("b", 5, 6), *at("a", 1, 2))
    assert "All runs of a came before all runs of b" in finding.message
    assert finding.severity == "error"


def order(letters: str) -> list[One]:
    """A run per letter, a minute apart."""
    return [
        finding for name in sorted(set(letters)) for finding in at(name, *places(letters, name))
    ]


def places(letters: str, name: str) -> list[int]:
    return [minute for minute, letter in enumerate(letters) if letter == name]


def test_which_comparisons_the_order_concerns() -> None:
    """a and b were taken in turn, c after both."""
    runs = results(*order("ababcc"))
    (blocked,) = [f for f in findings(runs) if f.check == "BLOCKED_ORDER"]
    a, b, c = variants_of(runs)
    assert not blocked.concerns((a, b))
    assert blocked.concerns((a, c))
    assert blocked.concerns((c, b))


def test_one_variant_around_two_others_hides_nothing() -> None:
    runs = results(*order("aabbbbbaaccccca"))
    (blocked,) = [f for f in findings(runs) if f.check == "BLOCKED_ORDER"]
    assert "All runs of b came before all runs of c" in blocked.message
    a, b, c = variants_of(runs)
    assert [blocked.concerns(pair) for pair in ((b, c), (a, b), (a, c))] == [True, False, False]
    assert "nearly all" in blocked.forbids


@pytest.mark.parametrize(
    "letters", [7 * "a" + "ba" + 7 * "b", 7 * "a" + 8 * "b" + "a", "aaaababbbb", "aaaaabbbaaabbbbb"]
)
def test_nearly_all_of_one_before_nearly_all_of_the_other(letters: str) -> None:
    """Equal servers on a machine that slowed down by 5 % got a verdict in up to 95 %."""
    (finding,) = raised("BLOCKED_ORDER", *order(letters))
    assert "Nearly all runs of a came before nearly all runs of b" in finding.message
    assert finding.forbids == "all or nearly all runs of one came before those of the other"


@pytest.mark.parametrize("letters", [8 * "ab", 4 * "abba", 5 * "ab", "aaaabbbbbbbbaaaa", 8 * "abc"])
def test_an_order_that_a_drift_does_not_favour(letters: str) -> None:
    assert not raised("BLOCKED_ORDER", *order(letters))


def test_an_order_by_lot_is_rarely_taken_for_blocks() -> None:
    rng = random.Random(3)  # noqa: S311 - a simulation
    spans = [(minute, minute) for minute in range(16)]
    apart = 0
    for _ in range(2000):
        rng.shuffle(spans)
        apart += lie_apart(spans[:8], spans[8:])
    assert 10 <= apart <= 50


def test_the_time_of_one_run_may_tell() -> None:
    """Eight runs of a and the last of eight of b have a time."""
    unknown = [run("wrk", "b") for _ in range(7)]
    assert raised("BLOCKED_ORDER", *order(8 * "a" + "b"), *unknown)
    assert not raised("BLOCKED_ORDER", *order(4 * "a" + "b" + 4 * "a"), *unknown)
    assert state("BLOCKED_ORDER", *at("a", 1), *at("b", 2), *unknown) == {"not applicable"}


def test_the_first_and_the_last_may_be_apart_where_no_neighbours_are() -> None:
    (finding,) = raised("BLOCKED_ORDER", *at("a", 1, 3), *at("b", 2, 5), *at("c", 4, 6))
    assert "All runs of a came before all runs of c" in finding.message


def test_levels_of_a_sweep_may_be_one_after_the_other() -> None:
    levels = [
        replace(run, columns={**run.columns, "params": f'{{"level": {level}}}'})
        for level in (1, 2, 3)
        for run in (
            *at("a", 10 * level, 10 * level + 2),
            *at("b", 10 * level + 1, 10 * level + 3),
        )
    ]
    assert not raised("BLOCKED_ORDER", *levels)


def test_many_variants_one_after_the_other_are_one_finding() -> None:
    every = [finding for n in range(9) for finding in at(f"v{n}", 2 * n, 2 * n + 1)]
    (finding,) = raised("BLOCKED_ORDER", *every)
    assert "before all runs of v1, and so on, one variant after the other" in finding.message


def test_runs_in_turn() -> None:
    assert not raised("BLOCKED_ORDER", *at("a", 1, 3), *at("b", 2, 4))
    assert state("BLOCKED_ORDER", *at("a", 1), *at("b", 2)) == {"not applicable"}


def test_the_examples_were_measured_in_turn(data: Path) -> None:
    assert not in_file("BLOCKED_ORDER", data.parents[1] / "examples" / "results")


def in_turn(order: str, repeats: int) -> list[One]:
    """Return runs of `a` and `b` in this order in each repeat, a minute apart."""
    return [
        run(
            "wrk",
            variant,
            repeat=repeat + 1,
            started_at=f"2024-01-01T{repeat:02}:{at:02}:00Z",
        )
        for repeat in range(repeats)
        for at, variant in enumerate(order if repeat % 2 == 0 else sorted(order))
    ]


def test_one_order_in_every_repeat_is_noted() -> None:
    (finding,) = raised("FIXED_ORDER", *in_turn("ab", 6))
    assert finding.severity == "info"
    assert "a first" in plain(finding.message)


def test_an_order_drawn_by_lot_that_comes_out_alike_at_one_level_is_fine() -> None:
    def at_level(level: int, order: str) -> list[One]:
        params = f'{{"level": {level}}}'
        return [
            replace(run, columns={**run.columns, "params": params}) for run in in_turn(order, 6)
        ]

    assert raised("FIXED_ORDER", *at_level(1, "ab"), *at_level(2, "ba")) == []
    assert len(raised("FIXED_ORDER", *at_level(1, "ab"), *at_level(2, "ab"))) > 0


def test_orders_that_change_are_fine_and_so_are_few() -> None:
    assert raised("FIXED_ORDER", *in_turn("ba", 6)) == []
    assert state("FIXED_ORDER", *in_turn("ab", 5)) == {"not applicable"}


# --- REDIRECTS_DIFFER ---


def test_redirects_are_what_is_no_2xx_and_no_failure() -> None:
    counts = {"requests": 1000, "errors": 0}
    first = run("vegeta", "a", **counts, non2xx=0, success_ratio=1.0)
    redirecting = run("vegeta", "b", **counts, non2xx=900, success_ratio=0.9)
    (finding,) = raised("REDIRECTS_DIFFER", first, redirecting)
    assert plain(finding.message).startswith("80 % of the answers in b are redirects, 0 % in a")
    failing = run("vegeta", "b", **counts, non2xx=900, success_ratio=0.1)
    assert not raised("REDIRECTS_DIFFER", first, failing)
    assert state("REDIRECTS_DIFFER", run("ab", "a", **counts, non2xx=5)) == {"not applicable"}


def test_a_run_whose_answers_are_redirects_is_told() -> None:
    counts = {"requests": 1000, "errors": 0}
    (finding,) = raised("REDIRECTED", run("vegeta", **counts, non2xx=1000, success_ratio=1.0))
    assert "all of the answers are redirects" in finding.message
    assert not raised("REDIRECTED", run("vegeta", **counts, non2xx=50, success_ratio=1.0))
    assert state("REDIRECTED", run("wrk")) == {"not applicable"}


def test_bodies_beside_none_are_other_work() -> None:
    full, empty = (
        run("vegeta", v, requests=1000, body_bytes=n) for v, n in (("a", 9000), ("b", 0))
    )
    (finding,) = raised("WORK_DIFFERS", full, empty)
    assert finding.severity == "error"
    assert "9 in a and 0 in b" in plain(finding.message)
    assert not raised("WORK_DIFFERS", empty, run("vegeta", "c", requests=1000, body_bytes=0))
    nearly = run("vegeta", "c", requests=1000, body_bytes=10)  # one answer of a thousand
    assert not raised("WORK_DIFFERS", empty, nearly)
    failed = run("vegeta", "c", requests=1000, body_bytes=0, success_ratio=0.0)
    assert not raised("WORK_DIFFERS", full, failed)


def test_sizes_concern_the_variants_that_differ_in_them() -> None:
    sizes = {"a": 12_000, "b": 11_500, "c": 12_001}
    runs = results(*(run("wrk", v, requests=1000, body_bytes=n) for v, n in sizes.items()))
    (finding,) = (each for each in examine(runs).findings if each.check == "WORK_DIFFERS")
    (together,) = sets_of(runs)
    a, b, c = together.variants
    assert finding.concerns([a, b])
    assert finding.concerns([b, c])
    assert not finding.concerns([a, c])


def test_a_variant_alone_beside_the_generator() -> None:
    near, far = (
        run("wrk", v, url=f"http://{host}/") for v, host in (("a", "localhost"), ("b", "h"))
    )
    (finding,) = raised("ONE_HOST", near, far)
    assert finding.severity == "warning"
    assert "All runs of a went to localhost, none of b did" in finding.message
    (both,) = raised("ONE_HOST", near, near)
    assert both.severity == "info"


def test_statuses_tell_redirects(data: Path, tmp_path: Path) -> None:
    for variant, name in (("a", "plain.txt"), ("b", "redirects-off.txt")):
        (tmp_path / f"{variant}.txt").write_bytes((data / "hey" / name).read_bytes())
    (finding,) = in_file("REDIRECTS_DIFFER", tmp_path)
    assert plain(finding.message).startswith("100 % of the answers in b are redirects, 0 % in a")
