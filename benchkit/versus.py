"""Verdicts for people: a sentence, a table and the reasons for each pair of variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare.evidence import by_variant, evidence, key_row, tests_in
from benchkit.compare.geomean import overall
from benchkit.compare.knees import Found, knees
from benchkit.compare.measures import MEASURES
from benchkit.compare.metrics import BY_NAME, Metric
from benchkit.compare.sweep import NEAR_PEAK
from benchkit.markup import escaped, table_row
from benchkit.screen import screen, stripped

if TYPE_CHECKING:
    from benchkit.compare.model import Grade
    from benchkit.compare.rows import Row
    from benchkit.results import Results

_PROSE: Final = 88
_DERIVED: Final = {
    "throughput": ("Throughput within {}", "throughput_rps"),
    "p50": ("p50 at {}", "latency_p50_s"),
    "p99": ("p99 at {}", "latency_p99_s"),
}
#: Why a difference whose interval is known is no verdict.
_LIMITS: Final = {"unshown": "not enough for a verdict", "described": "described, not tested"}
_BETWEEN: Final = ", "  # parts of a label: the variant, then its params
NOTHING: Final = "nothing to compare: no scenario has two variants measured with the same tool"


@dataclass(frozen=True, slots=True)
class Section:
    """One variant against its baseline, in words.

    Attributes:
        lines: Cells of the table: metric, baseline, variant, change, interval, verdict.
        reasons: A sentence each, naming the metrics that it is about.
    """

    title: str
    grade: Grade
    sentence: str
    headings: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    reasons: tuple[str, ...]


def sections(rows: Sequence[Row], *, tests: int | None = None) -> list[Section]:
    """Return a section per variant, in the order of the rows.

    Args:
        rows: Some or all of what was inferred.
        tests: How many tests were made in the scenario, where these are not all its rows.
    """

    def made(part: Sequence[Row]) -> int:
        return tests_in(rows, part[0].scenario) if tests is None else tests

    return [_section(part, made(part)) for part in by_variant(rows)]


def closing(rows: Sequence[Row]) -> list[str]:
    """Return sentences over all scenarios."""
    scenarios = {row.scenario for row in rows}
    means = [one for one in overall(rows) if one.metric in {"throughput", "p50", "p99"}]
    if len(scenarios) < 2:
        return []
    if not means:
        return ["No mean over the scenarios: they do not all have the same variants and metrics."]
    return [
        f"Over {one.scenarios} scenarios, geometric mean: {one.metric} of "
        f"{show.clean(one.variant)} {show.change(one.ratio)} than of {show.clean(one.baseline)}."
        for one in means
    ]


def sweep_lines(results: Results) -> list[str]:
    """Return a sentence per swept variant: where its throughput stops growing."""
    return [_knee(one) for one in knees(results)]


def _knee(one: Found) -> str:
    names = [one.variant] if one.scenario is None else [one.scenario, one.variant]
    subject = f"{show.clean(': '.join(names))}: throughput"
    peak = f"{show.rate(one.knee.peak_rps)}{show.NBSP}req/s"
    param, level = show.clean(one.param), one.knee.level
    if level is None:
        return f"{subject} still grew at the last {param}; the highest was {peak}."
    near = show.share(NEAR_PEAK)
    span = ""
    if one.repetitions > 1:
        high = "beyond the last" if one.knee.high is None else f"{one.knee.high:g}"
        low = "beyond the last" if one.knee.low is None else f"{one.knee.low:g}"
        each = f"in each of {one.repetitions} repetitions"
        spread = f"{low} to {high} over {one.repetitions} repetitions"
        span = f" ({each if low == high else spread})"
    return f"{subject} reaches {near} of its highest, {peak}, at {param} {level:g}{span}."


def table(
    rows: Sequence[Row], *, width: int, colour: bool = False, further: Sequence[str] = ()
) -> str:
    """Return the rows as text of at most `width` columns, where the names allow it.

    Args:
        rows: What to show.
        width: Columns of the terminal.
        colour: Whether escape sequences may set bold and dim text.
        further: Sentences to stand below.
    """
    from rich.table import Table
    from rich.text import Text

    console, out = screen(width, colour=colour)
    for number, one in enumerate(sections(rows)):
        if number:
            console.print()
        console.print(Text(one.title, style="bold"))
        for text in (one.sentence, f"[{one.grade.words.lower()}]"):
            console.print(Text(text), width=min(width, _PROSE))
        console.print()
        shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
        for place, heading in enumerate(one.headings):
            right = 0 < place < 3
            shown.add_column(Text(heading), justify="right" if right else "left", overflow="fold")
        for line in one.lines:
            shown.add_row(*(Text(cell) for cell in line))
        console.print(shown)
        for reason in one.reasons:
            console.print(Text(reason, style="dim"), width=min(width, _PROSE))
    below = [*closing(rows), *further]
    for text in ["", *below] if below else []:
        console.print(Text(text), width=min(width, _PROSE))
    return stripped(out)


def markdown(rows: Sequence[Row], *, further: Sequence[str] = ()) -> str:
    """Return the rows as Markdown, for a pull request or a README."""
    parts = []
    for one in sections(rows):
        rule = f"|---|--:|--:|{'---|' * (len(one.headings) - 3)}"
        cells = [one.headings, *one.lines]
        text = [table_row(map(escaped, line)) for line in cells]
        parts += [
            *(f"## {escaped(one.title)}", ""),
            *(f"**{one.grade.words}.** {escaped(one.sentence)}", ""),
            *(text[0], rule, *text[1:], ""),
            *(f"- {escaped(reason)}" for reason in one.reasons),
            "",
        ]
    below = [f"- {escaped(text)}" for text in (*closing(rows), *further)]
    return "\n".join([*parts, *below]).rstrip("\n") + "\n"


def _section(rows: Sequence[Row], tests: int) -> Section:
    names = _names(rows[0])
    grade = evidence(rows, tests=tests)
    return Section(
        names.title(rows[0].scenario),
        grade,
        _sentence(rows, grade, names, tests),
        (
            *("", show.clean(names.baseline, limit=24), show.clean(names.variant, limit=24)),
            *("change", "interval", "verdict"),
        ),
        tuple(_line(row) for row in rows),
        tuple(_reasons(rows)),
    )


@dataclass(frozen=True, slots=True)
class _Names:
    """Two variants without the params that are the same for both, and these."""

    variant: str
    baseline: str
    setting: str

    def title(self, scenario: str | None) -> str:
        """Return what is compared with what, where."""
        where = [show.clean(one) for one in (scenario, self.setting) if one]
        against = f"{show.clean(self.variant)} against {show.clean(self.baseline)}"
        return f"{', '.join(where)}: {against}" if where else against


def _names(row: Row) -> _Names:
    variant, baseline = (label.split(_BETWEEN) for label in (row.variant, row.baseline))
    most = min(len(variant), len(baseline)) - 1
    same = [a == b for a, b in zip(reversed(variant), reversed(baseline), strict=False)]
    count = min(same.index(False) if False in same else len(same), most)
    shared = variant[len(variant) - count :]
    return _Names(
        _BETWEEN.join(variant[: len(variant) - count]),
        _BETWEEN.join(baseline[: len(baseline) - count]),
        _BETWEEN.join(shared),
    )


def _line(row: Row) -> tuple[str, ...]:
    metric = metric_of(row)
    values = (row.baseline_value, row.value)
    known = [value for value in values if value is not None]
    heading = metric.heading(values) if known else metric.title
    absent = show.WITHHELD if "has it: withheld" in row.reason else show.NOT_PRINTED
    cells = [absent if cell is None else cell for cell in metric.cells(values)]
    return (heading, *cells, change_text(row), interval_text(row), row.verdict)


def change_text(row: Row) -> str:
    """Return the ratio as an amount and a direction, to the digits that its interval has."""
    change = show.change(row.ratio)
    if change is None or not change.amount or row.ci_low is None or row.ci_high is None:
        return str(change or "")
    return f"{_times(change.factor, _decimals(row))}{show.TIMES}{show.NBSP}{change.word}"


def interval_text(row: Row) -> str:
    """Return the bounds in the direction of the change; across 1 those of the ratio."""
    if row.ci_low is None or row.ci_high is None:
        return ""
    ends = [row.ci_low, row.ci_high]
    if 0 < row.ci_high < 1:
        ends = [1 / row.ci_high, 1 / row.ci_low]
    low, high = (_times(end, _decimals(row)) for end in ends)
    return f"{low}{show.EN_DASH}{high}{show.TIMES}"


def _decimals(row: Row) -> int:
    ends = [end for end in (row.ci_low, row.ci_high) if end]
    widest = max((max(end, 1 / end) for end in ends), default=1.0)
    # Near 1 the third digit is the one that says something.
    return next((n for n, least in enumerate((10, 2, 1.02)) if widest >= least), 3)


def _times(ratio: float, decimals: int) -> str:
    return show.fixed(ratio, decimals)


def metric_of(row: Row) -> Metric:
    """Return how the values of a row are written."""
    if row.metric in MEASURES:
        return MEASURES[row.metric].metric
    name, _, where = row.metric.partition("@")
    if name not in _DERIVED:
        like = MEASURES[name].metric
        return replace(like, title=f"{like.title} at {where.replace('-', ' ')}")
    title, column = _DERIVED[name]
    like = BY_NAME[column]
    return Metric(column, title.format(where.replace("-", " ")), like.quantity, like.better)


def _sentence(rows: Sequence[Row], grade: Grade, of: _Names, tests: int) -> str:
    row = key_row(rows)
    if grade.key == "incomparable" or row is None:
        return f"No verdict: {rows[0].reason.removeprefix('not comparable: ')}."
    names = show.quoted(of.variant, limit=0), show.quoted(of.baseline, limit=0)
    title = metric_of(row).title
    in_prose = title[:1] == "p"
    subject = title if in_prose else title[:1].lower() + title[1:]
    change, interval = change_text(row), interval_text(row)
    if grade.key == "established":
        what = f"{subject} is {change} ({interval}, {runs_text(row)})"
        return _established(rows, row, names, what)
    if grade.key == "unshown" and _across_one(row):
        between = interval.replace(show.EN_DASH, " and ")
        lies = f"{names[0]}/{names[1]} lies between {between}"
        return f"No {subject} difference was shown: {lies} ({runs_text(row)})."
    start = subject if in_prose else f"{subject[:1].upper()}{subject[1:]}"
    about = f"{interval}, {runs_text(row)}" if grade.key in _LIMITS else runs_text(row)
    return f"{start} of {names[0]} was {change} ({about}){_limit(grade, tests)}."


def _across_one(row: Row) -> bool:
    return row.ci_low is None or row.ci_high is None or row.ci_low <= 1 <= row.ci_high


def _limit(grade: Grade, tests: int) -> str:
    """Return what keeps a difference from being a verdict."""
    limit = _LIMITS.get(grade.key, "too few runs for a verdict" if grade.key == "few" else "")
    among = f" among {show.plural(tests, 'test')}" if grade.key == "unshown" and tests > 1 else ""
    return f"; {limit}{among}" if limit else ""


def _established(rows: Sequence[Row], row: Row, names: tuple[str, str], what: str) -> str:
    found = dict.fromkeys(one.verdict for one in rows)
    if "faster" in found and "slower" in found:
        sides = [
            f"{word} in {show.listed([one.metric for one in rows if one.verdict == word])}"
            for word in ("faster", "slower")
        ]
        return f"{names[0]} is {sides[0]} and {sides[1]} than {names[1]}."
    if row.verdict == "same":
        return f"{names[0]} and {names[1]} are the same: {what}."
    return f"{names[0]} is {row.verdict}: {what}."


def runs_text(row: Row) -> str:
    """Return the runs of both sides: `8 runs each`."""
    if row.runs == row.baseline_runs:
        return f"{show.plural(row.runs, 'run')} each"
    return f"{row.runs} and {show.plural(row.baseline_runs, 'run')}"


def _reasons(rows: Sequence[Row]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        by_reason.setdefault(show.clean(row.reason), []).append(row.metric)
    confidences = sorted({row.confidence for row in rows if row.confidence is not None})
    found = [f"{show.listed(names)}: {reason}." for reason, names in by_reason.items() if reason]
    if confidences:
        levels = show.listed([show.share(round(level, 3)) for level in confidences])
        found.append(f"Intervals are of the ratio, unadjusted, at {levels}.")
    return found
