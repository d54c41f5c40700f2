"""What a load generator is: how it is called, how it loads a server, what its figures mean.

A module of `benchkit.parsers` names its tools in `TOOLS`. Checks, the identity of runs, redaction
and comparison ask the tool of a run (`benchkit.registry.tool`) for what they depend on; none of
them knows a tool by its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from benchkit import units
from benchkit.declarations import require_several, require_words

#: What ends a command within a line.
_STOPS: Final = frozenset({"|", ">", ">>", "&&", ";", "||", "2>&1"})
#: A word of a command as a shell splits it, what in it is quoted or escaped, and what does so.
_SHELL_WORD: Final = re.compile(
    r"(?>(?:[^ \t\r\n'\"\\]|'[^']*'|\"(?>(?:[^\"\\]|\\[\s\S])*)\"|\\[\s\S])+)"
)
_QUOTED: Final = re.compile(r"'([^']*+)'|\"((?>(?:[^\"\\]|\\[\s\S])*))\"|\\([\s\S])|([^'\"\\]++)")
_ESCAPED: Final = re.compile(r"\\([\"\\])")
_QUOTING: Final = re.compile(r"['\"\\]")

Loop = Literal["open", "closed"]
Padding = Literal["", "pauses", "rate"]
RatesOf = Literal["", "thread", "second"]
Timeouts = Literal["", "timed", "left out", "waiting"]
#: The words that attributes have.
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "loops": get_args(Loop),
    "pads": get_args(Padding),
    "rates_of": get_args(RatesOf),
    "timeouts": get_args(Timeouts),
}
#: What an option may ask for that outputs state too.
_ASKED: Final = ("requests", "connections", "threads", "duration_s")


def _no_columns(_: Sequence[str]) -> dict[str, Any]:
    return {}


def _no_options(_: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Tool:
    """A load generator; what is left out is not so, or not known.

    Its command line:

    Attributes:
        name: As `runs.tool` has it.
        programs: Names of the program (`ab`, `abs`).
        also: Programs of other tools by whose name it goes as well.
        verbs: Words behind the program that run a test (`vegeta attack`).
        piped: Whether its targets may be piped into it (`GET http://…`).
        opening: Pattern of how its output begins.
        remarks: Patterns of other lines that it prints around a report, and that name no run.
        failures: Patterns of lines that it prints in place of a report when it could not run.
        read: The arguments after the program's name, to columns of `runs`, and to `tool` where
            the command is another tool's; it leaves out what it does not understand, raises
            nothing, and returns nothing for what is no run.
        options: The same arguments to (option, value), in order, each under one name.
        asks: Per option what it asks for that the output states too: requests, connections,
            threads, duration_s.
        voids: Per option what else given then asks for nothing: what ends a run first counts.
        header: The option that adds a header.
        credentials: Per option of one letter that takes a credential what stands in its value,
            nothing where that may be anything.
        switches: Letters of options without a value, which may stand before these in one word.
        scripted: Whether what stands behind `--` is handed to a script, credentials too.

    How it loads a server:

    Attributes:
        loops: Those it can run in; of a single one `load_model` need not say so.
        sets_rate: Whether it can be asked for a rate.
        tells_sends: Whether its output tells when it sent: it does so at a rate unless its loop
            is closed, for the time that is left of `duration_s` without `wait_s`.
        numbers_requests: Whether requests are numbered in the order in which they were sent.
        calibration_s: What a run takes before it measures.
        single_threaded: Whether it sends by one thread unless `threads` says otherwise.

    What its latencies are:

    Attributes:
        step_s: The coarsest step in any of its files, where these differ in it or cut off to it.
        finer: How to have them finer, a clause.
        truncates: Whether they are cut off to that step, and not rounded.
        pads: When it adds samples that it never measured: for pauses, or at a set rate.
        interpolates: Whether its percentiles are guessed within wide buckets: they may lie further
            from the mean than the deviation allows.
        restarts_minimum: Whether a latency of 0 starts the printed minimum anew.
        prints_connecting: Whether it prints the times of connecting, 'Connect', apart.

    How it counts:

    Attributes:
        rates_of: What 'Req/Sec' is of, whose spread it prints: one thread, or one second.
        drops: Its figures of what a schedule asked for: what was never begun, and what was.
        errors_are_requests: Whether `requests` counts those that got no answer.
        timeouts: Whether the latency of what timed out is the time it took, or left out; or
            whether a timeout is a connection that sent nothing for so long, counted again and
            again: it may wait for an answer, or for when it is to send.
        answers_late: Whether a timeout is counted among the errors although its answer came,
            which is counted among the requests.
        fails_by_length: Whether a response of another length than the first counts as failed.
        non2xx_from: From which status on it counts an answer among those that are no 2xx.
        unfinished: The option by which a time limit breaks responses off, whose bytes count.
    """

    name: str
    programs: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    piped: bool = False
    opening: str = ""
    remarks: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    read: Callable[[Sequence[str]], dict[str, Any]] = _no_columns
    options: Callable[[Sequence[str]], Iterable[tuple[str, str]]] = _no_options
    asks: Mapping[str, str] = field(default_factory=dict)
    voids: Mapping[str, str] = field(default_factory=dict)
    header: str = "H"
    credentials: Mapping[str, str] = field(default_factory=dict)
    switches: str = ""
    scripted: bool = False
    loops: tuple[Loop, ...] = ()
    sets_rate: bool = False
    tells_sends: bool = False
    numbers_requests: bool = False
    calibration_s: float = 0.0
    single_threaded: bool = False
    step_s: float = 0.0
    finer: str = ""
    truncates: bool = False
    pads: Padding = ""
    interpolates: bool = False
    restarts_minimum: bool = False
    prints_connecting: bool = False
    rates_of: RatesOf = ""
    drops: tuple[str, str] | None = None
    errors_are_requests: bool = False
    timeouts: Timeouts = ""
    answers_late: bool = False
    fails_by_length: bool = False
    unfinished: str = ""
    non2xx_from: int = 300

    def __post_init__(self) -> None:
        owner = f"tool {self.name}"
        require_several(owner, self, ("programs", "also", "verbs", "remarks", "failures", "loops"))
        for name, known in _WORDS.items():
            given = getattr(self, name)
            words = (given,) if isinstance(given, str) else given
            require_words(owner, {name: words}, known)
        for name in ("asks", "voids"):
            require_words(owner, {name: getattr(self, name).values()}, _ASKED)

    @property
    def closed(self) -> bool:
        """Whether its loop may be closed."""
        return "closed" in self.loops

    def given(self, command: str) -> Sequence[tuple[str, str]]:
        """Return the (option, value) of a command, with a prompt, a pipe or others around it."""
        return _given(self, command)

    def asked(self, command: str) -> Mapping[str, float]:
        """Return what a command asks for, as `asks` has it, as far as it gives numbers."""
        return _asked(self, command)

    def headers(self, command: str) -> frozenset[str]:
        """Return the headers that a command adds, as `name: value`, the name in lower case."""
        sent = set()
        for option, text in self.given(command):
            name, colon, value = text.partition(":" if ":" in text else "=")
            if option == self.header and colon:
                sent.add(f"{name.strip().lower()}: {value.strip()}")
        return frozenset(sent)


@lru_cache(maxsize=4096)
def _asked(tool: Tool, command: str) -> Mapping[str, float]:
    values: dict[str, float] = {}
    given = tool.given(command)
    for option, text in given:
        if name := tool.asks.get(option):
            number = _number(text, seconds=name == "duration_s")
            values |= {} if number is None else {name: number}
    for option, _ in given:
        values.pop(tool.voids.get(option, ""), None)
    return MappingProxyType(values)


@lru_cache(maxsize=4096)
def _given(tool: Tool, command: str) -> Sequence[tuple[str, str]]:
    words = shell_words(command)
    names = {*tool.programs, *tool.also}
    start = next((at for at, word in enumerate(words, 1) if program_of(word) in names), len(words))
    stop = next((at for at in range(start, len(words)) if words[at] in _STOPS), len(words))
    return tuple(tool.options(words[start:stop]))


def shell_words(command: str) -> list[str]:
    """Return the words of a command as a shell does; parted by blanks where a quote has no end.

    It is what `shlex.split` returns, in a twentieth of the time.
    """
    words = _SHELL_WORD.findall(command)
    if not _QUOTING.search(command):
        return words
    if _QUOTING.search(_SHELL_WORD.sub("", command)):
        return command.split()
    return [_unquoted(word) if _QUOTING.search(word) else word for word in words]


def _unquoted(word: str) -> str:
    parts = _QUOTED.findall(word)
    return "".join(
        single + _ESCAPED.sub(r"\1", double) + escaped + plain
        for single, double, escaped, plain in parts
    )


def program_of(word: str) -> str:
    """Return the name of the program that a word of a command calls, without folder and version."""
    return word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe").partition("@")[0]


def _number(text: str, *, seconds: bool) -> float | None:
    try:
        if not seconds:
            return units.count(text.lower().replace("m", "M"))
        return units.go_duration(text) if text[-1:].isalpha() else units.number(text)
    except ValueError:
        return None
