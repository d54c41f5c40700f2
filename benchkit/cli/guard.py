"""The one place that turns errors into a line on standard error and an exit status."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer

from benchkit.cli.configured import defaults, remarks
from benchkit.cli.console import complain, unwritten
from benchkit.errors import BenchkitError, PluginWarning, UsageError, Where

INTERRUPTED: Final = 130
DEFECT: Final = 70
#: What typer raises for wrong arguments. It has no public name that every release knows.
_WRONG_USE: Final = typer.BadParameter.__mro__[2]
_TOO_LITTLE: Final = "this takes more memory than there is; name fewer files, or a part of them"
#: What a system says of what is written where nothing more can be.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})
#: What to do about a path that the system refuses.
_REFUSED: Final[Mapping[int | None, str]] = {
    errno.EACCES: "its permissions, or those of a folder above it, must allow this",
    errno.ENAMETOOLONG: "most systems take 255 bytes for a name: choose a shorter one",
    errno.ELOOP: "a link there leads to itself",
    errno.ENOTDIR: "a file is where a folder should be",
}


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit status; no exception leaves this function."""
    secrets = "--show-secrets" in arguments
    with _plugin_warnings(show_secrets=secrets):
        return _run(arguments, secrets=secrets)


@contextmanager
def _plugin_warnings(*, show_secrets: bool) -> Iterator[None]:
    """Say of each plug-in that is left out why, in a line of ours."""
    shown = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:  # noqa: ANN401 - handed on
        if issubclass(category, PluginWarning):
            complain(str(message), show_secrets=show_secrets)
        else:
            shown(message, category, *where, **more)

    with warnings.catch_warnings():
        warnings.simplefilter("always", PluginWarning)
        warnings.showwarning = show
        yield


def _run(arguments: Sequence[str], *, secrets: bool) -> int:
    from benchkit.cli.app import COMMANDS, program

    try:
        asked = [name for name in arguments[:1] if name in COMMANDS]
        command = typer.main.get_command(program(asked or COMMANDS))
        with _told_where_asked(arguments):
            configured = {name: defaults(name, arguments) for name in asked}
        for name in asked:
            for line in remarks(name):
                complain(line, show_secrets=secrets)
        with _told_where_asked(arguments, _WRONG_USE):
            status = command.main(
                list(arguments), prog_name="benchkit", standalone_mode=False, default_map=configured
            )
    except BenchkitError as error:
        return _status_of(error, secrets=secrets)
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit as leave:  # how typer ends on a broken pipe
        return 0 if leave.code in {0, 1, None} else DEFECT
    except Exception as error:  # noqa: BLE001 - the last resort, which says what it is
        if refusal := _refusal(error):
            return _status_of(refusal, secrets=secrets)
        return _wrong_use(error) if isinstance(error, _WRONG_USE) else _defect(error)
    return status if isinstance(status, int) else 0


@contextmanager
def _told_where_asked(
    arguments: Sequence[str], kind: type[Exception] = BenchkitError
) -> Iterator[None]:
    """Also write an error into the files of a check that has not begun."""
    try:
        yield
    except kind as error:
        if arguments[:1] == ["check"]:
            from benchkit.cli.check import write_unbegun
            from benchkit.redaction import redact

            text = error.format_message() if hasattr(error, "format_message") else str(error)
            shown = text if "--show-secrets" in arguments else redact(text)
            write_unbegun(arguments[1:], shown.rstrip("."))
        raise


def _status_of(error: BenchkitError, *, secrets: bool) -> int:
    """Complain of an error and return the status that it stands for."""
    _trace()
    complain(str(error), show_secrets=secrets)
    return error.exit_status


def _refusal(error: Exception) -> UsageError | None:
    """Return the error of what the system does not grant, None for any other."""
    if isinstance(error, MemoryError):
        return UsageError(_TOO_LITTLE)
    if isinstance(error, OSError) and error.filename is not None:
        return _refused(error)
    if isinstance(error, OSError) and error.errno in _FULL:  # typer writes its help itself
        return unwritten(error)
    return None


def _refused(error: OSError) -> UsageError:
    """Return the error of a path that the system refuses, wherever it was asked for that."""
    named = error.filename
    path = os.fsdecode(named) if isinstance(named, (str, bytes)) else str(named)
    hint = _REFUSED.get(error.errno, "name another path")
    return UsageError(f"{Where(path=path)}: {error.strerror or type(error).__name__}; {hint}")


def _wrong_use(error: Exception) -> int:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "benchkit"
    text = error.format_message() if hasattr(error, "format_message") else str(error)
    text = text.replace(": Value error, ", ": ")  # how typer's own check begins
    complain(f"{text.rstrip('.')}; see '{command} --help'")
    return 2


def _defect(error: Exception) -> int:
    traced = _trace()
    hint = "" if traced else "; BENCHKIT_DEBUG=1 prints the full traceback, which a report needs"
    complain(f"a defect in benchkit itself: {type(error).__name__}: {error}{hint}")
    return DEFECT


def _trace() -> bool:
    if os.environ.get("BENCHKIT_DEBUG", "") in {"", "0"} or sys.stderr is None:
        return False
    import traceback

    traceback.print_exc()
    return True
