"""Ways to change an input: of bytes, of lines, of figures, of JSON, of rows with cells."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from tests.damage.kinds import KINDS

#: Returns an input changed; the same where there is nothing to change.
Mutation = Callable[[bytes, Random], bytes]

#: No input gets larger.
MOST_BYTES: Final = 2**16
_FIGURE: Final = re.compile(rb"-?[0-9]++(?:[.,'][0-9]++)*+(?:[a-zA-Z%\xc2\xb5]{1,3})?")
_WORD: Final = re.compile(rb"[A-Za-z_]{2,30}+")
#: Numbers at which something may break.
NUMBERS: Final = (
    *(b"0", b"-0", b"-1", b"1", b"0.0", b"1e999", b"-1e999", b"NaN", b"nan", b"inf", b"-inf"),
    *(b"Infinity", b"1e-999", b"9223372036854775807", b"9223372036854775808", b"4294967296"),
    *(b"18446744073709551616", b"-9223372036854775809", b"1_000", b"1,234", b"1.234,5", b"1'000"),
    *(b"\xd9\xa1\xd9\xa2", b"\xef\xbc\x91", b"0x10", b"1e5", b".5", b"5.", b"+5", b"00012", b"--"),
    *(b"100%", b"100.0001%", b"-5%", b"1.5e3s", b"0.00us", b"-3.1ms", b"99999999999h", b"NaN%"),
    *(b"9" * 400, b"0." + b"0" * 400 + b"1", b"1" * 5000, b"", b"null", b"true", b'""'),
    b"\xc2\xb2",
)
_BYTES: Final = (
    *(b"\0", b"\r", b"\n", b"\r\n", b"\t", b"\x0b", b"\x0c", b"\x1b[2J", b"\x1b[31m", b"\x1b]0;"),
    *(
        b"\xff",
        b"\xfe\xff",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xc2\xa0",
        b"\xe2\x80\x8b",
        b"\xc2\x85",
    ),
    *(b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\\ud800", b"\x7f"),
    *(b'"', b"'", b"\\", b"\\n", b"{", b"}", b"[", b"]", b"(", b"<", b">", b"&", b"&#0;", b"&lt;"),
    *(b"|", b"```", b"**", b"`", b"#", b"//", b"/*", b"<td>", b"<br>", b"</td>", b",", b";", b":"),
    *(b" ", b"http://u:p@h/?token=x", b"=cmd()", b"<script>", b"$x{$", b"%s", b"{0}", b"../.."),
    b"\x1f\x8b\x08",
)


def _span(data: bytes, drawn: Random, longest: int = 256) -> tuple[int, int]:
    first = drawn.randrange(len(data) + 1)
    return first, min(first + 1 + int(drawn.expovariate(8 / longest)), len(data))


# --- smaller inputs ---

#: Returns an input of at most so many bytes, where it can.
Shortening = Callable[[bytes, int, Random], bytes]


def fewer_lines(data: bytes, most: int, drawn: Random) -> bytes:
    """Leave out lines here and there, then bytes, until it is small enough."""
    lines, size = data.splitlines(keepends=True), len(data)
    while size > most and len(lines) > 1:
        first = drawn.randrange(len(lines))
        stop = first + 1 + int(drawn.expovariate(8 / len(lines)))
        size -= sum(map(len, lines[first:stop]))
        del lines[first:stop]
    data = b"".join(lines)
    if len(data) <= most:
        return data
    first = drawn.randrange(most + 1)
    return data[:first] + data[len(data) - most + first :]


def smaller_json(data: bytes, most: int, drawn: Random) -> bytes:
    """Leave out members of a JSON value until it is small enough; else lines."""
    if len(data) <= most:
        return data
    value = _parsed(data)
    if value is None:
        return fewer_lines(data, most, drawn)
    share = most / len(data)
    for holder in list(_holders(value)):
        if len(holder) > 8:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))[::-1]
            for key in keys:
                if drawn.random() > share:
                    del holder[key]
    return json.dumps(value, separators=(",", ":")).encode("utf-8", "surrogatepass")


def as_it_is(data: bytes, _most: int, _drawn: Random) -> bytes:
    """Return an input that does not stand being shortened."""
    return data


# --- bytes ---


def flipped(data: bytes, drawn: Random) -> bytes:
    """Change one bit or byte."""
    if not data:
        return data
    at = drawn.randrange(len(data))
    byte = data[at] ^ 1 << drawn.randrange(8) if drawn.random() < 0.5 else drawn.randrange(256)
    return data[:at] + bytes((byte,)) + data[at + 1 :]


def without(data: bytes, drawn: Random) -> bytes:
    """Leave a span out."""
    first, stop = _span(data, drawn)
    return data[:first] + data[stop:]


def doubled(data: bytes, drawn: Random) -> bytes:
    """Repeat a span 2, 4, 8 or more times."""
    first, stop = _span(data, drawn)
    times = min((1 << int(drawn.expovariate(0.6))) + 1, MOST_BYTES // max(stop - first, 1) + 1)
    return data[:first] + data[first:stop] * times + data[stop:]


def moved(data: bytes, drawn: Random) -> bytes:
    """Move a span elsewhere."""
    first, stop = _span(data, drawn)
    rest = data[:first] + data[stop:]
    at = drawn.randrange(len(rest) + 1)
    return rest[:at] + data[first:stop] + rest[at:]


def cut(data: bytes, drawn: Random) -> bytes:
    """End, or begin, somewhere within."""
    at = drawn.randrange(len(data) + 1)
    return data[:at] if drawn.random() < 0.7 else data[at:]


def odd_bytes(data: bytes, drawn: Random) -> bytes:
    """Put something odd in."""
    first, stop = _span(data, drawn, 16)
    piece = drawn.choice(_BYTES) * drawn.choice((1, 1, 1, 2, 30))
    return data[:first] + piece + data[first if drawn.random() < 0.6 else stop :]


# --- texts ---


def other_figure(data: bytes, drawn: Random) -> bytes:
    """Put another number in the place of one."""
    spans = [matched.span() for matched in _FIGURE.finditer(data)]
    if not spans:
        return data
    first, stop = drawn.choice(spans)
    old = data[first:stop]
    number = drawn.choice(NUMBERS)
    if drawn.random() < 0.4:  # the unit stays, or the digits do
        digits = re.match(rb"[-0-9.,']*+", old)
        length = digits.end() if digits else 0
        number += old[length:]
    elif drawn.random() < 0.3:
        unit = drawn.choice((b"s", b"ms", b"us", b"\xc2\xb5s", b"m", b"h", b"k", b"MB", b"%", b""))
        number = re.sub(rb"[a-zA-Z%\xc2\xb5]++$", b"", old) + unit
    return b"".join((data[:first], number, data[stop:]))


def same_word(data: bytes, drawn: Random) -> bytes:
    """Put a word in the place of another."""
    spans = [matched.span() for matched in _WORD.finditer(data)]
    if len(spans) < 2:
        return data
    (first, stop), (at, end) = drawn.sample(spans, 2)
    return data[:first] + data[at:end] + data[stop:]


def other_lines(data: bytes, drawn: Random) -> bytes:
    """Leave out, repeat, swap, join, split or indent lines."""
    lines = data.split(b"\n")
    at, other = drawn.randrange(len(lines)), drawn.randrange(len(lines))
    match drawn.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at : at + 2] = [drawn.choice((b"", b" ", b"  ", b"\r")).join(lines[at : at + 2])]
        case 4:
            where = drawn.randrange(len(lines[at]) + 1)
            lines[at : at + 1] = [lines[at][:where], lines[at][where:]]
        case 5:
            lines[at] = drawn.choice((b" ", b"\t", b"> ", b"| ", b"# ", b'"', b"12: ")) + lines[at]
        case 6:
            lines[at] += drawn.choice((b" ", b"\r", b" |", b'"', b"\\n", b",", b"\\", b" # note"))
        case _:
            first, stop = sorted((at, other))
            lines[first:stop] = lines[first:stop] * 2
    return b"\n".join(lines)


def damaged(data: bytes, drawn: Random) -> bytes:
    """Do what logs, pages, chats and editors do."""
    if len(data) > 8192:
        return data
    damage = KINDS[drawn.choice(list(KINDS))]
    try:
        return damage(data.decode(errors="replace")).encode(errors="replace")
    except (IndexError, ValueError):  # no lines, or more digits than Python takes
        return data


def reencoded(data: bytes, drawn: Random) -> bytes:
    """Write a text in another encoding, or pack it."""
    import gzip

    if drawn.random() < 0.4:
        return gzip.compress(data, 1, mtime=0)
    text = data.decode(errors="replace")
    codec = drawn.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp1252", "utf-32"))
    return text.encode(codec, errors="replace")


TEXTUAL: Final[Sequence[Mutation]] = (
    *(other_figure, other_figure, other_figure, same_word, other_lines, other_lines, damaged),
)
BYTEWISE: Final[Sequence[Mutation]] = (flipped, without, doubled, moved, cut, odd_bytes)


# --- JSON ---

_VALUES: Final[Sequence[Any]] = (
    *(None, True, False, 0, -1, 1, 0.5, -0.5, 1e308, -1e308, 2**63, 2**63 - 1, -(2**63), 2**64),
    *(float("nan"), float("inf"), -float("inf"), 10**400, "", "x", "1", "NaN", "\ud800", "\0"),
    *("2022-01-01T00:00:00Z", "1600-01-01T00:00:00+23:59", "9999-12-31T23:59:59.9999999999Z"),
    *(
        [],
        {},
        [[]],
        {"": {}},
        [None],
        {"p99": 1},
        "x" * 3000,
        "\u202e",
        "\n",
        "http://a:b@c/?key=1",
    ),
    -0.0,
)


def other_json(data: bytes, drawn: Random) -> bytes:
    """Change one node of a JSON value, or of one of the values on lines."""
    lines = data.split(b"\n")
    at = drawn.randrange(len(lines))
    value = _parsed(data)
    if value is None:
        value = _parsed(lines[at])
        if value is None:
            return data
        lines[at] = _dumped(_changed(value, drawn), drawn, indent=None)
        return b"\n".join(lines)
    return _dumped(_changed(value, drawn), drawn, indent=drawn.choice((None, None, 1, 4)))


def _parsed(data: bytes) -> Any:  # noqa: ANN401 - a JSON value
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None


def _dumped(value: Any, drawn: Random, indent: int | None) -> bytes:  # noqa: ANN401 - a JSON value
    text = json.dumps(value, indent=indent, ensure_ascii=drawn.random() < 0.5)
    return text.encode("utf-8", "surrogatepass")


def _changed(value: Any, drawn: Random) -> Any:  # noqa: ANN401 - a JSON value
    holders = list(_holders(value))
    holder = drawn.choice(holders)
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if not keys:
        return drawn.choice(_VALUES)
    key, other = drawn.choice(keys), drawn.choice(keys)
    match drawn.randrange(9):
        case 0:
            del holder[key]
        case 1:
            holder[key], holder[other] = holder[other], holder[key]
        case 2 if isinstance(holder, dict):
            holder[drawn.choice(("", "x", "p99", "1", "\ud800", f"{key} ", str(key).upper()))] = (
                holder.pop(key)
            )
        case 3:
            holder[key] = [holder[key]] * drawn.choice((1, 2, 300))
        case 4:
            holder[key] = {str(key): holder[key]}
        case 5 if isinstance(holder[key], (int, float)) and abs(holder[key]) < 2**64:
            factor = drawn.choice((-1, 0.5, 2, 10**6, 10**12, 1e-9, 1e300))
            holder[key] *= factor
        case 6:
            holder[key] = str(holder[key])[:4000]
        case _:
            holder[key] = drawn.choice(_VALUES)
    return value


def _holders(value: Any) -> Any:  # noqa: ANN401 - a JSON value
    waiting = [value]
    while waiting:
        now = waiting.pop()
        yield now
        inner = now.values() if isinstance(now, dict) else now
        waiting += [each for each in inner if isinstance(each, (dict, list))]


# --- rows with cells ---


def other_cell(data: bytes, drawn: Random) -> bytes:
    """Change, add, leave out or quote a cell of a row, or a whole column."""
    lines = data.split(b"\n")
    mark = max((b",", b"\t", b";", b" "), key=lines[0].count)
    at = drawn.randrange(len(lines))
    cells = lines[at].split(mark)
    cell = drawn.randrange(len(cells))
    match drawn.randrange(7):
        case 0:
            del cells[cell]
        case 1:
            cells.insert(cell, drawn.choice(NUMBERS))
        case 2:
            cells[cell] = b'"' + cells[cell] + drawn.choice((b'"', b"", b'""', b'\n"'))
        case 3:
            other = drawn.randrange(len(cells))
            cells[cell], cells[other] = cells[other], cells[cell]
        case 4:
            number = drawn.choice(NUMBERS)
            rows = [line.split(mark) for line in lines]
            rows = [[*row[:cell], number, *row[cell + 1 :]] for row in rows]
            return b"\n".join(map(mark.join, rows))
        case _:
            cells[cell] = drawn.choice(NUMBERS)
    lines[at] = mark.join(cells)
    return b"\n".join(lines)


# --- saved tables ---


def other_table(data: bytes, drawn: Random) -> bytes:
    """Change a column of a table that lies in Parquet: its type, its name, some of its values."""
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(io.BytesIO(data))
        names = table.column_names  # which another change may have left broken
    except (OSError, ValueError):
        return data
    if not table.num_columns:
        return data
    at = drawn.randrange(table.num_columns)
    name, column = names[at], table.column(at).combine_chunks()
    match drawn.randrange(6):
        case 0:
            table = table.drop_columns([name])
        case 1:
            table = pa.concat_tables([table] * drawn.choice((2, 3)))
        case 2:
            table = table.slice(drawn.randrange(table.num_rows + 1), drawn.randrange(3))
        case _:
            values = column.to_pylist()
            for row in range(len(values)):
                if drawn.random() < 0.5:
                    values[row] = drawn.choice((None, *_ODD_CELLS))
            try:
                odd = pa.array(values, column.type if drawn.random() < 0.7 else None)
            except (pa.ArrowException, OverflowError):
                return data
            table = table.set_column(at, name, odd)
    out = io.BytesIO()
    try:
        pq.write_table(table, out)
    except pa.ArrowException:
        return data
    return out.getvalue()


_ODD_CELLS: Final[Sequence[Any]] = (
    *(0, 1, -1, 2**62, 0.5, float("nan"), float("inf"), -1.5, 1e300, "", "x", "{", '{"a": 1}'),
    *("[]", "null", "a\nb", "\x1b[31m", "success", "printed", "open", True, False),
)
