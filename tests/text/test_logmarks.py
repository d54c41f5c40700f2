"""What logs write before each line is taken off, and nothing else is."""

import pytest

from benchkit.text import Text
from benchkit.text.logmarks import without_marks

PRINTED = [
    "Running 2s test @ http://web:8000/",
    "  2 threads and 8 connections",
    "",
    "Requests/sec: 9.00",
]


def marked(*marks: str) -> list[str]:
    return [mark + line for mark, line in zip(marks, PRINTED, strict=True)]


@pytest.mark.parametrize(
    "marks",
    [
        ["load-1  | "] * 4,
        ["load_test-1 | ", "load_test-1 | ", "load_test-1 |", "load_test-1 | "],
        [f"2031-05-04T10:11:1{n}.1234567Z " for n in range(4)],
        [f"[2031-05-04T10:11:1{n}.123Z] " for n in range(4)],
        [f"2031-05-04 10:11:1{n},123 INFO " for n in range(4)],
        [f"bench\tRun make\t2031-05-04T10:11:1{n}.1234567Z " for n in range(4)],
        [f"2031-05-04T10:11:1{n}.123456Z 01O " for n in range(4)],
        [f"2031-05-04T10:11:1{n}.123456789Z stdout F " for n in range(4)],
        [f"10:11:1{n} " for n in range(4)],
        [f"[10:11:1{n}] [INFO] " for n in range(4)],
        [f"May  4 10:11:1{n} host wrk[77{n}]: " for n in range(4)],
        ["[pod/load-x1/wrk] "] * 4,
        [f"load-1  | 2031-05-04T10:11:1{n}.1234567Z " for n in range(4)],
    ],
    ids=lambda marks: marks[0].strip(),
)
def test_marks_of_logs(marks: list[str]) -> None:
    assert [line.strip() for line in without_marks(marked(*marks))] == [s.strip() for s in PRINTED]


def test_lines_without_a_mark_around_and_between_stay() -> None:
    lines = ["# Run", "", *marked(*["a | "] * 4), "a exited with code 0", *marked(*["b | "] * 4)]
    assert without_marks(lines) == ["# Run", "", *PRINTED, "a exited with code 0", *PRINTED]


@pytest.mark.parametrize(
    "lines",
    [
        ["wrk | 10", "wrk | 20", "", "prose"],
        ["name | rate", "--- | ---", "a | 10", "b | 20", "c | 30"],
        ["| a | 1 |", "| a | 2 |", "| a | 3 |"],
        ["10:00:00 start", "then", "10:00:01 stop"],
        ["50% 1.2ms", "75% 1.3ms", "99% 1.4ms", "1.00m"],
    ],
)
def test_what_is_no_mark_stays(lines: list[str]) -> None:
    assert list(Text.from_text("\n".join(lines)).lines) == lines
