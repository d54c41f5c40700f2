"""Rules as they are typed: what each spelling means, and what to write instead of what is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.cli.configured import checked
from benchkit.config import KEYS, settings
from benchkit.errors import UsageError
from benchkit.gates.rule import SIGNS, Rule, rule
from benchkit.model.metric import COMPARED, METRICS


@pytest.mark.parametrize(
    ("text", "metric", "sign", "limit"),
    [
        ("p99<250ms", "p99", "<", 0.25),
        ("p99 <= 1.5 s", "p99", "<=", 1.5),
        ("p50<800us", "p50", "<", 0.0008),
        ("p50<800µs", "p50", "<", 0.0008),
        ("max<2m", "max", "<", 120),
        ("p97.5<10ms", "p97.5", "<", 0.01),
        ("throughput>5000", "throughput", ">", 5000),
        ("throughput>5000/s", "throughput", ">", 5000),
        ("throughput >= 5k req/s", "throughput", ">=", 5000),
        ("rps>5.5k", "throughput", ">", 5500),
        ("errors<1%", "error_ratio", "<", 0.01),
        ("errors<=0", "error_ratio", "<=", 0),
        ("success>99.9%", "success", ">", 0.999),
        ("rss<200MB", "rss", "<", 200e6),
        ("rss<64MiB", "rss", "<", 64 * 2**20),
        ("requests>10k", "requests", ">", 10_000),
    ],
)
def test_a_limit_of_its_own(text: str, metric: str, sign: str, limit: float) -> None:
    made = rule(text)
    assert (made.metric.name, made.sign, made.relative) == (metric, sign, False)
    assert made.limit == pytest.approx(limit)


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("p99<+5%", 1.05),
        ("throughput>-3%", 0.97),
        ("throughput > −3 %", 0.97),
        ("p50<+0%", 1.0),
        ("p50<=baseline", 1.0),
        ("p99<baseline+5%", 1.05),
        ("p99 < baseline - 10%", 0.9),
        ("errors<+100%", 2.0),
    ],
)
def test_a_change_against_the_baseline(text: str, ratio: float) -> None:
    made = rule(text)
    assert made.relative
    assert made.limit == pytest.approx(ratio)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("p(95)<500ms", "p95<500ms"),
        ("p(99.9)<500ms", "p99.9<500ms"),
        ("med<5ms", "p50<5ms"),
        ("avg<5ms", "mean<5ms"),
        ("rate<0.01", "error_ratio<0.01"),
        ("http_req_duration: p(95)<500ms", "p95<500ms"),
        ("http_req_failed: rate<0.01", "error_ratio<0.01"),
        ("http_reqs: rate>100", "throughput>100"),
        ("P99<5ms", "p99<5ms"),
        ("p99 \N{LESS-THAN OR EQUAL TO} 5\N{NO-BREAK SPACE}ms", "p99<=5ms"),  # as tables print it
    ],
)
def test_spellings_of_threshold_files(text: str, same: str) -> None:
    assert rule(text) == rule(same)


def test_what_it_is_about_stands_before_the_last_colon() -> None:
    assert rule("gin-panic/nolog: p99<5ms").scope == "gin-panic/nolog"
    assert rule("host:8080/a, connections=50: p99<5ms").scope == "host:8080/a, connections=50"
    assert rule("p99<5ms?").optional
    assert not rule("p99<5ms").optional


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("p(95)<500", "write 500ms for milliseconds"),
        ("http_req_duration: p(95)<500", "write 500ms"),
        ("p90 of label>150ms for 10s, stop as failed", "write 'label: p90<=150ms'"),
        ("p90>150ms for 10s, stop as failed", "write 'p90<=150ms'"),
        ("avg-rt of x>150ms", "write 'x: avg-rt<=150ms'"),
        ("rc500 of x>3 over 10s", "it says when a test fails"),
        ("http_req_duration{name:login}: p95<5ms", "SCENARIO/VARIANT: p95<5ms"),
        ("trouput>5", "did you mean 'throughput'?"),
        ("p99==5ms", "no '==' but <, <=, >, >="),
        ("p99<5%", "write +5% or -5%"),
        ("p99<+5ms", "in per cent: write +5% or -5%"),
        ("p99<-100%", "leaves nothing"),
        ("errors<1", "write 1%"),
        ("errors<200%", "never above 100%"),
        ("rss<200", "write 200MB"),
        ("threads p99<5ms", "ends with a colon: 'threads: p99…'"),
        ("p50<1ms and p99<5ms", "write a rule for each"),
        ("p97.5<+5%", "no change of p97.5 is tested against a baseline"),
        ("max<+5%", "no change of max is tested against a baseline"),
        ("avg-rt>20ms", "write 'avg-rt<=20ms'"),
        ("fail>50%", "write 'fail<=50%'"),
        ("succ<100%", "write 'succ>=100%'"),
        ("p99<5 parsecs", "a time with its unit"),
        ("throughput>many", "a number per second"),
        ("p99<", "lacks its limit"),
        ("<5ms", "lacks its metric"),
        ("fast please", "write for example 'p99<250ms'"),
        ("", "write for example"),
        ("x" * 500 + ": p99<5ms", "longer than"),
    ],
)
def test_what_is_none_says_what_to_write(text: str, advice: str) -> None:
    with pytest.raises(UsageError) as caught:
        rule(text)
    message = str(caught.value)
    assert advice in message
    assert "\n" not in message


#: Per quantity what a limit may look like.
LIMITS = {
    "time": st.sampled_from(("5ms", "1.25s", "800us", "3m", "12ns")),
    "rate": st.sampled_from(("5000", "5k", "12.5/s", "3M/s")),
    "share": st.sampled_from(("1%", "0.5%", "0.01", "0", "100%")),
    "bytes": st.sampled_from(("200MB", "64MiB", "5B", "1.5GB")),
    "count": st.sampled_from(("10", "5k", "0")),
}
SCOPES = (
    st.text(max_size=30)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: not {"{", "}"} <= {*text} and not text.startswith("http_req"))
)


@st.composite
def rules(draw: st.DrawFn) -> str:
    relative = draw(st.booleans())
    metric = draw(
        st.sampled_from(
            [m for m in COMPARED.values() if m.role != "described"] if relative else METRICS
        )
    )
    name = "error_ratio" if metric.name == "errors" else metric.name
    quantity = "share" if metric.name == "errors" else metric.quantity
    change = st.sampled_from(("+5%", "-3%", "+0%", "+150%", "-99.5%"))
    limit = draw(change if relative else LIMITS[quantity])
    scope = draw(SCOPES)
    mark = "?" if draw(st.booleans()) else ""
    return f"{f'{scope}: ' if scope else ''}{name}{draw(st.sampled_from(SIGNS))}{limit}{mark}"


@given(rules())
def test_a_rule_written_down_is_the_same_rule(text: str) -> None:
    made = rule(text)
    assert rule(str(made)) == made
    assert isinstance(made, Rule)


@given(
    st.one_of(
        st.text(),
        st.text("p9<>=:+-%ms?(){}. of,forstop\n\x1b", max_size=40),
        st.tuples(rules(), st.text(max_size=5)).map("".join),
    )
)
def test_whatever_is_typed_is_a_rule_or_one_line(text: str) -> None:
    message = ""
    try:
        made = rule(text)
    except UsageError as error:
        message = str(error)
    else:
        assert made.limit >= 0
    assert message.isprintable()


def test_a_long_line_costs_no_time() -> None:
    for text in ("p99<" + "9" * 300 + "ms", " of " * 90, ":" * 400, "p99<+" + "5" * 300 + "%"):
        with pytest.raises(UsageError):
            rule(text)


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        ("p99<5ms", 0.005, False),
        ("p99<=5ms", 0.005, True),
        ("p99<5ms", 0.0049, True),
        ("throughput>100", 100, False),
        ("throughput>=100", 100, True),
        ("throughput>-3%", 0.98, True),
        ("throughput>-3%", 0.96, False),
    ],
)
def test_a_value_keeps_to_it_or_not(text: str, value: float, *, holds: bool) -> None:
    assert rule(text).holds(value) is holds


def test_a_rule_that_holds_on_the_worse_side_is_known() -> None:
    assert rule("p99>150ms").asks_for_worse
    assert rule("throughput<100").asks_for_worse
    assert not rule("p99<150ms").asks_for_worse
    assert not rule("throughput>-3%").asks_for_worse


DOCS = Path(__file__).resolve().parents[2] / "docs" / "gates.md"


def test_the_rules_of_the_docs_are_rules() -> None:
    text = DOCS.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", text, re.MULTILINE)
    shown = [each for row in rows for each in re.findall(r"`([^`]*[<>][^`]*)`", row)]
    whole = [text for text in shown if not text.startswith(("<", ">"))]
    assert len(whole) > 10
    for text in whole:
        assert str(rule(text))


def test_the_configuration_of_the_docs_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((block),) = re.findall(r"```toml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    (tmp_path / "benchkit.toml").write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name, setting in settings({}).items():
        checked(name, setting)
    documented = DOCS.read_text("utf-8")
    assert [key for key in KEYS if f"`{key}`" not in documented] == []
    variables = [key.variable for key in KEYS.values() if key.written]
    assert [name for name in variables if f"`{name}`" not in documented] == []
