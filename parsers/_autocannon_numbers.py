"""Reads autocannon's Req/Sec cells, which are printed in the machine's notation.

From 7.14 on these cells, and only these, pass through JavaScript's
`toLocaleString`: `87,916.8`, `87.916,8` and `87'916.8` are one number. The
notation is not printed; a row is read where all its cells together allow one
reading only.

Source: autocannon 7.14 to 9.0 `lib/printResult.js`; Unicode CLDR for the marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from benchkit.errors import InputError

_BLANKS: Final = "\u00a0\u202f\u2009 "
_QUOTES: Final = "'\u2019"


@dataclass(frozen=True)
class _Notation:
    grouped: str
    marks: str
    decimal: str

    def read(self, cell: str) -> Decimal | None:
        matched = re.fullmatch(
            rf"([0-9]+|{self.grouped})(?:{re.escape(self.decimal)}([0-9]+))?", cell
        )
        if matched is None or len(cell) > 30:
            return None
        whole = re.sub(f"[{self.marks}]", "", matched[1])
        return Decimal(f"{whole}.{matched[2] or 0}")


def _thousands(marks: str, decimal: str) -> _Notation:
    return _Notation(rf"[1-9][0-9]{{0,2}}(?:[{marks}][0-9]{{3}})+", marks, decimal)


_NOTATIONS: Final = (
    _thousands(",", "."),
    _thousands(".", ","),
    _thousands(_BLANKS, ","),
    _thousands(_BLANKS, "."),
    _thousands(_QUOTES, "."),
    _thousands(_QUOTES, ","),
    _Notation(r"[1-9][0-9]?(?:,[0-9]{2})*,[0-9]{3}", ",", "."),  # lakh and crore
)


@dataclass(frozen=True)
class Expectation:
    """What the rest of a report says about the average, for choosing a reading.

    Attributes:
        requests: Requests of the whole run, perhaps rounded.
        samples: How many samples they were spread over, roughly.
    """

    requests: float
    samples: float

    def allows(self, average: Decimal) -> bool:
        """Whether an average is of the right size; failed requests make it smaller."""
        if not self.requests or not self.samples or not average:
            return True
        return 1 / 30 < float(average) * self.samples / self.requests < 30


def read_rates(cells: Mapping[str, str], expected: Expectation | None) -> dict[str, Decimal]:
    """Return the numbers of a Req/Sec row.

    Args:
        cells: Printed text by column: `avg`, `stdev`, `min`, `max`, or a
            percentage without its sign.
        expected: What the summary line says, where there is one.

    Raises:
        InputError: a cell is no number, or two readings are possible.
    """
    readings = list(_readings(cells))
    if len(readings) > 1:
        readings = [numbers for numbers in readings if _possible(numbers, expected)]
    if len(readings) == 1:
        return readings[0]
    row = " | ".join(cells.values())
    if not readings:
        raise InputError("numbers of one notation in the Req/Sec row", actual=row, hint=_HINT)
    raise InputError("Req/Sec numbers that can be read in one way", actual=row, hint=_AMBIGUOUS)


_HINT: Final = "run autocannon with -j, whose numbers do not depend on the machine"
_AMBIGUOUS: Final = f"a mark may be for thousands or for decimals; {_HINT}"


def _readings(cells: Mapping[str, str]) -> Iterator[dict[str, Decimal]]:
    seen: list[dict[str, Decimal]] = []
    for notation in _NOTATIONS:
        read = {column: notation.read(cell) for column, cell in cells.items()}
        numbers = {column: value for column, value in read.items() if value is not None}
        if len(numbers) == len(cells) and numbers not in seen:
            seen.append(numbers)
            yield numbers


def _possible(numbers: Mapping[str, Decimal], expected: Expectation | None) -> bool:
    """Whether numbers can be the statistics of one sample.

    Some slack is left for the histogram's three significant digits.
    """
    percents = sorted((c for c in numbers if c[0].isdigit()), key=Decimal)
    ordered = [numbers[c] for c in percents]
    if ordered != sorted(ordered):
        return False
    low = min([numbers[c] for c in ("min", *percents[:1]) if c in numbers], default=Decimal(0))
    average, middle = numbers.get("avg"), numbers.get("50")
    if ordered and numbers.get("min", Decimal(0)) > _more(ordered[-1]):
        return False
    if average is None:
        return True
    if _more(average) < low or average > _more(numbers.get("max", average)):
        return False
    if middle is not None and "stdev" in numbers and "max" not in numbers:
        spread = numbers["stdev"] * Decimal("1.05") + average / 100 + 1
        if abs(average - middle) > spread:
            return False
    return expected is None or expected.allows(average)


def _more(value: Decimal) -> Decimal:
    return value * Decimal("1.01") + 1
