"""JSON wherever it stands in a text, and what only looks like it."""

from __future__ import annotations

import json
import time

import pytest

from benchkit.ingest.jsonvalues import BrokenJson, JsonValue, json_values
from benchkit.text import Text


def values_of(text: str) -> list[JsonValue | BrokenJson]:
    return list(json_values(Text.of(text)))


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
    text = Text.of(f"{line}\n" * 50_000)
    start = time.perf_counter()
    assert sum(1 for _ in json_values(text)) in {0, 50_000}
    assert time.perf_counter() - start < 10, "usually half a second"


def test_of_very_many_broken_values_the_first_are_looked_at_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchkit.ingest.jsonvalues._MAX_WASTED", 100 * 2048)
    text = Text.of('{"cut\n' * 200 + '{"whole": 1}')
    assert len(list(json_values(text))) == 101
    [note] = text.unread
    assert note == "very many brackets that begin no JSON: below line 101 none is looked for"
