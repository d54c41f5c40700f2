"""What a parser raises that is no InputError: a defect of the parser, not of the file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from benchkit.errors import InputError
from benchkit.parsing import Parser
from benchkit.units import QuantityError

#: What says nothing of a parser.
_NOT_ITS_OWN: Final = (InputError, OSError, MemoryError)
#: Whether a defect ends the command with status 70, as in the tests and under BENCHKIT_DEBUG.
ends_command = os.environ.get("BENCHKIT_DEBUG", "") not in {"", "0"}


@contextmanager
def raised() -> Iterator[None]:
    """Let what a parser raises pass as it is: for who tests parsers."""
    global ends_command  # noqa: PLW0603 - the one switch of this module
    before, ends_command = ends_command, True
    try:
        yield
    finally:
        ends_command = before


class blaming:  # noqa: N801 - in `with blaming(parser)`; for each parser and each of many files
    """Lets a parser's own error cost one file, and names the parser.

    Raises:
        InputError: the parser raised something that is not meant for users.
    """

    __slots__ = ("parser",)

    def __init__(self, parser: Parser) -> None:
        self.parser = parser

    def __enter__(self) -> None:
        """Nothing to begin."""

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        """Put an InputError in place of an error that is no message for users."""
        if isinstance(error, QuantityError):  # as which no parser took it, the file has it
            raise InputError("figures as a tool prints them", actual=str(error)) from error
        if isinstance(error, SystemExit):  # a parser that leaves would end the command in silence
            ends = False
        else:
            ends = not isinstance(error, Exception) or isinstance(error, _NOT_ITS_OWN)
        if ends or error is None or ends_command:
            return
        raise InputError(
            f"the parser {self.parser.name} to read this or to say why not",
            actual=f"{type(error).__name__}: {error}",
            hint="a defect of that parser, not of the file: please report it",
        ) from error
