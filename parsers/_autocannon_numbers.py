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
from decimal import Decimal
from typing import Final

from benchkit.errors import InputError, Where

from ._line import ReportLine

_MOST_DIGITS: Final = 30


def _notation(grouped: str, decimal: str) -> re.Pattern[str]:
    return re.compile(rf"([0-9]+|{grouped})(?:{re.escape(decimal)}([0-9]+))?")


_NOTATIONS: Final = (
    *(
        _notation(rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+", decimal)
        for mark, decimal in ((",", "."), ("\\.", ","), (" ", ","), (" ", "."), ("['\u2019]", ","))
    ),
    _notation(r"[1-9][0-9]?(?:,[0-9]{2})*,[0-9]{3}", "."),  # lakh and crore
)


def read_rates(
    row: ReportLine, cells: Mapping[str, str], expected: float, far: float
) -> dict[str, Decimal]:
    """Return the numbers of a Req/Sec row.

    Args:
        row: The row, for errors.
        cells: Printed text by column: `avg`, `stdev`, `min`, `max`, or a
            percentage without its sign.
        expected: The average as far as the summary line tells it, 0 where it does not;
            failed requests make it smaller.
        far: How many times as large or small the average may be.

    Raises:
        InputError: a cell is no number, or two readings are possible.
    """
    ways = readings = list(_readings(cells))
    if len(ways) > 1:
        readings = [numbers for numbers in ways if _possible(numbers, expected, far)]
    if len(readings) == 1:
        return readings[0]
    raise InputError(
        "Req/Sec numbers that can be read in one way" if ways else _EXPECTED,
        actual=" | ".join(cells.values()),
        where=Where(line=row.number + 1),
        hint=_AMBIGUOUS if ways else _HINT,
    )


_EXPECTED: Final = "numbers of one notation in the Req/Sec row"
_HINT: Final = "run autocannon with -j, whose numbers do not depend on the machine"
_AMBIGUOUS: Final = f"a mark may be for thousands or for decimals; {_HINT}"


def _readings(cells: Mapping[str, str]) -> Iterator[dict[str, Decimal]]:
    seen: list[dict[str, Decimal]] = []
    for notation in _NOTATIONS:
        numbers = {
            column: Decimal(re.sub(r"\D", "", matched[1]) + "." + (matched[2] or "0"))
            for column, cell in cells.items()
            if len(cell) <= _MOST_DIGITS and (matched := notation.fullmatch(cell))
        }
        if len(numbers) == len(cells) and numbers not in seen:
            seen.append(numbers)
            yield numbers


def _possible(numbers: Mapping[str, Decimal], expected: float, far: float) -> bool:
    """Whether numbers can be the statistics of one sample.

    Some slack is left for the histogram's three significant digits.
    """
    percents = sorted((c for c in numbers if c[0].isdigit()), key=Decimal)
    ordered = [numbers[c] for c in percents]
    average = numbers.get("avg", Decimal(0))
    low = numbers.get("min", min(ordered, default=average))
    return (
        ordered == sorted(ordered)
        and low <= _more(min([average, *ordered[-1:]]))
        and average <= _more(numbers.get("max", average))
        and (not expected or not average or 1 / far < float(average) / expected < far)
    )


def _more(value: Decimal) -> Decimal:
    return value * Decimal("1.01") + 1
