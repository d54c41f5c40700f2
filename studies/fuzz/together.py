"""Search for what takes long where reports of several tools stand in one text.

    python -m studies.fuzz.together [--minutes 10] [--seed 1] [--ledger FILE]

A text begins with whole reports of one to five tools, or of all, so that as many parsers look at
what follows, up to a megabyte: a few words of reports, pages and logs, again and again, or lines of
other words each. Printed is what takes more than two seconds, with the tools and the words; it ends
with status 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.runtime.interpreter import rare_collections
from studies.fuzz import ledger
from studies.fuzz.defects import MOST_SECONDS
from studies.fuzz.families import DATA
from studies.fuzz.machine import usual_seconds

_WORDS: Final = (
    *("0", "12.5", "1,234", "1e9", "50%", "2ms", "3.5s", "4KB", "200"),
    *("[1]", "[ms]", "(mean)", "µs"),
    *("a", "req", "Requests/sec:", "Latency", "min=", "p(99)=", '"a":', "http://h/", "$ ab ", "^C"),
    *("<tr>", "<td>", "</td>", "<br>", "&lt;", "</", "|", "│", "┌", "└", "─", "■", "\t", "  ", " "),
    *("\n", "\r\n", "\\n", "> ", "- ", "# ", "`", "**", "\\x1b[0m", "\x1b[0m", "\ufffd"),
    *(":", "::", "...", "=", "+/-", '"', "'", ",", "{", "}"),
)
_ENDS: Final = ("\n", " \n", "<br>", "\\n", "")
_SMALL, _LARGE = 130_000, 990_000  # bytes
_LARGEST_HEAD: Final = 8000
_AGAIN: Final = 3  # times more that what seems slow is read
#: The large size is tried where it would take too long if it grew twice as fast as it should: what
#: grows faster shows where the small one takes more than to begin.
_GROWTH: Final = 2 * _LARGE / _SMALL


def _heads() -> dict[str, str]:
    """Return a printed report of each tool that has one."""
    heads = {}
    for folder in sorted(path for path in DATA.iterdir() if path.is_dir()):
        texts = (p for p in sorted(folder.rglob("*.txt")) if p.stat().st_size < _LARGEST_HEAD)
        whole = (p for p in texts if read_file(Input(str(p), p.name, p.name)).runs)
        if path := next(whole, None):
            heads[folder.name] = f"{path.read_text(encoding='utf-8', errors='replace')}\n"
    return heads


def _below(drawn: Random) -> tuple[str, Callable[[int], str]]:
    """Return what stands below the reports, in words, and what makes so many bytes of it."""
    if drawn.random() < 0.3:
        seed = drawn.randrange(2**32)
        return f"mixed words, {seed=}", partial(_mixed, seed)
    unit = "".join(drawn.choices(_WORDS, k=drawn.randint(1, 6))) + drawn.choice(_ENDS)
    numbered = "2" in unit and drawn.random() < 0.5
    return f"{unit!r}, {numbered=}", partial(_repeated, unit, numbered=numbered)


def _repeated(unit: str, size: int, *, numbered: bool) -> str:
    if not numbered:
        return unit * (size // len(unit.encode()) + 1)
    return _filled(size, (unit.replace("2", str(n)) for n in count()))


def _mixed(seed: int, size: int) -> str:
    """Return lines of words, hardly any like another."""
    drawn = Random(seed)  # noqa: S311 - no secret
    most, end = drawn.randint(1, 8), drawn.choice(_ENDS)
    lines = ("".join(drawn.choices(_WORDS, k=drawn.randint(1, most))) + end for _ in count())
    return _filled(size, lines)


def _filled(size: int, lines: Iterable[str]) -> str:
    """Return as many lines as so many bytes take."""
    kept: list[str] = []
    length = 0
    for line in lines:
        if length >= size:
            break
        kept.append(line)
        length += len(line.encode())
    return "".join(kept)


@rare_collections()  # as where files are read
def _seconds(path: Path, text: str) -> float:
    path.write_text(text, encoding="utf-8", newline="")
    before = time.process_time()
    read_file(Input(str(path), path.name, path.name))
    return usual_seconds(time.process_time() - before, from_s=MOST_SECONDS)


def _least_seconds(path: Path, text: str) -> float:
    """Return the least that a text takes: beside other programs it is more, never less."""
    spent = _seconds(path, text)
    for _ in range(_AGAIN if spent > MOST_SECONDS else 0):
        spent = min(spent, _seconds(path, text))
    return spent


def main() -> int:
    """Search, and return the status to end with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ledger", type=Path, help="a file that gets a line for the search")
    asked = parser.parse_args()
    drawn, heads, defects, tried = Random(asked.seed), _heads(), list[str](), 0  # noqa: S311
    with TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        while time.process_time() < 60 * asked.minutes:
            every = drawn.random() < 0.1
            tools = [*heads] if every else drawn.sample([*heads], drawn.randint(1, 5))
            head = "".join(heads[tool] for tool in tools)
            words, body = _below(drawn)
            tried += 1
            if _seconds(path, head + body(_SMALL)) * _GROWTH < MOST_SECONDS:
                continue
            if (spent := _least_seconds(path, head + body(_LARGE))) > MOST_SECONDS:
                defects.append(f"slow: {words}")
                print(f"{spent:.1f} s: {', '.join(tools)}: {words}", flush=True)
    seconds = time.process_time()
    print(f"{tried:,} texts in {seconds:.0f} s of processor time; {len(defects)} defects")
    if asked.ledger is not None:
        counted = (tried, round(seconds, 1), defects)
        given = ("together", "time", asked.seed)
        ledger.append(asked.ledger, ledger.Entry(ledger.now(), *given, *counted, ledger.commit()))
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
