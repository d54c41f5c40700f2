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
    said = "\n".join(line for line in lines if not line.startswith("import time:"))
    assert done.returncode == 0, said
    imported = set(re.findall(r"^import time:.*\|\s*(\w+)", done.stderr, re.MULTILINE))
    assert "benchkit" in imported
    assert imported & HEAVY == set()
