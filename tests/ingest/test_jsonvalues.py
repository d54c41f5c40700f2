"""JSON wherever it stands in a text, and what only looks like it."""

from __future__ import annotations

import json

import pytest

from benchkit.ingest import jsonvalues
from benchkit.ingest.jsonvalues import BrokenJson, JsonValue, json_values
from benchkit.text import Text
from tests.timing import growth, processor_s


def values_of(text: str) -> list[JsonValue | BrokenJson]:
    return list(json_values(Text.from_text(text)))


def test_objects_in_prose_arrays_and_lines() -> None:
    values = values_of('Result:\n{"a": 1}\n[{"a": 2},\n {"a": 3}]\n- {"a": 4}\nend')
    assert [value.value["a"] for value in values if isinstance(value, JsonValue)] == [1, 2, 3, 4]
    assert [(v.first, v.last) for v in values if isinstance(v, JsonValue)] == [
        *((1, 1), (2, 3), (2, 3), (4, 4)),
    ]


def test_a_value_longer_than_a_piece() -> None:
    text = json.dumps({"rows": list(range(5000))}, indent=1)
    (value,) = values_of(f"before\n{text}\nafter")
    assert isinstance(value, JsonValue)
    assert (value.first, value.last) == (1, 5004)


@pytest.mark.parametrize("length", [20, 9000])
def test_a_broken_value_tells_its_line_and_what_was_understood(length: int) -> None:
    text = json.dumps({"first": "x" * length, "rows": [1, 2]}, indent=1)
    (broken,) = values_of("one\ntwo\n" + text[:-4])
    assert isinstance(broken, BrokenJson)
    assert broken.text.startswith('{\n "first"')
    assert str(broken.error).startswith("line 8: expected JSON, found ")
    assert str(broken.error).endswith("the file seems to be cut off")


def test_a_line_of_a_log_is_no_json() -> None:
    assert values_of("[2024-01-02] started\n{worker 1}\n[info] done") == []


@pytest.mark.parametrize("line", ['{"t": 1, "a": tru}', '{"t": 1, "a": {"b": 2}}', "[2024] x"])
def test_many_lines_cost_no_more_than_few_each(line: str) -> None:
    def spent(count: int) -> float:
        text = Text.from_text(f"{line}\n" * count)
        seconds = processor_s(lambda: values.extend(json_values(text)))
        assert len(values) in {0, count}
        values.clear()
        return seconds

    values: list[object] = []
    assert growth(spent, 10_000, 40_000, most=9) < 9


def test_of_very_many_broken_values_the_first_are_looked_at_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchkit.ingest.jsonvalues._MAX_WASTED", 100 * 2048)
    text = Text.from_text('{"cut\n' * 200 + '{"whole": 1}')
    assert len(list(json_values(text))) == 101
    [note] = text.unread
    assert note == "very many brackets that begin no JSON: below line 101 none is looked for"


def deep(levels: int, inner: str, *, closed: bool) -> str:
    """Return objects in each other, of 100 characters each."""
    filler = f'"rows": {[*range(20)]}, "x": '
    return f"{{{filler}".join(["", *["\n"] * levels]) + inner + "}" * (levels * closed)


@pytest.mark.parametrize("closed", [True, False])
def test_what_is_nested_too_deep_is_not_read_from_each_level(
    *, closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once each of the first levels was read as deep as Python can: 0.5 MB of 1,500 took 6 s."""
    levels = 3 * jsonvalues._deepest()
    starts = counted_starts(monkeypatch)
    (problem, *_) = values_of(deep(levels, '"y": 1', closed=closed))
    assert isinstance(problem, BrokenJson)
    assert len(starts) < 20


def counted_starts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which each place is added from which a value is read."""
    starts: list[int] = []
    read = jsonvalues._decoded

    def decoded(whole: str, start: int) -> tuple[object, int]:
        starts.append(start)
        return read(whole, start)

    monkeypatch.setattr(jsonvalues, "_decoded", decoded)
    return starts


def test_below_what_is_nested_too_deep_the_rest_is_read() -> None:
    levels = 3 * jsonvalues._deepest()
    values = values_of(f'{deep(levels, "1", closed=True)}\n{{"a": 1}}')
    assert [value.value for value in values if isinstance(value, JsonValue)][-1] == {"a": 1}


def test_what_shows_early_to_be_none_costs_no_more_than_that() -> None:
    """Once the rest of the text counted as read in vain, and a good value below was not."""
    lines = ['{"p99": NaN, "rows": [{"a": 1, "b"'] * 40
    good = json.dumps({"ok": [*range(2500)]})
    text = Text.from_text("\n".join([*lines, good]))
    assert any(isinstance(value, JsonValue) and "ok" in value.value for value in json_values(text))
    assert text.unread == []


def test_of_long_values_that_are_none_a_few_are_read_and_the_rest_is_told() -> None:
    """Of 600 objects in each other, a number in the last of which cannot be, each was read."""
    text = Text.from_text(deep(800, '{"y": NaN}', closed=True))
    values = [*json_values(text)]
    assert not any(isinstance(value, JsonValue) for value in values)
    (note,) = text.unread
    assert note.startswith("very long texts that begin no JSON: below line ")
