"""`±3%` as it is typed, and what of a comparison is narrow enough."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.compare.assess import assess
from benchkit.compare.precision import Look, look, metrics_of, precision
from benchkit.errors import UsageError

from .runs import interleaved, spread


@pytest.mark.parametrize(
    ("text", "metric", "half_width"),
    [
        ("±3%", None, 0.03),
        ("+-3%", None, 0.03),
        ("+/-3%", None, 0.03),
        ("3%", None, 0.03),
        (" ± 0.5 % ", None, 0.005),
        ("p99:±5%", "p99", 0.05),
        ("p99.9: +-12.5%", "p99.9", 0.125),
        ("throughput : 100%", "throughput", 1.0),
    ],
)
def test_a_width_is_read(text: str, metric: str | None, half_width: float) -> None:
    read = precision(text)
    assert (read.metric.name if read.metric else None) == metric
    assert read.half_width == pytest.approx(half_width)


@given(
    sign=st.sampled_from(["", "±", "+-", "+/-"]),
    metric=st.sampled_from(["", "p50:", "p99: ", "goodput:"]),
    tenths=st.integers(1, 1000),
)
def test_every_width_is_read_and_written_in_one_way(sign: str, metric: str, tenths: int) -> None:
    read = precision(f"{metric}{sign}{tenths / 10:g}%")
    assert read.half_width == pytest.approx(tenths / 1000)
    assert precision(read.text) == read


@pytest.mark.parametrize(
    "text", ["", "3", "0%", "-3%", "101%", "±", "p99", "p99:", ":3%", "p99:3ms", "3%%", "±±3%"]
)
def test_what_is_no_width_says_how_to_write_one(text: str) -> None:
    with pytest.raises(UsageError, match="write for example ±3% or p99:±5%"):
        precision(text)


def test_a_metric_that_nobody_compares_is_refused() -> None:
    with pytest.raises(UsageError, match="no metric 'p42'"):
        precision("p42:3%")
    with pytest.raises(UsageError, match="described only"):
        precision("max:3%")


@given(st.text(max_size=200))
def test_junk_is_one_line(text: str) -> None:
    message = ""
    try:
        precision(text)
    except UsageError as error:
        message = str(error)
    assert not {"\n", "\r", "\x1b"} & {*message}


@pytest.mark.parametrize(
    ("texts", "metrics"),
    [
        (["3%"], ()),
        (["p99:5%"], ()),  # tested anyway
        (["p95:5%", "p99:5%"], ("p95", "p99")),
        (["3%", "p95:5%"], ()),  # of p95 only the width counts
    ],
)
def test_metrics_beyond_the_primary_are_tested_where_all_are_named(
    texts: list[str], metrics: tuple[str, ...]
) -> None:
    assert metrics_of([precision(text) for text in texts]) == metrics


def at_look(*texts: str, ratio: float = 1.0, deviation: float = 0.04, runs: int = 10) -> Look:
    base = spread(1000, deviation, runs=runs)
    other = [ratio * value for value in spread(1000, deviation, runs=runs, seed=2)]
    measured = interleaved(
        {
            "a": {"throughput_rps": base, "latency_p95_s": [1 / value for value in base]},
            "b": {"throughput_rps": other, "latency_p95_s": [1 / value for value in other]},
        },
        looks=5,
    )
    return look(assess(measured), [precision(text) for text in texts])


def test_half_a_width_is_the_factor_to_the_centre() -> None:
    (standing,) = at_look("3%").standings
    interval = standing.effect.interval
    assert interval is not None
    centre = (interval.low * interval.high) ** 0.5
    assert standing.half_width == pytest.approx(interval.high / centre - 1)
    assert standing.half_width == pytest.approx(centre / interval.low - 1)


@pytest.mark.parametrize(
    ("texts", "world", "ending"),
    [
        (["5%"], {}, "every interval is narrow enough"),
        (["0.1%"], {}, ""),
        (["0.1%"], {"ratio": 1.5}, "a verdict stands"),
        (
            ["0.1%", "p95:5%"],
            {"ratio": 1.5},
            "every interval is narrow enough, or a verdict stands",
        ),
        (["p95:0.1%"], {"ratio": 1.5}, ""),  # p95 is described where others are tested
        (["3%"], {"runs": 4}, ""),
        (["p99:3%"], {}, "nothing that was asked about can be compared"),
    ],
)
def test_what_ends_the_runs(texts: list[str], world: dict[str, float], ending: str) -> None:
    assert at_look(*texts, **world).ending == ending  # type: ignore[arg-type]


def test_a_width_of_one_metric_goes_before_that_of_all() -> None:
    limits = {s.effect.metric.name: s.limit for s in at_look("3%", "throughput:7%").standings}
    assert limits == {"throughput": 0.07}


def test_the_widest_is_what_is_farthest_from_its_goal() -> None:
    seen = at_look("throughput:4%", "p95:0.1%")
    assert [standing.effect.metric.name for standing in seen.open] == ["p95"]
    assert seen.widest is seen.open[0]
