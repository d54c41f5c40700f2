"""Rules as they are typed: `p99<250ms`, `errors<1%`, `gin-panic/nolog: p99<+5%`.

A rule says what must hold. The words of metrics are those of every command; the spellings of
threshold files are understood beside them (`p(95)`, `med`, `avg`, `rate`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from benchkit import format as show
from benchkit import units
from benchkit.errors import UsageError, nearest, printable
from benchkit.model.limit import LimitError, absolute, change, is_change
from benchkit.model.metric import COMPARED, ERROR_RATIO, METRICS, Metric, percentile

Sign = Literal["<", "<=", ">", ">="]

SIGNS: Final[tuple[Sign, ...]] = ("<", "<=", ">", ">=")
#: Signs as tables print them.
_AS_PRINTED: Final = str.maketrans({"≤": "<=", "≥": ">="})
_SIGN: Final = re.compile(r"[<>=!]++")
#: Longer than any rule that somebody types.
_LONGEST: Final = 400
#: Metrics by name; `errors` is the share of them, as a limit in per cent means.
_BY_NAME: Final[Mapping[str, Metric]] = {
    **{metric.name: metric for metric in METRICS},
    "errors": ERROR_RATIO,
}
#: Those of which a change against a baseline is tested: an extreme of one run never is.
_TESTED: Final = tuple(name for name, each in COMPARED.items() if each.role != "described")
#: Words of criteria that say when a test fails.
_OF_CRITERIA: Final = frozenset({"avg-rt", "fail", "succ"})
#: Other words for metrics.
_ALIASES: Final = {
    **dict.fromkeys(("med", "median"), "p50"),
    **dict.fromkeys(("avg", "average", "avg-rt"), "mean"),
    **dict.fromkeys(("rate", "error_rate", "failed", "fail"), "errors"),
    **dict.fromkeys(("rps", "reqs"), "throughput"),
    "succ": "success",
    "memory": "rss",
}
#: In threshold files these stand before the colon: what is measured, not where.
_SUBJECTS: Final[Mapping[str, Mapping[str, str]]] = {
    "http_req_duration": {},
    "http_req_failed": {"rate": "errors"},
    "http_reqs": {"rate": "throughput", "count": "requests"},
}
_OPPOSITE: Final[Mapping[str, str]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
#: What else such criteria have.
_FAILS_WHEN: Final = re.compile(r"\s(?:of|for|over|within)\s|\b(?:stop|continue) as\b")
_EXAMPLES: Final = "write for example 'p99<250ms', 'errors<1%' or 'p99<+5%'"


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold of one metric.

    Attributes:
        limit: In the base unit of the metric; of a relative rule the ratio to the baseline.
        relative: Whether it is about the change against a baseline.
        limit_text: The limit as it is best typed.
        scope: Which scenarios and variants it is about, empty for all.
        optional: Whether it is skipped where nothing has the metric.
        text: As it was typed.
    """

    metric: Metric
    sign: Sign
    limit: float
    relative: bool
    limit_text: str
    scope: str = ""
    optional: bool = False
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        scope = f"{self.scope}: " if self.scope else ""
        mark = "?" if self.optional else ""
        return f"{scope}{self.metric.name}{self.sign}{self.limit_text}{mark}"

    @property
    def is_upper(self) -> bool:
        """Whether the limit is an upper bound."""
        return self.sign.startswith("<")

    @property
    def asks_for_worse(self) -> bool:
        """Whether it holds on the worse side of its limit, as criteria for failing would."""
        return bool(self.metric.better) and self.is_upper == self.metric.higher_is_better

    def holds(self, value: float) -> bool:
        """Whether a value, or the ratio of a change, keeps to it."""
        if value == self.limit:
            return self.sign.endswith("=")
        return (value < self.limit) == self.is_upper


