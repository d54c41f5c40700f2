"""The example of a plug-in: built, installed beside benchkit in a new environment, and tested."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchkit.parsing import COLUMNS_OF_ARRAYS
from benchkit.schema import RUNS
from benchkit.testing.damage import ON_DAMAGE
from benchkit.testing.others import ON_OTHERS
from benchkit.testing.records import ON_ALL, ON_RECORDS

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "plugin"
NOT_SOURCES = shutil.ignore_patterns(
    ".*", "__pycache__", "*.egg-info", "build", "dist", "node_modules", "results"
)
#: What pip calls, without the time that pip takes to begin.
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
QUIET = ("--disable-pip-version-check", "--no-input", "--no-index", "--no-deps", "-q")


def run(*command: str | Path, folder: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=clean,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


def wheel(tree: Path, into: Path) -> Path:
    """Build a wheel of a copy of a tree, without a network."""
    copy = shutil.copytree(tree, into / "tree", ignore=NOT_SOURCES)
    run(sys.executable, "-c", BUILD, into, folder=copy)
    (made,) = into.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with benchkit and the example; the rest is this one's."""
    if find_spec("pip") is None or find_spec("setuptools") is None:
        pytest.skip("pip and setuptools are needed to build without a network")
    base = tmp_path_factory.mktemp("plugin")
    wheels = []
    for name, tree in (("benchkit", ROOT), ("example", EXAMPLE)):
        (base / name).mkdir()
        wheels.append(wheel(tree, base / name))
    run(sys.executable, "-m", "venv", "--without-pip", base / "venv", folder=base)
    python = base / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = ("-m", "pip", "--python", python, "install", *QUIET, "--no-compile")
    run(sys.executable, *install, *wheels, folder=base)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=base)
    here = sysconfig.get_path("purelib")
    line = f"import site; site.addsitedir({here!r})\n"
    (Path(site.strip()) / "the-rest.pth").write_text(line, encoding="utf-8")
    return python


def test_its_tests_pass(python: Path, tmp_path: Path) -> None:
    tests = shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    options = ("-q", "-p", "no:cacheprovider", "--import-mode=importlib")
    out = run(python, "-m", "pytest", *options, tests, folder=tmp_path)
    assert " passed" in out
    assert "failed" not in out


def test_benchkit_lists_it_and_reads_with_it(python: Path, tmp_path: Path) -> None:
    where = run(python, "-c", "import benchkit; print(benchkit.__file__)", folder=tmp_path)
    assert ROOT not in Path(where.strip()).parents, "the installed one is meant"
    listed = json.loads(
        run(python, "-m", "benchkit", "formats", "--format", "json", folder=tmp_path)
    )
    assert [
        (entry["name"], entry["distribution"]) for entry in listed if entry["distribution"]
    ] == [("httperf-text", "benchkit-httperf 1.0")]
    data = EXAMPLE / "tests" / "data" / "mixed.txt"
    (row,) = json.loads(
        run(python, "-m", "benchkit", "export", data, "--format", "json", folder=tmp_path)
    )
    assert (row["tool"], row["requests"], row["url"]) == (
        "httperf",
        200,
        "http://127.0.0.1:8937/mixed",
    )


def blocks(language: str) -> list[str]:
    """Return the blocks of a language on the page about plug-ins."""
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def test_what_the_page_shows_is_the_example() -> None:
    names = ("pyproject.toml", "benchkit_httperf.py", "tests/test_httperf.py")
    files = [(EXAMPLE / name).read_text(encoding="utf-8") for name in names]
    shown = [*blocks("python"), *blocks("toml")]
    assert len(shown) == 4
    assert [block for block in shown if not any(block in text for text in files)] == []
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    assert [line for line in commands if line not in readme.splitlines()] == []


def test_the_page_lists_every_check() -> None:
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    names = [*ON_OTHERS, *ON_ALL, *(f"{name}[NAME]" for name in (*ON_RECORDS, *ON_DAMAGE))]
    listed = re.findall(r"`([a-z-]+(?:\[NAME\])?)`", page.split("| check |")[1].split("\n\n")[0])
    assert sorted(name for name in listed if name in names or "[" in name) == sorted(names)


def table(heading: str) -> list[list[str]]:
    """Return the cells of each row of the table with some heading on the page about plug-ins."""
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    lines = page.split(f"{heading}\n")[1].splitlines()[1:]
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in rows]


def words(cell: str) -> set[str]:
    """Return what stands in code in a cell."""
    return {*re.findall("`([^`]+)`", cell)}


def test_the_page_lists_what_follows_from_each_array() -> None:
    listed: dict[str, set[str]] = {}
    for arrays, _, columns in table("| array | what it is | columns that follow |"):
        for array in words(arrays) - {"error"}:
            listed[array] = words(columns) & {*RUNS.names}
    together = {"method": "url", "url": "method"}
    assert listed.keys() == COLUMNS_OF_ARRAYS.keys()
    for array, follow in COLUMNS_OF_ARRAYS.items():
        assert {*follow} <= listed[array] <= {*follow, together.get(array, array)}, array


def test_the_page_lists_every_word_of_what_a_latency_means() -> None:
    listed: dict[str, set[str]] = {}
    column = ""
    for name, values, _ in table("| column | value | meaning |"):
        column = name.strip("`") or column
        listed.setdefault(column, set()).update(words(values))
    assert listed == {name: {*RUNS[name].values} for name in listed}
    assert listed.keys() == {"clock", "load_model", "correction"}
