"""The rows of a comparison: one per scenario, variant and metric."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from benchkit.compare.verdicts import Word


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of one variant against the baseline; values in base units.

    Attributes:
        ratio: Variant over baseline.
        ci_low: Lower bound of the ratio; None where nothing supports an interval.
        confidence: The level that the interval attains, unadjusted.
        baseline_runs: Runs of the baseline that have the metric.
        verdict: `faster` means a lower latency or a higher rate.
        more_runs: Further runs of each variant that would be needed, where a verdict is missing.
        reason: Why this verdict, and what limits it.
        tool: The load generator that the variant was measured with; no column of the outputs.
    """

    scenario: str | None
    metric: str
    baseline: str
    variant: str
    baseline_value: float | None
    value: float | None
    ratio: float | None
    ci_low: float | None
    ci_high: float | None
    confidence: float | None
    baseline_runs: int
    runs: int
    verdict: Word
    more_runs: int | None
    reason: str
    tool: str


COLUMNS: Final = tuple(field.name for field in fields(Row) if field.name != "tool")
_DTYPES: Final = (
    dict.fromkeys(("scenario", "metric", "baseline", "variant", "verdict", "reason"), "string")
    | dict.fromkeys(("baseline_value", "value", "ratio", "ci_low", "ci_high"), "Float64")
    | {"confidence": "Float64", "baseline_runs": "Int64", "runs": "Int64", "more_runs": "Int64"}
)


def records(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the rows as plain dictionaries, for JSON and CSV."""
    found = [asdict(row) | {"reason": row.reason.replace(show.NBSP, " ")} for row in rows]
    return [{name: row[name] for name in COLUMNS} for row in found]


def frame(rows: Iterable[Row]) -> pd.DataFrame:
    """Return the rows as a dataframe with the columns `COLUMNS`, missing is NA."""
    import pandas as pd

    listed = records(rows)
    return pd.DataFrame(
        {
            name: pd.array(
                [row[name] for row in listed],
                dtype=_DTYPES[name],  # type: ignore[call-overload]
            )
            for name in COLUMNS
        }
    )
