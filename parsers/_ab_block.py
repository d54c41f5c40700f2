"""A block of ab's lines that belong to one run, and the numbers in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchkit import units

from . import _ab_lines as lines


@dataclass(frozen=True)
class LabelValue:
    """The characters behind a label, and their line (from 0)."""

    line: int
    text: str


@dataclass
class AbBlock:
    """Lines that belong to one run of ab; all lines count from 0.

    Attributes:
        values: What stands behind each label, by key of `LABELS`; the second
            time per request is `per_request_all`, the further transfer rates
            are `rate_sent` and `rate_total`.
        breakdown: Failures by kind; None where ab prints no such line.
        times: Line of the heading of the connection times.
        statistics: Their columns.
        rows: Their rows, as printed.
        percents: Rows of the percentiles: (per cent, characters).
        abort: What ab printed when it gave up.
        foreign: Lines in between that are not ab's.
        drawn: Whether all of it stands in a table that an author drew.
        replaced: Whether the next block begins where this one ends.
        at_end: Whether nothing follows in the text.
        open_end: Whether, at that, the last line has no line end: it may be cut.
    """

    first: int
    last: int
    version: str | None = None
    revision: str | None = None
    started: LabelValue | None = None
    progress: bool = False
    finished: bool = False
    interrupted: bool = False
    values: dict[str, LabelValue] = field(default_factory=dict)
    broken: list[tuple[str, LabelValue]] = field(default_factory=list)
    breakdown: dict[str, int] | None = None
    times: int | None = None
    statistics: tuple[str, ...] = ()
    rows: dict[str, LabelValue] = field(default_factory=dict)
    percentiles: bool = False
    percents: list[tuple[int, str]] = field(default_factory=list)
    abort: list[LabelValue] = field(default_factory=list)
    foreign: list[int] = field(default_factory=list)
    drawn: bool = False
    replaced: bool = False
    at_end: bool = False
    open_end: bool = False

    @property
    def has_report(self) -> bool:
        """Whether anything of the report itself was met."""
        return bool(self.values or self.broken or self.rows or self.percents) or bool(
            self.times is not None or self.percentiles
        )

    def number(self, key: str) -> str | None:
        """Return the number behind a label as printed, None where there is none."""
        value = self.values.get(key)
        matched = lines.NUMBER.match(value.text) if value else None
        return matched[0] if matched else None

    def count(self, key: str) -> int | None:
        """Return the whole number behind a label; None where it is none or negative."""
        try:
            count = units.whole(self.number(key) or "")
        except ValueError:
            return None
        return count if count >= 0 else None

    def is_zero(self, key: str) -> bool:
        """Whether the number behind a label is printed as 0."""
        number = self.number(key)
        return number is not None and float(number) == 0
