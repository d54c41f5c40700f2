from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Benchkit


def test_an_error_is_status_1_and_json_says_which(data: Path, benchkit: Benchkit) -> None:
    done = benchkit("check", data / "wrk" / "timeouts.txt", "--format", "json")
    assert done.status == 1
    found = json.loads(done.out)["findings"]
    assert {"DROPPED_TIMEOUT", "LITTLE_LOW"} <= {one["check"] for one in found}
    assert {one["severity"] for one in found} <= {"info", "warning", "error"}


def test_without_an_error_it_is_0(data: Path, benchkit: Benchkit) -> None:
    done = benchkit("check", data / "pages" / "two-servers.md")
    assert done.status == 0
    assert "note: A short run [TOO_SHORT]" in done.out


def test_a_named_file_that_cannot_be_read_is_2(
    data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text("nothing that a tool printed", encoding="utf-8")
    good = data / "pages" / "two-servers.md"
    for other in (broken, tmp_path / "not-there.txt"):
        done = benchkit("check", good, other)
        assert done.status == 2
        assert "TOO_SHORT" in done.out
        assert other.name in done.err
    assert benchkit("check", broken).status == 2


def test_a_stranger_in_a_folder_is_no_trouble(
    data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("nothing that a tool printed", encoding="utf-8")
    page = (data / "pages" / "two-servers.md").read_bytes()
    (tmp_path / "page.md").write_bytes(page)
    assert benchkit("check", tmp_path).status == 0


@pytest.mark.parametrize("columns", ["60", "100"])
def test_the_terminal_at_each_width(
    columns: str, data: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = benchkit("check", data / "pages" / "two-servers.md")
    assert max(map(len, done.out.splitlines())) <= int(columns)


def test_markdown(data: Path, benchkit: Benchkit) -> None:
    done = benchkit("check", data / "pages" / "two-servers.md", "--format", "markdown")
    assert done.status == 0
    assert "- **Note: A short run.**" in done.out
