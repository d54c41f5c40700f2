"""Machine code is kept, and nothing that goes wrong with keeping it is an error."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchkit.runtime import jit
from benchkit.runtime.cachefiles import read
from benchkit.runtime.interpreter import quick_turns

pytest.importorskip("numba")

kept = pytest.mark.skipif(sys.platform != "linux", reason="kept by numba here")


def twice(number: int) -> int:
    return number * 2


def total(values: Sequence[int], count: int) -> int:
    matches = 0
    for at in range(count):
        matches += twice(values[at])
    return matches


def slowly(number: int) -> int:
    return number + number + number


def quickly(number: int) -> int:
    return -3 * number


def tripled(number: int) -> int:
    return slowly(number)


LOOP = jit.Loop(total, "i8* i8", helpers=(twice,))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def works(code: jit.Code | None) -> bool:
    return code is not None and code.caller()(np.arange(5), 5) == 20


def test_a_loop_takes_arrays(folder: Path) -> None:
    assert works(jit.load("test", LOOP))
    assert folder.is_dir()


@pytest.mark.usefixtures("folder")
def test_a_helper_can_have_another_form_as_machine_code() -> None:
    loop = jit.Loop(tripled, "i8", instead={slowly: quickly})
    code = jit.load("other", loop)
    assert code is not None
    assert (code.caller()(5), tripled(5)) == (-15, 15)


LIMIT = 10


def at_most(number: int) -> int:
    return min(number, LIMIT)


@kept
def test_code_with_another_number_in_it_is_other_code(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in (10, 20):
        monkeypatch.setitem(at_most.__globals__, "LIMIT", limit)
        code = jit.load("limit", jit.Loop(at_most, "i8"))
        assert code is not None
        assert code.caller()(15) == min(15, limit)
    assert len(list(folder.iterdir())) == 2


def test_two_threads_have_places_of_their_own(folder: Path) -> None:
    code = jit.load("test", LOOP)
    assert code is not None
    assert folder.is_dir()
    wrong: list[int] = []

    def work(first: int) -> None:
        call = code.caller()
        for n in range(2000):
            values = np.arange(first, first + 3 + n % 2)
            if call(values, len(values)) != 2 * values.sum():
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(1000 * n,)) for n in range(4)]
    with quick_turns():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


@kept
def test_the_second_use_compiles_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert works(jit.load("test", LOOP))
    assert [path.suffix for path in folder.iterdir()] == [".code"]
    monkeypatch.setattr(jit, "_translated", None)
    assert works(jit.load("test", LOOP))


@kept
def test_the_second_run_of_benchkit_needs_no_compiler(folder: Path) -> None:
    code = (
        "import sys; from benchkit.counting import loop; "
        "from benchkit.parsers import _gob_compiled; "
        "print(None not in (loop.load(), _gob_compiled.load()), 'numba' in sys.modules)"
    )
    text = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert text == [[b"True", b"True"], [b"True", b"False"]]
    assert len(list(folder.iterdir())) == 2


@kept
@pytest.mark.parametrize("damage", [b"", b"\0" * 40, b"more"])
def test_a_damaged_file_is_made_anew(folder: Path, damage: bytes) -> None:
    assert works(jit.load("test", LOOP))
    (path,) = folder.iterdir()
    good = path.read_bytes()
    path.write_bytes(good + damage if damage == b"more" else damage)
    assert works(jit.load("test", LOOP))
    assert [*read(path.name)] != []


@kept
def test_a_file_that_others_may_write_is_not_loaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert works(jit.load("test", LOOP))
    (path,) = folder.iterdir()
    path.chmod(0o666)
    monkeypatch.setattr(jit, "_translated", None)
    assert jit.load("test", LOOP) is None


def test_a_folder_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("where a folder should be")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert works(jit.load("test", LOOP))


def test_without_numba_there_is_no_machine_code(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    assert jit.load("test", LOOP) is None
    assert not folder.exists()
