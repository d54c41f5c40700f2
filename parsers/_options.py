"""Command lines as the usual packages take them apart: getopt_long, kingpin, Go's flag.

Source: glibc `getopt_long`; alecthomas/kingpin 2.2.6 `lexer.go`, `parser.go`; Go 1.26 `flag`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from benchkit import units


def letters(pairs: str) -> dict[str, str]:
    """Return the long name of each letter, of `c=connections t=timeout`."""
    return dict(pair.split("=") for pair in pairs.split())


def options(
    arguments: Sequence[str], *, short: Mapping[str, str], switches: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield (long name, value), and what is no option as ("url", …).

    Options may stand anywhere; `--name=value`, `--name value`, `-xvalue`, `-x value`; switches of
    one letter may stand together, and `--no-name` turns one off. A known name may be cut short.

    Args:
        arguments: What stands behind the program.
        short: The long name of each letter.
        switches: Long names of the options without a value.
    """
    words = iter(arguments)
    for word in words:
        if word == "--":
            yield from (("url", rest) for rest in words)
        elif word.startswith("--no-") and word.removeprefix("--no-") in switches:
            continue
        elif word.startswith("--"):
            begun, equals, value = word[2:].partition("=")
            name = _whole_name(begun, {*short.values(), *switches})
            yield name, value if equals else "true" if name in switches else next(words, "")
        elif word.startswith("-") and len(word) > 1:
            yield from _letters(word[1:], words, short, switches)
        else:
            yield "url", word


def _whole_name(begun: str, names: Collection[str]) -> str:
    fits = [name for name in names if begun and name.startswith(begun)]
    return fits[0] if len(fits) == 1 and begun not in names else begun


def _letters(
    letters: str, words: Iterator[str], short: Mapping[str, str], switches: Collection[str]
) -> Iterator[tuple[str, str]]:
    for at, letter in enumerate(letters):
        name = short.get(letter, letter)
        if name not in switches:
            yield name, letters[at + 1 :].removeprefix("=") or next(words, "")
            return
        yield name, "true"


def go_flags(arguments: Sequence[str], *, switches: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield (flag, value), and the target as ("url", …), with which Go's flags end."""
    words = iter(arguments)
    for word in words:
        matched = re.fullmatch(r"--?([^-=][^=]*)(?:=(.*))?", word, re.DOTALL)
        if matched is None:
            yield "url", next(words, "") if word == "--" else word
            return
        name, value = matched[1], matched[2]
        if value is None:
            value = "true" if name in switches else next(words, "")
        yield name, value


def number(text: str, read: Callable[[str], float]) -> float | None:
    """Return what a function reads of a value, None where it is none or 0."""
    try:
        return read(text) or None
    except ValueError:
        return None


def whole(text: str) -> int | None:
    """Return a whole number, None where it is none or 0."""
    value = number(text, units.whole)
    return None if value is None else int(value)
