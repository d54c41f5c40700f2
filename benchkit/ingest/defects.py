"""What a parser raises that is no InputError: a defect of the parser, not of the file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from benchkit.errors import BenchkitError, InputError
from benchkit.parsing import Parser

#: What says nothing of a parser.
_NOT_ITS_OWN: Final = (BenchkitError, OSError, MemoryError)
#: Whether a defect ends the command with status 70, as in the tests and under BENCHKIT_DEBUG.
ends_command = os.environ.get("BENCHKIT_DEBUG", "") not in {"", "0"}


@contextmanager
def blaming(parser: Parser) -> Iterator[None]:
    """Let a parser's own error cost one file, and name the parser.

    Raises:
        InputError: the parser raised something that is not meant for users.
    """
    try:
        yield
    except _NOT_ITS_OWN:
        raise
    except Exception as error:
        if ends_command:
            raise
        raise InputError(
            f"the parser {parser.name} to read this or to say why not",
            actual=f"{type(error).__name__}: {error}",
            hint="a defect of that parser, not of the file: please report it",
        ) from error
