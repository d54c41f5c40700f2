"""Single requests: in which steps they were written, and those of each variant put together.

Where percentiles are finer than they, `exact`, requests are placed by these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from benchkit import format as show
from benchkit.counting.arrays import Floats
from benchkit.counting.distribution import Distribution, bin_of, bounds_of, merged
from benchkit.figures.chart import Cell
from benchkit.figures.exact import Spans, exact_quantiles, spans_of, step_of
from benchkit.figures.look import Key, legend
from benchkit.figures.words import failed_too, withheld_from
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, P50
from benchkit.names import some
from benchkit.schema import QUANTILE_COLUMNS

_DIGITS: Final = 3
#: A clock is fine where so many of its steps make the narrowest bin.
_FINE: Final = 20
#: How much wider than the last a bin is; the widest that gives enough of them.
_RATIOS: Final = (1.25, 1.2, 1.1, 1.05, 1.02, 1.01, 1.005)
_BINS: Final = (14, 56)
#: Where bins end: the slowest requests, one by one, are no shape.
_LAST: Final = 0.999


@dataclass(frozen=True, eq=False)
class Bins:
    """The share of each variant's requests in bins that all have in common.

    Attributes:
        edges: In s, or over something else, ascending, one more than there are bins.
        shares: Per variant one per bin, up to where its latencies are withheld; what is below the
            first edge is in the first.
        ratio: By how much a bin is wider than the last, where the clock is fine.
        open: Whether the first bin has no lower end: its edge is only where it is drawn from.
        write: How an edge is written.
    """

    edges: Sequence[float]
    shares: Mapping[Key, Sequence[float]]
    ratio: float
    open: bool
    write: Callable[[float], str] = show.duration

    @cached_property
    def pairs(self) -> list[tuple[float, float]]:
        """Lower and upper edge of each bin."""
        return list(pairwise(self.edges))

    def hovers(self, key: Key, write: Callable[[float], str]) -> list[str]:
        """Return per bin the share of a variant in words."""
        pairs, name = zip(self._spans, self.shares[key], strict=False), key.name
        return [f"{name}\n{span}: {write(share)}" for span, share in pairs]

    def heights(self, key: Key) -> list[float]:
        """Return per bin the share of a variant in as much of a log axis as `ratio` is.

        Bins that are wider where the clock is coarser are then comparable.
        """
        # Edges are rounded: bins that are even but for that keep their shares.
        widths = [round(math.log(high / low, self.ratio), 2) for low, high in self.pairs]
        return [share / width for share, width in zip(self.shares[key], widths, strict=False)]

    @cached_property
    def _spans(self) -> list[str]:
        spans = [f"{low} to {high}" for low, high in pairwise(map(self.write, self.edges))]
        return [f"below {self.write(self.edges[1])}", *spans[1:]] if self.open else spans

    def cells(self, key: Key) -> list[Cell]:
        """Return the shares of a variant as a column of a table."""
        known: list[Cell] = [(share_of_all(share), share) for share in self.shares[key]]
        return [*known, *[(show.WITHHELD, None)] * (len(self.pairs) - len(known))]


@dataclass(frozen=True, eq=False)
class Pooled:
    """All requests of each variant of a comparison, in input order, where every run has them.

    Those of a variant whose latencies are all withheld are left out; of the others nothing is
    shown from a withheld quantile on.

    Attributes:
        by_key: Of those with exact percentiles each at the upper end of where it lies.
        steps: Per variant the coarsest step in s in which most of its requests are known.
        spans: Of the variants with exact percentiles, where the requests of each run lie.
    """

    comparison: Comparison
    by_key: Mapping[Key, Distribution]
    steps: Mapping[Key, float]
    spans: Mapping[Key, Sequence[Spans]]

    def ranked(self) -> Pooled:
        """Return the same in the order of the comparison, best first."""
        by_label = {key.label: key for key in self.by_key}
        keys = [by_label[v.label] for v in self.comparison.variants if v.label in by_label]
        return replace(self, by_key={key: self.by_key[key] for key in keys})

    def binned(self, edges: Sequence[float], ratio: float) -> Bins:
        """Return the shares of all requests between each two edges, of the first also below it."""
        shares = {key: self.shares(key, [0.0, *edges[1:]]) for key in self.by_key}
        return Bins(edges, shares, ratio, open=self.any_zero and edges[1] <= self.least_s * 1.001)

    def shares(self, key: Key, edges: Sequence[float]) -> list[float]:
        """Return the shares of a variant's requests between each two edges in s.

        The last bin is that in which the latencies begin that are withheld: all of it, as a part
        would be drawn as if it were the whole.
        """
        count = self.by_key[key].count
        below = self._upto(key, edges)
        shown = below[:-1] < key.shown_below * count
        return [float(n) for n in (np.diff(below) / count)[shown]]

    def of_runs(self, key: Key) -> list[Pooled]:
        """Return the requests of each run of a variant alone."""
        parts = [part for run in key.variant.runs if (part := run.distribution) and part.count]
        spans = [{key: [each]} for each in self.spans.get(key, ())] or [{}] * len(parts)
        return [
            replace(self, by_key={key: part}, spans=own)
            for part, own in zip(parts, spans, strict=True)
        ]

    def beyond(self, latency: float) -> float | None:
        """Return the largest share of a variant's requests that took longer, None if withheld."""
        if any(key.shown_below < 1 for key in self.by_key):
            return None
        counts = ((float(self._upto(key, [latency])[0]), r.count) for key, r in self.by_key.items())
        return max(1 - below / count for below, count in counts)

    def any_above(self, key: Key, latency_s: float) -> bool:
        """Whether any request of a variant took longer, shown or withheld."""
        return bool(self._upto(key, [latency_s])[0] < self.by_key[key].count - 0.5)

    def _upto(self, key: Key, edges: Sequence[float]) -> Floats:
        """Return how many requests of a variant are below each edge, none below 0."""
        if spans := self.spans.get(key):
            reached = np.sum([each.upto(edges) for each in spans], axis=0)
        else:
            requests = self.by_key[key]
            low, high = bounds_of(requests.bins, precision=requests.precision)
            whole = np.append(0, requests.counts.cumsum())
            reached = whole[((low + high) / 2e9).searchsorted(edges)].astype(np.float64)
        return np.where(np.asarray(edges) > 0, reached, 0.0)

    def at(self, quantile: float) -> list[float]:
        """Return a quantile of each variant in s, or the largest that is shown."""
        items = self.by_key.items()
        return [each.quantiles_s([min(quantile, key.shown_below)])[0] for key, each in items]

    @property
    def least_s(self) -> float:
        """What is less than half a step was written as 0, and is known no better than so."""
        return self.step_s / 2 or 1e-9

    @property
    def fastest_s(self) -> float:
        """Where an axis of all requests begins: the few that are faster are no shape."""
        return max(min(self.at(0.0005)), self.least_s)

    @property
    def any_zero(self) -> bool:
        """Whether requests were so fast for the clock that it wrote 0."""
        return any(each.share_at_most(self.least_s * 0.99) > 0 for each in self.by_key.values())

    def shape_edges(self, tails: Iterable[float] = ()) -> tuple[list[float], float]:
        """Return the edges of bins that hold all but the slowest requests, and their ratio.

        They go as far as some tails in s at least.
        """
        high = max(*self.at(_LAST), *tails, 0.0)
        return self.edges(_RATIOS, high, least=self.least_bins)

    @property
    def least_bins(self) -> int:
        """How many bins show a shape: of few requests fewer, so that each holds some."""
        fewest = min(each.count for each in self.by_key.values())
        return int(min(_BINS[1], max(_BINS[0], math.sqrt(fewest))))

    def edges(
        self, ratios: Sequence[float], high: float, *, least: int
    ) -> tuple[list[float], float]:
        """Return the edges of bins up to a latency, and by how much each is wider than the last.

        They lie between two steps of the clock, each around whole steps. The ratio is the first
        that gives enough bins.
        """
        low, step = self.fastest_s, self.step_s
        high = max(high, low * 1.2)
        ratio = finest(low, high, ratios, least=least)
        count = math.ceil(math.log(high / low) / math.log(ratio))
        edges = [low / ratio**1.5 * ratio**n for n in range(count + 4)]
        if step > (edges[1] - edges[0]) / _FINE:
            edges = [max(1, round(edge / step + 0.5)) * step - step / 2 for edge in edges]
            if edges[0] > step:
                edges.append(edges[0] - step)
            elif self.any_zero:  # an open bin, drawn as wide as the next
                first, second = sorted({*edges})[:2]
                edges.append(first * first / second)
        return sorted({float(f"{edge:.6g}") for edge in edges}), ratio

    def binned_as(self, bins: Bins) -> str:
        """Return how wide bins are, and where what was written as 0 is."""
        text = f"bins {show.share(round(bins.ratio - 1, 4))} wide"
        if any(b / a > bins.ratio * 1.01 for a, b in bins.pairs):
            text += ", wider where the clock is coarser"
        if bins.open:
            text += f", the first all below {show.duration(bins.edges[1])}"
        return text

    def upper_end(self, key: Key, latency: float) -> float:
        """Return up to where a latency may lie that is known to a step, in s."""
        if step := self.steps[key]:
            latency = float(f"{(round(latency / step) + 0.5) * step:.9g}")
        return max(latency, 1e-9)

    @property
    def unit(self) -> show.Unit | None:
        """The unit of the medians, in which latencies are; None where all are withheld."""
        return self.comparison.unit(P50)

    @property
    def step_s(self) -> float:
        """The coarsest step in s in which most requests of any variant are known, 0 for none."""
        return max(self.steps.values(), default=0.0)

    @property
    def several(self) -> bool:
        """Whether runs are put together."""
        return any(len(key.variant) > 1 for key in self.by_key)

    def written(self, latency: float, *, unit: show.Unit) -> str:
        """Return a latency in a unit, with no digit that is finer than what was written."""
        runs = (run for key in self.by_key for run in key.variant.runs)
        step = max(self.step_s, *(run.number("resolution_s") or 0.0 for run in runs))
        known = math.log10(latency / step) + 1 if step else math.inf
        return show.duration(latency, digits=int(min(max(1, known), _DIGITS)), unit=unit)

    @property
    def source(self) -> str:
        """How many requests are shown, of whom only summaries are known, and the clock."""
        total = sum(each.count for each in self.by_key.values())
        together = ", runs of a variant pooled" if self.several else ""
        failed = failed_too(key.variant for key in self.by_key)
        parts = [
            f"{total:,} requests{together}{failed}.",
            *clock(self.step_s),
            *self._by_percentile,
        ]
        if self.any_zero:
            parts.append(f"What took less than {show.duration(self.least_s)} was written as 0.")
        keys = list(legend(self.comparison).values())
        parts += withheld_from({key.label: key.shown_below for key in keys})
        hidden = {key.label for key in keys if not key.shown_below}
        missing = set(self.comparison.order) - {key.label for key in self.by_key} - hidden
        if missing:
            names = [show.clean(n, limit=40) for n in self.comparison.order if n in missing]
            parts.append(f"Only summaries of {some(names)}.")
        return " ".join(parts)

    @property
    def _by_percentile(self) -> list[str]:
        """What is said where requests are placed by percentiles."""
        runs = [run for key in self.by_key for run in key.variant.runs]
        exact = [
            (max(known), run.request_step_s) for run in runs if (known := exact_quantiles(run))
        ]
        if not exact:
            return []
        last, steps = min(q for q, _ in exact), show.duration(max(step for _, step in exact))
        whose = "" if len(exact) == len(runs) else "Of some runs, "
        text = f"{whose}{'u' if whose else 'U'}p to {show.percentile(last)} requests are placed"
        return [f"{text} by exact percentiles, beyond known in steps of {steps}."]

    def quantile(self, key: Key, quantile: float) -> float | None:
        """Return a quantile as the comparison has it, else of the requests put together.

        It is known to the upper end of its step; None where it is withheld.
        """
        if quantile >= min(key.variant.trusted_below, key.shown_below):
            return None
        column = QUANTILE_COLUMNS.get(quantile)
        compared = key.variant.value(BY_COLUMN[column]) if column else None
        if compared is not None:
            return compared
        return self.upper_end(key, self.by_key[key].quantiles_s([quantile])[0])

    def alt_text(self, what: str) -> str:
        """Return the median and p99 of each variant for readers who see no picture."""
        spans = []
        for key in list(self.by_key)[:8]:
            known = {"half": self.quantile(key, 0.5), "99\u00a0%": self.quantile(key, 0.99)}
            parts = [f"{share} within {show.duration(s)}" for share, s in known.items() if s]
            spans += [f"{key.name} {', '.join(parts)}"] if parts else []
        text = f": {'; '.join(spans)}" if spans else ""
        return f"{what}{text}; values in the table below"


