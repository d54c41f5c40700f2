r"""siege's JSON, which 4.0.5 on prints by default: `{` and keys with tabs behind them.

With -q it stands alone; else what is printed besides goes to stderr. Of several runs one
object follows the other, perhaps with `LOG FILE: …` between them.

Source: JoeDog/siege 4.0.7 and 4.1.7 `src/main.c` (json_output).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import JsonParser, RunRecord

from . import _siege
from ._fields import Fields

_FACTORS: Final = {
    **dict.fromkeys(("transactions", "successful_transactions", "failed_transactions"), ""),
    **dict.fromkeys(("elapsed_time", "response_time", "longest_transaction"), "1"),
    **dict.fromkeys(("shortest_transaction", "transaction_rate", "concurrency"), "1"),
    **dict.fromkeys(("data_transferred", "throughput"), "1048576"),
    "availability": "0.01",
}


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the keys that every version prints."""
    return {"transactions", "availability", "transaction_rate", "elapsed_time"} <= value.keys()


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of one object.

    Raises:
        InputError: a figure is no number.
    """
    fields = Fields(value, "a siege result")
    record = RunRecord()
    figures: dict[str, float] = {}
    printed: dict[str, str] = {}
    for name, factor in _FACTORS.items():
        known = fields.scaled(name, factor) if factor else fields.count(name)
        if known is not None:
            figures[name], printed[name] = known, fields.text(name) or ""
    _siege.add(record, figures, printed)
    return record


PARSERS: Final = (
    JsonParser(
        name="siege-json",
        tool=_siege.TOOL,
        reads="the JSON that -j, or its configuration, asks for; several objects in one file",
        versions="4.0.5 to 4.1",
        may_fill=_siege.MAY_FILL,
        when=_siege.WHEN,
        detail=10,
        constants=_siege.CONSTANTS,
        markers=("transaction_rate",),
        matches=matches,
        parse=parse,
        needs=("transactions", "availability", "transaction_rate", "elapsed_time"),
        keys=(
            *("transactions", "availability", "data_transferred", "transaction_rate"),
            *("successful_transactions", "failed_transactions", "longest_transaction"),
            "shortest_transaction",
        ),
    ),
)
