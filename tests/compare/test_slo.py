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
        ("goodput>1000", "goodput", 1000.0, "goodput>1000"),
    ],
)
def test_an_objective_as_it_is_typed(text: str, name: str, bound: float, text_out: str) -> None:
    typed = objective(text)
    assert (typed.metric.name, typed.text) == (name, text_out)
    assert typed.bound == pytest.approx(bound)


@pytest.mark.parametrize(
    "text", ["p99", "p99<50", "p99<fast", "latency<50ms", "error_ratio<5ms", "goodput>5ms", "<5ms"]
)
def test_what_is_no_objective_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        objective(text)
    assert "\n" not in str(caught.value)


def test_a_bound_is_kept_missed_or_unknown() -> None:
    bound = objective("p99<50ms")
    assert bound.met({"p99": 0.049}) is True
    assert bound.met({"p99": 0.05}) is False
    assert objective("p99<=50ms").met({"p99": 0.05}) is True
    assert objective("goodput>10").met({"goodput": 11.0}) is True
    assert bound.met({"p99": None}) is None
