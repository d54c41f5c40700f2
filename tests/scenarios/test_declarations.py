import shutil
import subprocess
from pathlib import Path

import pytest

from benchkit.errors import InputError, UsageError
from benchkit.scenarios import needs
from benchkit.scenarios.declaration import HERE, bundled, find, read_scenario
from benchkit.scenarios.matrix import Wishes, plan

from .conftest import DECLARATION

NAMES = [scenario.name for scenario in bundled()]
SHELL = [HERE / "lib.sh", *sorted(HERE.glob("*/*.sh"))]


def test_the_one_for_newcomers_comes_first() -> None:
    assert NAMES[0] == "quickstart"
    assert {"quickstart", "logging-cost", "request-coalescing"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_scenario_is_complete(name: str) -> None:
    scenario = find(name)
    assert scenario.question.endswith("?")
    assert (scenario.folder / "README.md").is_file()
    assert {*scenario.meanings} <= {*scenario.params, *scenario.settings}
    assert {*scenario.settings} <= {*scenario.meanings}
    of_variants = [need for needed in scenario.variant_needs.values() for need in needed]
    for wanted in [*scenario.needs, *scenario.tools, *of_variants]:
        matches = needs.look(wanted)
        assert matches.good or matches.install, f"nothing installs {wanted}"


@pytest.mark.parametrize("name", NAMES)
def test_the_full_profile_supports_verdicts_and_the_quick_one_is_quicker(name: str) -> None:
    quick, full = (plan(find(name), Wishes(profile=each)) for each in ("quick", "full"))
    assert full.repeats >= 8
    assert quick.duration_s < full.duration_s


@pytest.mark.parametrize("path", SHELL, ids=lambda path: path.relative_to(HERE).as_posix())
def test_shellcheck_has_nothing_to_say(path: Path) -> None:
    tool = shutil.which("shellcheck")
    if tool is None:
        pytest.skip("shellcheck is not in PATH")
    done = subprocess.run([tool, "-x", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('baseline = "plain"', 'baseline = "fancy"', "expected the baseline to be a variant"),
        ('build = "once"', 'build = "twice"', "build: expected one of none, once, variant"),
        ("size = [1, 2]", "size = []", "params: expected a table of lists"),
        ("size = [1, 2]", 'size = [1, "2"]', "params: expected a table of lists"),
        ("seconds = 0.1", "variant = 1", "expected params and settings with names of their own"),
        ("repeats = 2\n", "", "profiles.quick.repeats: expected the key 'repeats'"),
        ("repeats = 2", 'repeats = "2"', "profiles.quick.repeats: expected a number"),
        ('title = "A toy"', 'titel = "A toy"', "title: expected the key 'title'"),
        ('title = "A toy"', 'title = "A toy"\nx = 1', "x: expected no such key"),
        ("seconds = 1.0 }", "minutes = 1 }", "expected profiles that set what the scenario has"),
        ("[params]", "[params", "expected a scenario in TOML"),
    ],
)
def test_a_wrong_declaration_is_told_in_one_line(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "harness.sh").touch()
    (tmp_path / "scenario.toml").write_text(DECLARATION.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_scenario(tmp_path)
    assert message in str(caught.value)
    assert "scenario.toml" in str(caught.value)


def test_an_unknown_scenario_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"no scenario 'slowstart'; there are .*quickstart"):
        find("slowstart")
