"""Tells which lines of a text are ab's, one line at a time.

Labels are recognised at the beginning of a line; `_ab_pieces` takes lines apart
that hold several.
"""

from __future__ import annotations

import re
from typing import Final

#: Label of each line of the report that carries a value, by key.
LABELS: Final = {
    "software": r"Server Software",
    "host": r"Server Hostname",
    "port": r"Server Port",
    "tls": r"SSL/TLS Protocol",
    "tls_key": r"Server Temp Key",
    "tls_name": r"TLS Server Name",
    "path": r"Document Path",
    "length": r"Document Length",
    "workers": r"Number of workers",
    "concurrency": r"Concurrency Level",
    "achieved": r"Concurrency achieved",
    "ramp": r"Rampup delay",
    "time": r"Time taken for tests",
    "asked": r"Number of requests",
    "complete": r"Complete requests",
    "failed": r"Failed requests",
    "write": r"Write errors",
    "pipe": r"Broken pipe errors",
    "non2xx": r"Non-2xx responses",
    "kept": r"Keep-Alive requests",
    "kept_aborts": r"Keep-Alive aborts",
    "received": r"Total transferred",
    "sent": r"Total (?:body sent|POSTed|PUT)",
    "body": r"HTML transferred",
    "rps": r"Requests per second",
    "per_request": r"Time per request",
    "html_rate": r"HTML Transfer rate",
    "rate": r"Transfer rate",
}

#: Keys whose value is words; all others are numbers.
WORDS: Final = frozenset({"software", "host", "tls", "tls_key", "tls_name", "path"})

#: Keys whose value is a whole number.
COUNTS: Final = (
    frozenset(LABELS) - WORDS - {"ramp", "time", "rps", "per_request", "html_rate", "rate"}
)

_STARS: Final = r"[*_`]{0,3}"
_LABEL: Final = re.compile(
    _STARS
    + r"(?:"
    + "|".join(f"(?P<{key}>{label})" for key, label in LABELS.items())
    + rf"){_STARS}\s*[:\uff1a]{_STARS}\s*(?P<value>.*)",
    re.IGNORECASE,
)
ROW: Final = r"(?:Connect|Processing|Waiting|Total)"

NUMBER: Final = re.compile(
    r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,9})?"
    r"(?=bytes|seconds|[^\w.,]|(?!\d)[^\x00-\x7f]|[.,](?!\d)|$)",
    re.IGNORECASE,
)
#: What stands where a number belongs and is one, if a broken one, or one in other
#: digits than ab prints; other words are prose.
BROKEN: Final = re.compile(r"[-+]?(?:\d|\.\d|nan|inf)", re.IGNORECASE)

#: Commas that authors put between thousands, and a blank that slipped behind a point.
_GROUPED: Final = re.compile(r"([-+]?[0-9]{1,3}(?:,[0-9]{3})+)(?=(\.[0-9])|(?![\w.,]))")
_SLIPPED: Final = re.compile(r"(?<=[0-9]\.) (?=[0-9])")