def finest(low: float, high: float, ratios: Sequence[float] = _RATIOS, *, least: int) -> float:
    """Return by how much a bin is wider than the last: the first ratio that gives enough bins."""
    wanted = (r for r in ratios if math.log(high / low) / math.log(r) >= least)
    return next(wanted, ratios[-1])


def pooled(comparison: Comparison) -> Pooled:
    """Return the requests of the variants that have any."""
    whole, steps, spans = {}, {}, {}
    for key in (legend(comparison)[label] for label in comparison.order):
        parts = [(run, run.distribution) for run in key.variant.runs]
        known = [(run, part) for run, part in parts if part is not None and part.count]
        if not key.shown_below or not known or any(part is None for _, part in parts):
            continue
        if any(exact_quantiles(run) for run, _ in known):
            spans[key] = [spans_of(run, part) for run, part in known]
            ends = ((run, each, part) for each, (run, part) in zip(spans[key], known, strict=True))
            known = [
                (run, each.at_ends() if exact_quantiles(run) else part) for run, each, part in ends
            ]
        whole[key] = merged(_of_one_precision([part for _, part in known]))
        steps[key] = max(step_of(run) for run, _ in known)
    return Pooled(comparison, whole, steps, spans)


def _of_one_precision(parts: Sequence[Distribution]) -> list[Distribution]:
    coarsest = min(part.precision for part in parts)
    return [
        part
        if part.precision == coarsest
        else Distribution.of_bins(
            bin_of(bounds_of(part.bins, precision=part.precision)[0], precision=coarsest),
            part.counts,
            precision=coarsest,
            min_ns=part.min_ns,
            max_ns=part.max_ns,
        )
        for part in parts
    ]


def share_of_all(share: float) -> str:
    """Return a share of all requests, none finer than a millionth."""
    return show.share(round(share, 6))


def clock(step: float) -> list[str]:
    """Return what is said of a clock, nothing of a fine one."""
    return [f"Single latencies are in steps of {show.duration(step)}."] if step else []
