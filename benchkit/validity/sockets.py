"""Errors of connections, which may be the generator's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.run import Run
from benchkit.validity.failures import requests_sent
from benchkit.validity.finding import Check, Raised

#: Errors of sockets, with what they mean.
_SOCKETS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), words)
    for pattern, words in (
        (
            r"(?:cannot|can't) assign requested address|EADDRNOTAVAIL|address already in use",
            "the generator's machine had no free port ('cannot assign requested address')",
        ),
        (
            r"too many open files|EMFILE|ENFILE",
            "the generator had no free file descriptor ('too many open files')",
        ),
        (r"no buffer space|ENOBUFS", "the generator's machine had no buffers ('no buffer space')"),
        (
            r"connection reset|ECONNRESET|broken pipe|EPIPE",
            "connections were reset ('connection reset', 'broken pipe')",
        ),
    )
)


@Check(
    "SOCKET_ERRORS",
    "Errors of connections",
    "any error of an address or port in use, of open files, buffers or reset connections, "
    "or a connection that was not opened",
    needs="the texts of errors, or wrk's count of connections that were not opened",
    source="Linux errno(3): EADDRNOTAVAIL, EMFILE, ENOBUFS, ECONNRESET",
    advice=(
        "Keep connections alive, raise the limits of the generator's machine (ulimit -n, "
        "ip_local_port_range) and the backlog of the server."
    ),
).for_run
def _socket_errors(run: Run) -> Iterator[Raised]:
    refused = run.figure("Socket errors: connect", "total")
    if run.get("errors") is None and refused is None and not run.errors:
        raise MissingError("errors are not known")
    kinds: dict[str, list[int | None]] = {}
    for text, count in run.errors.items():
        kind = next((words for pattern, words in _SOCKETS if pattern.search(text)), None)
        if kind:
            kinds.setdefault(kind, []).append(count)
    if not kinds and not refused:
        return
    counts = {kind: _total(listed) for kind, listed in kinds.items()}
    requests = requests_sent(run)
    parts = [f"{kind}{_of_requests(count, requests)}" for kind, count in counts.items()]
    if refused:
        parts.append(f"{show.plural(round(refused), 'connection')} could not be opened")
    yield Raised(
        f"{run.name}: {show.listed(parts)}. Such errors may be the generator's or its "
        "machine's own, and what it could not send the server did not have to answer.",
        values={"errors": counts, "not_opened": refused, "requests": requests or None},
        touches=("errors", "success_ratio", "throughput_rps", "goodput_rps"),
    )


def _of_requests(count: int | None, requests: int) -> str:
    if not count:
        return ""
    share = f", {show.share(count / requests)} of the requests" if requests else ""
    return f" ({show.plural(count, 'time')}{share})"


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
