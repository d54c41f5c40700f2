"""What names of outputs mean: formats by their endings, and standard output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Benchkit


@pytest.fixture
def report(data: Path) -> Path:
    return data / "wrk" / "latency.txt"


@pytest.mark.parametrize(
    ("name", "form"), [("a.csv", "csv"), ("a.JSON", "json"), ("a.md", "markdown"), ("a", "table")]
)
def test_compare_writes_what_the_name_ends_in(
    name: str, form: str, report: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    assert benchkit("compare", report, report, "-o", tmp_path / name).status == 0
    assert benchkit("compare", report, "-o", tmp_path / "same", "--format", form).status == 0
    assert (tmp_path / name).read_bytes() == (tmp_path / "same").read_bytes()


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("compare", ".csv, .json, .md, .markdown, .txt"),
        ("report", ".html, .htm, .md, .markdown"),
        ("export", ".csv, .json, .parquet"),
    ],
)
def test_an_ending_that_is_not_known_is_refused(
    command: str, known: str, report: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    done = benchkit(command, report, "-o", tmp_path / "a.csv.gz")
    assert done.status == 2
    assert f"a.csv.gz: by its ending a file is one of {known}; name it so" in done.err
    assert not any(tmp_path.iterdir())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
@pytest.mark.parametrize("command", ["compare", "report", "export"])
def test_standard_output_has_names(
    command: str, name: str, variants: list[str], here: Path, benchkit: Benchkit
) -> None:
    done = benchkit(command, *variants, "-o", name)
    assert done.status == 0
    assert len(done.out) > 100
    assert not done.out.endswith(f"{name}\n")
    assert not any(here.iterdir())


def test_check_writes_to_standard_output_too(report: Path, here: Path, benchkit: Benchkit) -> None:
    assert "<testsuites" in benchkit("check", report, "--junit", "-").out
    assert not any(here.iterdir())