def rule(text: str) -> Rule:
    """Return a rule from its text.

    Raises:
        UsageError: it is none; the message says what to write.
    """
    if len(text) > _LONGEST:
        raise _refused(text, f"it is longer than {_LONGEST} characters")
    scope, _, body = text.rpartition(":")
    scope, body = scope.strip(), body.strip().translate(_AS_PRINTED)
    if "{" in text and "}" in text:
        raise _refused(text, "what it is about stands before a colon: 'SCENARIO/VARIANT: p95<5ms'")
    sign = _SIGN.search(body)
    if sign is None:
        raise _refused(text, _EXAMPLES)
    name, limit = body[: sign.start()].strip(), body[sign.end() :].strip()
    if _FAILS_WHEN.search(f"{body} "):
        raise _refused(text, _instead(name, sign[0], limit))
    if sign[0] not in SIGNS:
        raise _refused(text, f"there is no {printable(sign[0])} but {', '.join(SIGNS)}")
    if _SIGN.search(limit):
        raise _refused(text, "a rule has one limit; write a rule for each")
    if scope in _SUBJECTS:
        name, scope = _SUBJECTS[scope].get(name.lower(), name), ""
    chosen = _metric(text, name)
    if name.lower() in _OF_CRITERIA and (sign[0][0] == "<") == chosen.higher_is_better:
        raise _refused(text, _instead(name, sign[0], limit))
    optional = limit.endswith("?")
    limit = limit.removesuffix("?").strip()
    if not limit:
        raise _refused(text, f"it lacks its limit; {_EXAMPLES}")
    return _with_limit(text, scope, chosen, _sign(sign[0]), limit, optional=optional)


def _with_limit(
    text: str, scope: str, metric: Metric, sign: Sign, limit: str, *, optional: bool
) -> Rule:
    relative = is_change(limit)
    if relative and metric.name not in _TESTED:
        known = ", ".join(_TESTED)
        raise _refused(
            text, f"no change of {metric.name} is tested against a baseline, but {known}"
        )
    try:
        value, shown = change(limit) if relative else absolute(metric, limit)
    except LimitError as error:
        raise _refused(text, str(error)) from None
    typed = " ".join(text.split())
    return Rule(metric, sign, value, relative, shown, " ".join(scope.split()), optional, typed)


def _sign(text: str) -> Sign:
    return next(sign for sign in SIGNS if sign == text)


def _metric(text: str, name: str) -> Metric:
    word = name.lower()
    word = _ALIASES.get(word, word)
    if word in _BY_NAME:
        return _BY_NAME[word]
    quantile = quantile_of(word)
    if quantile is not None:
        return _percentile(quantile)
    if not name:
        raise _refused(text, f"it lacks its metric; {_EXAMPLES}")
    before, _, last = name.rpartition(" ")
    if last.lower() in _BY_NAME or last.lower() in _ALIASES or quantile_of(last.lower()):
        raise _refused(text, f"what it is about ends with a colon: '{before.strip()}: {last}…'")
    known = [*COMPARED, "errors"]
    near = nearest(name, [*_BY_NAME, *_ALIASES])
    there = f"There are {', '.join(known)}" if near else f"there are {', '.join(known)}"
    raise _refused(text, f"no metric {printable(name)}; {near} {there}".replace("  ", " "))


def quantile_of(word: str) -> float | None:
    """Return `p99.9` or `p(99.9)` as 0.999, None where a word is no percentile."""
    digits = word.removeprefix("p")
    if digits == word:
        return None
    if digits.startswith("(") and digits.endswith(")"):
        digits = digits[1:-1].strip()
    if not digits[:1].isdigit():
        return None
    try:
        quantile = units.scaled(digits, "0.01")
    except ValueError:
        return None
    return quantile if 0 < quantile < 1 else None


@lru_cache(maxsize=256)
def _percentile(quantile: float) -> Metric:
    """Return one and the same metric for one quantile."""
    metric = percentile(quantile)
    return _BY_NAME.get(metric.name, metric)


def _instead(name: str, sign: str, limit: str) -> str:
    """Return what to write instead of a criterion that says when a test fails."""
    subject, _, label = name.partition(" of ")
    value = re.split(r"\s|,", limit, maxsplit=1)[0]
    scope = f"{label.strip()}: " if label.strip() else ""
    wanted = f"{scope}{subject.strip()}{_OPPOSITE.get(sign, '<')}{value}"
    says = "it says when a test fails, a rule what must hold over whole runs"
    if _FAILS_WHEN.search(subject):
        return f"{says}: {_EXAMPLES}"
    try:
        rule(wanted)
    except UsageError:
        return f"{says}: {_EXAMPLES}"
    return f"{says}: write {printable(wanted, limit=_LONGEST)}"


def _refused(text: str, why: str) -> UsageError:
    return UsageError(f"no rule {printable(show.clean(text))}: {show.clean(why)}")
