"""Results as `vegeta encode -to csv` writes them: time, status, latency in ns, …"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

START_NS = 1_700_000_000_000_000_000


def attack(folder: Path, latencies_ms: Sequence[float], name: str = "a") -> Path:
    """Write 50 requests a second with these latencies."""
    return _written(folder, name, ((20_000_000 * n, ms) for n, ms in enumerate(latencies_ms)))


def attack_of_seconds(folder: Path, medians_s: Sequence[float]) -> Path:
    """Write 20 requests in each second, around its median."""
    spread = [0.9, 0.95, 1.0, 1.0, 1.1]
    rows = (
        (1_000_000_000 * second + 50_000_000 * n, median * 1e3 * spread[n % 5])
        for second, median in enumerate(medians_s)
        for n in range(20)
    )
    return _written(folder, "a", rows)


def _written(folder: Path, name: str, rows: Iterable[tuple[int, float]]) -> Path:
    lines = [
        f"{START_NS + at},200,{round(ms * 1e6)},0,6,,,{name},{n},GET,http://10.0.0.1/,"
        for n, (at, ms) in enumerate(rows)
    ]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
