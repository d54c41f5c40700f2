"""Configuration: which file holds, what goes before what, and where each value came from."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from benchkit.cli.configured import READING, defaults
from benchkit.cli.guard import run
from benchkit.cli.options import MARGIN
from benchkit.config import KEYS, schema, settings
from benchkit.errors import BenchkitError, UsageError

Written = Callable[[str, str], Path]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Write a file of a project whose top is the temporary folder; the call is made in `a/b`."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    for key in KEYS.values():
        monkeypatch.delenv(key.variable, raising=False)

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def known() -> dict[str, tuple[Any, str]]:
    return {name: (setting.value, setting.origin) for name, setting in settings().items()}


def test_a_file_is_found_upwards(written: Written) -> None:
    written("benchkit.toml", 'baseline = "main"\n')
    assert known() == {"baseline": ("main", "../../benchkit.toml")}


def test_the_nearest_file_holds_alone(written: Written) -> None:
    written("benchkit.toml", 'baseline = "main"\ntitle = "far"\n')
    written("a/pyproject.toml", '[tool.benchkit]\ntitle = "near"\n')
    assert known() == {"title": ("near", "../pyproject.toml: tool.benchkit")}


def test_of_two_files_side_by_side_the_own_one_goes_first(written: Written) -> None:
    written("benchkit.toml", 'title = "own"\n')
    written("pyproject.toml", '[tool.benchkit]\ntitle = "shared"\nbaseline = "a"\n')
    assert known() == {
        "title": ("own", "../../benchkit.toml"),
        "baseline": ("a", "../../pyproject.toml: tool.benchkit"),
    }


def test_somebody_elses_project_file_is_passed_by(written: Written) -> None:
    written("a/pyproject.toml", "[tool.other]\nx = 1\n")
    written("a/b/pyproject.toml", "not TOML")
    written("benchkit.toml", 'title = "t"\n')
    assert known()["title"][0] == "t"


@pytest.mark.parametrize(
    "data",
    [
        b'[tool.benchkit]\ntitle = "t"\nnot TOML\n',
        b'\xef\xbb\xbf[tool.benchkit]\ntitle = "t"\n',
        '[tool.benchkit]\ntitle = "t"\n'.encode("utf-16"),
        b'[ tool . benchkit ]\ntitle = "t"\ntitle = "u"\n',
    ],
)
def test_our_part_of_a_damaged_project_file_is_not_lost(written: Written, data: bytes) -> None:
    written("pyproject.toml", "").write_bytes(data)
    with pytest.raises(BenchkitError, match=r"pyproject.toml: expected TOML, found"):
        settings()


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_a_configuration_that_is_no_file_is_told(written: Written, kind: str) -> None:
    path = written("benchkit.toml", "")
    path.unlink()
    make: dict[str, Callable[[], None]] = {
        "link": lambda: path.symlink_to("nowhere"),
        "folder": path.mkdir,
        "fifo": lambda: os.mkfifo(path),
    }
    make[kind]()
    with pytest.raises(BenchkitError, match=r"benchkit.toml: expected a regular file"):
        settings()


def test_nothing_above_the_repository_holds(written: Written, tmp_path: Path) -> None:
    written("benchkit.toml", 'title = "t"\n')
    (tmp_path / "a" / ".git").mkdir()
    assert known() == {}


def test_a_variable_goes_before_a_file(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    written("benchkit.toml", 'baseline = "file"\nmargin = 0.02\nrules = "p99<5ms"\n')
    monkeypatch.setenv("BENCHKIT_BASELINE", "variable")
    monkeypatch.setenv("BENCHKIT_RULES", "p99<1ms; p50<+5%\nerrors<1%")
    monkeypatch.setenv("BENCHKIT_REQUIRE_VERDICT", "yes")
    assert known() == {
        "baseline": ("variable", "BENCHKIT_BASELINE"),
        "margin": ("0.02", "../../benchkit.toml"),
        "rules": (("p99<1ms", "p50<+5%", "errors<1%"), "BENCHKIT_RULES"),
        "require-verdict": (True, "BENCHKIT_REQUIRE_VERDICT"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('rulez = "x"', "found 'rulez'; did you mean 'rules'?"),
        ('fail_on = "error"', "did you mean 'fail-on'?"),
        ("title = 3", "expected 'title' to be a text, found '3'"),
        ("margin = true", "expected 'margin' to be a share"),
        ('fail-on = "never"', "expected 'fail-on' to be 'error' or 'warning'"),
        ("require-verdict = 1", "expected 'require-verdict' to be true or false"),
        ('ignored = "TOO_SHORT"', "expected 'ignored' to be a table of reasons"),
        ("[ignored]\nTOO_SHORT = ''", "expected 'ignored' to be a table of reasons"),
        ("title = ", "expected TOML"),
        ("a." * 60_000, "expected a configuration of at most 100,000 bytes, found '120,000'"),
        ("\nn" + ".V" * 40_000 + "=1", "found '40,000 dots, over 300, in line 2'"),
        ("a=" + "[" * 40_000, "found 'brackets too deep within each other'"),
        ("a=" + "{a=" * 20_000, "found 'brackets too deep within each other'"),
    ],
)
def test_what_is_no_configuration_says_where(written: Written, text: str, message: str) -> None:
    written("benchkit.toml", text)
    with pytest.raises(BenchkitError) as caught:
        settings()
    assert str(caught.value).startswith("../../benchkit.toml: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('rules = "p99<5"', "../../benchkit.toml: 'rules': no rule 'p99<5'"),
        ('margin = "much"', "../../benchkit.toml: 'margin': "),
    ],
)
def test_a_value_that_makes_no_sense_says_where(written: Written, text: str, message: str) -> None:
    written("benchkit.toml", text)
    with pytest.raises(UsageError) as caught:
        defaults("check" if "rules" in text else "show", [])
    assert message in str(caught.value)


def test_a_variable_that_makes_no_sense_says_so(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("benchkit.toml", "")
    monkeypatch.setenv("BENCHKIT_FAIL_ON", "never")
    with pytest.raises(UsageError, match="BENCHKIT_FAIL_ON is 'never', and must be 'error' or"):
        settings()


def test_an_unknown_variable_gets_a_line_and_stops_nothing(
    written: Written, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written("benchkit.toml", "")
    for name in ("RULEZ", "IGNORED", "SOMETHING", "CACHE", "DEBUG", "CORPUS", "TEST_JAVA"):
        monkeypatch.setenv(f"BENCHKIT_{name}", "0")
    monkeypatch.setenv("BENCHKIT_TITLE", "t")
    assert run(["config"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(" is not known and says nothing; ")[::2] for line in lines] == [
        ("benchkit: the variable 'BENCHKIT_IGNORED'", "'ignored' stands in benchkit.toml alone"),
        ("benchkit: the variable 'BENCHKIT_RULEZ'", "did you mean BENCHKIT_RULES?"),
        ("benchkit: the variable 'BENCHKIT_SOMETHING'", lines[2].partition("; ")[2]),
    ]
    assert "there are BENCHKIT_NAMES, BENCHKIT_SCENARIO" in lines[2]
    assert run(["formats"]) == 0  # obeys no configuration
    assert capsys.readouterr().err == ""


def test_every_command_that_reads_obeys(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHKIT_NAMES", "{variant}.txt")
    written(
        "benchkit.toml",
        'title = "t"\nbaseline = "a"\nmargin = "2%"\nrules = ["p99<5ms"]\nslo = "p99<50ms"\n'
        'scenario = "s"\n[ignored]\nTOO_SHORT = "known"\n',
    )
    got = {command: defaults(command, []) for command in READING}
    assert got["show"] == {"names": ["{variant}.txt"], "baseline": "a", "margin": "2%"}
    assert got["report"] == got["show"] | {"title": "t"}
    assert got["compare"] == got["show"] | {"slo": ["p99<50ms"]}
    assert got["check"] == {
        "names": ["{variant}.txt"],
        "title": "t",
        "baseline": "a",
        "require": ["p99<5ms"],
    }
    assert got["plot"] == {"names": ["{variant}.txt"], "baseline": "a"}
    assert got["export"] == got["files"] == {"names": ["{variant}.txt"]}
    assert defaults("formats", []) == {}


def test_help_is_there_whatever_is_configured(written: Written) -> None:
    written("benchkit.toml", "nonsense")
    assert defaults("show", ["--help"]) == {}
    with pytest.raises(BenchkitError):
        defaults("show", [])


def test_the_published_schema_is_the_one_of_the_keys(request: pytest.FixtureRequest) -> None:
    path = Path(str(resources("benchkit").joinpath("schemas/config.schema.json")))
    text = json.dumps(schema(), indent=2) + "\n"
    if request.config.getoption("--update-golden"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_the_schema_takes_what_is_read_and_refuses_what_is_not() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    validator = jsonschema.Draft202012Validator(schema())
    good = {
        "names": ["a"],
        "scenario": "s",
        "ignore": "x*",
        "labels": {"a": "b*"},
        "title": "t",
        "baseline": "a",
        "margin": 0.03,
        "rules": ["p99<5ms"],
        "slo": "p99<5ms",
        "fail-on": "warning",
        "require-verdict": True,
        "ignored": {"TOO_SHORT": "known"},
    }
    assert good.keys() == KEYS.keys()
    validator.validate(good)
    for name, value in good.items():
        KEYS[name].read(value)
    bad = {"rulez": "x", "title": 3, "fail-on": "never", "margin": 0, "ignored": {"A": ""}}
    for name, value in bad.items():
        assert not validator.is_valid({name: value}), name


def test_defaults_are_those_of_the_options() -> None:
    from benchkit.cli.config import _DEFAULTS

    assert _DEFAULTS["margin"] == MARGIN
