"""Bytes of unknown origin become the lines that somebody once saw."""

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.text import Text, bare, decode
from tests.timing import growth

#: Lines without line ends, escapes or marks at their beginning.
LINE = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), max_size=30
)
LINES = st.lists(LINE, min_size=1, max_size=6)
CODECS = ["utf-8", "utf-8-sig", "utf-16", "utf-32"]


@given(LINES, st.sampled_from(CODECS), st.sampled_from(["\n", "\r\n"]))
def test_lines_survive_every_encoding_and_line_end(lines: list[str], codec: str, end: str) -> None:
    text = end.join(lines)
    if codec == "utf-8" and text.startswith("\ufeff"):
        return
    assert Text.from_text(decode(text.encode(codec)) or "").lines == lines


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_told_by_its_zeros(codec: str) -> None:
    text = "Latency 6.61ms 4.71ms\r\nδ = 5 µs\r\n"
    assert decode(text.encode(codec)) == text


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_utf16_from_powershell(mark: bytes) -> None:
    codec = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    assert decode(mark + "Requests/sec: 5\r\n".encode(codec)) == "Requests/sec: 5\r\n"


def test_a_memoryview_is_as_good_as_bytes() -> None:
    assert decode(memoryview(b"abc")) == "abc"


@pytest.mark.parametrize(
    "data",
    [b"\x7f\x00\x01\x00\x02", b"PK\x03\x04\x00\x00\x00", bytes(range(256)), b"\0" * 100, b"a\0\0b"],
)
def test_binary_is_not_text(data: bytes) -> None:
    assert decode(data) is None


def test_what_has_control_characters_throughout_is_not_text() -> None:
    """The first NUL of a large binary file may stand far behind its begin."""
    head = b"wrk\n" * 2000
    assert decode(head + bytes(range(1, 64)) * 1000) is None
    assert decode(head + b"\x0b\x0b\xff\xff\xf8\x0b\0\0\t\xf8\t" * 1000) is None


@pytest.mark.parametrize(
    "odd",
    [
        b"\0" * 100_000,  # a hole that a crashed machine left
        "Requests/sec: 5\r\n".encode("utf-16-le") * 100,  # what PowerShell appended
        b"\x1b[1;32m5\x1b(B\x1b[m\x0f\n" * 100,  # a recording of a terminal, with colours
        b"\b\b\b50%\r75%\a" * 100,  # a progress bar
        b"\x1bc\x0elqqk\x0f\n" * 100,  # a frame, of the terminal's second set of characters
        b"^@^A^B" * 100,
        bytes(range(1, 256)) * 100,  # a compressed answer that `ab -v` printed
        b"\x03\n",
    ],
)
def test_text_may_have_what_terminals_and_machines_leave_in_it(odd: bytes) -> None:
    head = b"Requests/sec: 5\n" * 300
    text = decode(head + odd)
    assert text is not None
    assert text.startswith("Requests/sec: 5\n")


@pytest.mark.parametrize("lost", [b"\0" * 5, b"\0" * 100_000, b"\0" * 512 + b"Transfer/sec: 1MB\n"])
def test_a_short_text_may_have_a_hole(lost: bytes) -> None:
    """A machine that stops leaves NULs for what had not reached its disk."""
    text = decode(b"Requests/sec: 5\n" + lost)
    assert text is not None
    assert text.startswith("Requests/sec: 5\n")


def test_foreign_bytes_stay_visible() -> None:
    assert decode(b"12 \xb5s") == r"12 \xb5s"
    assert decode(codecs.BOM_UTF16_LE + b"a\0b") == r"a\x62"


def test_of_very_many_foreign_bytes_none_is_named() -> None:
    assert decode(b"\xd9" * 20_000 + b"\n12 ms") == "\ufffd" * 20_000 + "\n12 ms"
    damaged = codecs.BOM_UTF32_LE + b"\xff" * 80_000
    assert decode(damaged + "12 ms".encode("utf-32-le")) == "\ufffd" * 20_000 + "12 ms"


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_none(data: bytes) -> None:
    text = decode(data)
    if text is not None:
        assert len(Text.from_text(text).bare) == len(Text.from_text(text).lines) >= 1
        text.encode()  # no lone surrogate


