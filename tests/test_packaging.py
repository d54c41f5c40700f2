"""The sdist is the checkout; the wheel has every file of the three folders under one name."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
INSTALLED_AS = {
    "benchkit": "benchkit",
    "parsers": "benchkit/parsers",
    "templates": "benchkit/templates",
}
NOT_SOURCES = shutil.ignore_patterns(
    ".*", "__pycache__", "*.py[cod]", "*.egg-info", "build", "dist", "node_modules", "report.html"
)
BUILD = "import sys; from setuptools import build_meta as b; getattr(b, sys.argv[1])(sys.argv[2])"


def build(kind: str, *, tree: Path, into: Path) -> Path:
    """Build a 'wheel' or an 'sdist' of the tree as a frontend would, without a network."""
    command = [sys.executable, "-c", BUILD, f"build_{kind}", str(into)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    (made,) = into.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("packaging")
    tree = shutil.copytree(ROOT, base / "checkout", ignore=NOT_SOURCES)
    (base / "sdist").mkdir()
    return build("sdist", tree=tree, into=base / "sdist")


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist, so that what the sdist lacks is missing here too."""
    base = tmp_path_factory.mktemp("from-sdist")
    # As a command: before 3.11.4 extractall() knows no filter, and later it insists on one.
    subprocess.run([sys.executable, "-m", "tarfile", "-e", str(sdist), str(base)], check=True)
    (tree,) = base.iterdir()
    (base / "wheel").mkdir()
    return build("wheel", tree=tree, into=base / "wheel")


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files_below(folder: Path) -> set[PurePosixPath]:
    return {
        PurePosixPath(path.relative_to(folder).as_posix())
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name[0] != "."
    }


@pytest.mark.parametrize("folder", INSTALLED_AS)
def test_every_file_of_the_folder_is_in_the_wheel(folder: str, contents: set[str]) -> None:
    expected = {f"{INSTALLED_AS[folder]}/{name}" for name in files_below(ROOT / folder)}
    assert expected - contents == set()


def test_the_wheel_has_nothing_else(contents: set[str]) -> None:
    known = {
        f"{name}/{file}" for at, name in INSTALLED_AS.items() for file in files_below(ROOT / at)
    }
    others = {name for name in contents - known if ".dist-info/" not in name}
    assert others == set()


def test_no_generic_name_lands_in_site_packages(contents: set[str]) -> None:
    top = {name.split("/")[0] for name in contents}
    assert {name for name in top if not name.endswith(".dist-info")} == {"benchkit"}


def test_the_wheel_is_typed_and_has_the_command(wheel: Path, contents: set[str]) -> None:
    assert "benchkit/py.typed" in contents
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in contents if name.endswith("entry_points.txt"))
        entry_points = archive.read(name).decode()
    assert re.search(r"^benchkit = benchkit\.cli:main$", entry_points, re.MULTILINE)
    assert "benchkit.parsers" not in entry_points


def test_the_tests_can_be_run_from_the_sdist(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"do.py", "LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"}
    needed |= {f"tests/{name}" for name in files_below(ROOT / "tests")}
    assert needed - names == set()


def test_the_linter_has_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (pin,) = (
        requirement.partition("==")[2]
        for requirement in project["project"]["optional-dependencies"]["dev"]
        if requirement.startswith("ruff==")
    )
    hooks = ROOT / ".pre-commit-config.yaml"
    if not hooks.is_file():
        pytest.skip("an sdist has no hooks")
    text = hooks.read_text(encoding="utf-8")
    assert set(re.findall(r"ruff==([0-9.]+)", text)) == {pin}
    assert all(re.fullmatch("[0-9a-f]{40}", rev) for rev in re.findall(r"rev: (\S+)", text))
