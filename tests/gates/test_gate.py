"""What comes of rules: each form passes, fails, is inconclusive, is missing; and the status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

import benchkit
from benchkit.api import Results
from benchkit.errors import UsageError
from benchkit.gates import Conditions, gate
from benchkit.gates.baseline import Stored
from benchkit.gates.ignored import exemptions
from benchkit.gates.rule import rule
from benchkit.gates.ruling import Gate, Ruling
from tests.compare.runs import (
    NOISE,
    four_metrics,
    interleaved,
    repeated,
    results,
    run,
    spread,
)

#: Of a generator that measures every request.
TOOL: Final = {"tool": "vegeta", "format": "vegeta-json"}


def checked(runs: Results, *rules: str, **asked: Any) -> Gate:  # noqa: ANN401 - of `Conditions`
    return gate(runs, Conditions(tuple(map(rule, rules)), **asked))


def ruled(runs: Results, text: str, **asked: Any) -> Ruling:  # noqa: ANN401 - of `Conditions`
    (ruling,) = checked(runs, text, **asked).rulings
    return ruling


def outcomes(runs: Results, *rules: str, **asked: Any) -> list[str]:  # noqa: ANN401
    return [ruling.outcome for ruling in checked(runs, *rules, **asked).rulings]


def alone(**columns: Sequence[Any]) -> Results:
    """Eight runs of one variant, or as many as there are values."""
    return repeated({"a": columns}, **TOOL)


@pytest.fixture(scope="module")
def pair() -> Results:
    """Variant b is a tenth faster than a, which is the baseline."""
    faster = {name: values[::-1] for name, values in four_metrics(1.1).items()}
    return interleaved({"a": four_metrics(), "b": faster}, **TOOL)


# --- a limit of its own ---

EIGHT: Final = [0.05 * noise for noise in NOISE]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("p99<60ms", "passed"),
        ("p99<40ms", "failed"),
        ("p99<50ms", "inconclusive"),
        ("p99>40ms", "passed"),
        ("p99>60ms", "failed"),
        ("p90<60ms", "missing"),
        ("p90<60ms?", "skipped"),
        ("p99<60ms?", "passed"),
    ],
)
def test_several_runs_decide_by_the_interval_of_their_median(text: str, outcome: str) -> None:
    ruling = ruled(alone(latency_p99_s=EIGHT), text)
    assert ruling.outcome == outcome
    if outcome in {"passed", "failed", "inconclusive"}:
        assert ruling.low is not None
        assert ruling.high is not None
        assert ruling.measured is not None
        assert min(EIGHT) < ruling.low < ruling.measured < ruling.high < max(EIGHT)
        assert (ruling.level, ruling.runs) == (0.95, 8)


def counts(*, errors: int, non2xx: int) -> Mapping[str, Sequence[float]]:
    """Eight runs of 100 requests that count their failures and tell no statuses."""
    return {"requests": [100] * 8, "errors": [errors] * 8, "non2xx": [non2xx] * 8}


@pytest.mark.parametrize(
    ("columns", "text", "outcome"),
    [
        ({"throughput_rps": [6000.0] * 8}, "throughput>5k", "passed"),
        ({"throughput_rps": [4000.0] * 8}, "throughput>5000/s", "failed"),
        ({"throughput_rps": [4000.0, 6000.0] * 4}, "throughput>5000", "inconclusive"),
        ({"success_ratio": [1.0] * 8}, "errors<1%", "passed"),
        ({"success_ratio": [0.5] * 8}, "errors<1%", "failed"),
        ({"success_ratio": [1.0, 0.98] * 4}, "errors<1%", "inconclusive"),
        ({"throughput_rps": [1.0] * 8}, "errors<1%", "missing"),
        # Of ab's 'Non-2xx responses' some may be redirects, which are no failures.
        (counts(errors=0, non2xx=9), "errors<1%", "inconclusive"),
        (counts(errors=5, non2xx=9), "errors<1%", "failed"),
        (counts(errors=0, non2xx=0), "errors<1%", "passed"),
    ],
)
def test_rates_and_shares(columns: Mapping[str, Sequence[float]], text: str, outcome: str) -> None:
    assert ruled(alone(**columns), text).outcome == outcome


@pytest.mark.parametrize(
    ("values", "outcome", "reason"),
    [
        ([0.05], "passed", "one run"),
        ([0.07], "failed", "one run"),
        ([0.05, 0.055, 0.058], "passed", "the range of 3\N{NO-BREAK SPACE}runs"),
        ([0.07, 0.08], "failed", "the range of 2\N{NO-BREAK SPACE}runs"),
        ([0.05, 0.07], "inconclusive", "what was measured holds the limit"),
    ],
)
def test_few_runs_say_so(values: list[float], outcome: str, reason: str) -> None:
    ruling = ruled(alone(latency_p99_s=values), "p99<60ms")
    assert ruling.outcome == outcome
    assert reason in ruling.reason
    assert ruling.level is None


def test_the_step_of_the_clock_is_part_of_what_is_open() -> None:
    whole = repeated({"a": {"latency_p99_s": [0.004] * 8}}, **TOOL, resolution_s=0.001)
    assert ruled(whole, "p99<6ms").outcome == "passed"
    ruling = ruled(whole, "p99<4.5ms")
    assert ruling.outcome == "inconclusive"
    assert "the clock has steps of 1\N{NO-BREAK SPACE}ms" in ruling.reason
    assert ruled(whole, "p99<3ms").outcome == "failed"


def test_a_run_without_the_metric_does_not_let_pass() -> None:
    runs = alone(latency_p99_s=[*EIGHT[:7], None], throughput_rps=[1000.0] * 8)
    ruling = ruled(runs, "p99<60ms")
    assert (ruling.outcome, ruling.runs) == ("inconclusive", 7)
    assert "1 of 8\N{NO-BREAK SPACE}runs does not have it" in ruling.reason
    assert ruled(runs, "p99<40ms").outcome == "failed"


def test_samples_that_nobody_measured_decide_nothing() -> None:
    runs = repeated({"a": {"latency_p99_s": EIGHT}}, **TOOL, correction="backfilled")
    for text in ("p99<60ms", "p99<40ms"):
        ruling = ruled(runs, text)
        assert ruling.outcome == "inconclusive"
        assert "never measured" in ruling.reason


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("p99<250ms", "passed"),  # every latency was below, whatever was added
        ("p99<60ms", "inconclusive"),  # so it was printed, but samples were added
        ("p99<40ms", "inconclusive"),  # they were added above the measured ones
        ("p99>250ms", "failed"),
        ("mean<250ms", "passed"),
        ("max<250ms", "passed"),  # measured, as it was printed
        ("max<90ms", "failed"),
    ],
)
def test_added_samples_leave_open_anything_up_to_the_maximum(text: str, outcome: str) -> None:
    columns = {"latency_p99_s": EIGHT, "latency_mean_s": EIGHT, "latency_max_s": [0.1] * 8}
    padded = repeated({"a": columns}, **TOOL, correction="backfilled")
    ruling = ruled(padded, text)
    assert ruling.outcome == outcome
    if not text.startswith("max"):
        assert (ruling.low, ruling.high, ruling.level) == (0.0, 0.1, None)
        assert "none of them longer than the maximum" in ruling.reason
    columns["latency_max_s"] = [*columns["latency_max_s"][:7], 0.3]
    worse = repeated({"a": columns}, **TOOL, correction="backfilled")
    assert text.startswith("max") or ruled(worse, text).outcome == "inconclusive"


def test_a_percentile_with_added_samples_as_a_tool_printed_it(data: Path) -> None:
    printed = benchkit.load(data / "wrk" / "latency.txt")
    assert outcomes(printed, "p50<250ms", "p99<5ms") == ["passed", "inconclusive"]
    timeouts = benchkit.load(data / "wrk" / "timeouts.txt")  # which the maximum leaves out
    ruling = ruled(timeouts, "p50<20s")
    assert ruling.outcome == "inconclusive"
    assert "[DROPPED_TIMEOUT]" in ruling.reason


def test_a_withheld_figure_says_why() -> None:
    few = repeated({"a": {"latency_p99_s": EIGHT, "latency_p999_s": EIGHT}}, **TOOL, requests=500)
    ruling = ruled(few, "p99.9<60ms")
    assert ruling.outcome == "inconclusive"
    assert ruling.reason == "withheld: 500 of the 3,688 requests that it takes"


@pytest.mark.parametrize(
    ("text", "outcome"), [("p99.99<60ms", "missing"), ("p97<60ms?", "skipped")]
)
def test_a_percentile_that_no_tool_printed_is_missing(text: str, outcome: str) -> None:
    few = repeated({"a": {"latency_p99_s": EIGHT, "latency_p999_s": EIGHT}}, **TOOL, requests=500)
    assert ruled(few, text).outcome == outcome


def test_a_percentile_of_rows_says_how_many_it_takes(data: Path) -> None:
    ruling = gate(
        benchkit.load(data / "vegeta" / "ok.gob"), Conditions([rule("p99.99<1s")])
    ).rulings
    assert [r.outcome for r in ruling] == ["inconclusive"]
    assert "of the 36,887 requests" in ruling[0].reason


@pytest.mark.parametrize("share", [0.97, 0.0])
def test_a_server_that_answers_with_errors_alone_is_not_quick(share: float) -> None:
    failing: dict[str, list[Any]] = {
        "latency_p50_s": [0.001] * 6,
        "throughput_rps": [900.0] * 6,
        "non2xx": [970] * 6,
    }
    runs = repeated(
        {"base": failing, "head": failing}, **TOOL, requests=1000, success_ratio=1 - share, errors=0
    )
    if not share:
        runs = repeated({"base": failing | {"non2xx": [0] * 6}}, **TOOL, requests=1000)
    made = checked(runs, "p50<250ms", "throughput>5")
    assert {r.outcome for r in made.rulings} == ({"inconclusive"} if share else {"passed"})
    assert made.status == (1 if share else 0)


def test_what_fails_by_design_can_be_ignored_with_a_reason() -> None:
    failing: dict[str, list[Any]] = {"latency_p50_s": [0.001] * 6, "non2xx": [970] * 6}
    runs = repeated(
        {"base": failing, "head": failing}, **TOOL, requests=1000, success_ratio=0.03, errors=0
    )
    exempt = exemptions({"ERROR_MIX": "both panic on each request"})
    made = gate(runs, Conditions([rule("p50<250ms")], exempt=exempt))
    assert {r.outcome for r in made.rulings} == {"passed"}
    assert made.status == 0


def test_a_serious_finding_about_the_figure_keeps_a_rule_from_passing() -> None:
    row = run(1, **TOOL, latency_p99_s=0.002, requests=1000, success_ratio=0.2, errors=800)
    made = checked(results(row), "p99<5ms", "errors<1%")
    assert [r.outcome for r in made.rulings] == ["inconclusive", "failed"]
    assert made.rulings[0].reason
    assert made.status == 1


# --- against the baseline ---


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("p99<+5%", "passed"),
        ("p99<+0%", "passed"),
        ("p99<-5%", "passed"),
        ("p99<-15%", "failed"),
        ("p99<-9%", "inconclusive"),
        ("throughput>-3%", "passed"),
        ("throughput>+20%", "failed"),
        ("throughput>+10%", "inconclusive"),
        ("cpu_per_request<+5%", "missing"),
        ("cpu_per_request<+5%?", "skipped"),
    ],
)
def test_a_change_is_decided_by_the_interval_of_the_comparison(
    pair: Results, text: str, outcome: str
) -> None:
    ruling = ruled(pair, text, baseline="a")
    assert ruling.outcome == outcome
    if outcome in {"passed", "failed"}:
        assert "p = " in ruling.reason
        assert (ruling.variant, ruling.baseline) == ("b", "a")
        assert (ruling.runs, ruling.baseline_runs) == (8, 8)


def test_it_is_the_change_and_the_interval_that_compare_shows(pair: Results) -> None:
    ruling = ruled(pair, "p95<+5%", baseline="a")
    row = pair.compare(metric="p95", baseline="a").iloc[0]
    assert (ruling.measured, ruling.low, ruling.high, ruling.level) == (
        *(row["ratio"], row["ci_low"], row["ci_high"], row["confidence"]),
    )


def test_a_change_of_exactly_nothing_decides_nothing() -> None:
    same = interleaved({"a": four_metrics(), "b": four_metrics()}, **TOOL)
    assert outcomes(same, "p50<+0%", "p50>-0%", baseline="a") == ["inconclusive"] * 2
    assert outcomes(same, "p50<+5%", baseline="a") == ["passed"]


def test_all_relative_rules_are_one_family() -> None:
    """Five runs against five reach no smaller p-value than 1 in 126, however many are asked."""
    noisy = {
        name: {"latency_p50_s": spread(0.01 * factor, 0.02, runs=6, seed=seed)}
        for seed, (name, factor) in enumerate(
            {"a": 1.0, "b": 1.035, **{f"c{n}": 1.0 for n in range(12)}}.items()
        )
    }
    runs = repeated(noisy, **TOOL)
    few = checked(runs, "b: p50<+0%", baseline="a")
    many = checked(runs, "p50<+0%", "p50>-1%", baseline="a")
    assert (few.tests, many.tests) == (1, 26)
    assert few.rulings[0].outcome == "failed"
    (same,) = [r for r in many.rulings[:13] if r.variant == "b"]
    assert same.low == few.rulings[0].low
    assert same.outcome == "inconclusive"
    assert "adjusted for 26 rules: too few runs to tell" in same.reason


def test_what_a_finding_forbids_is_inconclusive_with_its_reason() -> None:
    rows = [
        run(n, **TOOL, variant=variant, repeat=n % 8 + 1, started_at=f"2026-01-01T00:{n:02}:00")
        | {"latency_p50_s": 0.01 * factor * NOISE[n % 8]}
        for n, (variant, factor) in enumerate([("a", 1.0)] * 8 + [("b", 2.0)] * 8)
    ]
    ruling = ruled(results(*rows), "p50<+5%", baseline="a")
    assert ruling.outcome == "inconclusive"
    assert "all runs of one came before all runs of the other" in ruling.reason


def test_a_serious_finding_about_the_figure_keeps_a_change_from_passing() -> None:
    asked = {"offered_rate_rps": 1000.0, "duration_s": 10.0, "wait_s": 0.0, "load_model": "open"}
    runs = repeated({"a": four_metrics(), "b": four_metrics()}, **TOOL, **asked, requests=8000)
    meant = exemptions({"RATE_MISS": "the generator can do no more"})
    both = [checked(runs, text, baseline="a", exempt=meant) for text in ("p99<250ms", "p99<+9%")]
    reasons = {ruling.reason for made in both for ruling in made.rulings}
    assert reasons == {"The rate was not reached [RATE_MISS]"}
    assert {ruling.outcome for made in both for ruling in made.rulings} == {"inconclusive"}


def test_too_few_runs_are_inconclusive() -> None:
    runs = repeated({"a": four_metrics(runs=3), "b": four_metrics(0.5, runs=3)}, **TOOL)
    ruling = ruled(runs, "p50<+5%", baseline="a")
    assert ruling.outcome == "inconclusive"
    assert "can reach no verdict" in ruling.reason
    once = repeated({"a": four_metrics(runs=1), "b": four_metrics(0.5, runs=1)}, **TOOL)
    assert ruled(once, "p50<+5%", baseline="a").outcome == "inconclusive"


def test_a_baseline_that_nobody_names_is_no_baseline(pair: Results) -> None:
    with pytest.raises(UsageError, match="needs a baseline: name it with --baseline; there are a"):
        checked(pair, "p50<+5%")
    with pytest.raises(UsageError, match="no variant 'x' to be the baseline"):
        checked(pair, "p50<+5%", baseline="x")
    stated = interleaved({"a": four_metrics(), "b": four_metrics()}, **TOOL, baseline="a")
    assert ruled(stated, "p50<+5%").outcome == "passed"


def test_a_scenario_without_the_baseline_is_missing(pair: Results) -> None:
    other = repeated({"c": four_metrics()}, **TOOL, scenario="t")
    both = Results([*pair, *(r.with_columns(run_id=f"t{n}") for n, r in enumerate(other))])
    made = checked(both, "p50<+5%", baseline="a")
    assert [(r.scenario, r.outcome) for r in made.rulings] == [("s", "passed"), ("t", "missing")]
    assert made.rulings[1].reason == "there is no baseline a here"
    assert outcomes(both, "s: p50<+5%", baseline="a") == ["passed"]


def test_a_baseline_without_a_variant_is_missing() -> None:
    only = repeated({"a": four_metrics()}, **TOOL)
    ruling = ruled(only, "p50<+5%", baseline="a")
    assert (ruling.outcome, ruling.reason) == ("missing", "nothing is compared with the baseline")


def test_a_rule_on_a_change_of_the_baseline_itself_is_missing(pair: Results) -> None:
    ruling = ruled(pair, "a: p50<+5%", baseline="a")
    assert (ruling.outcome, ruling.reason) == ("missing", "it is the baseline itself")


def test_a_baseline_at_a_level_of_its_own_is_not_called_the_baseline_itself() -> None:
    runs = [
        run.with_columns(run_id=f"{level}-{n}", params=f'{{"c": {level}}}')
        for level, names in ((1, "ab"), (4, "ab"), (16, "a"))
        for n, run in enumerate(repeated({name: four_metrics() for name in names}, **TOOL))
    ]
    made = checked(Results(runs), "p50<+5%", baseline="a")
    alone = [r.reason for r in made.rulings if r.outcome == "missing"]
    assert alone == ["no other variant has runs with these params"]


def test_a_declared_copy_is_decided_only_where_it_is_named() -> None:
    copy = repeated({"a": four_metrics()}, **TOOL, params='{"aa": true}')
    runs = Results(
        [
            *repeated({"a": four_metrics(), "b": four_metrics()}, **TOOL),
            *(r.with_columns(run_id=f"c{n}") for n, r in enumerate(copy)),
        ]
    )
    made = checked(runs, "p99<+5%", baseline="a")
    assert [(r.variant, r.outcome) for r in made.rulings] == [("b", "passed")]
    ruling = ruled(runs, "a, copy: p99<+5%", baseline="a")
    assert (ruling.variant, ruling.outcome) == ("a, copy", "inconclusive")
    assert "a declared copy" in ruling.reason


def test_params_without_a_partner_are_missing() -> None:
    rows = [
        run(n, **TOOL, variant=variant, params=f'{{"size": {size}}}', latency_p50_s=0.01)
        for n, (variant, size) in enumerate(
            [("a", 1)] * 5 + [("a", 2)] * 5 + [("b", 1)] * 5 + [("b", 3)] * 5
        )
    ]
    made = checked(results(*rows), "p50<+5%", baseline="a")
    missing = {r.variant for r in made.rulings if r.outcome == "missing"}
    assert missing == {"b, size 3", "a, size 2"}
    assert made.status == 2


# --- a baseline that was stored ---


def stored(*parts: Results) -> Stored:
    runs = [run for part in parts for run in part]
    return Stored("runs@main", [r.with_columns(run_id=f"before {r.run_id}") for r in runs])


def test_each_variant_is_compared_with_what_was_stored_of_it() -> None:
    now = repeated({"a": four_metrics(), "b": four_metrics(0.8)}, **TOOL)
    before = repeated({"a": four_metrics(), "b": four_metrics()}, **TOOL)
    made = checked(now, "p99<+5%", stored=stored(before))
    assert [(r.variant, r.baseline, r.outcome) for r in made.rulings] == [
        ("a", "a (runs@main)", "passed"),
        ("b", "b (runs@main)", "failed"),
    ]
    assert made.tests == 2


def test_names_that_no_longer_match_are_missing_on_either_side() -> None:
    now = repeated({"a": four_metrics(), "new": four_metrics()}, **TOOL)
    before = repeated({"a": four_metrics(), "old": four_metrics()}, **TOOL)
    made = checked(now, "p99<+5%", stored=stored(before))
    by_variant = {r.variant: (r.outcome, r.reason) for r in made.rulings}
    assert by_variant["a"][0] == "passed"
    assert by_variant["new"] == ("missing", "runs@main has no run of it")
    assert by_variant["old"] == ("missing", "runs@main has it, and these runs do not")
    assert outcomes(now, "a: p99<+5%", stored=stored(before)) == ["passed"]
    with pytest.raises(UsageError, match="has none of these scenarios and variants"):
        checked(now, "p99<+5%", stored=stored(repeated({"z": four_metrics()}, **TOOL)))


def test_runs_are_never_their_own_baseline() -> None:
    now = repeated({"a": four_metrics(), "b": four_metrics()}, **TOOL)
    before = repeated({"a": four_metrics()}, **TOOL)
    with pytest.raises(UsageError, match="runs@main has no runs but these: check before"):
        checked(now, "p99<+5%", stored=Stored("runs@main", [*now]))
    both = Stored("runs@main", [*now, *stored(before).runs])
    made = checked(now, "p99<+5%", stored=both)
    by_variant = {r.variant: (r.outcome, r.baseline_runs, r.reason) for r in made.rulings}
    assert by_variant["a"][:2] == ("passed", 8)
    assert by_variant["b"] == ("missing", 0, "runs@main has no run of it but these")


def test_a_regression_in_one_metric_of_three_fails_that_rule_alone() -> None:
    rules = ("p50<+5%", "p99<+5%", "throughput>-5%")
    worse = four_metrics() | {"latency_p99_s": four_metrics(0.8)["latency_p99_s"]}
    runs = interleaved({"a": four_metrics(), "b": worse}, **TOOL)
    made = checked(runs, *rules, baseline="a")
    assert [r.outcome for r in made.rulings] == ["passed", "failed", "passed"]
    assert made.status == 1


def test_a_limit_of_its_own_is_about_the_runs_that_are_checked() -> None:
    now = repeated({"a": four_metrics()}, **TOOL)
    before = repeated({"a": four_metrics(0.1)}, **TOOL)
    assert outcomes(now, "p99<60ms", stored=stored(before)) == ["passed"]


# --- scopes ---


@pytest.mark.parametrize(
    ("scope", "variants"),
    [
        ("s", ["a", "b"]),
        ("b", ["b"]),
        ("s/b", ["b"]),
        ("s/*", ["a", "b"]),
        ("*/b", ["b"]),
        ("?", ["a", "b"]),
        ("s, size=1", ["a", "b"]),
        ("b, size 1", ["b"]),
    ],
)
def test_a_scope_names_scenario_variant_or_params(scope: str, variants: list[str]) -> None:
    runs = repeated({"a": four_metrics(), "b": four_metrics()}, **TOOL, params='{"size": 1}')
    made = checked(runs, f"{scope}: p99<60ms")
    assert [r.variant for r in made.rulings] == variants


@pytest.mark.parametrize("scope", ["nolgo", "s/c", "a, size=2", "[", "s/b/c"])
def test_a_scope_without_a_run_is_missing(scope: str) -> None:
    runs = repeated({"nolog": four_metrics(), "b": four_metrics()}, **TOOL, params='{"size": 1}')
    made = checked(runs, f"{scope}: p99<60ms", f"{scope}: p99<60ms?")
    assert [r.outcome for r in made.rulings] == ["missing"] * 2
    assert "here are s/nolog, s/b" in made.rulings[0].reason
    assert made.status == 2


def test_a_name_with_signs_of_a_pattern_is_itself() -> None:
    runs = repeated({"a[1]*": four_metrics()}, **TOOL)
    assert outcomes(runs, "a[1]*: p99<60ms") == ["passed"]


def test_warm_ups_are_not_what_a_rule_is_about(pair: Results) -> None:
    warm = repeated({"a": four_metrics(0.01)}, **TOOL, params='{"warm-up": true}')
    both = Results([*pair, *(r.with_columns(run_id=f"w{n}") for n, r in enumerate(warm))])
    assert outcomes(both, "p99<60ms") == ["passed"] * 2


# --- the status ---


def test_the_status_and_its_precedence(pair: Results) -> None:
    passing, failing, open_, missing = "p99<1s", "p99<1us", "p99<50ms", "p90<1s"

    def status(*rules: str, **asked: Any) -> int:  # noqa: ANN401 - of `Conditions`
        return checked(pair, *rules, **asked).status

    assert status(passing) == 0
    assert status(passing, f"a: {open_}") == 0
    assert status(passing, f"a: {open_}", require_verdict=True) == 3
    assert status(passing, require_verdict=True) == 0
    assert status(failing, f"a: {open_}", require_verdict=True) == 1
    assert status(failing, missing, f"a: {open_}", require_verdict=True) == 2
    assert status(f"{missing}?", passing) == 0
    assert status(passing, troubles=["x could not be read"]) == 2


def test_what_an_ignored_finding_forbids_stays_so() -> None:
    row = run(1, **TOOL, latency_p99_s=0.002, requests=1000, success_ratio=0.2, errors=800)
    serious = {f.check for f in checked(results(row)).examination.findings if f.severity == "error"}
    made = checked(results(row), "p99<5ms", exempt=exemptions(dict.fromkeys(serious, "known")))
    assert made.rulings[0].outcome == "inconclusive"
    assert made.status == 0


def test_findings_fail_from_the_severity_that_is_asked_for(data: Path) -> None:
    doubtful = benchkit.load(data / "wrk" / "timeouts.txt")
    made = checked(doubtful)
    assert (made.examination.worst, made.status) == ("error", 1)
    serious = {f.check for f in made.examination.findings if f.severity == "error"}
    reasons = exemptions(dict.fromkeys(serious, "known"))
    spared = checked(doubtful, exempt=reasons)
    assert {(each.finding.check, each.reason) for each in spared.ignored} == {
        (check, "known") for check in serious
    }
    assert spared.status == 0
    assert spared.examination.worst == "warning"
    assert checked(doubtful, exempt=reasons, fail_on="warning").status == 1


def test_a_finding_is_ignored_where_the_scope_says() -> None:
    runs = repeated({"a": four_metrics(), "b": four_metrics()}, **TOOL, duration_s=1.0)
    some = checked(runs, exempt=exemptions({"s/b: TOO_SHORT": "a smoke test"}))
    assert {each.finding.variant for each in some.ignored} == {"b"}
    assert any(f.check == "TOO_SHORT" for f in some.examination.findings)


def test_an_exemption_needs_a_check_and_a_reason() -> None:
    with pytest.raises(UsageError, match="did you mean 'TOO_SHORT'"):
        exemptions({"TO_SHORT": "x"})
    with pytest.raises(UsageError, match="without a reason"):
        exemptions({"TOO_SHORT": " "})


def test_a_percentile_without_a_column_among_the_timeouts_decides_nothing(tmp_path: Path) -> None:
    """Once p97 passed on the timeout itself, as no column is called so."""
    rows = [
        f"{1_700_000_000_000_000_000 + n * 10_000_000},"
        + ("0,3000000000,0,0,context deadline exceeded" if n % 25 == 0 else "200,5000000,0,12,")
        + f",,,{n},GET,http://h/,"
        for n in range(4000)
    ]
    file = tmp_path / "x.csv"
    file.write_text("".join(f"{row}\n" for row in rows))
    printed = benchkit.load(file)
    assert outcomes(printed, "p95<1s", "p97<5s", "p99<5s") == [
        "passed",
        "inconclusive",
        "inconclusive",
    ]


@pytest.mark.parametrize("share", [0.001, 0.003, 0.01, 0.03, 0.05])
def test_a_share_of_errors_right_at_its_limit_is_not_above_it(share: float) -> None:
    """Once 1 % was 1.0000000000000009 %."""
    runs = results(run(1, success_ratio=1 - share, requests=100_000))
    assert outcomes(runs, f"errors<={share * 100:g}%", f"errors>{share * 100:g}%") == [
        "passed",
        "failed",
    ]
