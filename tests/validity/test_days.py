"""Runs of several days, of which one was slower."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.compare.runs import plain
from tests.validity.runs import One, raised, run, state

FIRST, SECOND = "2026-11-20", "2026-11-21"


def on(day: str, rates: Mapping[str, Sequence[float]], **columns: Any) -> list[One]:  # noqa: ANN401 - cells of any kind
    """Return runs of a day, a throughput each."""
    return [
        run("wrk", variant, started_at=f"{day}T10:{at:02}:00Z", throughput_rps=rate, **columns)
        for variant, own in rates.items()
        for at, rate in enumerate(own)
    ]


FAST = on(FIRST, {"go": (9000.0, 9100.0), "rust": (10000.0, 10100.0)})
SLOW = on(SECOND, {"go": (6300.0, 6400.0), "rust": (7000.0, 7100.0)})


def test_a_day_that_was_slower_for_all_and_what_they_differ_by_within_one() -> None:
    """Pooled, "no difference was shown" of what led by 11 % on each day."""
    (finding,) = raised("DAYS_DIFFER", *FAST, *SLOW)
    assert plain(finding.message) == (
        "go and rust have runs of 2 days, and the throughput of each differs between them: by "
        "−30 % on 2026-11-21 against 2026-11-20. Pooled, that looks like spread from run to run. "
        "Within a day, throughput against go: rust +11 %."
    )
    assert finding.severity == "warning"
    assert finding.values["days"] == [FIRST, SECOND]


def test_days_that_are_alike_or_slower_for_one_variant_only() -> None:
    again = on(SECOND, {"go": (9050.0, 9150.0), "rust": (9950.0, 10050.0)})
    assert raised("DAYS_DIFFER", *FAST, *again) == []
    other = on(SECOND, {"go": (6300.0, 6400.0), "rust": (9950.0, 10050.0)})
    assert raised("DAYS_DIFFER", *FAST, *other) == []


def test_it_takes_two_runs_of_each_variant_on_two_days() -> None:
    assert state("DAYS_DIFFER", *FAST) == {"not applicable"}
    assert state("DAYS_DIFFER", *FAST, *on(SECOND, {"go": (6300.0, 6400.0)})) == {"not applicable"}
    single = on(SECOND, {"go": (6300.0,), "rust": (7000.0,)})
    assert state("DAYS_DIFFER", *FAST, *single) == {"not applicable"}


def test_at_a_set_rate_latencies_tell_which_day_was_slower() -> None:
    rates = {"go": (100.0, 100.0), "rust": (100.0, 100.0)}
    paced = {"offered_rate_rps": 100.0}
    fast = on(FIRST, rates, latency_p50_s=0.01, **paced)
    (finding,) = raised("DAYS_DIFFER", *fast, *on(SECOND, rates, latency_p50_s=0.02, **paced))
    assert "p50 of each differs between them: by −50 % on 2026-11-20" in plain(finding.message)
