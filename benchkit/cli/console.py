"""What goes to standard output, whatever that is, to standard error, or to a file instead."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, Final

import typer

from benchkit.errors import UsageError

if TYPE_CHECKING:
    from benchkit.cli.options import Format

#: Text, or records for JSON and CSV.
Written = str | Sequence[Mapping[str, Any]]
#: Names of standard output.
_STDOUT: Final = ("-", "/dev/stdout", "/dev/fd/1")
#: Where no terminal says how wide it is.
_WIDTH: Final = 100
#: Our typography where an encoding lacks it.
_ASCII: Final = str.maketrans(
    {
        **dict(zip("×–−µ—…·", ("x", "-", "-", "u", "-", "...", "-"), strict=True)),
        **dict.fromkeys("█▉▊▋▌", "#"),
        "▒": "=",
        "│": "|",
        **dict.fromkeys("▍▎▏", ""),
        "\N{NO-BREAK SPACE}": " ",
    }
)


@contextmanager
def to_output() -> Iterator[None]:
    """Write to standard output inside; a reader that has gone ends it quietly.

    Raises:
        typer.Exit: the reader has gone, as `head` does.
        UsageError: it is closed, or for example the disk is full.
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed")
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        refusal = unwritten(error)
        if isinstance(error, BrokenPipeError) or error.errno in {errno.EPIPE, errno.EINVAL}:
            raise typer.Exit(0) from None
        raise refusal from error


def unwritten(error: OSError) -> UsageError:
    """Return the error of a standard output that takes no more; nothing is written to it again."""
    # What is still buffered must not fail again when the process ends.
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return UsageError(f"cannot write to standard output: {error.strerror or error}")


def say(text: str) -> None:
    """Write text to standard output; what its encoding lacks is written in ASCII or escaped."""
    with to_output():
        sys.stdout.write(_encodable(text, sys.stdout.encoding or "utf-8"))


def write(written: Written, form: Format, output: str | None = None) -> None:
    """Write text as it is, and records in the format that was asked for."""
    if isinstance(written, str) and is_stdout(output):
        say(written)
        return
    with destination(output) as file:
        file.write(written.encode() if isinstance(written, str) else _records(written, form))


def is_stdout(output: str | None) -> bool:
    """Whether the name of an output, or none, stands for standard output."""
    return output is None or output in _STDOUT


@contextmanager
def destination(output: str | None) -> Iterator[IO[bytes]]:
    """Yield what an output is written to: standard output, or a file that is whole or not there.

    Raises:
        UsageError: it cannot be written.
    """
    if is_stdout(output):
        with to_output():
            yield binary_output()
            binary_output().flush()
        return
    from benchkit.output import whole_file

    with whole_file(output or "") as file:
        yield file


def say_where(output: str | None) -> None:
    """Write the name of an output that lies in a file."""
    from benchkit.format import escaped

    if not is_stdout(output):
        say(f"{escaped(output or '')}\n")


def _records(records: Sequence[Mapping[str, Any]], form: Format) -> bytes:
    from benchkit.export import write_records

    out = io.BytesIO()
    write_records([dict(record) for record in records], form=form.value, to=out)
    return out.getvalue()


def binary_output() -> IO[bytes]:
    """Return standard output for bytes."""
    sys.stdout.flush()
    return sys.stdout.buffer


def complain(text: str, *, show_secrets: bool = False) -> None:
    """Write one line to standard error, safe for any terminal."""
    from benchkit.format import clean
    from benchkit.redaction import redact

    err = sys.stderr
    if err is None:
        return
    # Some are secrets by the end of their line only, others in the one line that is shown.
    line = clean(text) if show_secrets else redact(clean(redact(text)))
    with suppress(OSError):
        err.write(_encodable(f"benchkit: {line}\n", err.encoding or "utf-8"))
        err.flush()


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as lines, each column as wide as its widest cell."""
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = ([cell.ljust(size) for cell, size in zip(row, sizes, strict=True)] for row in rows)
    return "".join(f"{'  '.join(row).rstrip()}\n" for row in cells)


def width() -> int:
    """Return the columns to write in: the terminal's, or COLUMNS."""
    columns = shutil.get_terminal_size((0, 0)).columns
    for stream in (sys.stderr, sys.stdin):
        if columns:
            break
        with suppress(AttributeError, ValueError, OSError):
            columns = os.get_terminal_size(stream.fileno()).columns
    return max(columns or _WIDTH, 40)


def styled() -> bool:
    """Whether standard output is a terminal that takes escape sequences, and is wanted to."""
    if sys.stdout is None or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("TERM", "") in {"dumb", "unknown"}:
        return False
    if os.name != "nt":
        return True
    from rich.console import detect_legacy_windows

    return not detect_legacy_windows()


def _encodable(text: str, encoding: str) -> str:
    try:
        text.encode(encoding)
    except UnicodeError:
        text = text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text
