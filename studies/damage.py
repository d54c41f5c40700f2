"""What becomes of the values of printed reports that were damaged.

    python -m studies.damage [--pairs 5000] [--only TOOL ...] [--write]

Puts every kind of damage on every printed fixture, alone, and some of all pairs, and holds
each value of each run against that of the whole report. So it does with different reports side
by side. Prints the failures, and the counts as Markdown; with --write they go between the marks
in docs/robustness.md.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from studies.robustness import write_section
from tests.damage.kinds import KINDS
from tests.damage.matrix import (
    OUTCOMES,
    Kinds,
    Report,
    neighbours,
    outcome_beside,
    outcome_of,
    pairs,
    reports,
)

BEGIN: Final = "<!-- counts: python -m studies.damage --write -->\n"
END: Final = "<!-- end of counts -->\n"
SEED: Final = 20261122

Counts = Mapping[str, Counter[str]]


def measured(cases: Iterable[tuple[Report, Kinds]], scratch: Path) -> tuple[Counts, Counts]:
    """Return the outcomes per tool and per kind of damage, and print what failed."""
    by_tool: defaultdict[str, Counter[str]] = defaultdict(Counter)
    by_kind: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for report, kinds in cases:
        outcome, what = outcome_of(report, kinds, scratch)
        by_tool[report.tool][outcome] += 1
        for kind in kinds:
            by_kind[kind][outcome] += 1
        if outcome != "right":
            print(f"{outcome}: {' + '.join(kinds)}: {report.name}: {what[:160]}")
    return by_tool, by_kind


def measured_beside(
    cases: Iterable[tuple[Report, Report, str]], scratch: Path
) -> Mapping[str, Counter[str]]:
    """Return the outcomes of two reports side by side per tools, and print what failed."""
    by_tools: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for left, right, bar in cases:
        outcome, what = outcome_beside(left, right, bar, scratch)
        by_tools[" and ".join(sorted({left.tool, right.tool}))][outcome] += 1
        if outcome != "right":
            print(f"{outcome}: {left.name} {bar} {right.name}: {what[:160]}")
    return dict(sorted(by_tools.items()))


def table(head: str, counts: Counts) -> list[str]:
    """Return a Markdown table of outcomes with a row for each key, and their sum."""
    total = sum(counts.values(), Counter[str]())
    rows = [*counts.items(), ("all", total)] if len(counts) > 1 else list(counts.items())
    lines = [f"| {head} | share right | {' | '.join(OUTCOMES)} |", f"|---|{'---:|' * 7}"]
    for name, row in rows:
        cells = " | ".join(str(row[outcome] or "") for outcome in OUTCOMES)
        lines.append(f"| {name} | {row['right'] / row.total():.1%} | {cells} |")
    return lines


def written(
    alone: tuple[Counts, Counts], paired: tuple[Counts, Counts], beside: Counts
) -> Sequence[str]:
    """Return the part of the page that holds the counts."""
    return (
        *("### One kind of damage", "", *table("tool", alone[0]), ""),
        *("### Two kinds, one after the other", "", *table("tool", paired[0]), ""),
        *("### Two different reports side by side", "", *table("tools", beside), ""),
        *(
            "### By kind, alone",
            "",
            *table("damage", {f"`{kind}`": row for kind, row in alone[1].items()}),
            "",
        ),
    )


def main() -> None:
    """Measure, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        whole = [r for r in reports(scratch) if not asked.only or r.tool in asked.only]
        alone = measured(((report, (kind,)) for kind in KINDS for report in whole), scratch)
        paired = measured(pairs(whole, asked.pairs, seed=SEED), scratch)
        beside = measured_beside(neighbours(whole, asked.pairs // 6, seed=SEED), scratch)
    lines = written(alone, paired, beside)
    print("\n".join(lines))
    if asked.write:
        write_section(BEGIN, END, lines)


if __name__ == "__main__":
    main()
