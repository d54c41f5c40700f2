"""What becomes of the values of recorded outputs that are cut.

    python -m studies.prefixes [--step 1] [--only TOOL ...] [--write]

Cuts every fixture that is read line by line behind every character (or every so many), and holds
what is read against the whole file. Prints what is wrong or missing without a word, the first of
each kind, and the counts as Markdown; with --write they go between the marks in
docs/robustness.md.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from studies.robustness import write_section
from tests.damage.prefixes import OUTCOMES, Recording, outcome_of, recordings

BEGIN: Final = "<!-- counts: python -m studies.prefixes --step 17 --write -->\n"
END: Final = "<!-- end of counts of prefixes -->\n"
#: What nobody wants to see.
BAD: Final = frozenset(("wrong", "absent"))


def measured(
    wanted: Iterable[Recording], scratch: Path, *, step: int
) -> Mapping[str, Counter[str]]:
    """Return the outcomes per format, and print the first of each stretch of bad ones."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for recording in wanted:
        before = ""
        for length in recording.lengths[::step]:
            outcome, what = outcome_of(recording, length, scratch)
            counts[recording.format][outcome] += 1
            if outcome in BAD and outcome != before:
                end = recording.content[max(length - 30, 0) : length]
                print(f"{outcome}: {recording.name}: {length}: {what[:120]}, behind {end!r}")
            before = outcome
    return counts


def table(counts: Mapping[str, Counter[str]]) -> list[str]:
    """Return a Markdown table of the outcomes with a row for each format, and their sum."""
    rows = [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]
    lines = [f"| output | prefixes | {' | '.join(OUTCOMES)} |", f"|---|{'---:|' * 8}"]
    for name, row in rows:
        cells = " | ".join(str(row[outcome] or "") for outcome in OUTCOMES)
        lines.append(f"| {name} | {row.total()} | {cells} |")
    return lines


def main() -> None:
    """Measure, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        wanted = [r for r in recordings(scratch) if not asked.only or r.tool in asked.only]
        lines = table(measured(wanted, scratch, step=asked.step))
    print("\n".join(lines))
    if asked.write:
        write_section(BEGIN, END, lines)


if __name__ == "__main__":
    main()
