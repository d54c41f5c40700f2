"""Names put right: labels with globs, patterns, ignored files, configuration."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit.errors import BenchkitError
from benchkit.ingest.naming.patterns import pattern_of
from tests.ingest.outputs import write_outputs, wrk

load: Callable[..., benchkit.Results] = benchkit.load


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two servers at two levels, each twice, in a folder `results` of the working folder."""
    names = itertools.product("AB", (10, 50), (1, 2))
    write_outputs(tmp_path / "results", {f"server{v}_c{c}_{r}.txt": wrk(c=c) for v, c, r in names})
    monkeypatch.chdir(tmp_path)
    return tmp_path / "results"


def variants(
    paths: str | Path | Sequence[str | Path], **options: str
) -> list[tuple[str | None, str]]:
    runs = load(paths, **options)
    assert all(run.get("repeat") in {1, 2} for run in runs)
    return sorted({(run.scenario, run.variant) for run in runs}, key=str)


def configure(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def test_globs_with_labels_are_a_variant_each(folder: Path) -> None:
    paths = [f"new={folder}/serverA_*.txt", f"old={folder}/serverB_*.txt"]
    assert variants(paths) == [(None, "new"), (None, "old")]
    assert {dict(run.params)["connections"] for run in benchkit.load(paths)} == {10, 50}


def test_files_under_one_label_are_one_variant(folder: Path) -> None:
    assert variants([f"x={folder}/serverA_c10_{n}.txt" for n in (1, 2)]) == [(None, "x")]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"scenario": "login"}, [("login", "serverA"), ("login", "serverB")]),
        ({"ignore": "*B*"}, [(None, "serverA")]),
        ({"names": "server{variant}_c{connections}_{repeat}.txt"}, [(None, "A"), (None, "B")]),
        ({"names": "{variant}_{*}_{repeat}"}, [(None, "serverA"), (None, "serverB")]),
    ],
)
def test_options_of_a_call(folder: Path, options: dict[str, str], wanted: list[object]) -> None:
    assert variants(folder, **options) == wanted


@pytest.mark.parametrize("place_of", ["results/benchkit.toml", "pyproject.toml"])
def test_what_is_configured_holds_for_the_next_call(folder: Path, place_of: str) -> None:
    table = "[tool.benchkit]\n" if place_of == "pyproject.toml" else ""
    text = f'{table}names = "server{{variant}}_c{{connections}}_{{repeat}}.txt"\nscenario = "s"\n'
    configure(folder.parent / place_of, text)
    assert variants("results") == [("s", "A"), ("s", "B")]
    assert variants("results", scenario="t") == [("t", "A"), ("t", "B")]
    assert not any("benchkit.toml" in row["source"] for row in benchkit.load("results").sources)


def test_labels_in_the_configuration(folder: Path) -> None:
    configure(folder / "benchkit.toml", '[labels]\nnew = "serverA*"\nold = ["serverB*"]\n')
    assert variants("results") == [(None, "new"), (None, "old")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('nmaes = "x"', "results/benchkit.toml: expected one of the keys names, .*'names'[?]"),
        ("names = 3", "expected 'names' to be a text or several, found '3'"),
        ("labels = 'x'", "expected 'labels' to be a table of texts"),
        ("names = ", "results/benchkit.toml: expected TOML"),
        ("[labels]\nx = 'y*'", r"'y\*' fits no file; there are serverA_c10_1.txt, .*, …"),
    ],
)
def test_a_configuration_that_is_none(folder: Path, text: str, message: str) -> None:
    configure(folder / "benchkit.toml", text)
    with pytest.raises(BenchkitError, match=message):
        benchkit.load("results")


@pytest.mark.parametrize(
    ("paths", "options", "message"),
    [
        ("x=results/serverC*", {}, r"fits no file; there are results.serverA_c10_1.txt, .*, …"),
        ("results", {"ignore": "zzz*"}, r"'zzz\*' fits no file; there are serverA_c10_1.txt, "),
        ("results", {"names": "{variant}/{repeat}"}, "fits no name; there are serverA_c10_1.txt"),
        ("results", {"names": "{variant}{repeat}"}, "nothing between them"),
        ("results", {"names": "plain.txt"}, "no fields"),
    ],
)
def test_what_fits_nothing_shows_names(
    folder: Path, paths: str, options: dict[str, Any], message: str
) -> None:
    assert folder.is_dir()
    with pytest.raises(BenchkitError, match=message):
        load(paths, **options)


@pytest.mark.parametrize(
    ("pattern", "path", "fields"),
    [
        (
            "{variant}_{repeat}.txt",
            "a/spring_cloud_3.txt",
            {"variant": "spring_cloud", "repeat": 3},
        ),
        ("{variant}/{repeat}", "x/zuul/3.txt", {"variant": "zuul", "repeat": 3}),
        ("{variant}-{size}", "a-1k.log", {"variant": "a", "size": "1k"}),
        ("{variant}-{size}", "a-64", {"variant": "a", "size": 64}),
        ("{variant}_{rate}rps", "5_0.5rps", {"variant": "5", "rate": 0.5}),
        ("{variant}_{repeat}", "a_b", None),
        ("{scenario}/{variant}/{repeat}", "a/1", None),
    ],
)
def test_patterns_are_held_against_the_end(pattern: str, path: str, fields: object) -> None:
    assert pattern_of(pattern).match(path) == fields


def test_a_hostile_name_costs_no_time() -> None:
    pattern = pattern_of("{a}_{b}_{c}_{d}_{e}_{f}_{repeat}")
    assert pattern.match("_" * 250) is None


def test_files_of_several_folders_are_told_apart_by_them(folder: Path) -> None:
    write_outputs(folder, {f"{v}/{n}.txt": wrk() for v in ("new", "old") for n in (1, 2)})
    files = sorted(folder.glob("*/*.txt"))
    assert variants(files) == [(None, "new"), (None, "old")]
