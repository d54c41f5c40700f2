"""A Parquet file takes no more memory than its size lets one expect."""

import io
from collections.abc import Mapping

import pyarrow as pa
import pytest
from pyarrow.parquet import ParquetFile, write_table

from benchkit.stores.parquet import BoundedParquet, Expansion
from benchkit.stores.parquet_pages import unpacked_bytes

MANY = 3_000_000


def parquet(columns: Mapping[str, object], group: int = MANY) -> BoundedParquet:
    out = io.BytesIO()
    write_table(pa.table(columns), out, compression="zstd", row_group_size=group)
    return BoundedParquet(io.BytesIO(out.getvalue()), len(out.getvalue()))


def repeated(text: str, rows: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([text]))


def test_what_is_read_is_what_was_written() -> None:
    columns = {"text": ["a", None, "a"], "number": [1, 2, None], "ratio": [0.5, None, 1.0]}
    file = parquet(columns, 2)
    assert file.read().to_pydict() == columns
    assert file.read([1], ["text"]).to_pydict() == {"text": ["a"]}
    assert [str(kind) for kind in file.read().schema.types] == ["string", "int64", "double"]


@pytest.mark.parametrize("group", [MANY, 50_000])
def test_a_row_that_is_repeated_is_refused_before_it_is_read(group: int) -> None:
    zeros = pa.array([0.0]).take(pa.array([0] * MANY))
    with pytest.raises(ValueError, match=r"bytes in memory, over 200 times its size"):
        parquet({"a": zeros, "b": zeros}, group)


def test_a_text_that_is_repeated_is_refused() -> None:
    file = parquet({"text": repeated("x" * 10_000, 100_000)})
    with pytest.raises(ValueError, match="1,000,800,000 bytes in memory"):
        file.read()


def zigzag(number: int, width: int) -> bytes:
    """A number in Thrift's compact protocol, in so many bytes."""
    digits = [(2 * number >> 7 * index) & 127 for index in range(width)]
    return bytes([*(digit | 128 for digit in digits[:-1]), digits[-1]])


def test_what_a_footer_says_of_sizes_is_not_believed() -> None:
    out = io.BytesIO()
    text = pa.table({"text": ["x" * 40_000_000]})
    write_table(text, out, compression="zstd", use_dictionary=False, write_statistics=False)
    content = out.getvalue()
    size = ParquetFile(out).metadata.row_group(0).total_byte_size
    lies = content.replace(zigzag(size, 4), zigzag(1, 4))
    assert ParquetFile(io.BytesIO(lies)).metadata.row_group(0).total_byte_size == 1
    with pytest.raises(ValueError, match=r"40,000,010 bytes in memory, over 200 times its size"):
        BoundedParquet(io.BytesIO(lies), len(lies))


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
@pytest.mark.parametrize("page", ["1.0", "2.0"])
def test_pages_of_every_kind_are_measured(compression: str, page: str) -> None:
    out = io.BytesIO()
    numbers = range(30_000)
    columns = {"number": [*numbers], "text": [f"{n % 7}" for n in numbers], "none": [None] * 30_000}
    write_table(
        pa.table(columns),
        out,
        compression=compression,
        data_page_version=page,
        data_page_size=1000,
        row_group_size=20_000,
        write_page_checksum=True,
    )
    metadata = ParquetFile(out).metadata
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    expected = sum(group.total_byte_size for group in groups)
    measured = unpacked_bytes(out, len(out.getvalue()), groups)
    assert 0.5 * expected < measured < expected  # which counts the headers of the pages too
    with pytest.raises(ValueError, match="columns that share their pages"):
        unpacked_bytes(out, len(out.getvalue()), groups * 5)
    out.getbuffer()[4:40] = bytes([0x1F] * 36)
    with pytest.raises(ValueError, match="header of a page"):
        unpacked_bytes(out, len(out.getvalue()), groups)


def test_a_row_group_that_is_named_often_is_refused() -> None:
    file = parquet({"a": [1.0] * 10_000})
    with pytest.raises(ValueError, match="bytes in memory"):
        file.read([0] * 1000)
    with pytest.raises(IndexError):
        file.read([1])


def test_cells_hold_a_number_or_a_text() -> None:
    with pytest.raises(ValueError, match="column a of list"):
        parquet({"a": [[1.0] * 1000]})


def test_several_files_are_bounded_together() -> None:
    table, expansion = pa.table({"a": [1.0] * 1_000_000}), Expansion()
    for number in range(4):
        expansion.add(f"{number}", 1000, table)
    with pytest.raises(ValueError, match="bytes in memory"):
        expansion.add("4", 1000, table)
