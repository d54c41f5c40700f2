import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchkit.cli.guard import run


@dataclass
class Done:
    status: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode()


Benchkit = Callable[..., Done]


@pytest.fixture
def benchkit(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Benchkit:
    """`benchkit("show", path)` runs a command in this process, as in a pipe of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def command(*arguments: str | Path, stdin: bytes = b"", encoding: str = "utf-8") -> Done:
        out = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding, write_through=True)
        err = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding, write_through=True)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = run([str(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        return Done(status, captured.out, captured.err.decode(encoding))

    return command


@pytest.fixture(scope="session")
def variants(data: Path) -> list[str]:
    """Three variants of one scenario, each with what wrk prints."""
    files = {"plain": "plain.txt", "latency": "latency.txt", "slow": "slow-some.txt"}
    return [f"{label}={data / 'wrk' / file}" for label, file in files.items()]


@pytest.fixture
def messy(data: Path, tmp_path: Path) -> Path:
    """A folder with a result, a half one, and two files of other kinds."""
    folder = tmp_path / "messy"
    folder.mkdir()
    report = (data / "ab" / "few.txt").read_bytes()
    (folder / "good.txt").write_bytes(report)
    (folder / "half.txt").write_bytes((data / "ab" / "refused.txt").read_bytes())
    (folder / "notes.txt").write_text("to do: measure", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    return folder