BANNER: Final = re.compile(
    r"This is ApacheBench, Version ([0-9][\w.]*)(?:\D*\$Revision:\s*([0-9]{1,9})\s*\$)?"
)
START: Final = re.compile(r"Benchmarking \S+.*?\(be patient\)(.*)", re.IGNORECASE)
PROGRESS: Final = re.compile(r"Completed ([0-9]+) requests")
FINISHED: Final = re.compile(r"Finished [0-9]+ requests|\.+done$")
INTERRUPT: Final = re.compile(r"\^C")
ABORT: Final = re.compile(
    r"(?:ab: )?apr_\w+(?:\(\))?(?: for \S+)?:?\s.*\([0-9]+\)"
    r"|Test aborted after [0-9]+ failures|Total of [0-9]+ requests completed"
    r"|socket: .*\([0-9]+\)|SSL (?:handshake|write|read) failed"
)
NOISE: Final = re.compile(
    r"Copyright .*(?:Zeus|Apache)|https?://www\.zeustech\.net/?$|Licensed to The Apache"
    r"|(?:WARNING|ERROR): The median|These results are|deviation apart|than twice the standard"
    r"|LOG: |\.{3}$",
    re.IGNORECASE,
)
BREAKDOWN: Final = re.compile(
    r"\(Connect: +(?P<connect>[0-9]{1,18}) ?, (?:Receive: +(?P<receive>[0-9]{1,18}) ?, )?"
    r"Length: +(?P<length>[0-9]{1,18}) ?, Exceptions: +(?P<exceptions>[0-9]{1,18}) ?\)"
)
MORE_RATE: Final = re.compile(r"(?P<value>[0-9]{1,18}\.?[0-9]{0,9}) kb/s (?P<kind>sent|total)")
TIMES: Final = re.compile(r"Conn+ection Times \(ms\)", re.IGNORECASE)
TIMES_ROW: Final = re.compile(
    rf"(?P<row>{ROW}){_STARS}\s*[:\uff1a]\s*(?P<numbers>-?[0-9][-0-9.\s]*)?", re.IGNORECASE
)
STATISTICS: Final = re.compile(
    r"\bmin\b|\[?\+/-\s?sd\]?|\bmean|\bavg\b|\bmedian\b|\bmax", re.IGNORECASE
)
PERCENTILES: Final = re.compile(r"Percentage of the requests served within", re.IGNORECASE)
PERCENT: Final = re.compile(
    r"([0-9]{1,3})\s?%\s+([0-9]{1,15}(?:\.[0-9]{1,9})?)(?:\s?ms\b|(?![\w.]))"
)
COMMAND: Final = re.compile(r"(?:^|[\s/\\>$#`])(?:ab|abs)(?:\.exe)?\s+-.*\S://", re.IGNORECASE)
_MARKS: Final = (
    *("apachebench, v", "(be patient)", "server ", "tls", "document ", "number of", "concurrency"),
    *("rampup", "taken for", "requests", "errors", "-2xx", "-alive", "transfer", "body sent"),
    *("posted", "total put", "time per", "ection times"),
)
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+\S|\s*<h[1-6]\b", re.IGNORECASE)


def may_begin(line: str) -> bool:
    """Whether a line may hold the first line of a block; cheap, for large foreign files."""
    lowered = line.lower()
    return any(mark in lowered for mark in _MARKS)


def labelled(line: str) -> tuple[str, str] | None:
    """Return (key, value) of a line that begins with one of ab's labels."""
    matched = _LABEL.match(line)
    if matched is None or matched.lastgroup is None:
        return None
    key = next(name for name in LABELS if matched[name] is not None)
    return key, matched["value"].strip().strip("`")


def ungrouped(value: str, *, whole: bool) -> str:
    """Return a number as ab prints it, where an author's grouping of digits leaves no doubt.

    `1,234` is a count, and `1,234.5` any number; but 1,234 seconds may be 1.234.
    """
    grouped = _GROUPED.match(value)
    if grouped and (whole or grouped[2]):
        return grouped[1].replace(",", "") + value[grouped.end() :]
    return unslipped(value)


def unslipped(numbers: str) -> str:
    """Return numbers without the blank that an editor put behind a point: `0. 7` is 0.7."""
    return _SLIPPED.sub("", numbers)


def is_heading(line: str) -> bool:
    """Whether a line, as it stands in the text, is a heading of a page."""
    return _HEADING.match(line) is not None


def statistics(line: str) -> tuple[str, ...]:
    """Return the columns of the connection times that a header line names."""
    names = [name.lower().strip("[]") for name in STATISTICS.findall(line)]
    if STATISTICS.sub("", line).strip(" []|"):
        return ()
    return tuple({"avg": "mean"}.get(name, "stdev" if "sd" in name else name) for name in names)
