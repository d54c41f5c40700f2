"""Finds the command lines of load generators in a text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from benchkit import registry
from benchkit.parsing import Command
from benchkit.text import Text

#: Prompts of shells: PowerShell, a virtual environment, oh-my-zsh with a branch, cmd, others.
_PROMPT: Final = re.compile(
    r"^(?:PS\s+\S+>\s+|\([\w.-]+\)\s+|[➜❯»λ]\s+\S+\s+git:\(\S*\)\s+(?:✗\s+)?|[A-Za-z]:\\[^<>|]*>\s*"
    r"|[\w.~/\\:@\[\]-]*[$#%>❯»➜λ]\s+|[$%❯>]\s*)"
)
_PIPE_INTO: Final = re.compile(
    r"\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(https?://[^\s\"'|]+)"
)
_WRAPPERS: Final = {
    "npx",
    "sudo",
    "time",
    "exec",
    "env",
    "nohup",
    "bunx",
    "taskset",
    "timeout",
    "docker",
}
_MAX_LINE: Final = 4000


@dataclass(frozen=True)
class CommandLine:
    """A command line of a load generator.

    Attributes:
        line: Its first line, from 0.
        tool: The load generator.
        text: The line without its prompt.
        columns: What it says about the run, as columns of `runs`.
    """

    line: int
    tool: str
    text: str
    columns: Mapping[str, Any]


def read_command(line: str) -> CommandLine | None:
    """Return what a line says as a command of a load generator, None if it is none."""
    text = _PROMPT.sub("", line.strip()).strip().strip("`")
    if not text or len(text) > _MAX_LINE:
        return None
    for words in _pipeline(text):
        for at, word in enumerate(words):
            command = _programs().get(_program(word))
            if command is None or not _leads(words[:at]) or not _is_call(words[at + 1 :]):
                continue
            columns = dict(command.read(words[at + 1 :]))
            if not columns:
                continue  # vegeta report, wrk --version: no run
            piped = _PIPE_INTO.search(text)
            if piped and command.tool == "vegeta":
                columns |= {"method": piped[1], "url": piped[2]}
            # A program may go by another's name: wrk2's is called wrk.
            tool = columns.pop("tool", command.tool)
            return CommandLine(0, tool, text, columns)
    return None


def find_commands(text: Text) -> Iterator[CommandLine]:
    """Yield the command lines in a text; a trailing backslash joins lines."""
    words = re.compile("|".join(map(re.escape, _programs())))
    number = 0
    while number < len(text):
        first, line = number, text.bare[number]
        while line.endswith("\\") and number + 1 < len(text):
            number += 1
            line = line[:-1].rstrip() + " " + text.bare[number]
        number += 1
        if not words.search(line):
            continue
        found = read_command(line)
        if found is not None:
            yield CommandLine(first, found.tool, found.text, found.columns)


@cache
def _programs() -> dict[str, Command]:
    return {name: command for command in registry.commands() for name in command.programs}


def _program(word: str) -> str:
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe").split("@")[0]


def _leads(words: list[str]) -> bool:
    """Whether words may stand before a program: none, or wrappers and their arguments."""
    return not words or words[0] in _WRAPPERS or all("=" in word for word in words)


def _is_call(arguments: list[str]) -> bool:
    # "ab is a tool" is prose; "ab -n 10 http://…" and "vegeta attack -rate=5" are calls.
    return any(a.startswith("-") or "://" in a or a == "attack" for a in arguments[:2]) or any(
        re.match(r"https?://", a) for a in arguments
    )


def _pipeline(text: str) -> Iterator[list[str]]:
    for part in re.split(
        r"\s*(?:\|\|?|&&|;|>>?|2>&1|<)\s*(?=(?:[^'\"]|'[^']*'|\"[^\"]*\")*$)", text
    ):
        try:
            yield shlex.split(part, comments=False)
        except ValueError:
            yield part.split()
