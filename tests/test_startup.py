import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"duckdb", "matplotlib", "numba", "numpy", "pandas", "plotly", "pyarrow", "scipy"}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["report", "--help"]])
def test_help_and_version_import_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "benchkit", *arguments],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = done.stderr.splitlines()
    text = "\n".join(line for line in lines if not line.startswith("import time:"))
    assert done.returncode == 0, text
    imported = set(re.findall(r"^import time:.*\|\s*(\w+)", done.stderr, re.MULTILINE))
    assert "benchkit" in imported
    assert imported & HEAVY == set()


def test_checks_import_no_pandas() -> None:
    """Tables are for people and other programs."""
    data = Path(__file__).parent / "data"
    files = [str(data / "ab" / "keepalive.txt"), str(data / "vegeta" / "ok.gob")]
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "benchkit", "check", *files],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    imported = set(re.findall(r"^import time:.*\|\s*(\w+)", done.stderr, re.MULTILINE))
    assert {"benchkit", "numpy"} <= imported
    assert "pandas" not in imported


def test_a_command_imports_none_of_the_others(tmp_path: Path) -> None:
    code = """if True:
        import sys
        from benchkit.cli.guard import run
        status = run(sys.argv[1:])
        commands = sorted(name for name in sys.modules if name.startswith("benchkit.cli."))
        print(status, *commands, "benchkit.figures" in sys.modules)
        """
    file = Path(__file__).parent / "data" / "vegeta" / "ok.gob"
    command = [sys.executable, "-c", code, "show", str(file)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    status, *modules, figures = done.stdout.splitlines()[-1].split()
    assert (status, figures) == ("0", "False")
    assert "benchkit.cli.show" in modules
    assert not {"benchkit.cli.plot", "benchkit.cli.report", "benchkit.cli.record"} & {*modules}


WATCHED = """
import os, sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"), file=sys.stderr)

sys.meta_path.insert(0, Watch())
from benchkit.cli.guard import run

run(sys.argv[1:])
print("after", os.environ.get("OPENBLAS_NUM_THREADS"), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "command",
    ["show", "report -o r.html", "compare", "check", "export", "plot -o p.svg"],
)
def test_linear_algebra_starts_no_threads_and_the_environment_stays(
    command: str, tmp_path: Path
) -> None:
    file = Path(__file__).parent / "data" / "ab" / "keepalive.txt"
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *command.split(), str(file)],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert [line for line in done.stderr.splitlines() if line in {"None", "1"}][:1] == ["1"]
    assert done.stderr.splitlines()[-1] == "after None"
