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


def test_runs_under_one_heading_are_told_apart_by_their_target(data: Path, tmp_path: Path) -> None:
    report = (data / "wrk" / "latency.txt").read_text(encoding="utf-8")
    parts = [f"~~~\n{report.replace('/ok', path)}~~~\n" for path in ("/list", "/item")]
    page = "# Pages\n\n## version 2\n\n" + "\n".join(parts).replace("209159", "209160", 1)
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    runs = benchkit.load(tmp_path / "page.md").runs
    assert list(runs["variant"]) == ["version 2 · /list", "version 2 · /item"]
    assert runs["repeat"].isna().all()


def test_runs_under_one_heading_are_told_apart_by_their_load(data: Path, tmp_path: Path) -> None:
    report = (data / "wrk" / "latency.txt").read_text(encoding="utf-8")
    parts = [report.replace("10 connections", f"{count} connections") for count in (10, 100, 100)]
    parts[2] = parts[2].replace("67475.37", "66075.10")
    page = "# Pages\n\n## version 2\n\n" + "\n".join(parts)
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    runs = benchkit.load(tmp_path / "page.md").runs
    assert list(runs["variant"]) == [
        "version 2 · 10 connections",
        *["version 2 · 100 connections"] * 2,
    ]
    assert list(runs["repeat"].fillna(0)) == [0, 1, 2]
