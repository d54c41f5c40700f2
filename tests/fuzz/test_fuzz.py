"""Inputs that nobody wrote: a share of the search, and all that it ever found.

`python -m studies.fuzz` searches as long as one likes. What it finds goes into `found`, in a
folder for the family and in that one for the kind; shapes that cost too much go to `shapes.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from studies.fuzz.families import FAMILIES, FOUND, SEEDS, family
from studies.fuzz.growth import Shape
from studies.fuzz.reading import strictly
from studies.fuzz.search import smallest
from studies.fuzz.worker import Found, Task, search
from tests.shares import WHOLE

KEPT = sorted(path for folder in (SEEDS, FOUND) for path in folder.glob("*/*/*"))
#: What is known and not mended yet, by its key; who mends it takes the line away.
KNOWN = (Path(__file__).parent / "known.txt").read_text("utf-8").splitlines()
#: Executions per family, about a second each.
EXECUTIONS = {"saved": 10}
EACH = 2500 if WHOLE else 120
PLANTED = "tests.fuzz.planted"


def news_of(task: Task) -> list[Found]:
    return [news for news in search(task) if isinstance(news, Found)]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_short_search_finds_nothing(name: str) -> None:
    task = Task(name, executions=EXECUTIONS.get(name, EACH), seconds=120)
    new = [news for news in news_of(task) if news.defect.key not in KNOWN]
    assert [f"{news.defect.key}\n{news.defect.text}\n{news.specimen}" for news in new] == []


@pytest.mark.parametrize("path", KEPT, ids=lambda path: "/".join(path.parts[-3:]))
def test_what_was_found_once_is_read_well(path: Path) -> None:
    chosen, kind, data = family(path.parts[-3]), path.parent.name, path.read_bytes()
    with strictly():
        defects = chosen.read(data, kind).defects
        if chosen.more is not None:
            defects += chosen.more(data, kind).defects
    assert defects == []


# --- the fuzzers themselves ---


def test_an_exception_is_found_with_a_small_input() -> None:
    (news,) = news_of(Task(f"{PLANTED}:RAISES", executions=5000))
    assert news.defect.kind == "crash"
    assert news.defect.key == "read: IndexError in outside"
    assert news.specimen.data == b"{{{{}"


def test_equal_seeds_find_the_same() -> None:
    first, second = (list(search(Task(f"{PLANTED}:RAISES", executions=500))) for _ in range(2))
    assert [news for news in first if isinstance(news, Found)] == [
        news for news in second if isinstance(news, Found)
    ]


def test_a_regular_expression_that_does_not_end_is_ended() -> None:
    news = next(search(Task(f"{PLANTED}:ENDLESS", executions=300, patience=1.0)))
    assert isinstance(news, Found)
    assert news.defect.kind == "hang"
    assert news.specimen.data.count(b"a") > 2


def test_a_cost_that_grows_with_the_square_is_found() -> None:
    news = search(Task(f"{PLANTED}:SQUARE", goal="time", seconds=60))
    assert any(isinstance(each, Found) and each.defect.kind == "growth" for each in news)


def test_a_shape_has_the_size_that_is_asked_for() -> None:
    shape = Shape("txt", b"(", b"a1", b"|", b"b", b")", mode="numbered")
    assert shape.of_size(15) == b"(a1a2a3a4|bbbb)"
    assert 9_990 < len(Shape("txt", b"(", b"abc", after=b")").of_size(10_000)) <= 10_000


def test_an_input_is_made_small() -> None:
    assert (
        smallest(b"x" * 500 + b"needle" + b"y" * 500, lambda data: b"needle" in data) == b"needle"
    )
