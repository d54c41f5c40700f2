"""What a title may claim: what its own values say, unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchkit.model.comparison import Comparison


def comparable(comparison: Comparison) -> bool:
    """Whether several variants may be ranked at all."""
    grade = comparison.grade
    return len(comparison.variants) > 1 and grade.comparable and grade.key != "unshown"


def outermost(values: Mapping[str, float], write: Callable[[float], str]) -> str | None:
    """Return the label of the largest value, None where another one reads the same."""
    ordered = sorted(values, key=lambda label: -values[label])
    if len(ordered) > 1 and write(values[ordered[0]]) == write(values[ordered[1]]):
        return None
    return ordered[0] if ordered else None


def differs(comparison: Comparison, label: str, column: str) -> bool:
    """Whether no test failed to tell a variant from what it is compared with in a metric.

    The baseline has to be told from every other variant.
    """
    labels = [v.label for v in comparison.others] if label == comparison.baseline else [label]
    effects = (comparison.effect(other, column) for other in labels)
    return all(e.verdict in {"faster", "slower"} for e in effects if e is not None and e.tested)
