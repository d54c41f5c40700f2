"""The documentation is true: what is generated is current, and every command shown runs."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchkit import schema
from benchkit.cli import formats
from benchkit.cli.guard import run
from benchkit.figures import KINDS
from benchkit.stores import store_at

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "examples" / "README.md"]


def commands(page: Path) -> list[str]:
    """Return the lines behind `$ ` in the page's console blocks."""
    blocks = re.findall(
        r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


Benchkit = Callable[..., tuple[int, bytes, str]]

#: Pages whose commands work on what those before them made.
IN_ORDER = ["history.md", "datasets.md", "clusters.md"]
#: The page whose commands need a bucket.
IN_A_BUCKET = "anywhere.md"
#: Each command once, whichever pages show it, with the last of them.
SHOWN_ON = {
    command: f"{page.name}-{n}"
    for page in PAGES
    if page.name not in {*IN_ORDER, IN_A_BUCKET}
    for n, command in enumerate(commands(page))
    if command.startswith(("benchkit ", "cat "))
}
SHOWN = [pytest.param(command, id=block) for command, block in SHOWN_ON.items()]


def printed(page: Path) -> list[tuple[str, str]]:
    """Return the console blocks that show what their one command prints, as (command, text)."""
    text = page.read_text(encoding="utf-8")
    return re.findall(
        r"^```console\n\$ (benchkit [^\n]*)\n((?:(?!```|\$ )[^\n]*\n)++)```", text, re.MULTILINE
    )


#: Of the large examples the first repeats alone: most commands read all, each of them again.
FEW = shutil.ignore_patterns("[4-8]")
LARGE = {"gin-panic", "logging-cost", "proxy-http-impl", "request-coalescing"}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the commands read."""
    copy = tmp_path_factory.mktemp("recorded")
    for part in ("ab/two-runs", "wrk", "pages"):
        shutil.copytree(ROOT / "tests" / "data" / part, copy / "tests" / "data" / part)
    for example in (ROOT / "examples" / "results").iterdir():
        few = FEW if example.name in LARGE else None
        shutil.copytree(example, copy / "examples" / "results" / example.name, ignore=few)
    return copy


@pytest.fixture
def checkout(recorded: Path, tmp_path: Path) -> Path:
    """A folder with what the commands read, where what they write does no harm."""
    for part in recorded.iterdir():
        (tmp_path / part.name).symlink_to(part, target_is_directory=True)
    return tmp_path


def expanded(arguments: list[str], folder: Path) -> list[str]:
    """Return a command line with what a shell makes of `*`."""
    matches = []
    for argument in arguments:
        names = (
            sorted(str(path.relative_to(folder)) for path in folder.glob(argument))
            if "*" in argument
            else []
        )
        matches += names or [argument]
    return matches


def test_what_the_readme_shows_is_what_is_printed(checkout: Path) -> None:
    ((command, text),) = printed(ROOT / "README.md")
    done = subprocess.run(
        [sys.executable, "-m", "benchkit", *shlex.split(command)[1:]],
        cwd=checkout,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "100"},
        check=True,
    )
    assert done.stdout == text


@pytest.fixture
def benchkit(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Benchkit:
    """`benchkit(arguments, folder)` runs a command here: its status, what it prints, its errors."""

    def command(arguments: list[str], folder: Path, given: bytes = b"") -> tuple[int, bytes, str]:
        out, err = (io.TextIOWrapper(io.FileIO(n, "w", closefd=False), "utf-8") for n in (1, 2))
        with monkeypatch.context() as patch:
            patch.chdir(folder)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = run(arguments)
            out.flush()
            err.flush()
        printed = capfdbinary.readouterr()
        return status, printed.out, printed.err.decode()

    return command


@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize("command", SHOWN)
def test_a_command_in_the_docs_runs(command: str, checkout: Path, benchkit: Benchkit) -> None:
    given = b""
    if command.startswith("cat "):
        first, command = command.split(" | ")
        given = (checkout / first.removeprefix("cat ")).read_bytes()
    arguments = expanded(shlex.split(command)[1:], checkout)
    status, output, error = benchkit(arguments, checkout, given)
    assert status == 0, error
    if "-o" in arguments:
        assert (checkout / arguments[arguments.index("-o") + 1]).stat().st_size > 0
    else:
        assert output


@pytest.mark.parametrize("name", IN_ORDER)
def test_the_commands_of_a_page_run_one_after_the_other(
    name: str, checkout: Path, benchkit: Benchkit
) -> None:
    listed = commands(ROOT / "docs" / name)
    assert listed
    for command in listed:
        status, output, error = benchkit(shlex.split(command)[1:], checkout)
        assert status == 0, (command, error)
        assert output


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_the_commands_on_a_bucket_run_one_after_the_other(
    checkout: Path, benchkit: Benchkit, s3: str
) -> None:
    store, results = store_at(s3), checkout / "examples" / "results"
    for path in (results / "quickstart").rglob("*.*"):
        store.put(path.relative_to(results).as_posix(), path.read_bytes())
    listed = commands(ROOT / "docs" / IN_A_BUCKET)
    assert listed
    for command in listed:
        arguments = shlex.split(command.replace("s3://results", s3))[1:]
        status, output, error = benchkit(arguments, checkout)
        assert status == 0, (command, error)
        assert output


def examples(page: Path) -> str:
    """Return the Python of a page as one program, its lines where they stand on the page."""
    lines, inside = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        inside = line == "```python" or (inside and line != "```")
        lines.append(line if inside and line != "```python" else "")
    return "\n".join(lines)


WITH_PYTHON = [page for page in PAGES if "import benchkit" in examples(page)]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(
    page: Path,
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(checkout)
    exec(compile(examples(page), page.name, "exec"), {"__name__": "__main__"})  # noqa: S102 - ours
    output = capsys.readouterr().out
    claims = re.findall(r"print\(error\)  # (.*?)…?$", examples(page), re.MULTILINE)
    assert [claim for claim in claims if claim not in output] == []


READMES = sorted((ROOT / "benchkit" / "scenarios").glob("*/README.md"))
DRAWN = [
    pytest.param(line.partition("#")[0], id=f"{page.parent.name}-{n}")
    for page in READMES
    for n, line in enumerate(
        re.findall(r"^benchkit plot .*$", page.read_text(encoding="utf-8"), re.MULTILINE)
    )
]


@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize("command", DRAWN)
def test_a_figure_of_a_published_benchmark_is_drawn_by_one_command(
    command: str, tmp_path: Path, benchkit: Benchkit
) -> None:
    (tmp_path / "results").symlink_to(ROOT / "examples" / "results")
    arguments = expanded(shlex.split(command)[1:], tmp_path)
    status, _, error = benchkit(arguments, tmp_path)
    assert status == 0, error
    assert (tmp_path / arguments[arguments.index("-o") + 1]).stat().st_size > 0


def test_every_kind_of_figure_is_in_the_gallery() -> None:
    shown = re.findall(r"--kind (\w+)", (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"))
    assert shown == list(dict.fromkeys(shown))
    assert set(shown) == set(KINDS)


def test_the_gallery_is_drawn_by_one_command(tmp_path: Path) -> None:
    drawn = ["--only", "ridges", "--to", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "studies.gallery", *drawn], cwd=ROOT, check=True)
    assert {path.name for path in tmp_path.iterdir()} == {"ridges.png", "ridges-dark.png"}
    assert {f"{kind}{dark}.png" for kind in KINDS for dark in ("", "-dark")} == {
        path.name for path in (ROOT / "docs" / "gallery").iterdir()
    }


def test_every_shown_command_is_found() -> None:
    assert len(DRAWN) > 10
    assert len(SHOWN) > 8
    assert {page.name for page in WITH_PYTHON} >= {"README.md", "api.md"}


def test_every_command_of_the_program_is_in_the_readme() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchkit", "--help"], capture_output=True, check=True, text=True
    )
    names = set(re.findall(r"^\W+([a-z]+)  ", done.stdout.split("Commands", 1)[1], re.MULTILINE))
    assert names
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {name for name in names if f"benchkit {name}" not in readme} == set()


@pytest.mark.parametrize(
    ("name", "text"),
    [("schema.md", schema.markdown()), ("formats.md", formats.markdown())],
    ids=["schema", "formats"],
)
def test_a_generated_page_is_current(name: str, text: str, request: pytest.FixtureRequest) -> None:
    path = ROOT / "docs" / name
    if request.config.getoption("--update-golden"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) + re.findall(
        r'(?:src|srcset)="([^"]+)"', text
    )
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []
