"""vegeta's results as JSON lines: `vegeta encode`, before 7.0 `vegeta dump`.

One object a line, its fields by generation as in the binary results; the instant
is RFC 3339 with up to nine decimals in the writer's zone, the latency nanoseconds.

Source: vegeta 12.13 `lib/results.go`, `lib/results_easyjson.go`; 6.3 `lib/results.go`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from benchkit.parsing import RequestBatch, RowsParser, Source

from . import _vegeta, _vegeta_rows
from ._vegeta_rows import BadRowError, Way

if TYPE_CHECKING:
    import pyarrow as pa

_INSTANT: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NO_TIME: Final = -(2**63)
_KEYS: Final = (b'"timestamp"', b'"code"', b'"bytes_in"')


def sniff(source: Source) -> bool:
    """Whether the first line is an object with the keys of a result."""
    first = _vegeta_rows.head_of(source).lstrip().partition(b"\n")[0]
    return first.startswith(b"{") and all(key in first for key in _KEYS)


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the results in file order.

    Raises:
        InputError: a line is broken; all before it have been yielded.
    """
    way = Way(quote=b"", ended=b"", quick=_quick, careful=_careful)
    yield from _vegeta.checked(_vegeta_rows.batches(source, way))


def _quick(data: bytes) -> pa.Table:
    import pyarrow as pa
    from pyarrow import compute
    from pyarrow import json as fast

    fields = [(name, pa.int64()) for name in _vegeta_rows.NUMBERS if name != "timestamp"]
    fields += [(name, pa.string()) for name in ("timestamp", *_vegeta_rows.TEXTS)]
    table = fast.read_json(
        pa.BufferReader(data),
        read_options=fast.ReadOptions(block_size=len(data) + 1),
        parse_options=fast.ParseOptions(
            explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore"
        ),
    )
    columns = {}
    for name in table.column_names:
        column = table.column(name)
        if name == "timestamp":
            instants = column.cast(pa.timestamp("ns", tz="UTC"))
            columns[name] = instants.cast(pa.int64())
        elif name in _vegeta_rows.TEXTS:
            if column.null_count < len(column):
                columns[name] = compute.dictionary_encode(column.cast(pa.binary()))
        elif name in _vegeta_rows.NEEDED or column.null_count < len(column):
            columns[name] = column
    return pa.table(columns)


def _careful(data: bytes) -> Iterator[Mapping[str, Any]]:
    for line, raw in enumerate(data.split(b"\n")):
        if not raw.strip():
            continue
        try:
            value = json.loads(raw.decode("utf-8", "backslashreplace"))
        except (ValueError, RecursionError) as error:
            actual = raw[-40:].decode("utf-8", "replace") if raw else str(error)
            raise BadRowError(line, "a JSON object", actual) from None
        if not isinstance(value, dict):
            raise BadRowError(line, "a JSON object", type(value).__name__)
        yield _read_row(value, line)


def _read_row(value: Mapping[str, Any], line: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in _vegeta_rows.NUMBERS:
        number = value.get(name)
        if name == "timestamp":
            number = _nanoseconds(number)
        elif number is None and name not in _vegeta_rows.NEEDED:
            continue
        if type(number) is not int or not -(2**63) <= number < 2**63:
            expected = "an RFC 3339 instant" if name == "timestamp" else "a whole number"
            raise BadRowError(line, f"{expected} as {name}", str(value.get(name))[:60])
        values[name] = number
    for name in _vegeta_rows.TEXTS:
        text = value.get(name)
        if isinstance(text, str):
            values[name] = text.encode("utf-8", "backslashreplace")
    return values


def _nanoseconds(text: object) -> int | None:
    matched = _INSTANT.fullmatch(text) if isinstance(text, str) else None
    if matched is None:
        return None
    year, month, day, hour, minute, second = (int(matched[part]) for part in range(1, 7))
    offset = timedelta(hours=int(matched[9] or 0), minutes=int(matched[10] or 0))
    try:
        instant = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        since = instant - _EPOCH - (-offset if matched[8] == "-" else offset)
    except (ValueError, OverflowError):
        return None
    seconds = since.days * 86_400 + since.seconds
    instant_ns = seconds * 10**9 + int((matched[7] or "0").ljust(9, "0"))
    return instant_ns if abs(instant_ns) < 2**63 else _NO_TIME


PARSERS: Final = (
    RowsParser(
        name="vegeta-jsonl",
        reads="results written by `vegeta encode` (JSON lines) or `vegeta dump`",
        versions="2 to 12",
        detail=90,
        sniff=sniff,
        rows=rows,
        **_vegeta.ROWS,
    ),
)
