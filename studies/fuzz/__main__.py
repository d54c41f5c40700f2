"""Search for inputs that benchkit does not read well.

    python -m studies.fuzz --family gob [--minutes 10] [--seed 1] [--executions N]
                           [--goal time|defects] [--corpus FOLDER] [--out FOLDER]
                           [--ledger FILE] [--summary]

Writes each defect with the smallest input for it into a folder, and ends with status 1 if there
is any. docs/robustness.md tells what counts as one. A ledger gets a line for each search;
`--summary` searches nothing, and prints what all its lines come to.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from hashlib import sha256
from pathlib import Path

from studies.fuzz import ledger
from studies.fuzz.families import FAMILIES
from studies.fuzz.worker import PATIENCE, Found, Progress, Task, search, work


def main() -> int:
    """Search, and return the status to end with."""
    if sys.argv[1:2] == ["--work"]:
        work(Task(**json.loads(sys.argv[2])), Path(sys.argv[3]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", nargs="+", default=list(FAMILIES), metavar="NAME")
    parser.add_argument("--minutes", type=float, default=1.0, help="processor time per family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--executions", type=int, default=0, help="per family; 0 for any number")
    parser.add_argument("--goal", choices=("defects", "time"), default="defects")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds per input")
    parser.add_argument("--corpus", default="", help="where inputs are kept for the next time")
    parser.add_argument("--out", type=Path, default=Path("fuzz-found"))
    parser.add_argument("--ledger", type=Path, help="a file that gets a line for each search")
    parser.add_argument("--summary", action="store_true", help="add up the lines of the ledger")
    asked = parser.parse_args()
    if asked.summary:
        if asked.ledger is None:
            parser.error("--summary wants a --ledger")
        print("\n".join(ledger.summary(ledger.read(asked.ledger))))
        return 0
    corpus = str(Path(asked.corpus).resolve()) if asked.corpus else ""
    total = 0
    for name in asked.family:
        task = Task(
            *(name, asked.goal, asked.seed, 60 * asked.minutes, asked.executions),
            *(asked.patience, corpus),
        )
        total += _searched(task, asked.out, asked.ledger)
    return 1 if total else 0


def _searched(task: Task, out: Path, book: Path | None) -> int:
    """Search in one family, print what is found, and return how many that were."""
    keys, last, started = list[str](), Progress(), time.monotonic()
    for news in search(task):
        if isinstance(news, Found):
            keys.append(news.defect.key)
            path = _write(out / task.family.replace(":", "."), news)
            print(f"{task.family}: {news.defect.kind}: {news.defect.key}\n  {path}", flush=True)
        else:
            last = news
    rate = last.executions / max(last.seconds, 1e-9)
    print(
        f"{task.family}: {last.executions:,} executions in {last.seconds:.0f} s of processor time "
        f"({time.monotonic() - started:.0f} s by the clock), {rate:.0f} per s; {last.corpus} "
        f"inputs kept, {last.features} features, {last.lines} lines; {last.memory / 2**20:.0f} MB; "
        f"{len(keys)} defects",
        flush=True,
    )
    if book is not None:
        counted = (last.executions, round(last.seconds, 1), keys)
        given = (task.family, task.goal, task.seed)
        ledger.append(book, ledger.Entry(ledger.now(), *given, *counted, ledger.commit()))
    return len(keys)


def _write(folder: Path, news: Found) -> Path:
    """Write an input, and what it brings about beside it."""
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", news.defect.key)[:60].strip("-")
    path = folder / news.specimen.kind / f"{slug}-{sha256(news.specimen.data).hexdigest()[:8]}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(news.specimen.data)
    text = f"{news.defect.kind}: {news.defect.key}\n\n{news.defect.text}\n"
    path.with_name(f"{path.name}.why").write_text(text, "utf-8", errors="backslashreplace")
    return path


if __name__ == "__main__":
    sys.exit(main())
