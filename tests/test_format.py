from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchkit import format as show

NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.074, "74 ms"),
        (3.497, "3.50 s"),
        (0.00661, "6.61 ms"),
        (15.728, "15.7 s"),
        (5.446e-6, "5.45 µs"),
        (30.001, "30.0 s"),
        (0.9996, "1,000 ms"),
        (130.2, "2.17 min"),
        (0.0, "0 s"),
        (4e-9, "4 ns"),
    ],
)
def test_a_time_takes_the_unit_that_suits_it(seconds: float, text: str) -> None:
    assert show.duration(seconds) == text.replace(" ", NBSP)


@pytest.mark.parametrize("value", [1e300, 9.87e99, 4.2e-300, -1e300, 2.0**62])
@pytest.mark.parametrize(
    "write",
    [
        *(show.number, show.count, show.duration, show.rate, show.size),
        *(show.share, show.factor, show.change, lambda value: show.fixed(value, 4)),
        lambda value: str(show.in_unit([value], show.time_unit([value]))[0]),
    ],
)
def test_a_number_of_any_size_is_short(write: Callable[[float], str], value: float) -> None:
    assert len(write(value)) <= 30


def test_more_digits_than_a_number_has_are_a_power_of_ten() -> None:
    assert show.number(1e300) == "1e300"
    assert show.count(2**63) == "9.22e18"
    assert show.number(-1.25e-20) == "−1.25e−20"
    assert show.count(999_999_999_999_999) == "999,999,999,999,999"


@pytest.mark.parametrize(
    ("rps", "text"), [(32213.38, "32.2 k"), (116841.15, "117 k"), (666.6, "667"), (25.0, "25")]
)
def test_a_rate_in_prose(rps: float, text: str) -> None:
    assert show.rate(rps) == text.replace(" ", NBSP)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        *((0.28, "28 %"), (0.0012, "0.12 %"), (0.9984, "99.84 %"), (1.0, "100 %"), (0.0, "0 %")),
        *((0.99999, "99.999 %"), (0.03182, "3.2 %"), (0.5, "50 %")),
    ],
)
def test_a_share_is_all_or_nothing_only_when_it_is(ratio: float, text: str) -> None:
    assert show.share(ratio) == text.replace(" ", NBSP)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        *(
            (2.037, "2.0×"),
            (47.26, "47×"),
            (117.4, "117×"),
            (1819.4, "1,800×"),
            (1.083, "1.08×"),
            (10.29, "10×"),
        ),
        *((1.1, "1.1×"), (99.7, "99.7×")),
    ],
)
def test_a_factor_has_two_digits_and_three_near_1_and_100(ratio: float, text: str) -> None:
    assert show.factor(ratio) == text


@pytest.mark.parametrize(
    ("ratio", "low", "high", "text"),
    [
        (0.77, 0.6, 1.17, f"−23{NBSP}% (−40{NBSP}to{NBSP}+17{NBSP}%)"),
        (3.1, 2.6, 3.34, "3.1× (2.6–3.3×)"),
        (0.32, 0.26, 0.4, "0.32× (0.26–0.40×)"),
        (1.051, 1.039, 1.063, f"+5.1{NBSP}% (+3.9{NBSP}to{NBSP}+6.3{NBSP}%)"),
        (1.0, 1.0, 1.0, f"0{NBSP}% (0{NBSP}to{NBSP}0{NBSP}%)"),
        (1.003, 0.88, 1.14, f"0{NBSP}% (−12{NBSP}to{NBSP}+14{NBSP}%)"),
        (1.9, 0.9, 2.5, f"+90{NBSP}% (−10{NBSP}to{NBSP}+150{NBSP}%)"),
        (0.1321, 0.1302, 0.1339, "0.132× (0.130–0.134×)"),
        (0.1321, 0.1320, 0.1322, "0.132× (0.132×)"),
        (760.7, 718, 806.2, "760× (720–810×)"),
        (117.2, 116.9, 117.6, "117× (117–118×)"),
        # without 1, and not as if it began or ended there
        (1.1, 1.00093, 1.11, f"+10{NBSP}% (+0.1{NBSP}to{NBSP}+11.0{NBSP}%)"),
        # nor as if it were outside
        (1.1186, 1.00093, 1.119, f"+11.9{NBSP}% (+0.1{NBSP}to{NBSP}+11.9{NBSP}%)"),
    ],
)
def test_a_change_and_its_interval_have_one_orientation(
    ratio: float, low: float, high: float, text: str
) -> None:
    assert show.change_with_interval(ratio, low, high) == text


