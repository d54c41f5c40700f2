"""Command lines whose options may stand anywhere, each under its short name if it has one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence


def options(
    arguments: Sequence[str], *, long: Mapping[str, str], switches: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield (option, value): `-x value`, `-xvalue`, `--name value`, `--name=value`.

    Args:
        arguments: What stands behind the program.
        long: The letter of each long name that has one.
        switches: Letters and names of the options without a value.
    """
    words = iter(arguments)
    for word in words:
        if not word.startswith("-") or word == "--":
            continue
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
        else:
            name, value = word[1:2], word[2:]
            equals = "=" if value else ""
        if not equals:
            value = "" if name in switches else next(words, "")
        yield long.get(name, name), value
