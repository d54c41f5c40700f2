import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest

from benchkit.errors import UsageError
from benchkit.output import whole_file


def test_the_file_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    with whole_file(target) as file:
        file.write(b"half")
        assert not target.exists()
        file.write(b" and half")
    assert target.read_bytes() == b"half and half"
    assert list(tmp_path.iterdir()) == [target]


def give_up(file: IO[bytes], error: type[BaseException]) -> None:
    file.write(b"new")
    raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_the_old_file_is_there_and_nothing_else(
    error: type[BaseException], tmp_path: Path
) -> None:
    target = tmp_path / "report.html"
    target.write_bytes(b"old")
    with pytest.raises(error), whole_file(target) as file:
        give_up(file, error)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_mode_of_an_old_file_stays(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_bytes(b"old")
    target.chmod(0o640)
    with whole_file(target) as file:
        file.write(b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with whole_file(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"), whole_file(tmp_path / "no" / "x"):
        pass
    with pytest.raises(UsageError, match="it is a folder"), whole_file(tmp_path):
        pass


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
def test_a_device_is_written_to_directly() -> None:
    with whole_file("/dev/null") as file:
        file.write(b"away")
    with (
        pytest.raises(UsageError, match="cannot write /dev/full: No space left"),
        whole_file("/dev/full") as file,
    ):
        file.write(b"away")
    assert Path("/dev/full").exists()


# --- killed ---

#: Replaces one file again and again, each time by some megabytes of one letter.
WRITER = """
import sys
from benchkit.output import whole_file
print("ready", flush=True)
while True:
    for letter in b"abcdefgh":
        with whole_file(sys.argv[1]) as file:
            for _ in range(64):
                file.write(bytes([letter]) * 65536)
"""


@pytest.mark.skipif(os.name == "nt", reason="there are no POSIX signals on Windows")
def test_a_killed_writer_leaves_the_old_or_the_new_and_the_next_one_tidies_up(
    tmp_path: Path,
) -> None:
    target = tmp_path / "report.html"
    chance, left, kills = random.Random(7), 0, 0  # noqa: S311 - moments, not secrets
    while kills < 25 or (not left and kills < 500):  # a moment within a write is not always hit
        kills += 1
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, target], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.1))
            process.send_signal(signal.SIGKILL)
        if target.exists():
            content = target.read_bytes()
            assert content == content[:1] * (64 * 65536)
        left += len(list(tmp_path.glob(".benchkit-*")))
    assert left > 0
    with whole_file(target) as file:
        file.write(b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_what_another_still_writes_is_left_alone(tmp_path: Path) -> None:
    with whole_file(tmp_path / "a") as first:
        first.write(b"first")
        with whole_file(tmp_path / "b") as second:
            second.write(b"second")
    assert (tmp_path / "a").read_bytes() == b"first"
    assert (tmp_path / "b").read_bytes() == b"second"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_private_file_is_never_readable_by_others(tmp_path: Path) -> None:
    target = tmp_path / "meta.json"
    target.write_bytes(b"old")
    target.chmod(0o644)
    with whole_file(target, private=True) as file:
        assert [stat.S_IMODE(p.stat().st_mode) for p in tmp_path.glob(".benchkit-*")] == [0o600]
        file.write(b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