@pytest.mark.parametrize(
    ("ratios", "text"),
    [
        ((0.19, 0.14, 0.15), "0.14× to 0.19×"),
        ((3.1, 2.0), "2.0× to 3.1×"),
        ((0.87, 0.8), "−20 % to −13 %"),
        ((0.98, 1.05), "−2.0 % to +5.0 %"),
        ((0.14, 0.14), "0.14×"),
    ],
)
def test_a_range_of_changes_runs_upwards(ratios: tuple[float, ...], text: str) -> None:
    assert show.change_span(ratios).replace("\u00a0", " ") == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (27 / 55, "0.49×"),
        (10.3, "10×"),
        (1.003, f"+0.30{NBSP}%"),
        (0.995, f"−0.50{NBSP}%"),
        (1.12, f"+12{NBSP}%"),
    ],
)
def test_a_change_alone_keeps_the_digits_that_it_has(ratio: float, text: str) -> None:
    assert show.change(ratio) == text


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**15), 10**15))
@example(-0.0)
def test_an_exact_number_is_that_with_as_many_digits_as_a_float_has(value: float) -> None:
    assert show.exact(value) == show.number(value, digits=17)


def test_a_row_has_a_larger_unit_where_its_largest_would_have_five_digits() -> None:
    values = [19.5e-6, 11.4e-3]
    assert show.time_unit(values).name == "ms"


def test_a_row_has_one_unit_and_equal_decimals() -> None:
    values = [0.00661, 0.01256, None, 0.00209]
    unit = show.time_unit(values)
    assert unit.name == "ms"
    assert show.in_unit(values, unit) == ["6.61", "12.56", None, "2.09"]


def test_a_row_shows_no_digit_that_its_values_do_not_carry() -> None:
    unit = show.time_unit([3.497, 0.074])
    assert (unit.name, show.in_unit([3.497, 0.074], unit)) == ("ms", ["3,497", "74"])
    assert show.in_unit([3.497, 0.074], show.TIME_UNITS[1]) == ["3.497", "0.074"]


def test_a_row_over_many_magnitudes_gives_each_value_its_digits() -> None:
    assert show.in_unit([1.95e-5, 11.408e-3], show.TIME_UNITS[2]) == ["0.0195", "11.4"]
    assert show.in_unit([29.967, 1.069e-3, 1.34e-5, 0.0], show.TIME_UNITS[2]) == [
        *("29,967", "1.07", "0.0134", "0")
    ]
    # Whether the last digit happens to be 0 says nothing of the clock.
    assert show.in_unit([1.464e-3, 1.7e-3, 0.4], show.TIME_UNITS[2]) == ["1.46", "1.70", "400"]


@pytest.mark.parametrize(
    ("quantile", "name"),
    [(0.5, "p50"), (0.999, "p99.9"), (0.975, "p97.5"), (1.0, "max"), (0.99999, "p99.999")],
)
def test_names_of_percentiles(quantile: float, name: str) -> None:
    assert show.percentile(quantile) == name


def test_text_of_an_input_cannot_steer_a_terminal() -> None:
    hostile = "a\x1b]0;title\x07b\u202ec\x9bd\ne"
    assert show.clean(hostile) == "a\\x1b]0;title\\x07b\\u202ec\\x9bd e"
    assert show.clean("x" * 30, limit=5) == "xxxx…"
    assert show.clean("concurrency 1000, keepalive", limit=20) == "concurrency 1000…"
    assert show.clean("a " + "x" * 30, limit=20) == f"a {'x' * 17}…"  # a word would be left


def test_small_words() -> None:
    assert show.listed(["a", "b", "c"]) == "a, b and c"
    assert show.plural(1, "run") == f"1{NBSP}run"
    assert show.plural(2000, "run") == f"2,000{NBSP}runs"
    assert show.size(175_670_000) == f"176{NBSP}MB"
    assert show.number(-2.5) == "−2.5"
    assert show.count(969489) == "969,489"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("new", "new"),
        ("5x20", "5x20"),
        ("none", "“none”"),
        ("with", "“with”"),
        ("two words", "“two words”"),
        ("0", "“0”"),
        ("1.5", "“1.5”"),
    ],
)
def test_a_name_that_reads_as_words_or_as_a_figure_is_quoted(name: str, shown: str) -> None:
    assert show.quoted(name) == shown


@pytest.mark.parametrize("write", [show.number, show.rate, show.count, show.duration, show.size])
@pytest.mark.parametrize("value", [1e30, 1.7e308, 5e-324])
def test_every_float_can_be_written(write: Callable[[float], str], value: float) -> None:
    assert write(value)


@pytest.mark.parametrize(
    ("ratio", "low", "high", "text"),
    [
        (0.91, 0.45, 1.66, "0.91× (0.45–1.66×)"),
        (1.002, 0.989, 1.008, "1.002× (0.989–1.008×)"),
        (1.9, 1.7, 2.4, "1.90× (1.70–2.40×)"),
        (3.14, 2.6, 3.3, "3.1× (2.6–3.3×)"),
    ],
)
def test_beside_larger_changes_any_is_a_factor(
    ratio: float, low: float, high: float, text: str
) -> None:
    interval = show.change_interval(ratio, low, high, as_factor=True)
    assert f"{show.change(ratio, low, high, as_factor=True)} ({interval})" == text
