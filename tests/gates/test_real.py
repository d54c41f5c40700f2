"""A server that became a tenth slower is caught, and one that did not is let pass."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

import benchkit
from benchkit.gates import Conditions, gate
from benchkit.gates.rule import rule

pytestmark = pytest.mark.slow

SERVER = """
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
#: Long beside what a busy machine adds to each.
DELAYS = {"base": 0.05, "same": 0.05, "slower": 0.055}
REPEATS = 14


@pytest.fixture
def ports() -> Iterator[dict[str, int]]:
    """A server per variant, each with a delay of its own."""
    servers = {}
    try:
        for name, delay in DELAYS.items():
            command = [sys.executable, "-c", SERVER, str(delay)]
            servers[name] = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines = {name: server.stdout for name, server in servers.items()}
        yield {name: int(line.readline()) for name, line in lines.items() if line}
    finally:
        for server in servers.values():
            server.terminate()
            server.communicate()


def test_a_tenth_slower_fails_and_no_change_does_not(
    ports: dict[str, int], need: Callable[[str], str], tmp_path: Path
) -> None:
    ab, order = need("ab"), Random(1)  # noqa: S311 - no secret
    for repeat in range(1, REPEATS + 1):
        for name in order.sample(sorted(ports), len(ports)):
            folder = tmp_path / "s" / name / str(repeat)
            folder.mkdir(parents=True)
            began = datetime.now(UTC).isoformat()
            url = f"http://127.0.0.1:{ports[name]}/"
            command = [ab, "-q", "-n", "24", "-c", "4", "-e", "percentiles.csv", url]
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=True)
            (folder / "report.txt").write_bytes(done.stdout)
            meta = {"scenario": "s", "variant": name, "repeat": repeat, "started_at": began}
            (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    rules = [rule(text) for text in ("slower: p50<+2%", "same: p50<+5%", "p50<200ms")]
    made = gate(benchkit.load(tmp_path), Conditions(rules, baseline="base"))
    slower, same, *absolute = made.rulings
    assert slower.outcome == "failed", slower
    assert slower.low is not None
    assert slower.low > 1.02
    assert same.outcome in {"passed", "inconclusive"}
    assert {ruling.outcome for ruling in absolute} == {"passed"}
    assert made.status == 1
