"""What cannot be written is said before the work, and a log hears how far reading is."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchkit.api import load
from benchkit.cli import reading
from benchkit.cli.options import Asked
from benchkit.errors import UsageError
from benchkit.ingest.progress import Progress
from benchkit.output import writable
from benchkit.report.document import document


@pytest.mark.parametrize(
    ("name", "why"), [("none/page.html", "there is no folder"), (".", "it is a folder")]
)
def test_what_cannot_be_written_fails_before_anything_is_read(
    name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.api.load", lambda *_, **__: pytest.fail("was read"))
    with pytest.raises(UsageError, match=why):
        reading.read([str(tmp_path)], Asked(), output=str(tmp_path / name))


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="this system has none")
def test_a_folder_of_the_kernel_is_not_written_to_even_by_root() -> None:
    with pytest.raises(UsageError, match="/sys/kernel may not be written to"):
        writable("/sys/kernel/page.html")


def test_to_see_whether_something_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    writable(tmp_path / "page.html")
    assert not list(tmp_path.iterdir())


def test_a_log_gets_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter((0.0, 4.0, 11.0, 11.0, 12.0))
    monkeypatch.setattr("benchkit.cli.reading.time.monotonic", lambda: next(clock))
    with reading.progress() as listener:
        for file in (1, 2, 3):
            listener(Progress(f"{file}.txt", file, 4, 0, bytes_done=file * 25, bytes_total=100))
    assert capsys.readouterr().err == "benchkit: reading file 2 of 4, 50 %\n"


def test_a_log_hears_how_far_a_page_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter((0.0, 4.0, 11.0, 11.0, 12.0))
    monkeypatch.setattr("benchkit.cli.reading.time.monotonic", lambda: next(clock))
    with reading.making() as progress:
        for done in (10, 20, 30):
            progress(done, 40)
    assert capsys.readouterr().err == "benchkit: making the page, 50 %\n"


def test_a_page_is_made_in_steps(data: Path) -> None:
    steps: list[tuple[int, int]] = []
    document(load(data / "ab"), progress=lambda done, total: steps.append((done, total)))
    total = steps[0][1]
    assert steps == [(n, total) for n in range(total)]
