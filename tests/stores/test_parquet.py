"""A Parquet file takes no more memory than its size lets one expect."""

import io
from collections.abc import Mapping

import pyarrow as pa
import pytest
from pyarrow.parquet import write_table

from benchkit.stores.parquet import BoundedParquet, Expansion

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
