"""Printed quantities: exact in decimal, and nothing else is taken for one."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit import units

#: What a tool prints: up to twelve digits, up to six of them behind the point.
PRINTED = st.builds(
    lambda digits, places: f"{Decimal(digits).scaleb(-places):f}",
    st.integers(0, 10**12),
    st.integers(0, 6),
)
TIMES = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "µs": Fraction(1, 10**6),
    "μs": Fraction(1, 10**6),  # U+03BC, the Greek letter
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "m": Fraction(60),
    "h": Fraction(3600),
}
COUNTS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
SIZES = {"B": 0, "bytes": 0, "kB": 1, "KB": 1, "MB": 2, "GB": 3, "TB": 4, "PB": 5}


@given(PRINTED, st.sampled_from(sorted(TIMES)), st.sampled_from(["", " ", "  "]))
def test_a_time_is_the_float_nearest_to_what_is_printed(text: str, unit: str, gap: str) -> None:
    assert units.seconds(text + gap + unit) == float(Fraction(text) * TIMES[unit])


@given(PRINTED, st.sampled_from(sorted(COUNTS)))
def test_so_is_a_count(text: str, unit: str) -> None:
    assert units.count(text + unit) == float(Fraction(text) * COUNTS[unit])


@given(PRINTED, st.sampled_from(sorted(SIZES)), st.sampled_from([1000, 1024]))
def test_so_is_a_size(text: str, unit: str, base: int) -> None:
    assert units.octets(f"{text} {unit}", base=base) == float(Fraction(text) * base ** SIZES[unit])


@given(PRINTED)
def test_so_are_plain_numbers_and_percentages(text: str) -> None:
    assert units.number(text) == float(text)
    assert units.scaled(text, "1e-3") == float(Fraction(text) / 1000)
    assert units.percent(f"{text}%") == float(Fraction(text) / 100)


@given(st.integers(-(10**17), 10**17))
def test_whole_numbers_round_trip(value: int) -> None:
    assert units.whole(f" {value} ") == value


@given(st.integers(0, 10**18))
def test_go_durations_add_up(nanoseconds: int) -> None:
    hours, rest = divmod(nanoseconds, 3600 * 10**9)
    minutes, rest = divmod(rest, 60 * 10**9)
    text = f"{hours}h{minutes}m{Decimal(rest).scaleb(-9):f}s"
    assert units.go_duration(text) == float(Fraction(nanoseconds, 10**9))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("6.61ms", 0.00661),
        ("13 ms", 0.013),
        ("1.55m", 93.0),
        ("1.01s ", 1.01),
        ("5615.74m", 336944.4),
        (".5s", 0.5),
        ("1e3ms", 1.0),
    ],
)
def test_times_as_tools_print_them(text: str, seconds: float) -> None:
    assert units.seconds(text) == seconds


def test_a_number_without_a_unit_needs_a_default() -> None:
    assert units.seconds("250", default="ms") == 0.25
    with pytest.raises(ValueError, match="not a time: '250'"):
        units.seconds("250")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0s", 0.0),
        ("13ns", 13e-9),
        ("701.437µs", 701.437e-6),
        ("1m40s", 100.0),
        ("1h2m3s", 3723.0),
        ("-1.5s", -1.5),
    ],
)
def test_go_durations_as_go_prints_them(text: str, seconds: float) -> None:
    assert units.go_duration(text) == seconds


READERS: dict[str, Callable[[str], float]] = {
    "number": units.number,
    "whole": units.whole,
    "seconds": units.seconds,
    "go_duration": units.go_duration,
    "count": units.count,
    "octets": lambda text: units.octets(text, base=1024),
    "percent": units.percent,
    "scaled": lambda text: units.scaled(text, "1e-3"),
}
HOSTILE = [
    "",
    "nan",
    "-nan%",
    "inf",
    "1_000",
    "1,000",
    "0x10",
    "\u0661\u0662",
    "\u0661s",
    "1.2.3",
    "1e999",
    "1e-999",
    "1e999999999999999999999",
    "9" * 400,
    "9" * 400 + "s",
    "--5",
    "5 5",
    "5\n",
    "1e299T",
    "9e299h",
    "9e299TB",
    "44 K",
    "44 XB",
    "44 KiB",
    "5 parsecs",
    "\0",
]


@pytest.mark.parametrize("name", READERS)
def test_a_number_that_ends_with_its_point_breaks_off(name: str) -> None:
    for text in ("0.", "247.s", "3.k", "1.%", "5.MB"):
        with pytest.raises(ValueError, match=re.escape(text[:2])):
            READERS[name](text)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_quantity_is_refused_or_finite(name: str, text: str) -> None:
    try:
        value = READERS[name](text)
    except ValueError:
        return
    assert abs(value) < float("inf")
    assert text.strip()[:1] in "0123456789"


@pytest.mark.parametrize("text", ["44 K", "44", "44 bits", "44 XB", "44 KiB", "9e299TB"])
def test_sizes_end_in_bytes(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a size|out of range"):
        units.octets(text, base=1000)


@given(st.text(max_size=80), st.sampled_from(sorted(READERS)))
def test_any_text_gives_a_finite_number_or_a_value_error(text: str, name: str) -> None:
    try:
        value = READERS[name](text)
    except ValueError:
        return
    assert abs(value) < float("inf")


@pytest.mark.parametrize("name", READERS)
def test_a_long_text_costs_nothing(name: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        READERS[name]("1" * 1_000_000 + "!")
