"""How often a gate errs on real changes: of a server that stays as it is, and of one that slows.

    python -m studies.changes [--changes N] [--repeats N] [--slower SHARE]

Two servers that wait before they answer are loaded by ab, in turn and in a random order within
each repeat. Of equal ones every rule that fails is an error. What it prints is Markdown.
"""

# A script, which runs the programs it is told to, and talks to who runs it.

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final

import benchkit
from benchkit.gates import Conditions, gate
from benchkit.gates.rule import rule

RULES: Final = ("p50<+0%", "p50<+3%", "p50<+5%")
SERVER: Final = """
import asyncio, sys
async def answer(reader, writer):
    try:
        while await reader.readuntil(b"\\r\\n\\r\\n"):
            await asyncio.sleep(float(sys.argv[1]))
            writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
            await writer.drain()
            writer.close()
    except (OSError, asyncio.IncompleteReadError):
        pass
async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""
_REQUESTS, _CONNECTIONS = 24, 4


@contextmanager
def servers(delays_s: Mapping[str, float]) -> Iterator[dict[str, int]]:
    """Yield the port of a server per variant, each of which waits so long before it answers."""
    running = {}
    try:
        for name, delay in delays_s.items():
            command = [sys.executable, "-c", SERVER, str(delay)]
            running[name] = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines = {name: server.stdout for name, server in running.items()}
        yield {name: int(line.readline()) for name, line in lines.items() if line}
    finally:
        for server in running.values():
            server.terminate()
            server.communicate()


def measure(
    ab: str, ports: Mapping[str, int], folder: Path, *, repeats: int, order: Random
) -> None:
    """Put interleaved repeats of all variants into a folder, as ab prints them."""
    for repeat in range(1, repeats + 1):
        for name in order.sample(sorted(ports), len(ports)):
            output = folder / "s" / name / str(repeat)
            output.mkdir(parents=True)
            began = datetime.now(UTC).isoformat()
            load = ["-n", str(_REQUESTS), "-c", str(_CONNECTIONS), "-e", "percentiles.csv"]
            command = [ab, "-q", *load, f"http://127.0.0.1:{ports[name]}/"]
            done = subprocess.run(command, cwd=output, capture_output=True, timeout=60, check=True)
            (output / "report.txt").write_bytes(done.stdout)
            meta = {"scenario": "s", "variant": name, "repeat": repeat, "started_at": began}
            (output / "meta.json").write_text(json.dumps(meta), encoding="utf-8")


def outcomes(ab: str, ports: Mapping[str, int], *, repeats: int, order: Random) -> list[str]:
    """Return what comes of each rule for one change."""
    with tempfile.TemporaryDirectory() as folder:
        measure(ab, ports, Path(folder), repeats=repeats, order=order)
        results = benchkit.load(folder)
    # One rule at a time: all of a call share one chance to be wrong.
    made = [gate(results, Conditions((rule(text),), baseline="before")) for text in RULES]
    return [next(r.outcome for r in each.rulings if r.variant == "after") for each in made]


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--slower", type=float, default=0.0, help="0.1 for a tenth")
    parser.add_argument("--delay", type=float, default=0.02, help="in s, of the server before")
    asked = parser.parse_args(arguments)
    ab, order = shutil.which("ab"), Random(1)  # noqa: S311 - no secret
    if ab is None:
        print("ab is not installed", file=sys.stderr)
        return 2
    counts: dict[str, Counter[str]] = {text: Counter() for text in RULES}
    delays = {"before": asked.delay, "after": asked.delay * (1 + asked.slower)}
    with servers(delays) as ports:
        for _ in range(asked.changes):
            made = outcomes(ab, ports, repeats=asked.repeats, order=order)
            for text, outcome in zip(RULES, made, strict=True):
                counts[text][outcome] += 1
    print(f"{asked.changes} changes, {asked.repeats} repeats a side, {asked.slower:.0%} slower\n")
    print("| rule | failed | passed | inconclusive |\n|---|--:|--:|--:|")
    for text, each in counts.items():
        print(f"| `{text}` | {each['failed']} | {each['passed']} | {each['inconclusive']} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
