"""What tests and scenarios fetch is what it was when it was looked at."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
SCENARIOS: Final = ROOT / "benchkit" / "scenarios"
MODULES: Final = sorted(SCENARIOS.rglob("*.mod"))


def test_npm_packages_are_pinned_by_hash() -> None:
    lock = json.loads((ROOT / ".ci" / "npm" / "package-lock.json").read_text("utf-8"))
    wanted = json.loads((ROOT / ".ci" / "npm" / "package.json").read_text("utf-8"))["dependencies"]
    packages = lock["packages"]
    assert packages.pop("")["dependencies"] == wanted
    assert {f"node_modules/{name}" for name in wanted} <= packages.keys()
    unpinned = [
        name for name, entry in packages.items() if not entry["integrity"].startswith("sha512-")
    ]
    assert unpinned == []


def test_ci_installs_no_other_package() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert re.findall(r"npm (ci|install|i|exec)\b", script) == ["ci"]
    assert all("==" in line for line in re.findall(r"pip install .*", script))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SCENARIOS).as_posix())
def test_go_modules_are_pinned_by_hash(path: Path) -> None:
    required = re.findall(r"^(?:require\s+|\t)(\S+) (v\S+)", path.read_text("utf-8"), re.MULTILINE)
    sums = path.with_suffix(".sum")
    lines = sums.read_text("utf-8").splitlines() if sums.exists() else []
    known = {tuple(line.split()[:2]) for line in lines if re.search(r" h1:\S{44}$", line)}
    assert len(known) == len(lines)
    # Of what only others require, what is not compiled in has no more than its own go.mod.
    assert [(name, v) for name, v in required if (name, f"{v}/go.mod") not in known] == []


@pytest.mark.parametrize(
    "path", sorted(SCENARIOS.glob("*/harness.sh")), ids=lambda p: p.parent.name
)
def test_go_builds_with_these_alone(path: Path) -> None:
    builds = re.findall(r"go (?:build|run|install|get)\b.*", path.read_text("utf-8"))
    assert all(build.startswith("go build -mod=readonly ") for build in builds)


def test_the_web_server_of_gateways_requires_nothing() -> None:
    assert "require" not in (SCENARIOS / "gateways" / "static" / "go.mod").read_text("utf-8")
