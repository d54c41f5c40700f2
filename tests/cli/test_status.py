import array
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchkit.cli import guard

from .conftest import Benchkit


def test_0_as_soon_as_one_run_was_read(messy: Path, benchkit: Benchkit) -> None:
    done = benchkit("show", messy)
    assert done.status == 0
    assert done.err.count("\n") == 1
    assert done.err.startswith(f"benchkit: skipped {messy.as_posix()}/half.txt, line ")


def test_2_with_strict_where_anything_was_skipped(messy: Path, benchkit: Benchkit) -> None:
    done = benchkit("show", messy, "--strict")
    assert done.status == 2
    assert done.out.startswith("ab")
    assert done.err.endswith("benchkit: --strict: 1 skipped\n")


def test_what_is_left_of_a_damaged_file_is_shown_and_told(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    cut = tmp_path / "cut.bin"
    cut.write_bytes((data / "vegeta" / "ok.gob").read_bytes()[:5000])
    for strict, status in (((), 0), (("--strict",), 2)):
        done = benchkit("export", cut, *strict)
        assert done.status == status
        assert len(done.out.splitlines()) == 2
        line, *more = done.err.splitlines()
        assert line.startswith(f"benchkit: recovered {cut.as_posix()}: read up to a broken place:")
        assert line.endswith("; the file is cut off; 29 results before it were read")
        assert more == (["benchkit: --strict: 1 recovered"] if strict else [])


def test_0_with_strict_where_nothing_was(data: Path, benchkit: Benchkit) -> None:
    assert benchkit("show", data / "ab" / "few.txt", "--strict").status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="links are POSIX's here")
def test_what_cannot_be_looked_into_is_blamed_itself(tmp_path: Path, benchkit: Benchkit) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    done = benchkit("show", loop)
    assert done.status == 2
    assert done.err.startswith(f"benchkit: {loop.as_posix()}: expected a file or folder, found ")
    assert "store" not in done.err


