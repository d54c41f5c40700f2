"""What Node's console prints of an object is read; source code is not."""

from __future__ import annotations

import pytest

from benchkit.ingest import jsonvalues, literals
from benchkit.ingest.jsonvalues import BrokenJson, JsonValue, json_values
from benchkit.ingest.literals import CutLiteralError, NoLiteralError, literal
from benchkit.text import Text
from tests.timing import growth, processor_s

PRINTED = """{
  title: undefined,
  url: 'http://localhost:3000',
  start: 2024-05-01T10:00:00.250Z,
  '2xx': 812,
  requests: { average: 4.5, min: -1, total: 1e3 },
  rows: [ 1, NaN, [Object], ... 12 more items ],
  text: 'one ' +
    "isn't two",
  ok: true
}"""


def test_an_object_as_node_prints_it() -> None:
    value, end = literal(PRINTED, 0)
    assert end == len(PRINTED)
    assert value == {
        "url": "http://localhost:3000",
        "start": "2024-05-01T10:00:00.250Z",
        "2xx": 812,
        "requests": {"average": 4.5, "min": -1, "total": 1000.0},
        "rows": [1, None, None],
        "text": "one isn't two",
        "ok": True,
    }


def test_the_layout_of_old_versions_and_names_of_classes() -> None:
    latency = "latency:\n   { mean: 2,\n     max: 3 }"
    old = f"{{ url: 'x',\n  {latency},\n  inner: Result {{ a: Array(1) [ 1 ] }} }}"
    assert literal(old, 0)[0] == {
        "url": "x",
        "latency": {"mean": 2, "max": 3},
        "inner": {"a": [1]},
    }


@pytest.mark.parametrize(
    "code",
    [
        "{ url: base + '/path' }",
        "{ run: () => 1 }",
        "{ a: call(1) }",
        "{ a: one.two }",
        "{ a: 1; b: 2 }",
        "{ a: 1, a: 2 }",
        "{ a 1 }",
        "{ a: 'open\n' }",
        "{ a: 0x10 }",
        "{ a: " + "[" * 100,
    ],
)
def test_source_code_is_none(code: str) -> None:
    with pytest.raises(NoLiteralError):
        literal(code, 0)


@pytest.mark.parametrize("size", range(1, len("{ a: [ 1, 2 ], b: 3 ")))
def test_a_cut_object_is_told(size: int) -> None:
    whole = "{ a: [ 1, 2 ], b: 3 }"
    with pytest.raises(CutLiteralError):
        literal(whole[:size] + "\n", 0)


def values_of(text: str) -> list[JsonValue | BrokenJson]:
    return list(json_values(Text.from_text(text)))


def test_objects_follow_the_words_that_a_program_prints_before_them() -> None:
    text = f'null {PRINTED}\nResult: {PRINTED}\n[x] a={{"ok": 1}}\nlet x = {{ ok: 1 }}'
    values = [value for value in values_of(text) if isinstance(value, JsonValue)]
    assert [value.value["ok"] for value in values] == [True, True, 1]
    assert [(value.first, value.last) for value in values] == [(0, 10), (11, 21), (22, 22)]


def test_a_cut_object_is_told_once() -> None:
    (broken,) = values_of("one\n{\n  a: {\n    b: {\n      c: 1,")
    assert isinstance(broken, BrokenJson)
    assert str(broken.error) == (
        "line 2: expected the end of an object, found 'the end of the text'; "
        "the file seems to be cut off"
    )


@pytest.mark.parametrize("line", ["[ " * 30 + '{"a":', "[ " * 30 + "{ a: { b: 'x' }", "[ " * 30])
def test_what_is_broken_is_not_tried_from_each_bracket_within(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = 0
    usual = jsonvalues._decoded

    def counted(whole: str, start: int) -> tuple[object, int]:
        nonlocal tried
        tried += 1
        return usual(whole, start)

    monkeypatch.setattr(jsonvalues, "_decoded", counted)
    values_of(f"{line} \n" * 100)
    assert 0 < tried <= 200  # one of a line is whole


@pytest.mark.parametrize(
    "broken", ['[ {"ok": 1},\n{"ok": 2}, [ x', "[ { ok: 1 },\n{ ok: 2 }, [ { x } ]"]
)
def test_what_is_whole_within_what_is_broken_is_read(broken: str) -> None:
    values = [value.value for value in values_of(broken) if isinstance(value, JsonValue)]
    assert values == [{"ok": 1}, {"ok": 2}]


def test_much_source_code_costs_little() -> None:
    def spent(count: int) -> float:
        code = "const a = {\n  b: { c: 1, d: [e] },\n  f: {\n    g: 1 } }\n"
        text = Text.from_text(code * count)
        seconds = processor_s(lambda: values.extend(json_values(text)))
        assert len(values) == count  # `f: { g: 1 }`
        values.clear()
        return seconds

    values: list[object] = []
    assert growth(spent, 3_000, 12_000, most=9) < 9


def test_what_is_nested_too_deep_is_passed_over_once_and_not_from_each_bracket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[int] = []
    value = literals._value

    def counted(text: str, at: int, depth: int) -> tuple[object, int]:
        looked_at.append(at)
        return value(text, at, depth)

    monkeypatch.setattr(literals, "_value", counted)
    deep = "S\n[ [ [ [ [ [ [ " * 200
    read = json_values(Text.from_text(f"{deep}\n0\n{{ average: 4.5 }}\n"))
    assert [it.value for it in read if isinstance(it, JsonValue)] == [{"average": 4.5}]
    assert len(looked_at) < 3 * deep.count("[")
