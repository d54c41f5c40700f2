"""Names of runs in pages, where the place says more than the page."""

from __future__ import annotations

import re
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
    assert list(runs["variant"]) == ["version 2"] * 2
    assert list(runs["params"]) == ['{"path": "/list"}', '{"path": "/item"}']
    assert runs["repeat"].isna().all()


def test_runs_under_one_heading_are_told_apart_by_their_load(data: Path, tmp_path: Path) -> None:
    report = (data / "wrk" / "latency.txt").read_text(encoding="utf-8")
    parts = [report.replace("10 connections", f"{count} connections") for count in (10, 100, 100)]
    parts[2] = parts[2].replace("67475.37", "66075.10")
    page = "# Pages\n\n## version 2\n\n" + "\n".join(parts)
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    runs = benchkit.load(tmp_path / "page.md").runs
    assert list(runs["variant"]) == ["version 2"] * 3
    assert list(runs["params"]) == ['{"connections": 10}', *['{"connections": 100}'] * 2]
    assert list(runs["repeat"].fillna(0)) == [0, 1, 2]


def test_runs_under_one_heading_are_told_apart_by_their_port(data: Path, tmp_path: Path) -> None:
    report = (data / "wrk" / "latency.txt").read_text(encoding="utf-8")
    url = re.search(r"test @ (\S+)", report)
    assert url is not None
    page = "# Two servers\n\n## Hello\n\n"
    for port in (8001, 8002):
        page += report.replace(url[1], f"http://localhost:{port}/") + "\n"
    (tmp_path / "page.md").write_text(page.replace("209159", "209160", 1), encoding="utf-8")
    runs = benchkit.load(tmp_path / "page.md").runs
    assert list(runs["label"]) == ["Hello · host localhost:8001", "Hello · host localhost:8002"]


def test_a_target_that_is_no_url_names_nothing(data: Path, tmp_path: Path) -> None:
    report = (data / "wrk" / "latency.txt").read_text(encoding="utf-8")
    broken = re.sub(r"http://[^\s/]+", "http://[127.0.0.1", report)
    (tmp_path / "page.md").write_text(f"# Pages\n\n## one\n{broken}\n", encoding="utf-8")
    assert list(benchkit.load(tmp_path / "page.md").runs["variant"]) == ["one"]


def copy_report(data: Path, target: Path, name: str = "latency") -> None:
    """Put a report of wrk somewhere."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes((data / "wrk" / f"{name}.txt").read_bytes())


SIX = ("latency", "plain", "seconds", "drop", "reset", "post")


def test_two_folders_named_together_are_two_variants(data: Path, tmp_path: Path) -> None:
    copy_report(data, tmp_path / "before" / "out.txt", "latency")
    copy_report(data, tmp_path / "after" / "out.txt", "plain")
    runs = benchkit.load([tmp_path / "before", tmp_path / "after"]).runs
    assert list(runs["variant"]) == ["before", "after"]
    assert runs["repeat"].isna().all()


def test_repetitions_are_never_numbered_across_the_named_folders(
    data: Path, tmp_path: Path
) -> None:
    for number, name in enumerate(SIX):
        copy_report(
            data, tmp_path / ("v1" if number < 3 else "v2") / str(number % 3 + 1) / "o.txt", name
        )
    runs = benchkit.load([tmp_path / "v1", tmp_path / "v2"]).runs
    assert list(runs["variant"]) == ["v1"] * 3 + ["v2"] * 3
    assert list(runs["repeat"]) == [1, 2, 3, 1, 2, 3]


def test_a_labelled_folder_keeps_the_folders_below_it(data: Path, tmp_path: Path) -> None:
    for number, name in enumerate(SIX[:4]):
        variant = "v1" if number < 2 else "v2"
        copy_report(data, tmp_path / "lab" / "s" / variant / str(number % 2 + 1) / "o.txt", name)
    runs = benchkit.load(f"new={tmp_path / 'lab'}").runs
    assert list(runs["scenario"]) == ["s"] * 4
    assert list(runs["variant"]) == ["new/v1", "new/v1", "new/v2", "new/v2"]
    assert list(runs["repeat"]) == [1, 2, 1, 2]


def test_a_labelled_folder_of_repetitions_is_one_variant(data: Path, tmp_path: Path) -> None:
    for number, name in enumerate(SIX[:3], 1):
        copy_report(data, tmp_path / "lab" / str(number) / "o.txt", name)
    runs = benchkit.load(f"new={tmp_path / 'lab'}").runs
    assert list(runs["variant"]) == ["new"] * 3
    assert list(runs["repeat"]) == [1, 2, 3]


def test_runs_of_one_file_with_other_settings_are_no_repetitions(
    data: Path, tmp_path: Path
) -> None:
    report = (data / "wrk" / "latency.txt").read_text(encoding="utf-8")
    (tmp_path / "all.txt").write_text(
        report + report.replace("10 connections", "20 connections"), encoding="utf-8"
    )
    runs = benchkit.load(tmp_path).runs
    assert list(runs["variant"]) == ["all"] * 2
    assert list(runs["params"]) == ['{"connections": 10}', '{"connections": 20}']


def test_repetitions_are_numbered_within_a_tool(data: Path, tmp_path: Path) -> None:
    for tool in ("wrk/latency.txt", "ab/keepalive.txt", "autocannon/plain.json"):
        target = tmp_path / "s" / "v" / tool.replace("/", "-")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((data / tool).read_bytes())
    assert benchkit.load(tmp_path).runs["repeat"].isna().all()


def test_metadata_leaves_to_the_folders_what_it_does_not_say(data: Path, tmp_path: Path) -> None:
    copy_report(data, tmp_path / "s" / "v" / "2" / "o.txt")
    (tmp_path / "s" / "v" / "2" / "meta.json").write_text('{"variant": "vv"}', encoding="utf-8")
    (run,) = benchkit.load(tmp_path).runs.to_dict("records")
    assert (run["scenario"], run["variant"], run["repeat"]) == ("s", "vv", 2)
    assert run["label"] == "s/vv/2"


def test_flat_repetitions_are_numbered_as_people_count(data: Path, tmp_path: Path) -> None:
    for number, name in zip((1, 2, 10), SIX, strict=False):
        copy_report(data, tmp_path / "s" / "v" / f"run-{number}.txt", name)
    runs = benchkit.load(tmp_path).runs
    numbers = {Path(s).stem: r for s, r in zip(runs["source"], runs["repeat"], strict=True)}
    assert numbers == {"run-1": 1, "run-2": 2, "run-10": 10}


def test_a_folder_may_spell_out_that_it_is_a_repetition(data: Path, tmp_path: Path) -> None:
    for number, name in enumerate(SIX[:2], 1):
        copy_report(data, tmp_path / "s" / "v" / f"run{number}" / "o.txt", name)
    runs = benchkit.load(tmp_path).runs
    assert list(runs["variant"]) == ["v", "v"]
    assert list(runs["repeat"]) == [1, 2]
