"""Outputs of load generators for tests of names: recorded, each with figures of its own."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path

_NUMBERS = itertools.count(1)
_DATA = Path(__file__).parent.parent / "data"


def recorded(name: str) -> str:
    """Return what stands in a file of `tests/data`."""
    return (_DATA / name).read_text(encoding="utf-8")


def wrk(
    *, c: int = 10, t: int = 2, d: int = 3, path: str = "/ok", host: str = "127.0.0.1:8931"
) -> str:
    """Return what wrk prints, with figures that no other call returns."""
    requests = 209_000 + 137 * next(_NUMBERS)
    text = recorded("wrk/latency.txt").replace("3s test", f"{d}s test")
    text = text.replace("127.0.0.1:8931/ok", host + path).replace("3.10s", f"{d}.10s")
    text = text.replace("2 threads and 10", f"{t} threads and {c}")
    rate = f"{requests / (d + 0.1):.2f}"
    return text.replace("209159", str(requests)).replace("67475.37", rate)


def ab(*, c: int = 10, n: int = 2000, path: str = "/ok", keepalive: bool = True) -> str:
    """Return what ab prints."""
    took = 0.05 + 0.0013 * next(_NUMBERS)
    text = recorded("ab/keepalive.txt").replace("/ok", path).replace("0.036 s", f"{took:.3f} s")
    text = text.replace("Level:      10", f"Level:      {c}").replace("55570.99", f"{n / took:.2f}")
    text = text.replace("0.180 [ms]", f"{1000 * c * took / n:.3f} [ms]")
    text = text.replace("0.018 [ms]", f"{1000 * took / n:.3f} [ms]")
    if not keepalive:
        text = text.replace("Keep-Alive requests:    2000\n", "")
    return text.replace("2000", str(n))


def vegeta(*, rate: int = 100, d: int = 3) -> str:
    """Return what `vegeta report` prints of an attack at a constant rate."""
    number, requests = next(_NUMBERS), rate * d
    attack = (requests - 1) / rate
    wait = 0.0004 + number * 1e-6
    text = recorded("vegeta/ok.report.txt")
    sent, answered = requests / attack, requests / (attack + wait)
    text = text.replace("300, 100.33, 100.32", f"{requests}, {sent:.2f}, {answered:.2f}")
    text = text.replace(
        "2.991s, 2.99s, 434.118µs", f"{attack + wait:.3f}s, {attack:.3f}s, {wait * 1e6:.3f}µs"
    )
    text = text.replace("404.984µs", f"{404 + number / 7:.3f}µs")
    text = text.replace("3600, 12.00", f"{12 * requests}, 12.00")
    return text.replace("200:300", f"200:{requests}")


def autocannon(*, c: int = 10, p: int = 1, title: str | None = None) -> str:
    """Return what `autocannon --json` prints."""
    content = json.loads(recorded("autocannon/plain.json"))
    number = next(_NUMBERS)
    content |= {"connections": c, "pipelining": p}
    content["latency"]["average"] = content["latency"]["mean"] = 0.02 + number / 1000
    content["requests"]["total"] += 31 * number
    content["2xx"] += 31 * number
    content["latency"]["totalCount"] += 31 * number
    content["statusCodeStats"]["200"]["count"] += 31 * number
    return json.dumps(content | ({"title": title} if title else {}))


def write_outputs(folder: Path, outputs: Mapping[str, str]) -> None:
    """Write each output to its path below a folder."""
    for name, text in outputs.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
