"""JMeter: its command line.

A plan says what is sent, by how many threads, and for how long: of that the command has nothing.
Each thread of a plan sends a request when it has the answer to the one before.

Source: Apache JMeter 5.6.3 `JMeter.java` (OPTIONS), `core/.../threads/JMeterThread.java`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchkit.tool import Tool

from . import _short_options

#: Options without a value, in both spellings.
_SWITCHES: Final = frozenset(
    {
        *("?", "h", "v", "n", "s", "r", "X", "e", "f"),
        *("help", "version", "nongui", "server", "runremote", "remoteexit"),
        *("reportatendofloadtests", "forceDeleteResultFile"),
    }
)
_LONG: Final = {
    "nongui": "n",
    "testfile": "t",
    "logfile": "l",
    "jmeterproperty": "J",
    "globalproperty": "G",
    "remotestart": "R",
    "reportonly": "g",
}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (option, value); those with a short name under that."""
    yield from _short_options.options(arguments, long=_LONG, switches=_SWITCHES)


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets: of a run without a window."""
    given = dict(options(arguments))
    return {"load_model": "closed"} if "n" in given and "g" not in given else {}


TOOLS: Final = (
    Tool(
        name="jmeter",
        programs=("jmeter", "jmeter.sh", "jmeter.bat", "jmeter-n.cmd"),
        opening=r"Creating summariser <|timeStamp,elapsed,label",
        read=read,
        options=options,
        loops=("closed",),
        errors_are_requests=True,
        timeouts="timed",
        credentials={"a": ""},  # the password of the proxy
    ),
)
