"""What the keys of autocannon's JSON mean."""

from __future__ import annotations

import re
from decimal import Decimal

from ._fields import Fields

RESULT = "an autocannon result"


def share(key: str) -> tuple[float, str] | None:
    """Return the quantile that a key names, as 0..1 and as a percentage.

    `p97_5` is 97.5 %; in the older spelling, which has no separator, the first
    two digits are the whole part: `p999` is 99.9 %.
    """
    matched = re.fullmatch(r"p([0-9]{1,2})(?:_?([0-9]{1,6}))?", key)
    if matched is None:
        return None
    percent = f"{matched[1]}.{matched[2]}" if matched[2] else matched[1]
    return float(Decimal(percent) / 100), percent


def repeats_mean(fields: Fields, part: str) -> bool:
    """Whether `mean` only repeats `average`."""
    return fields.text(f"{part}.mean") == fields.text(f"{part}.average") is not None
