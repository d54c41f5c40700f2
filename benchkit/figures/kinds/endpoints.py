"""Each endpoint: is it one of them that is slow, or fails?

Quantiles are medians over runs, failures those of all runs.
"""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from benchkit import format as show
from benchkit.counting.cells import quantiles
from benchkit.counting.distribution import bounds_of
from benchkit.counting.slices import OUTCOMES, SLICE_PRECISION
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.look import Key, Legend, coloured, legend, text_role
from benchkit.figures.marks import Dot, span
from benchkit.figures.panels import Shows, any_panel
from benchkit.figures.scales import from_zero, latency_axis, names_axis
from benchkit.figures.tables import TableColumn, by_column
from benchkit.figures.words import named_between, unit_of
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.model.metric import P50, P99
from benchkit.names import some
from benchkit.validity.amounts import needed

if TYPE_CHECKING:
    from benchkit.counting.cells import Cells

_MOST: Final = 12
_FEW: Final = 3  # variants whose marks have texts
_LONGEST: Final = 28
_SUBROW, _ROW, _EDGE = 27, 10, 64
_BELOW: Final = 0.46  # of the distance between two variants: from a mark to its range
_FILLED: Final = 0.8  # of the height of an endpoint: its variants
_LATENCY, _FAILED = "latency", "error_ratio"  # panels
_MOST_TICKS: Final = 4
_CLEAR: Final = -0.02  # of the axis: where one from zero begins, so that marks are clear of names
_WIDE: Final = 3.0  # latencies so many times apart stand on a log axis
_QUANTILES: Final = (0.5, 0.99)
_HOST: Final = re.compile(r"^(\S+ )?[a-z]+://[^/\s]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _EndpointFigures:
    """One endpoint of one variant.

    Attributes:
        p50_s: None where it is withheld, and as p99 where a run has too few requests for it.
        failed: Share without a response of status 200 to 399; None where outcomes are unknown.
        ranges_s: Of each quantile the lowest and the highest of several runs, where it is known.
    """

    requests: int
    p50_s: float | None
    p99_s: float | None
    failed: float | None
    ranges_s: tuple[tuple[float, float], ...] = ()


class _EndpointCounts(NamedTuple):
    """One endpoint of one run; of so few requests that they have no p99 that is None."""

    requests: int
    unknown: int
    good: int
    quantiles_s: tuple[float | None, ...]


#: Per endpoint and label of the variant.
_ByEndpoint = Mapping[str, Mapping[str, _EndpointFigures]]


@dataclass(frozen=True, slots=True)
class _EndpointRow:
    """One endpoint of one variant, at its height; with the variant's name where that is shown.

    Attributes:
        pitch: Between the heights of two variants of the endpoint.
    """

    endpoint: str
    key: Key
    figures: _EndpointFigures
    y: float
    pitch: float
    named: bool

    @property
    def hover(self) -> str:
        return f"{show.clean(self.endpoint, limit=60)}\n{self.key.name}"

    def called(self, *, several: bool) -> str:
        """Return the endpoint as a title names it, of several variants with the variant."""
        name = show.clean(self.endpoint, limit=40).replace(" ", show.NBSP)
        return f"{name} with {show.quoted(self.key.label, limit=40)}" if several else name

    def bar(self, ends: tuple[float, float]) -> Series:
        """Return what the runs span of a quantile, as a bar below its mark."""
        below = self.y - _BELOW * self.pitch
        return Series(*self.key.series, ends, (below,) * 2, line=2.5, faint=True, in_table=False)

    def beside(self, text: str, keys: Legend) -> str:
        """Return the text beside a mark."""
        parts = [self.key.short] if self.named and len(keys) > 1 else []
        return " ".join([*parts, *([text] if len(keys) <= _FEW else [])])


def endpoints(comparison: Comparison, *, shows: Shows = any_panel) -> Chart | None:
    """Return the figure, None where requests went to one endpoint or do not tell theirs."""
    every, keys = _by_endpoint(comparison), legend(comparison)
    drawn = coloured(keys)
    # What only variants in grey were sent is in the table of none.
    asked = {e: own for e, own in every.items() if any(key.label in own for key in drawn)}
    shown = dict(list(asked.items())[:_MOST])
    rows = _rows(shown, drawn)
    if not any(row.figures.p50_s for row in rows):
        return None
    alike = _failing_alike(rows, shown, several=len(drawn) > 1)
    differing = {e: own for e, own in shown.items() if e not in alike}
    unit = _unit(comparison, rows)
    latencies = _latencies(rows, keys, _names(shown), unit)
    panels = [latencies]
    if any(row.figures.failed for row in rows) and differing:
        panel = _failures(_rows(differing, drawn), keys, _names(differing))
        panels.append(replace(panel, weight=_height(differing, drawn) / _height(shown, drawn)))
        if latencies.x.scale == "linear":  # zeros below each other
            panels[0] = replace(latencies, x=replace(latencies.x, low=_CLEAR * latencies.x.last))
    limits = [f"the {len(shown)} busiest endpoints"] if len(shown) < len(every) else []
    limits += ["the variants shown"] if len(drawn) < len(keys) else []
    among = f"Of {show.listed(limits)}, " if limits else ""
    title = among + _title(rows, unit, several=len(drawn) > 1)
    return Chart(
        title=title,
        caption=" ".join(
            [
                _caption(
                    keys,
                    {panel.name for panel in panels if shows(panel.name)},
                    shown=len(shown),
                    known=len(every),
                ),
                *(_withheld_words(rows) if shows(_LATENCY) else []),
                *(_alike_words(alike, drawn) if shows(_FAILED) else []),
            ]
        ),
        label=f"{title}. p50, p99 and failures of each endpoint; values in the table below",
        panels=tuple(panels),
        table=_table(rows, unit),
        height=_height(shown, drawn) + (_height(differing, drawn) if len(panels) > 1 else 0),
    )


def _rows(shown: _ByEndpoint, drawn: Sequence[Key]) -> list[_EndpointRow]:
    """Return a row for each variant that is drawn of each endpoint that it was sent."""
    rows, named = [], set[str]()
    for n, (endpoint, own) in enumerate(shown.items()):
        sent = [key for key in drawn if key.label in own]
        for m, key in enumerate(sent):
            y, pitch = -n + _FILLED * (0.5 - (m + 0.5) / len(sent)), _FILLED / len(sent)
            with_name = key.label not in named or len(drawn) <= _FEW
            rows.append(_EndpointRow(endpoint, key, own[key.label], y, pitch, with_name))
            named.add(key.label)
    return rows


def _height(shown: _ByEndpoint, drawn: Sequence[Key]) -> int:
    """Return the height of a panel with these endpoints in px."""
    most = max(sum(key.label in own for key in drawn) for own in shown.values()) if shown else 0
    return _EDGE + len(shown) * (_ROW + _SUBROW * most)


def _names(shown: _ByEndpoint) -> Axis:
    """Return an axis of endpoints; a long name is without its middle: its end says most."""
    names = map(show.clean, shown)
    short = (n if len(n) <= _LONGEST else f"{n[:9]}…{n[10 - _LONGEST :]}" for n in names)
    return names_axis([*short])


def _failing_alike(
    rows: Sequence[_EndpointRow], shown: _ByEndpoint, *, several: bool
) -> dict[str, str]:
    """Return the share that failed of endpoints in which no variant differs from another.

    Of a single variant it is of all endpoints, or of none.
    """
    texts = {
        endpoint: [_failed(row.figures) for row in rows if row.endpoint == endpoint]
        for endpoint in shown
    }
    if not several and len(set[str]().union(*texts.values())) > 1:
        return {}
    enough = 2 if several else 1  # variants that were sent it
    same = {e: own for e, own in texts.items() if len(own) >= enough and len(set(own)) == 1}
    return {endpoint: own[0] for endpoint, own in same.items() if own[0]}


def _failed(figures: _EndpointFigures) -> str:
    return "" if figures.failed is None else show.share(round(figures.failed, 6))


def _alike_words(alike: Mapping[str, str], drawn: Sequence[Key]) -> list[str]:
    """Return what failed alike, a sentence, where any did."""
    none = show.share(0)
    by_share = grouped([e for e in alike if alike[e] != none], lambda endpoint: alike[endpoint])
    parts = [
        f"{share} of {some([show.clean(e, limit=60) for e in own])}"
        for share, own in by_share.items()
    ]
    how = " with every variant alike" if len(drawn) > 1 else ""
    return [f"Failed{how}: {'; '.join(parts)}."] if parts else []


def _unit(comparison: Comparison, rows: Sequence[_EndpointRow]) -> show.Unit:
    """Return the one unit of all latencies."""
    known = (s for row in rows for s in (row.figures.p50_s, row.figures.p99_s))
    return unit_of(comparison, P50, P99) or show.time_unit(known)


def _latencies(rows: Sequence[_EndpointRow], keys: Legend, y: Axis, unit: show.Unit) -> Panel:
    figures = [row.figures for row in rows]
    values = [value for each in figures for value in (each.p50_s, each.p99_s) if value]
    log = max(values) > _WIDE * min(values)
    values += [end for each in figures for span in each.ranges_s for end in span if end > 0]
    if log:
        axis = latency_axis(values, room=0.06, most=_MOST_TICKS, unit=unit)
        x = replace(axis, high=axis.high * (axis.high / axis.low) ** 0.35)
    else:
        x = from_zero(values, "time", room=0.5, steps=_MOST_TICKS, unit=unit)
        x = replace(x, end=max(*values, *(at for at, _ in x.ticks)))  # beyond are labels
    series = []
    for row in rows:
        known = [(v, n) for v, n in ((row.figures.p50_s, "p50"), (row.figures.p99_s, "p99")) if v]
        dots = []
        for value, name in known:
            text = show.duration(value, unit=unit)
            labels = (row.beside(text, keys),) if name == known[-1][1] else ()
            dots.append(Dot(value, labels, f"{row.hover}\n{name} {text}", filled=name == "p50"))
        series += [*map(row.bar, row.figures.ranges_s), *span(row.key, row.y, dots, size=8)]
    tails = any(row.figures.p99_s for row in rows)
    title = f"Latency, {'log scale' if log else 'from zero'}: "
    title += "p50 (filled), p99 (open)" if tails else "p50"
    notes = [
        Note(x.low, row.y, f"{row.key.short} {show.WITHHELD}", text_role(row.key.role), dx=9)
        for row in rows
        if not row.figures.p50_s and not row.figures.p99_s
    ]
    return Panel(x, y, tuple(series), tuple(notes), title=title, name=_LATENCY)


def _failures(rows: Sequence[_EndpointRow], keys: Legend, y: Axis) -> Panel:
    series = []
    for row in rows:
        share, text = row.figures.failed, _failed(row.figures)
        if share is not None:
            labels, hover = (row.beside(text, keys),), f"{row.hover}\n{text} failed"
            series.append(Dot(share, labels, hover, stems="x").series(row.key, row.y, size=8))
    x = from_zero([row.figures.failed or 0.0 for row in rows], "share", room=0.6)
    # Marks at 0 are clear of the names; the line ends where shares do, the labels go on.
    x = replace(x, low=_CLEAR * min(x.high, 1.0), end=1.0 if x.high > 1 else None)
    return Panel(x, y, tuple(series), title="Share of requests that failed", name=_FAILED)


def _title(rows: Sequence[_EndpointRow], unit: show.Unit, *, several: bool) -> str:
    """Return the endpoint with the highest p99, of several variants with its variant."""
    tails = [(p99, row.endpoint, row.key.label) for row in rows if (p99 := row.figures.p99_s)]
    if not tails:
        medians = [(row.called(several=several), p50) for row in rows if (p50 := row.figures.p50_s)]
        if not medians:
            return "Failures by endpoint"
        write = partial(show.duration, unit=unit)
        without = {row.key.label for row in rows} - {r.key.label for r in rows if r.figures.p50_s}
        names = some([show.quoted(name, limit=40) for name in sorted(without)])
        withheld = f"; withheld with {names}" if without else ""
        return f"p50 of an endpoint was {named_between(medians, write)}{withheld}"
    p99, endpoint, label = max(tails)
    whose = f" with {show.quoted(label, limit=40)}" if several else ""
    name = show.clean(endpoint, limit=60)
    return f"{name} had the highest p99, {show.duration(p99, unit=unit)}{whose}"


def _caption(keys: Legend, drawn: Container[str], *, shown: int, known: int) -> str:
    parts = ["Latency by endpoint." if _LATENCY in drawn else "Failures by endpoint."]
    if any(len(key.variant) > 1 for key in keys.values()):
        medians = "latencies are medians over runs, bars below them their range"
        counts = "failures are counted over all runs"
        about = [text for name, text in ((_LATENCY, medians), (_FAILED, counts)) if name in drawn]
        parts += [f"{text[0].upper()}{text[1:]}." for text in ["; ".join(about)] if text]
    if known > shown:
        parts.append(f"The {shown} busiest of {known} endpoints.")
    if len(coloured(keys)) < len(keys):
        names = [show.quoted(key.label, limit=40) for key in coloured(keys)]
        parts.append(f"Only {show.listed(names)}.")
    return " ".join(parts)


def _withheld_words(rows: Sequence[_EndpointRow]) -> list[str]:
    """Return which latencies are withheld and why, in a sentence if any are."""
    known = {row.key.label for row in rows if row.figures.p50_s}
    reasons: dict[str, str] = {}
    for row in rows:
        if not row.figures.p50_s:
            # Of a variant that has others it is too few requests to one endpoint.
            alone = row.key.label in known
            name = row.called(several=True) if alone else show.quoted(row.key.label, limit=40)
            why = None if alone else row.key.variant.withheld.get(P50.column)
            reasons[name] = why or "too few requests"
    parts = [
        f"{some(names)} ({show.clean(reason)})"
        for reason, names in grouped(reasons, reasons.__getitem__).items()
    ]
    return [f"Withheld: {show.listed(parts)}."] if parts else []


def _table(rows: Sequence[_EndpointRow], unit: show.Unit) -> DataTable:
    figures = [row.figures for row in rows]
    latencies = {"p50": [each.p50_s for each in figures], "p99": [each.p99_s for each in figures]}
    columns: list[TableColumn] = [
        ("Variant", [(show.clean(row.key.label), None) for row in rows]),
        ("Requests", [(show.count(each.requests), float(each.requests)) for each in figures]),
    ]
    for name, values in latencies.items():
        texts = (text or show.WITHHELD for text in show.in_unit(values, unit))
        columns.append((f"{name}, {unit.name}", [*zip(texts, values, strict=True)]))
    failures = [each.failed for each in figures]
    shares = [*zip(map(_failed, figures), failures, strict=True)]
    return by_column("Endpoint", [row.endpoint for row in rows], [*columns, ("Failed", shares)])


# --- what was measured of each ---


def _by_endpoint(comparison: Comparison) -> _ByEndpoint:
    """Return per endpoint and variant what was measured, the busiest endpoint first.

    An endpoint is a method and a URL, without the host where that tells nothing apart. Nothing
    is returned where no variant was sent several: there is nothing to tell apart.
    """
    per_run = [
        (label, run.counts.cells)
        for label in comparison.order
        for run in comparison.by_label[label].runs
        if run.counts.cells is not None
    ]
    names = _without_hosts([cells for _, cells in per_run])
    listed: dict[str, dict[str, list[_EndpointCounts]]] = defaultdict(lambda: defaultdict(list))
    for label, cells in per_run:
        for endpoint, part in _parts(cells).items():
            listed[names[endpoint]][label].append(part)
    by_endpoint = {
        name: {
            label: _figures(parts, comparison.by_label[label].trusted_below)
            for label, parts in by_label.items()
        }
        for name, by_label in listed.items()
    }
    labels = [label for by_label in by_endpoint.values() for label in by_label]
    if len(labels) == len(set(labels)):
        return {}
    busiest = sorted(
        by_endpoint, key=lambda name: -sum(each.requests for each in by_endpoint[name].values())
    )
    return {name: by_endpoint[name] for name in busiest}


def _parts(cells: Cells) -> dict[str, _EndpointCounts]:
    """Return what was counted of each endpoint in one run, requests without one left out."""
    bins, column = np.unique(cells.bins, return_inverse=True)
    counts = np.zeros((len(cells.names), len(bins)), np.int64)
    np.add.at(counts, (cells.endpoints, column), cells.counts)
    outcomes = np.zeros((len(cells.names), len(OUTCOMES)), np.int64)
    np.add.at(outcomes, (cells.endpoints, cells.outcomes), cells.counts)
    bounds = np.stack(bounds_of(bins, precision=SLICE_PRECISION)) / 1e9
    latencies = quantiles(counts, bounds, np.array(_QUANTILES))
    parts = {}
    for name, each, row in zip(cells.names, outcomes.tolist(), latencies.tolist(), strict=True):
        total = sum(each)
        if total and name is not None:
            unknown, good = (each[OUTCOMES.index(outcome)] for outcome in ("", "success"))
            known = tuple(
                latency if total >= needed(quantile) else None
                for quantile, latency in zip(_QUANTILES, row, strict=True)
            )
            parts[name] = _EndpointCounts(total, unknown, good, known)
    return parts


def _without_hosts(runs: Sequence[Cells]) -> Mapping[str, str]:
    """Return the name of each endpoint: runs may have had a server on a port of their own."""
    numbered = ([cells.names[number] for number in np.unique(cells.endpoints)] for cells in runs)
    per_run = [[name for name in names if name is not None] for names in numbered]
    every = dict.fromkeys(name for names in per_run for name in names)
    short = {name: _HOST.sub(r"\1", name) or name for name in every}
    if any(len({short[name] for name in names}) < len(names) for names in per_run):
        return {name: name for name in every}
    return short


def _figures(parts: Sequence[_EndpointCounts], below: float) -> _EndpointFigures:
    per_quantile = zip(*(part.quantiles_s for part in parts), strict=True)
    samples = [
        # Known over the runs where each of them has it.
        [s for s in values if s is not None] if quantile < below and None not in values else []
        for quantile, values in zip(_QUANTILES, per_quantile, strict=True)
    ]
    p50, p99 = (statistics.median(sample) if sample else None for sample in samples)
    spans = ((min(sample), max(sample)) for sample in samples if sample)
    ranges = tuple(span for span in spans if span[0] < span[1])
    total = sum(part.requests for part in parts)
    bad = total - sum(part.good for part in parts)
    known = total and not any(part.unknown for part in parts)
    return _EndpointFigures(total, p50, p99, bad / total if known else None, ranges)
