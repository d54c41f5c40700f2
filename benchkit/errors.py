"""The few errors that benchkit raises on purpose.

Whatever is wrong with an input becomes one line that says which file, where in
it, what was expected, what was found, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

#: What a name is held against at most: both are somebody's words.
_MOST_NAMES: Final = 1000
_LONGEST_NAME: Final = 100
_LONGEST_PATH: Final = 200


class BenchkitError(Exception):
    """Base of every error that a user can cause; its text is one line."""

    exit_status = 2


class UsageError(BenchkitError):
    """The request makes no sense: an unknown column, baseline or format."""


class NothingToReportError(BenchkitError):
    """Not a single run could be read from what was named."""


class PluginWarning(UserWarning):
    """A plug-in is left out; the text says whose it is, and why."""


class MissingError(Exception):
    """A run lacks the data that a question needs; the text says which."""


@dataclass(frozen=True, slots=True)
class Where:
    """A place within an input; what is not known is left out.

    `last` is the last line of what cannot be read, which begins at or before `line`.
    """

    line: int | None = None
    byte: int | None = None
    path: str | None = None
    last: int | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"line {self.line}"
        if self.byte is not None:
            return f"byte {self.byte}"
        path = self.path or ""  # names in it are those of the file, of any length
        return _visible(path if len(path) <= _LONGEST_PATH else f"{path[: _LONGEST_PATH - 1]}…")


class InputError(BenchkitError):
    """A file, or a part of one, that cannot be read.

    Args:
        expected: What the format asks for at this place.
        actual: What stands there instead, the words of the file or the shortest ones for them:
            always shown in quotes, shortened and made printable.
        where: Line, byte or inner path; None for the file as a whole.
        hint: What the user can do about it.
        source: Name of the file; filled in by whoever opened it.
    """

    def __init__(
        self,
        expected: str,
        *,
        actual: str | None = None,
        where: Where | None = None,
        hint: str | None = None,
        source: str | None = None,
    ) -> None:
        super().__init__(expected)
        self.expected = expected
        self.actual = actual
        self.where = where
        self.hint = hint
        self.source = source

    def __str__(self) -> str:
        location = ", ".join(part for part in (self.source, str(self.where or "")) if part)
        actual = f", found {printable(self.actual)}" if self.actual is not None else ""
        hint = f"; {self.hint}" if self.hint else ""
        text = f"expected {self.expected}{actual}{hint}"
        return f"{location}: {text}" if location else text

    def without_frames(self) -> InputError:
        """Return the same error for keeping: the frames that it went through hold what was read.

        One of them may hold the error, so that all stay until a search for garbage.
        """
        self.__cause__ = self.__context__ = None
        return self.with_traceback(None)

    def within(self, source: str, *, first_line: int = 0) -> InputError:
        """Return the same error placed in `source`, its line moved by `first_line`."""
        where = self.where
        if where is not None and where.line is not None and first_line:
            last = None if where.last is None else where.last + first_line
            where = replace(where, line=where.line + first_line, last=last)
        return InputError(
            self.expected, actual=self.actual, where=where, hint=self.hint, source=source
        )


def printable(text: str, *, limit: int = 60) -> str:
    """Return `text` quoted, escaped and cut, fit for a line of any terminal."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return f"'{_visible(shown)}'"


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `did you mean 'runs'?`, or nothing where no known name is near."""
    from difflib import get_close_matches

    names = {other.lower(): other for other in islice(known, _MOST_NAMES)}
    short = [other for other in names if len(other) <= _LONGEST_NAME]
    near = get_close_matches(name[:_LONGEST_NAME].lower(), short, n=1)
    return f"did you mean {printable(names[near[0]])}?" if near else ""


def unknown(what: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error of a name that is none of those known, which it lists."""
    listed = list(known)
    near, there = nearest(name, listed), ", ".join(listed) or "none"
    return UsageError(
        f"no {what} '{name}'; " + (f"{near} There" if near else "there") + f" are {there}"
    )
