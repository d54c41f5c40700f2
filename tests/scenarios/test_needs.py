import sys
from pathlib import Path

import pytest

from benchkit.scenarios.declaration import Scenario, read_scenario
from benchkit.scenarios.matrix import Wishes, plan
from benchkit.scenarios.needs import look
from benchkit.scenarios.runner import missing

from .conftest import executable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
VEGETA = "printf 'Version: %s\\nCommit: \\nRuntime: go1.26.8 linux/amd64\\n'"


@pytest.mark.parametrize(("message", "version"), [("12.12.0", "12.12.0"), ("v12.13", "12.13")])
def test_a_version_is_that_of_the_program(
    message: str, version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable(tmp_path / "vegeta", f"#!/bin/sh\n{VEGETA} {message}\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert look("vegeta").version == version


def test_a_program_that_does_not_know_its_version_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """vegeta built from its sources prints the version of Go alone."""
    executable(tmp_path / "vegeta", f"#!/bin/sh\n{VEGETA} ''\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    matches = look("vegeta")
    assert matches.good
    assert matches.version is None


def test_a_load_generator_that_is_too_old_is_missing(toy: Scenario) -> None:
    declaration = toy.folder / "scenario.toml"
    text = declaration.read_text(encoding="utf-8")
    declaration.write_text(text.replace('["ab"]', '["ab >= 99"]'), encoding="utf-8")
    old = read_scenario(toy.folder)
    for wishes in (Wishes(), Wishes(set=["tool=ab"])):
        (lacking,) = missing(plan(old, wishes))
        assert (lacking.name, lacking.problem) == ("ab", "version 2.3 is too old")
