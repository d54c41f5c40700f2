"""A file of rows cut into parts: what they have together is what the whole has, byte for byte."""

import gzip
import json
import os
import pickle
import random
import threading
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchkit import registry
from benchkit.ingest import parts as ingest_parts
from benchkit.ingest import perrequest, sources
from benchkit.ingest.parts import PartRows, joined, parts_of, read_part
from benchkit.ingest.perrequest import FileRows, read_rows, rows_of_parts
from benchkit.ingest.sources import in_memory, open_source
from benchkit.parsing import InseparableError, Part, RowsParser, Source

DATA = Path(__file__).resolve().parents[1] / "data"
#: Files of rows whose parts can be added.
APART = (
    *("vegeta/ok.gob", "vegeta/mixed-post.gob", "vegeta/two-attacks.gob", "vegeta/max-body.gob"),
    *("vegeta/concatenated.gob", "vegeta/interrupted.gob", "vegeta/errors.gob"),
    *("vegeta/errors.csv", "vegeta/two-attacks.csv", "vegeta/errors.json", "h2load/mixed.tsv"),
    *("k6/points.json", "k6/points.csv", "k6/points-unix.csv", "k6/points-stall.csv"),
    *("jmeter/plain.jtl", "jmeter/tab.jtl", "jmeter/all-columns.jtl", "jmeter/few-columns.jtl"),
    *("jmeter/drop.jtl", "jmeter/no-header.jtl", "jmeter/stall.jtl"),
)
#: Those that are too short, or whose rows depend on each other.
WHOLE = (
    *("vegeta/one.gob", "jmeter/two-in-one-file.jtl", "jmeter/redirect.jtl"),
    *("jmeter/semicolon.jtl", "jmeter/transactions.jtl"),
)


@pytest.fixture(autouse=True)
def _small_files_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest_parts, "CUT_FROM", 2)


@cache
def content(name: str) -> bytes:
    raw = (DATA / name).read_bytes()
    return gzip.decompress(raw) if name.endswith(".gz") else raw


@cache
def parser_of(name: str) -> RowsParser:
    source = Source.from_bytes(content(name))
    [parser] = [p for p in registry.parsers() if isinstance(p, RowsParser) and p.sniff(source)]
    return parser


def everything(rows: FileRows) -> str:
    """Return all that is known of the runs of a file, in its order."""
    kept = [
        (
            record,
            summary.columns(),
            summary.quantiles(),
            summary.timeline(),
            list(summary.endpoints),
            list(summary.errors.items()),
            {name: list(values) for name, values in summary.cells().table().items()},
            {name: part.bins.tolist() for name, part in summary.outcomes.items()},
            None if summary.numbering is None else summary.numbering.given,
            summary.slices.doublings,
        )
        for record, summary in rows.runs
    ]
    return f"{kept} {rows.problem}"


def in_parts(parser: RowsParser, data: bytes, cuts: list[Part]) -> FileRows | None:
    """Read parts one after another, each answer sent from elsewhere; None where there is no sum."""
    source = Source.from_bytes(data)
    answers = [read_part(parser, source, part) for part in cuts]
    total = joined(pickle.loads(pickle.dumps(answers)))  # noqa: S301 - our own bytes
    return None if total is None else rows_of_parts(parser, total)


def whole(parser: RowsParser, data: bytes) -> FileRows:
    return read_rows(parser, in_memory(data, "input"))


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("name", APART)
def test_parts_add_up_to_the_whole(name: str, count: int) -> None:
    parser, data = parser_of(name), content(name)
    cuts = parts_of(parser, Source.from_bytes(data), count)
    assert len(cuts) == count
    together = in_parts(parser, data, list(cuts))
    assert together is not None
    assert everything(together) == everything(whole(parser, data))


@pytest.mark.parametrize("name", WHOLE)
def test_what_cannot_be_added_is_read_as_a_whole(name: str) -> None:
    parser, data = parser_of(name), content(name)
    cuts = parts_of(parser, Source.from_bytes(data), 2)
    assert not cuts or in_parts(parser, data, list(cuts)) is None


def test_what_is_no_request_adds_up() -> None:
    parser = parser_of("jmeter/transactions.jtl")
    data = content("jmeter/transactions.jtl").replace(b"pay-0", b"pay").replace(b"pay-1", b"pay")
    together = in_parts(parser, data, list(parts_of(parser, Source.from_bytes(data), 3)))
    assert together is not None
    assert everything(together) == everything(whole(parser, data))
    assert "rows of transactions" in together.runs[0][0].notes[0]