def test_a_progress_bar_shows_its_last_state() -> None:
    assert Text.from_text("0%\r50%\r100%\ndone\n").lines == ["100%", "done", ""]
    assert Text.from_text("50%\r\r\nnext").lines == ["50%", "next"]
    assert Text.from_text("100%\r   \nnext").lines == ["100%", "next"]


def test_carriage_returns_alone_are_line_ends() -> None:
    assert Text.from_text("a\rb\rc").lines == ["a", "b", "c"]


@pytest.mark.parametrize(
    "escape",
    [
        "\x1b[31m",
        "\x1b[0m",
        "\x1b[1;38;5;208m",
        "\x1b[2K",
        "\x1b[?25l",
        "\x1b]0;title\x07",
        "\x1b]8;;http://h/\x1b\\",
        "\x1bM",
    ],
)
@given(before=LINE, after=LINE)
def test_escape_sequences_leave_no_trace(escape: str, before: str, after: str) -> None:
    assert Text.from_text(f"{before}{escape}{after}").lines == [before + after]


def test_an_escape_that_never_ends_costs_one_line() -> None:
    assert Text.from_text("a\x1b]0;title\nb\nc").lines == ["a", "b", "c"]


@pytest.mark.parametrize(
    "line",
    [
        "    Requests/sec: 5",
        "\tRequests/sec: 5",
        "# Requests/sec: 5",
        "## # Requests/sec: 5",
        "// Requests/sec: 5",
        "> > Requests/sec: 5",
        "* Requests/sec: 5",
        "  - Requests/sec: 5",
        "<pre>Requests/sec: 5",
        "<pre><br>Requests/sec: 5<br></pre>",
        "<p class='a'><code>Requests/sec: 5</code></p>",
        "&gt; Requests/sec: 5",
        "Requests/sec: 5   ",
        "\u00a0Requests/sec:&#32;5",
    ],
)
def test_marks_around_a_line_are_taken_off(line: str) -> None:
    assert bare(line) == "Requests/sec: 5"


@pytest.mark.parametrize(
    "line",
    [
        "#[Mean    =  1.0]",
        "----------",
        "-nan  0.00",
        "*bold*",
        "<b>5</b>",
        "http://h/?a=1&copy=2&lt=3",
        "a & b; c",
        "1 < 2",
        "| - | a |",
    ],
)
def test_what_only_looks_like_a_mark_stays(line: str) -> None:
    assert bare(line) == line


@given(LINE, st.lists(st.sampled_from([" ", "\t", "> ", "# ", "- ", "* ", "// "]), max_size=4))
def test_marks_before_a_line_change_nothing(line: str, marks: list[str]) -> None:
    assert bare("".join(marks) + "x" + line) == bare("x" + line)


@pytest.mark.parametrize("piece", ["<p", "&", "&#", "<", "#", "/", "> ", "\x1b]", "\x1b[0", "- "])
def test_a_long_line_of_marks_is_read_at_once(piece: str) -> None:
    line = piece * 200_000
    assert len(Text.from_text(line).bare) == 1


def test_blanks_that_do_not_break_are_blanks() -> None:
    assert bare("\xa0\xa010\xa0connections") == "10 connections"


def test_a_cleared_screen_leaves_a_form_feed() -> None:
    text = Text.from_text("one\n\x1b[2J\x1b[0;0Htwo")
    assert text.lines == ["one", "\ftwo"]
    assert text.bare == ["one", "two"]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("C\bL\bI\b \b$ wrk", "$ wrk"),
        ("ab\b\b\b\bc\nd", "cb\nd"),
        ("a\n\bb", "a\nb"),
        ("1000.00\b\b\b\n", "1000.00\n"),
        ("$ wrk -c 100\b\x1b[K", "$ wrk -c 10"),
        ("$ wrk -c 1234\b\b\b\x1b[3P0\x1b[0m", "$ wrk -c 10"),
        ("\b", ""),
    ],
)
def test_what_was_written_over_is_not_shown(typed: str, shown: str) -> None:
    assert "\n".join(Text.from_text(typed).lines) == shown


def test_backspaces_are_linear() -> None:
    def spent(count: int) -> float:
        start = time.process_time()
        Text.from_text("a" * count + "\b" * count + "\n" + "ab\b" * count + "\b\x1b[P" * count)
        Text.from_text(("a" * 900 + "\b" * 900 + "\x1b[P" * 400 + "\n") * (count // 2000))
        return time.process_time() - start

    assert growth(spent, 50_000, 200_000, most=9) < 9
