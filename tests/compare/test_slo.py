import re

import pytest

from benchkit.compare.slo import objective
from benchkit.errors import UsageError


@pytest.mark.parametrize(
    ("text", "name", "bound", "text_out"),
    [
        ("p99<50ms", "p99", 0.05, "p99<50ms"),
        (" p99.9 <= 1.5 s ", "p99.9", 1.5, "p99.9<=1.5s"),
        ("mean<800µs", "mean", 8e-4, "mean<800µs"),
        ("error_ratio<1%", "error_ratio", 0.01, "error_ratio<1%"),
        ("error_ratio<0.02", "error_ratio", 0.02, "error_ratio<0.02"),
        ("goodput>1000", "goodput", 1000.0, "goodput>1000"),
        ("goodput>1000/s", "goodput", 1000.0, "goodput>1000/s"),
        ("throughput>=.5rps", "throughput", 0.5, "throughput>=.5rps"),
        ("errors<1%", "error_ratio", 0.01, "errors<1%"),
        ("goodput>5k", "goodput", 5000.0, "goodput>5k"),
        ("rss<200 MB", "rss", 2e8, "rss<200MB"),
        ("rss<2000000B", "rss", 2e6, "rss<2000000B"),
    ],
)
def test_an_objective_as_it_is_typed(text: str, name: str, bound: float, text_out: str) -> None:
    typed = objective(text)
    assert (typed.metric.name, typed.text) == (name, text_out)
    assert typed.bound == pytest.approx(bound)


@pytest.mark.parametrize("text", ["p99", "p99<fast", "<5ms", "p99=5ms", "p99<5ms<6ms", "p99<-5ms"])
def test_what_is_no_objective_is_refused_with_examples(text: str) -> None:
    message = f"no objective '{text}': write for example 'p99<50ms', 'errors<1%' or 'goodput>1000'"
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        objective(text)


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        (
            "p99<50",
            (
                "a time needs its unit: write 50ms for milliseconds, which thresholds without one "
                "usually mean, or 50s"
            ),
        ),
        ("error_ratio<5ms", "error_ratio needs a percentage, such as 1%"),
        ("error_ratio<1", "error_ratio is a share: write 1%, or a number below 1"),
        ("goodput>5ms", "goodput needs a number per second, such as 5000, 5k or 5000/s"),
        ("rss<5", "a size needs its unit: write 5MB, 5kB or 5B"),
        ("rss<5/s", "rss needs a size with its unit, such as 200MB or 64MiB"),
    ],
)
def test_a_quantity_of_another_kind_is_refused_with_what_is_needed(text: str, needs: str) -> None:
    message = f"objective '{text}': {needs}"
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        objective(text)


def test_what_is_bounded_must_be_a_metric() -> None:
    with pytest.raises(UsageError, match=r"^no metric 'latency'; there are throughput, "):
        objective("latency<50ms")


@pytest.mark.parametrize("text", ["no", "p99<"])
def test_of_a_long_text_sixty_characters_are_repeated(text: str) -> None:
    long = text + "1" * 200
    with pytest.raises(UsageError, match=f"^no objective '{text}1{{{59 - len(text)}}}…': "):
        objective(long)


def test_a_bound_is_kept_missed_or_unknown() -> None:
    bound = objective("p99<50ms")
    assert bound.met({"p99": 0.049}) is True
    assert bound.met({"p99": 0.05}) is False
    assert objective("p99<=50ms").met({"p99": 0.05}) is True
    assert bound.met({"p99": 0.051}) is False
    assert objective("goodput>10").met({"goodput": 11.0}) is True
    assert objective("goodput>10").met({"goodput": 10.0}) is False
    assert objective("goodput>=10").met({"goodput": 10.0}) is True
    assert objective("goodput>10").met({"goodput": 9.0}) is False
    assert bound.met({"p99": None}) is None