@cache
def _long() -> bytes:
    return content("vegeta/large.gob.gz")


@pytest.mark.parametrize("compile_from", [0, 2**62])
def test_a_long_stream_with_machine_code_and_without(
    compile_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("ingest.parts", "ingest.perrequest", "parsers.vegeta_gob"):
        monkeypatch.setattr(f"benchkit.{module}.COMPILE_FROM", compile_from)
    parser = parser_of("vegeta/ok.gob")
    together = in_parts(parser, _long(), list(parts_of(parser, Source.from_bytes(_long()), 4)))
    assert together is not None
    assert everything(together) == everything(whole(parser, _long()))


def damaged(data: bytes, how: str, seed: int) -> bytes:
    """Return a file that was cut off, changed, repeated or swapped somewhere."""
    draw = random.Random(seed)  # noqa: S311 - places, not secrets
    at, other = sorted(draw.sample(range(len(data) + 1), 2))
    piece = data[at : at + draw.randrange(1, 200)]
    return {
        "as it is": data,
        "cut off": data[:at],
        "a byte": data[:at] + bytes([draw.randrange(256)]) + data[at + 1 :],
        "a gap": data[:at] + data[other:],
        "again": data + data,
        "a piece twice": data[:at] + piece + data[at:],
        "a line": data[:at] + b"\nnonsense\n" + data[at:],
    }[how]


HOW = ("as it is", "cut off", "a byte", "a gap", "again", "a piece twice", "a line")


@given(
    name=st.sampled_from([*APART, *WHOLE]),
    how=st.sampled_from(HOW),
    seed=st.integers(0, 10**6),
    count=st.integers(1, 5),
)
@example(name="vegeta/ok.gob", how="again", seed=1, count=2)
@example(name="jmeter/plain.jtl", how="again", seed=1, count=2)
@example(name="k6/points.csv", how="again", seed=1, count=3)
@example(name="jmeter/stall.jtl", how="a byte", seed=5, count=4)
def test_damaged_files_say_the_same_in_parts(name: str, how: str, seed: int, count: int) -> None:
    parser, data = parser_of(name), damaged(content(name), how, seed)
    if not parser.sniff(Source.from_bytes(data)):
        return
    cuts = parts_of(parser, Source.from_bytes(data), count)
    together = in_parts(parser, data, list(cuts)) if cuts else None
    if together is not None:
        assert everything(together) == everything(whole(parser, data))


@example(name="k6/points.json", seed=146, count=3)  # a part tells of a request that it has not
@given(name=st.sampled_from(APART), seed=st.integers(0, 10**6), count=st.integers(2, 5))
def test_lines_may_be_cut_at_any_line_end(name: str, seed: int, count: int) -> None:
    parser, data = parser_of(name), content(name)
    if name.endswith(".gob"):
        return
    first, *_ = parts_of(parser, Source.from_bytes(data), 2)
    draw = random.Random(seed)  # noqa: S311 - places, not secrets
    ends = [at + 1 for at, byte in enumerate(data) if byte == ord("\n") and at + 1 > first.start]
    starts = [first.start, *sorted(draw.sample(ends[:-1], count - 1))]
    cuts = [
        replace(first, start=start, stop=stop)
        for start, stop in zip(starts, [*starts[1:], None], strict=True)
    ]
    together = in_parts(parser, data, cuts)
    if together is not None:  # no part without a request
        assert everything(together) == everything(whole(parser, data))


@given(seed=st.integers(0, 10**6))
def test_a_cut_that_is_no_end_of_a_result_is_noticed(seed: int) -> None:
    parser, data = parser_of("vegeta/ok.gob"), content("vegeta/ok.gob")
    first, second = parts_of(parser, Source.from_bytes(data), 2)
    at = random.Random(seed).randrange(first.start + 1, len(data))  # noqa: S311 - a place
    cuts = [replace(first, stop=at), replace(second, start=at)]
    together = in_parts(parser, data, cuts)
    if together is not None:
        assert everything(together) == everything(whole(parser, data))


def test_a_line_break_within_quotes_is_no_end_of_a_row() -> None:
    parser = parser_of("jmeter/plain.jtl")
    header, rest = content("jmeter/plain.jtl").split(b"\n", 1)
    row = rest.split(b"\n", 1)[0].replace(b",OK,", b',"OK\nand more",', 1)
    assert b"and more" in row
    data = b"\n".join([header, *[row] * 9, b""])
    first, second = parts_of(parser, Source.from_bytes(data), 2)
    at = data.index(b"and more", len(data) // 2)
    assert in_parts(parser, data, [replace(first, stop=at), replace(second, start=at)]) is None


def test_more_texts_than_are_told_apart_are_counted_by_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parser = parser_of("k6/points.csv")
    data = content("k6/points.csv")
    cuts = list(parts_of(parser, Source.from_bytes(data), 3))
    assert in_parts(parser, data, cuts) is not None
    monkeypatch.setattr("benchkit.parsers._texts.ROOM", 2)
    assert in_parts(parser, data, cuts) is None


def test_more_endpoints_than_are_told_apart_are_counted_by_the_whole() -> None:
    parser = parser_of("vegeta/ok.json")
    line = json.loads(content("vegeta/ok.json").splitlines()[0])
    rows = [json.dumps({**line, "url": f"http://127.0.0.1/{n}"}) for n in range(400)]
    data = ("\n".join(rows) + "\n").encode()
    cuts = list(parts_of(parser, Source.from_bytes(data), 2))
    assert len(cuts) == 2
    assert in_parts(parser, data, cuts) is None
    few = "\n".join([*rows[:100], *rows[:100], ""]).encode()
    together = in_parts(parser, few, list(parts_of(parser, Source.from_bytes(few), 2)))
    assert together is not None
    assert everything(together) == everything(whole(parser, few))


# --- side by side ---


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sources, "_IN_MEMORY", 1000)
    monkeypatch.setattr(ingest_parts, "processors", lambda: 3)
    path = tmp_path / "large.gob"
    path.write_bytes(_long())
    return path


def test_threads_read_the_parts_of_a_large_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser, readers = parser_of("vegeta/ok.gob"), []
    read = ingest_parts.read_part

    def noted(*given: object) -> PartRows | None:
        readers.append(threading.current_thread())
        return read(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(ingest_parts, "read_part", noted)
    monkeypatch.setattr(perrequest, "_read_whole", None)
    reached: list[int] = []
    rows = read_rows(parser, open_source(file, name="large.gob"), reached.append)
    assert everything(rows) == everything(whole_of(parser, monkeypatch))
    assert len(readers) == 3
    assert threading.main_thread() not in readers
    assert reached == sorted(reached)
    assert all(count <= len(_long()) for count in reached)


def whole_of(parser: RowsParser, monkeypatch: pytest.MonkeyPatch) -> FileRows:
    monkeypatch.undo()
    return whole(parser, _long())


def test_a_part_that_fails_ends_the_others_and_the_whole_is_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = parser_of("vegeta/ok.gob")
    assert parser.rows_of is not None
    reads, begun = parser.rows_of, threading.Barrier(3)

    def failing(source: Source, part: Part) -> object:
        begun.wait(60)
        if part.stop is None:
            raise InseparableError
        return reads(source, part)

    broken = replace(parser, rows_of=failing)  # type: ignore[arg-type]
    before = threading.active_count()  # servers of other tests among them
    rows = read_rows(broken, open_source(file, name="large.gob"))
    assert threading.active_count() <= before
    assert everything(rows) == everything(whole_of(parser, monkeypatch))


def test_an_interrupt_ends_the_threads(file: Path) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    parser = parser_of("vegeta/ok.gob")
    assert parser.rows_of is not None
    reads, shown = parser.rows_of, threading.Event()

    def slow(source: Source, part: Part) -> object:
        for batch in reads(source, part):
            shown.wait(0.3)
            yield batch

    slowly = replace(parser, rows_of=slow)  # type: ignore[arg-type]
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        read_rows(slowly, open_source(file, name="large.gob"), interrupted)
    assert threading.active_count() <= before


def test_a_parser_without_parts_reads_the_whole(file: Path) -> None:
    parser = replace(parser_of("vegeta/ok.gob"), parts=None, rows_of=None)
    assert parts_of(parser, open_source(file, name="large.gob").source, 3) == ()
    assert len(read_rows(parser, open_source(file, name="large.gob")).runs) == 1


def test_each_processor_that_may_be_used_counts() -> None:
    assert 1 <= ingest_parts.processors() <= (os.cpu_count() or 1)
