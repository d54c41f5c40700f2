"""ab's `-g`: a row per request, sorted by total time.

Columns are starttime (local time, as text), seconds (the same since 1970, in
UTC), ctime, dtime, ttime and wait: connecting, processing, both, and waiting
for the first byte, each rounded to milliseconds by itself. There is no status;
failed requests have rows like the others.

Source: httpd 2.4 `support/ab.c`, `output_results`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit.errors import InputError, Where
from benchkit.parsing import Bytes, Content, RequestBatch, RowsParser, Source
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.text import decode

from . import ab

_NAMES: Final = ("starttime", "seconds", "ctime", "dtime", "ttime", "wait")
_HEADER: Final = re.compile(rb"[ \t]*+" + rb"[ \t]++".join(n.encode() for n in _NAMES) + rb"\s*+\Z")
_ROW: Final = re.compile(
    rb"^(?!(?>(?:[^\S\t\n]|\d)*)\t)[^\t\n]++\t"
    rb"(\d{1,10}\t-?\d{1,12}\t-?\d{1,12}\t-?\d{1,12}\t-?\d{1,12})[^\S\n]*+$",
    re.MULTILINE,
)
_CHUNK: Final = 4 << 20
_LATEST: Final = 9_223_372_036  # what a 64-bit count of nanoseconds can hold
_SECOND: Final = 1_000_000_000
_MILLISECOND: Final = 1_000_000


def sniff(source: Source) -> bool:
    """Whether a file begins with the header that ab writes."""
    text = (decode(source.head[:400]) or "").lstrip("\ufeff\r\n")
    return _HEADER.match(text.split("\n", 1)[0].encode()) is not None


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the requests of a file in batches.

    Raises:
        InputError: no row, a row that is none, or a second header; what was
            yielded before is good.
    """
    lines, empty = 1, True  # the line of the header, from 1
    for base, piece in _pieces(source):
        good, wrong = _split(piece)
        if wrong is not None and _HEADER.match(piece[wrong:].split(b"\n", 1)[0]):
            raise InputError(
                "the requests of one run",
                actual="a second header",
                where=Where(line=lines + piece.count(b"\n", 0, wrong) + 1),
                hint="split the file there: each -g file is a run of its own",
            )
        yield from _batch(good)
        empty = empty and not good
        if wrong is not None:
            raise InputError(
                "a row of starttime, seconds, ctime, dtime, ttime and wait",
                actual=piece[wrong:].split(b"\n", 1)[0].decode("utf-8", "backslashreplace"),
                where=Where(line=lines + piece.count(b"\n", 0, wrong) + 1, byte=base + wrong),
                hint="the file is cut off or was edited",
            )
        lines += piece.count(b"\n")
    if empty:
        raise InputError("rows below the header", actual="none", where=Where(line=2))


def _pieces(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield (byte, whole lines) for everything below the header."""
    content = _as_utf8(source)
    head = content.read(0, _CHUNK)
    at = head.find(b"\n", head.find(b"ttime")) + 1 or len(head)
    while piece := content.read(at, _CHUNK):
        end = piece.rfind(b"\n") + 1 if len(piece) == _CHUNK else len(piece)
        yield at, piece[: end or len(piece)]
        at += end or len(piece)


def _as_utf8(source: Source) -> Content:
    head = source.head[:400]
    if b"\0" in head or head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return Bytes((decode(source.data) or "").encode())
    return source.content


def _split(piece: bytes) -> tuple[list[bytes], int | None]:
    """Return the figures of the rows up to one that is none, or cut, and where that begins."""
    end = piece.rfind(b"\n") + 1
    if piece[end:].strip():
        good, wrong = _split(piece[:end])
        return good, end if wrong is None else wrong
    rows = _ROW.findall(piece)
    if len(rows) == piece.count(b"\n") + (not piece.endswith(b"\n")):
        return rows, None
    at, good = 0, []
    for line in piece.split(b"\n"):
        matched = _ROW.fullmatch(line)
        if matched is not None:
            good.append(matched[1])
        elif line.strip():
            return good, at
        at += len(line) + 1
    return good, None


def _batch(rows: list[bytes]) -> Iterator[RequestBatch]:
    import numpy as np

    if not rows:
        return
    numbers = np.fromstring(b"\t".join(rows), np.int64, sep="\t")
    seconds, connect, _, total, wait = numbers.reshape(len(rows), -1).T
    sound = (total >= 0) & (connect >= 0) & (wait >= 0) & (seconds < _LATEST)
    sound &= total < _LATEST * 1000 - seconds.clip(0, _LATEST) * 1000
    odd = len(sound) - int(sound.sum())
    note = f"rows with a time that cannot be, left out: {odd}"
    batch = RequestBatch(
        latency_ns=total * _MILLISECOND,
        started_ns=seconds * _SECOND,
        started_step_ns=_SECOND,
        connect_ns=connect * _MILLISECOND,
        first_byte_ns=wait * _MILLISECOND,
        notes=(note,) if odd else (),
    )
    yield batch.where(sound) if odd else batch


PARSERS = (
    RowsParser(
        name="ab-requests",
        tool=ab.TOOL,
        reads="the row per request that -g writes",
        versions="1.3d to 2.4, and trunk",
        fills=(
            *("requests", "started_at", "latency_min_s", "latency_mean_s", "latency_std_s"),
            *QUANTILE_COLUMNS.values(),
            "latency_max_s",
        ),
        detail=3,
        constants={**ab.MEANING, "resolution_s": 1e-3},
        # Rows are rounded one by one, and the report's mean is rounded again, another way.
        steps={"latency_mean_s": 1.1e-3, "latency_std_s": 1.1e-3},
        sniff=sniff,
        rows=rows,
    ),
)
