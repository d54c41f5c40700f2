"""vegeta's binary results, against what `vegeta encode -to csv` makes of them."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import InputError
from benchkit.ingest.soundness import sound_rows
from benchkit.parsers import _texts, _vegeta_loops, vegeta_gob
from benchkit.parsing import RequestBatch, Source

DATA = Path(__file__).resolve().parents[1] / "data" / "vegeta"
(PARSER,) = vegeta_gob.PARSERS
WAYS = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])

# --- a gob writer, as small as the format allows ---

INT, UINT, FLOAT, BYTES, STRING, COMPLEX = range(2, 8)
TIME, HEADERS = -1, -2  # types that the stream defines
SIX = {"Code": UINT, "Timestamp": TIME, "Latency": INT, "BytesOut": UINT, "BytesIn": UINT}
SIX |= {"Error": STRING}
SEVEN = SIX | {"Body": BYTES}
NINE = {"Attack": STRING, "Seq": UINT} | SEVEN
TWELVE = NINE | {"Method": STRING, "URL": STRING, "Headers": HEADERS}
EPOCH = 62_135_596_800


def uint(n: int) -> bytes:
    raw = n.to_bytes((n.bit_length() + 7) // 8 or 1, "big")
    return raw if n < 128 else bytes([256 - len(raw)]) + raw


def sint(n: int) -> bytes:
    return uint(~n << 1 | 1 if n < 0 else n << 1)


def text(value: bytes) -> bytes:
    return uint(len(value)) + value


def message(body: bytes) -> bytes:
    return text(body)


def definitions(fields: dict[str, int], *, first: int) -> bytes:
    """The struct Result as type `first`, Time after it, then map[string][]string."""
    ids = {TIME: first + 1, HEADERS: first + 3}
    common = b"\x01" + text(b"Result") + b"\x01" + sint(first) + b"\x00"
    members = b"".join(
        b"\x01" + text(name.encode()) + b"\x01" + sint(ids.get(kind, kind)) + b"\x00"
        for name, kind in fields.items()
    )
    struct = b"\x03\x01" + common + b"\x01" + uint(len(fields)) + members + b"\x00\x00"
    time = b"\x05\x01\x01" + text(b"Time") + b"\x01" + sint(first + 1) + b"\x00\x00\x00"
    strings = b"\x02\x01\x02" + sint(first + 2) + b"\x00\x01" + sint(STRING) + b"\x00\x00"
    header = b"\x04\x01\x02" + sint(first + 3) + b"\x00\x01" + sint(STRING)
    header += b"\x01" + sint(first + 2) + b"\x00\x00"
    parts = [struct, time, strings, header] if HEADERS in fields.values() else [struct, time]
    return b"".join(
        message(sint(-number) + part)
        for number, part in zip((first, first + 1, first + 2, first + 3), parts, strict=False)
    )


def instant(ns: int, *, version: int = 1) -> bytes:
    seconds, rest = divmod(ns, 10**9)
    zone = b"\xff\xff" + b"\x00" * (version - 1)
    raw = bytes([version]) + (seconds + EPOCH).to_bytes(8, "big") + rest.to_bytes(4, "big")
    return text(raw + zone)


def result(fields: dict[str, int], *, first: int, **values: bytes) -> bytes:
    body, last = sint(first), -1
    for at, name in enumerate(fields):
        if name in values:
            body += uint(at - last) + values[name]
            last = at
    return message(body + b"\x00")


def decode(data: bytes, *, compiled: bool = False) -> list[RequestBatch]:
    return list(vegeta_gob.decode(Source.from_bytes(data).content, compiled=compiled))


def decoded_until_error(data: bytes, *, compiled: bool = False) -> tuple[int, InputError | None]:
    batches, error = batches_until_error(data, compiled=compiled)
    return sum(map(len, batches)), error


def batches_until_error(
    data: bytes, *, compiled: bool
) -> tuple[list[RequestBatch], InputError | None]:
    batches: list[RequestBatch] = []
    try:
        batches.extend(vegeta_gob.decode(Source.from_bytes(data).content, compiled=compiled))
    except InputError as error:
        return batches, error
    return batches, None


def columns_of(batch: RequestBatch) -> dict[str, object]:
    return {
        name: record.tolist() if isinstance(record, np.ndarray) else record
        for name, record in vars(batch).items()
    }


def values(column: npt.NDArray[np.signedinteger] | None) -> list[int]:
    assert column is not None
    return list(column.tolist())


def names(codes: npt.NDArray[np.int32] | None, texts: Sequence[str], rows: int) -> list[str]:
    """The texts behind codes, empty where there is none."""
    return [""] * rows if codes is None else [texts[c] if c >= 0 else "" for c in codes.tolist()]


def as_csv(batches: list[RequestBatch]) -> Iterator[tuple[str, ...]]:
    for b in batches:
        yield from zip(
            *(map(str, values(c)) for c in (b.started_ns, b.status, b.latency_ns)),
            *(map(str, values(c)) for c in (b.sent_bytes, b.received_bytes)),
            names(b.error, b.errors, len(b)),
            names(b.attack, b.attacks, len(b)),
            map(str, values(b.seq)),
            names(b.method, b.methods, len(b)),
            names(b.url, b.urls, len(b)),
            strict=True,
        )


# --- real files ---


@WAYS
@pytest.mark.parametrize("name", ["ok", "errors", "mixed-post", "two-attacks"])
def test_every_field_equals_vegetas_own_csv(name: str, *, compiled: bool) -> None:
    wanted = csv.reader(io.StringIO((DATA / f"{name}.csv").read_text("utf-8")))
    expected = [(*row[:6], *row[7:11]) for row in wanted]
    assert list(as_csv(decode((DATA / f"{name}.gob").read_bytes(), compiled=compiled))) == expected


def test_appended_streams_are_read_although_vegeta_refuses_them() -> None:
    [batch] = decode((DATA / "concatenated.gob").read_bytes())
    assert np.bincount(values(batch.attack)).tolist() == [200, 100]


def test_every_prefix_gives_exactly_the_complete_results() -> None:
    data = (DATA / "max-body.gob").read_bytes()[:3000]
    starts = [
        m.start() - 2
        for m in re.finditer(rb"\xff\x80\x03\xff\xc8|\xff\x80\x02.\x01\xff\xc8", data, re.DOTALL)
    ]
    for end in range(data.index(b"\xff\xc8"), len(data), 7):
        count, error = decoded_until_error(data[:end])
        assert count == max(sum(start <= end for start in starts) - 1, 0) or error is None
        assert error is None or f"byte {starts[count]}" in str(error)


# --- every generation ---


@WAYS
@pytest.mark.parametrize("first", [64, 65])
@pytest.mark.parametrize("fields", [SIX, SEVEN, NINE, TWELVE], ids=len)
def test_fields_are_found_by_name(fields: dict[str, int], first: int, *, compiled: bool) -> None:
    full = {
        "Code": uint(503),
        "Timestamp": instant(1_700_000_000_123_456_789),
        "Latency": sint(1_234_567),
        "BytesIn": uint(99),
        "Error": text(b"503 Service Unavailable"),
        "Body": text(b"x" * 300),
        "Attack": text(b"spring"),
        "Seq": uint(7),
        "URL": text(b"http://127.0.0.1/"),
        "Headers": uint(1) + text(b"Date") + uint(2) + text(b"today") + text(b""),
    }
    data = definitions(fields, first=first) + result(fields, first=first, **full)
    data += result(fields, first=first, Timestamp=instant(1_700_000_001_000_000_000, version=2))
    [batch] = decode(data, compiled=compiled)
    assert values(batch.started_ns) == [1_700_000_000_123_456_789, 1_700_000_001_000_000_000]
    assert values(batch.latency_ns) == [1_234_567, 0]
    assert values(batch.status) == [503, 0]
    assert values(batch.received_bytes) == [99, 0]
    assert names(batch.error, batch.errors, 2) == ["503 Service Unavailable", ""]
    assert (batch.seq is None) == ("Seq" not in fields)
    assert (batch.url is None) == ("URL" not in fields)
    if batch.attack is not None:
        assert names(batch.attack, batch.attacks, 2) == ["spring", ""]


def result_with(fields: dict[str, int], first: int, **more: bytes) -> bytes:
    return result(fields, first=first, Timestamp=instant(10**18), Latency=sint(5), **more)


@pytest.mark.parametrize("firsts", [(65, 65), (64, 65), (65, 64)])
def test_streams_of_two_generations_in_one_file(firsts: tuple[int, int]) -> None:
    old, new = firsts
    data = definitions(NINE, first=old) + result_with(NINE, old, Seq=uint(3))
    data += definitions(TWELVE, first=new) + result_with(TWELVE, new, Method=text(b"GET"))
    before, after = decode(data)
    assert before.method is None
    assert after.methods == ["GET"]
    assert [*before.latency_ns, *after.latency_ns] == [5, 5]


def test_streams_appended_by_two_at_once() -> None:
    head = definitions(NINE, first=64)
    a, b = result_with(NINE, 64, Attack=text(b"a")), result_with(NINE, 64, Attack=text(b"b"))
    [batch] = decode(head + a + head + b + a + b + b)
    assert names(batch.attack, batch.attacks, 5) == ["a", "b", "a", "b", "b"]


@WAYS
def test_unknown_fields_of_any_type_are_skipped(*, compiled: bool) -> None:
    fields = {"Extra": HEADERS, "Ratio": FLOAT, "Pair": COMPLEX} | TWELVE
    nested = uint(2) + text(b"k") + uint(0) + text(b"") + uint(1) + text(b"v")
    data = definitions(fields, first=64)
    data += result_with(
        fields, 64, Extra=nested, Ratio=uint(2**60), Pair=uint(1) + uint(2), URL=text(b"u")
    )
    [batch] = decode(data, compiled=compiled)
    assert batch.urls == ["u"]


# --- hostile and broken ---


EARLY = {"Early": HEADERS} | TWELVE
BOMBS = {
    "entries of a map": result_with(EARLY, 64, Headers=uint(2**28)),
    "more of them": result_with(EARLY, 64, Headers=uint(2**62) + text(b"a")),
    "entries of a map to skip": result_with(EARLY, 64, Early=uint(2**28)),
    "texts of a list to skip": result_with(EARLY, 64, Early=uint(1) + text(b"k") + uint(2**28)),
    "body": result_with(EARLY, 64, Body=uint(2**40)),
    "text": result_with(EARLY, 64, URL=uint(2**62)),
    "message": uint(2**63 - 1) + sint(64),
    "message beyond the limit": uint(2**40) + sint(64),
    "fields of a definition": message(sint(-70) + b"\x03\x02" + uint(2**40)),
    "name of a definition": message(sint(-70) + b"\x03\x01\x01" + uint(2**40)),
    "number of 16 bytes": b"\xf0",
    "empty message": b"\x00",
    "cut type": b"\x01\xf8",
}


@WAYS
@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_lengths_that_cannot_be_are_refused_at_once(bomb: bytes, *, compiled: bool) -> None:
    data = definitions(EARLY, first=64) + result_with(EARLY, 64)
    count, error = decoded_until_error(data + bomb + b"\x00" * 40, compiled=compiled)
    assert count == 1
    assert str(error).endswith("; 1 results before it were read")
    at = re.match(r"byte (\d+): ", str(error))
    assert at is not None
    assert len(data) <= int(at[1]) < len(data + bomb)


def test_a_cut_file_says_where_and_what_was_read() -> None:
    data = (DATA / "one.gob").read_bytes()
    count, error = decoded_until_error(data + data[:50])
    assert count == 1
    assert str(error).startswith(f"byte {len(data)}: expected a complete result, found '50 bytes")


def test_nothing_but_definitions_is_an_error() -> None:
    with pytest.raises(InputError, match="only the description"):
        decode(definitions(TWELVE, first=64))


@given(st.binary(max_size=200))
def test_any_bytes_after_a_result_end_in_results_or_one_line(tail: bytes) -> None:
    head = definitions(NINE, first=64) + result_with(NINE, 64)
    plain, error = decoded_until_error(head + tail)
    assert plain >= 1
    assert error is None or "\n" not in str(error)


@given(st.data())
def test_both_ways_agree_on_damaged_files(data: st.DataObject) -> None:
    raw = bytearray((DATA / "errors.gob").read_bytes()[:2500])
    for at in data.draw(st.lists(st.integers(0, len(raw) - 1), max_size=4)):
        raw[at] = data.draw(st.integers(0, 255))
    cut = bytes(raw[: data.draw(st.integers(300, len(raw)))])
    ways = [batches_until_error(cut, compiled=compiled) for compiled in (False, True)]
    columns = [[columns_of(batch) for batch in batches] for batches, _ in ways]
    assert columns[0] == columns[1]
    assert str(ways[0][1]) == str(ways[1][1])


@pytest.mark.parametrize(
    ("codec", "shown"), [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-8", "UTF-8")]
)
def test_a_shell_that_rewrote_the_bytes_is_named(codec: str, shown: str) -> None:
    source = Source.from_bytes((DATA / "one.gob").read_bytes().decode("cp850").encode(codec))
    assert vegeta_gob.sniff(source)
    with pytest.raises(InputError, match=rf"rewritten as {shown} text.*-output FILE"):
        list(vegeta_gob.rows(source))


def test_only_vegetas_results_are_recognised() -> None:
    real = [path for path in DATA.glob("*.gob") if path.stat().st_size]
    assert all(vegeta_gob.sniff(Source.from_bytes(path.read_bytes())) for path in real)
    others = [*DATA.glob("*.csv"), *DATA.glob("*.json"), *DATA.glob("*.txt"), *DATA.glob("*.gz")]
    assert not any(vegeta_gob.sniff(Source.from_bytes(path.read_bytes())) for path in others)
    assert not vegeta_gob.sniff(Source.from_bytes(b""))


def test_impossible_rows_are_left_out_and_counted() -> None:
    good = definitions(NINE, first=64) + result_with(NINE, 64) * 2000
    odd = result(NINE, first=64, Timestamp=instant(10**18), Latency=sint(-5))
    batch, last = sound_rows(PARSER, Source.from_bytes(good + odd))
    assert (len(batch), len(last)) == (2000, 0)
    assert last.notes == [
        "1 result was left out: latency below 0, or no possible status, time, size or number"
    ]
    with pytest.raises(InputError, match="20 of 2,020 results"):
        list(sound_rows(PARSER, Source.from_bytes(good + odd * 20)))


@pytest.mark.parametrize("field", ["Seq", "BytesIn", "BytesOut"])
def test_a_size_or_number_beyond_all_measure_is_left_out(field: str) -> None:
    good = definitions(NINE, first=64) + result_with(NINE, 64) * 2000
    records = list(
        sound_rows(
            PARSER, Source.from_bytes(good + result_with(NINE, 64, **{field: uint(2**62 + 5)}))
        )
    )
    assert sum(map(len, records)) == 2000
    assert records[-1].notes[0].startswith("1 result was left out")


@WAYS
@pytest.mark.parametrize("delta", [2, 2**40, 2**63 - 1])
def test_a_member_that_a_struct_does_not_have_is_refused(delta: int, *, compiled: bool) -> None:
    fields = {"Extra": 70} | SIX
    names = b"".join(
        b"\x01" + text(name) + b"\x01" + sint(INT) + b"\x00" for name in (b"A", b"B", b"C")
    )
    inner = b"\x03\x01\x01" + text(b"In") + b"\x01" + sint(70) + b"\x00\x01" + uint(3) + names
    head = definitions(fields, first=40) + message(sint(-70) + inner + b"\x00\x00")
    two = b"\x01" + sint(5) + b"\x01" + sint(6)
    good = result_with(fields, 40, Extra=two + b"\x00")
    bad = result_with(fields, 40, Extra=two + uint(delta) + sint(7) + b"\x00")
    both = uint(2**63 - 1) + sint(7) + uint(delta) + sint(7)
    again = result_with(fields, 40, Extra=two + both + b"\x00")
    for data in (head + good + bad, head + good + again):
        count, error = decoded_until_error(data, compiled=compiled)
        assert (count, error is None) == (1, False)


# --- bounds ---


def test_windows_and_batches_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    data = (DATA / "mixed-post.gob").read_bytes()
    whole = list(as_csv(decode(data)))
    monkeypatch.setattr(vegeta_gob, "WINDOW", 64)
    monkeypatch.setattr(_vegeta_loops, "ROWS", 37)
    parts = decode(data)
    assert max(map(len, parts)) == 37
    assert list(as_csv(parts)) == whole


@WAYS
def test_too_many_different_texts_share_one_name(
    monkeypatch: pytest.MonkeyPatch, *, compiled: bool
) -> None:
    monkeypatch.setattr(_texts, "ROOM", 3)
    urls = [b"a", b"b", b"", b"a", b"c", b"d", b"e", b"b"]
    data = definitions(TWELVE, first=64) + b"".join(
        result_with(TWELVE, 64, URL=text(u)) for u in urls
    )
    [batch] = decode(data, compiled=compiled)
    others = _texts.OTHERS
    assert names(batch.url, batch.urls, 8) == ["a", "b", "", "a", "c", others, others, "b"]
