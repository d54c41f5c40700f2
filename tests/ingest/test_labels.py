"""Names of runs in pages, where the place says more than the page."""

from __future__ import annotations

from pathlib import Path

import benchkit


def test_pages_of_one_name_without_a_title_are_two_scenarios(data: Path, tmp_path: Path) -> None:
    for name in ("latency", "seconds"):
        report = (data / "wrk" / f"{name}.txt").read_text(encoding="utf-8")
        page = f"What we measured.\n\n## first\n{report}\n## second\n{report.replace('10', '11')}"
        (tmp_path / name).mkdir()
        (tmp_path / name / "README.md").write_text(page, encoding="utf-8")
    runs = benchkit.load(tmp_path).runs
    assert list(runs["scenario"]) == ["latency/README"] * 2 + ["seconds/README"] * 2
