"""Tables drawn with characters."""

from hypothesis import given
from hypothesis import strategies as st

from benchkit.text import Text
from benchkit.text.tables import DrawnTable, cells, drawn_tables

CELL = st.text("abc019.% ()/", max_size=8).map(str.strip)
GRID = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(CELL, min_size=width, max_size=width), min_size=2, max_size=6
    ).filter(lambda rows: all(any(row) for row in rows))
)


def tables(text: str) -> list[DrawnTable]:
    return list(drawn_tables(Text.of(text)))


def markdown(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines)


def boxed(rows: list[list[str]]) -> str:
    rule = "─" * 6
    width = len(rows[0])
    lines = ["│ " + " │ ".join(row) + " │" for row in rows]
    between = "├" + "┼".join([rule] * width) + "┤"
    body = f"\n{between}\n".join(lines)
    top, bottom = ("┌" + "┬".join([rule] * width) + "┐", "└" + "┴".join([rule] * width) + "┘")
    return f"{top}\n{body}\n{bottom}"


@given(GRID)
def test_a_markdown_table_round_trips(rows: list[list[str]]) -> None:
    (table,) = tables(f"Some words.\n\n{markdown(rows)}\n\nMore words.\n")
    assert [table.header, *(row.cells for row in table.rows)] == rows
    assert (table.first, table.last) == (2, 2 + len(rows))


@given(GRID)
def test_so_does_a_drawn_one(rows: list[list[str]]) -> None:
    (table,) = tables(f"before\n{boxed(rows)}\nafter")
    assert [table.header, *(row.cells for row in table.rows)] == rows


@given(GRID, GRID)
def test_drawn_tables_that_touch_are_two(one: list[list[str]], two: list[list[str]]) -> None:
    found = tables(f"{boxed(one)}\n{boxed(two)}")
    assert [[t.header, *(row.cells for row in t.rows)] for t in found] == [one, two]


def test_markdown_without_outer_bars() -> None:
    (table,) = tables("Proxy | Avg Latency\n-- | --\ngateway | 6.61ms\nnone | 2.09ms\n")
    assert table.header == ["Proxy", "Avg Latency"]
    assert [row.cells for row in table.rows] == [["gateway", "6.61ms"], ["none", "2.09ms"]]
    assert [row.line for row in table.rows] == [2, 3]


def test_lines_of_plus_and_minus() -> None:
    (table,) = tables("+----+----+\n| a  | b  |\n+====+====+\n| 1  | 2  |\n+----+----+\n\n")
    assert (table.header, table.rows[0].cells) == (["a", "b"], ["1", "2"])


def test_indented_quoted_or_in_a_list() -> None:
    for mark in ("    ", "> ", "\t"):
        (table,) = tables("".join(f"{mark}{x}\n" for x in ["| a | b |", "|--|--|", "| 1 | 2 |"]))
        assert table.rows[0].cells == ["1", "2"]


def test_emphasis_and_escapes_are_taken_off() -> None:
    assert cells(r"| **50%** | `13 ms` | _x_ | a \| b |") == ["50%", "13 ms", "x", "a | b"]
    assert cells("| a | | b |  |") == ["a", "", "b", ""]
    assert cells("a | b") == ["a", "b"]


def test_bars_alone_make_no_table() -> None:
    assert tables("cat a | sort | uniq\ncat b | sort\n") == []
    assert tables("| a | b |\n") == []
    assert tables("| a | b |\n|---|---|\n") == []
    assert tables("-----\ntitle\n-----\n") == []
    assert tables("") == []


@given(st.text("|│┌└├┼-─ab\n \\", max_size=120))
def test_any_drawing_is_read(text: str) -> None:
    for table in tables(text):
        assert table.rows
        assert table.first < table.last