def test_2_when_nothing_could_be_read(messy: Path, benchkit: Benchkit) -> None:
    (messy / "good.txt").unlink()
    done = benchkit("report", messy, "-o", messy / "report.html")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("benchkit: ")
    assert done.err.count("\n") == 1
    assert not (messy / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "FILE", "--baseline", "nowhere"], "nowhere"),
        (["show", "FILE", "--sort", "beauty"], "no column 'beauty'"),
        (["show", "FILE", "--percentile", "101"], "no percentile 101: it is above 0 and below 100"),
        (["show", "FILE", "--percentile", "100"], "no percentile 100: it is above 0 and below 100"),
        (["plot", "FILE", "--kind", "bogus", "-o", "x.svg"], "'--kind': 'bogus' is not one of"),
        (["show", "FILE", "--format", "yaml"], "--format"),
        (["show", "FILE", "--variant", "nobody"], "no variant 'nobody'"),
        (["show", "nowhere.txt"], "nowhere.txt: expected a file or folder"),
        (["export", "FILE", "--table", "chairs"], "no table 'chairs'"),
        (["export", "FILE", "--format", "xlsx"], "--format"),
        (["export", "FILE", "-o", "no/such/folder/x.csv"], "no/such/folder"),
        (["plot", "FILE", "-o", "x.gif"], "x.gif"),
        (["plot", "FILE", "-o", "x.svg", "--kind", "ecdf"], "a row per request"),
        (["plot", "FILE"], "--output"),
        (["report", "FILE", "-o", "."], "it is a folder"),
        (["dance"], "dance"),
        (["show", "--colour"], "--colour"),
    ],
)
def test_2_on_wrong_use_with_one_line(
    arguments: list[str],
    message: str,
    *,
    data: Path,
    tmp_path: Path,
    benchkit: Benchkit,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    file = str(data / "ab" / "few.txt")
    done = benchkit(*(file if word == "FILE" else word for word in arguments))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("benchkit: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert list(tmp_path.iterdir()) == []


def test_70_for_a_defect_with_a_way_to_the_traceback(
    data: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh\x1b[31m no")

    monkeypatch.setattr("benchkit.compare.assess.blocks_of", broken)
    done = benchkit("show", data / "ab" / "few.txt")
    assert done.status == 70
    assert done.err == (
        "benchkit: a defect in benchkit itself: ZeroDivisionError: oh\\x1b[31m no; "
        "BENCHKIT_DEBUG=1 prints the full traceback, which a report needs\n"
    )
    monkeypatch.setenv("BENCHKIT_DEBUG", "1")
    assert "Traceback (most recent call last)" in benchkit("show", data / "ab" / "few.txt").err


#: Behind them stands a path that the system refuses.
TO_A_PATH = [
    *("export FILE -o", "save FILE --to", "ingest FILE --to", "record -o", "run quickstart -o"),
    *("check FILE --json", "run", "doctor", "history", "compact"),
]


@pytest.mark.skipif(os.name == "nt", reason="Windows says it in another way")
@pytest.mark.parametrize("command", TO_A_PATH)
def test_2_for_a_name_that_is_too_long(
    command: str, data: Path, tmp_path: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = str(data / "ab" / "few.txt")
    words = [file if word == "FILE" else word for word in command.split()]
    more = ["--", "true"] if command.startswith("record") else []
    done = benchkit(*words, "n" * 300, *more)
    assert done.status == 2
    assert done.err.startswith("benchkit: ")
    assert done.err.endswith(
        "n…: File name too long; most systems take 255 bytes for a name: choose a shorter one\n"
    )
    assert done.err.count("\n") == 1


def unprivileged(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as somebody who may not go where permissions forbid it; root else may."""
    drop: list[str] = []
    if getattr(os, "geteuid", int)() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may go everywhere, and there is no setpriv")
        drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    return subprocess.run(
        [*drop, *command], capture_output=True, encoding="utf-8", check=False, cwd=cwd
    )


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """A folder that may not be entered."""
    folder = tmp_path / "no"
    folder.mkdir(mode=0)
    yield folder
    folder.chmod(0o700)


DENIED = ": Permission denied; its permissions, or those of a folder above it, must allow this\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
@pytest.mark.parametrize("command", ["export FILE -o", "save FILE --to", "run", "compact"])
def test_2_for_a_folder_that_may_not_be_entered(command: str, data: Path, closed: Path) -> None:
    words = (data / "ab" / "few.txt" if word == "FILE" else word for word in command.split())
    done = unprivileged(sys.executable, "-m", "benchkit", *words, "no/x", cwd=closed.parent)
    assert done.returncode == 2
    assert done.stderr.startswith("benchkit: ")
    assert "no/x" in done.stderr
    assert done.stderr.endswith(DENIED)
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_2_in_a_working_folder_that_may_not_be_entered(data: Path, closed: Path) -> None:
    closed.chmod(0o700)
    closes = ("sh", "-c", 'chmod 0 . && exec "$@"', "sh")  # once it is in there
    file = data / "ab" / "few.txt"
    done = unprivileged(*closes, sys.executable, "-m", "benchkit", "show", file, cwd=closed)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"benchkit: {closed / 'benchkit.toml'}{DENIED}"


def test_130_after_an_interrupt(
    data: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("benchkit.ingest.read", interrupted)
    assert benchkit("show", data / "ab" / "few.txt").status == guard.INTERRUPTED


_LISTENING = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from benchkit.cli import main; main()"
)


@pytest.mark.skipif(os.name == "nt", reason="there are no POSIX signals on Windows")
def test_ctrl_c_ends_a_waiting_process_with_130() -> None:
    # Whoever starts the tests in the background has the shell ignore the signal in all of them.
    with subprocess.Popen(
        [sys.executable, "-c", _LISTENING, "show", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"T")
        process.stdin.flush()
        unread = array.array("i", [1])
        while unread[0]:  # how long a start takes nobody knows; what is read was asked for
            time.sleep(0.05)
            fcntl.ioctl(process.stdin.fileno(), termios.FIONREAD, unread)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, b"")


@pytest.mark.parametrize(
    "arguments", [["show", "FILE"], ["schema"], ["export", "FILE", "--table", "figures"]]
)
def test_a_reader_that_has_gone_is_no_trouble(arguments: list[str], data: Path) -> None:
    file = str(data / "ab" / "few.txt")
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchkit", *(file if a == "FILE" else a for a in arguments)],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
@pytest.mark.parametrize("arguments", [["show", "ab/few.txt"], ["--help"], ["show", "--help"]])
def test_a_full_disk_is_said_in_one_line(arguments: list[str], data: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "benchkit", *arguments],
            cwd=data,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "benchkit: cannot write to standard output: No space left on device\n"


def test_a_named_copy_is_noted_and_no_trouble(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    file, copy = data / "ab" / "few.txt", tmp_path / "copy.txt"
    copy.write_bytes(file.read_bytes())
    done = benchkit("export", f"a={file}", f"b={file}", copy, "--strict")
    assert done.status == 0
    notes = {
        file: "named before with another label",
        copy: f"the same content as {file.as_posix()}",
    }
    assert done.err.splitlines() == [
        f"benchkit: note {path.as_posix()}: {note}; it is shown once"
        for path, note in notes.items()
    ]


def test_copies_in_a_folder_are_noted_in_one_line(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    """A variant may have got the file of another: it would be missing without a word."""
    for name in ("a_1.txt", "b_1.txt", "c_1.txt"):
        (tmp_path / name).write_bytes((data / "ab" / "few.txt").read_bytes())
    folder = tmp_path.as_posix()
    done = benchkit("show", tmp_path, "--strict")
    assert done.status == 0
    assert done.err == (
        f"benchkit: note {folder}/b_1.txt: the same content as {folder}/a_1.txt; "
        "it is shown once, as is 1 more copy\n"
    )


def test_a_run_that_another_file_repeats_is_noted(
    data: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    printed = (data / "ab" / "few.txt").read_text("utf-8")
    for name in ("a_1.txt", "b_1.txt"):
        (tmp_path / name).write_text(f"{printed}\n{name}\n", "utf-8")
    folder = tmp_path.as_posix()
    assert benchkit("show", tmp_path).err == (
        f"benchkit: note {folder}/b_1.txt: the same run as {folder}/a_1.txt; it is shown once\n"
    )


def test_too_little_memory_is_no_defect(
    data: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing_left(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("benchkit.api.load", nothing_left)
    done = benchkit("show", data / "wrk" / "plain.txt")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("benchkit: this takes more memory than there is; ")
