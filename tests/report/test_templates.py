"""Templates are compiled once, and never taken from where others could have put them."""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import pytest

from benchkit.report import templates

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is kept there")
NAME = "rules.html.j2"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def compiled(monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many templates are compiled to load one with those that it includes."""
    count = 0
    compile_one = jinja2.Environment.compile

    def counted(self: jinja2.Environment, *args: object, **kwargs: object) -> object:
        nonlocal count
        count += 1
        return compile_one(self, *args, **kwargs)  # type: ignore[call-overload]

    with monkeypatch.context() as patch:
        patch.setattr(jinja2.Environment, "compile", counted)
        templates.environment(clean=str, circled=str).get_template(NAME)
    return count


def test_the_second_page_compiles_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled(monkeypatch) == 1
    assert [path.suffix for path in folder.iterdir()] == [".code"]
    assert compiled(monkeypatch) == 0


def test_another_text_under_the_same_name_is_compiled_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(monkeypatch)
    monkeypatch.setattr(templates, "text_of", lambda _: "another {{ word }}")
    assert compiled(monkeypatch) == 1
    made = templates.environment().get_template(NAME)
    assert made.render(word="text") == "another text"
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("harm", ["damage", "let others write"])
def test_what_may_be_somebody_elses_is_not_loaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    compiled(monkeypatch)
    (path,) = folder.iterdir()
    if harm == "damage":
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    else:
        path.chmod(0o666)
    assert compiled(monkeypatch) == 1
