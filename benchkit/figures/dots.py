"""One row per variant: throughput and goodput from zero, mean and maximum of the latency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchkit import format as show
from benchkit.compare import Comparison, VariantSummary
from benchkit.figures import look
from benchkit.figures.chart import Chart, DataTable, Panel, Series
from benchkit.figures.scales import from_zero, latency_axis, names_axis
from benchkit.names import short_names, with_marks

_ROW = 26
_TALL = 36  # of a row whose labels stand above the marks
_EDGE = 64  # px of a panel besides its rows: axis, title
_LEAST = 120
_COLUMNS = (("throughput_rps", "Throughput"), ("goodput_rps", "Goodput"))


def throughput(comparison: Comparison) -> Chart | None:
    """Return throughput (filled) and goodput (open) per variant, None where neither is known."""
    panel = _rates(comparison)
    if panel is None:
        return None
    best = _best(comparison)
    return Chart(
        kind="throughput",
        title=best,
        subtitle=_rates_subtitle(comparison),
        label=f"{best}. Throughput and goodput per variant; values in the table below",
        panels=(panel,),
        table=_table(comparison, ("throughput_rps", "goodput_rps", "success_ratio")),
        height=_height(comparison),
        rows=True,
    )


def overview(comparison: Comparison) -> Chart | None:
    """Return throughput above mean-to-max latency: the main figure without percentiles."""
    panels = [panel for panel in (_rates(comparison), _latencies(comparison)) if panel]
    if not panels:
        return None
    title = _best(comparison) if _rates(comparison) else "Mean and slowest request"
    columns = ("throughput_rps", "latency_mean_s", "latency_std_s", "latency_max_s")
    note = " Standard deviations are in the table: they describe spread, not uncertainty."
    has_std = any(one.values["latency_std_s"] is not None for one in comparison.variants)
    return Chart(
        kind="overview",
        title=title,
        subtitle="Throughput from zero; latency on a log axis, mean (filled) to max (open)."
        + (note if has_std else ""),
        label=f"{title}. Throughput and latency per variant; values in the table below",
        panels=tuple(panels),
        table=_table(comparison, columns),
        height=sum(round(_height(comparison) * panel.weight) for panel in panels),
        rows=True,
    )


def _names(comparison: Comparison) -> list[str]:
    short = short_names(list(comparison.order))
    return [short[one.label] for one in comparison.variants]


def _height(comparison: Comparison) -> int:
    return max(_LEAST, _EDGE + _ROW * len(comparison.variants))


def _best(comparison: Comparison) -> str:
    known = [(one.values["throughput_rps"], one) for one in comparison.variants]
    rates = [(value, one) for value, one in known if value is not None]
    told = comparison.grade.comparable and comparison.grade.key != "unshown"
    if not rates or not told or len(comparison.variants) < 2:
        return "Throughput and goodput"
    value, one = max(rates, key=lambda item: item[0])
    if all(value <= other * 1.005 for other, _ in rates):
        return f"Throughput was about equal: {show.rate(value)}{show.NBSP}req/s"
    return (
        f"{show.quoted(one.label)} had the highest throughput, {show.rate(value)}{show.NBSP}req/s"
    )


def _rates_subtitle(comparison: Comparison) -> str:
    parts = ["Responses per second, axis from zero."]
    if any(_apart(one) for one in comparison.variants):
        parts.append("Open marks are goodput: responses of status 200 to 399.")
    absent = [show.clean(o.label, limit=30) for o in comparison.variants if _no_goodput(o)]
    if absent and len(absent) == len(comparison.variants):
        parts.append("Goodput cannot be told from this output.")
    elif absent:
        parts.append(f"Goodput not known of {show.listed(absent)}.")
    if any(one.runs > 1 for one in comparison.variants):
        parts.append("Marks are medians, the bars below them the range over runs.")
    return " ".join(parts)


def _no_goodput(one: VariantSummary) -> bool:
    return one.values["goodput_rps"] is None


def _apart(one: VariantSummary) -> bool:
    good, every = one.values["goodput_rps"], one.values["throughput_rps"]
    return good is not None and (every is None or abs(good - every) > 0.001 * every)


def _rates(comparison: Comparison) -> Panel | None:
    values = [
        value
        for one in comparison.variants
        for name, _ in _COLUMNS
        for value in (one.values[name], one.high[name])
        if value is not None
    ]
    if not values:
        return None
    base = comparison.base.values["throughput_rps"] if comparison.grade.comparable else None
    series: list[Series] = []
    for row, one in enumerate(comparison.variants):
        role = look.roles(comparison)[one.label]
        numbers = comparison.marks(one.label, "throughput_rps")
        series += _rate_marks(one, -float(row), role, base, numbers)
    return Panel(
        x=from_zero(values, room=0.34),
        y=names_axis(_names(comparison)),
        series=tuple(series),
        title="Throughput, requests/s",
    )


def _rate_marks(
    one: VariantSummary, y: float, role: str, base: float | None, numbers: Sequence[int]
) -> list[Series]:
    marks = _spread_marks(one, "throughput_rps", y, role)
    every, good = one.values["throughput_rps"], one.values["goodput_rps"]
    if good is not None and _apart(one):
        text = (f"goodput {show.rate(good)}",) if every is None else ()
        hover = (f"{show.clean(one.label, limit=40)}\ngoodput {show.rate(good)} req/s",)
        marks.append(
            Series(
                one.label,
                role,
                (good,),
                (y,),
                marker=10,
                filled=False,
                labels=text,
                hover=hover,
                stems="" if every is not None else "x",
            )
        )
    if every is not None:
        beside = show.rate(every) + _relative(every, None if one.is_baseline else base)
        hover = (f"{show.clean(one.label, limit=40)}\n{beside}",)
        labels = (with_marks(beside, numbers),)
        marks.append(
            Series(
                one.label, role, (every,), (y,), marker=10, stems="x", labels=labels, hover=hover
            )
        )
    return marks


def _relative(value: float, base: float | None) -> str:
    if not base or not value or abs(value / base - 1) < 0.005:
        return ""
    return f", {show.share(value / base)}" if value < base else f", {show.factor(value / base)}"


def _spread_marks(one: VariantSummary, column: str, y: float, role: str) -> list[Series]:
    low, high = one.low[column], one.high[column]
    if one.runs < 2 or low is None or high is None or low == high:
        return []
    return [
        Series(
            one.label, role, (low, high), (y - 0.22, y - 0.22), line=2.5, faint=True, in_table=False
        )
    ]


def _latencies(comparison: Comparison) -> Panel | None:
    names = ("latency_mean_s", "latency_max_s")
    values = [one.values[name] for one in comparison.variants for name in names]
    if not any(values):
        return None
    series: list[Series] = []
    for row, one in enumerate(comparison.variants):
        role = look.roles(comparison)[one.label]
        series += _range_marks(comparison, one, -float(row), role)
    return Panel(
        x=latency_axis([value for value in values if value], room=0.1),
        y=names_axis(_names(comparison), above=0.9),
        series=tuple(series),
        weight=_TALL / _ROW,
        title="Latency: mean (filled) to max (open), log scale",
    )


def _range_marks(comparison: Comparison, one: VariantSummary, y: float, role: str) -> list[Series]:
    mean, top = one.values["latency_mean_s"], one.values["latency_max_s"]
    marks: list[Series] = []
    if mean and top:
        marks.append(
            Series(one.label, role, (mean, top), (y, y), line=1.5, dotted=True, in_table=False)
        )
    for value, word, filled in ((mean, "mean", True), (top, "max", False)):
        if value:
            text = show.duration(value)
            hover = (f"{show.clean(one.label, limit=40)}\n{word} {text}",)
            marks.append(
                Series(
                    one.label,
                    role,
                    (value,),
                    (y,),
                    marker=10,
                    filled=filled,
                    labels=(with_marks(text, comparison.marks(one.label, f"latency_{word}_s")),),
                    label_at="above",
                    hover=hover,
                )
            )
    return marks


def _table(comparison: Comparison, columns: Sequence[str]) -> DataTable:
    from benchkit.compare import BY_NAME

    variants = comparison.variants
    known = [c for c in columns if any(one.values[c] is not None for one in variants)]
    values: Mapping[str, list[float | None]] = {
        c: [one.values[c] for one in variants] for c in known
    }
    texts = {c: BY_NAME[c].cells(values[c]) for c in known}
    rows = [
        (one.label, tuple((texts[c][n] or _absent(one, c), values[c][n]) for c in known))
        for n, one in enumerate(variants)
    ]
    return DataTable(("Variant", *(BY_NAME[c].heading(values[c]) for c in known)), tuple(rows))


def _absent(one: VariantSummary, column: str) -> str:
    return show.WITHHELD if column in one.withheld else show.NOT_PRINTED
