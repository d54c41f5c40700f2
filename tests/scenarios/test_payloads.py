"""Whatever a name or a value holds, a harness gets it as data and never as code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from benchkit.errors import InputError, UsageError
from benchkit.scenarios.declaration import HERE, Scenario, read_scenario
from benchkit.scenarios.matrix import Wishes, plan
from benchkit.scenarios.runner import execute

from .conftest import DECLARATION

#: Each makes a file of this name where a shell takes it for more than a text.
SIGN: Final = "was-code"
PAYLOADS: Final = {
    "substitution": f"$(touch {SIGN})",
    "backticks": f"`touch {SIGN}`",
    "double quote": f'"; touch {SIGN}; "',
    "single quote": f"'; touch {SIGN}; '",
    "line": f"a\ntouch {SIGN}\n",
    "semicolon": f"; touch {SIGN} #",
    "pipe": f"| touch {SIGN} &",
    "subscript": f"a[$(touch {SIGN})]",
    "closed subscript": f"x]=1; touch {SIGN}; a[0",
    "parameter": f"${{x:=$(touch {SIGN})}}",
    "process": f"<(touch {SIGN})",
    "option": "-n",
    "options": "--help",
    "glob": "*",
    "class": "[a-z]?",
    "tilde": "~/x",
    "format": "%s%n%(x)T",
    "backslash": "\\x41\\0\\c",
    "blanks": "  two   blanks  ",
    "up": "../../..",
    "not ASCII": "µ\u202e",
}

#: Gives a text to all of lib.sh that takes one, and shows what it was given.
SCRIPT: Final = """
source "$1/lib.sh"
text=$2
BK_TOOL=$text
bk_step "$text"
bk_note "$text" "$text"
bk_keep kept "$text"
bk_as "$text" "$text"
bk_say "$text"
bk_start "$text" --log "$BK_WORK/log" -- bash -c 'sleep 9; :' "$text"
bk_lives "$text"
bk__watching
bk_log_size "$text" >/dev/null
bk_stop "$text"
! bk_lives "$text"
bk_load "$text" 9 printf '%s' "$text"
[[ $kept == "$text" ]]
(bk_fail "$text") || true
"""


@pytest.fixture
def bash() -> str:
    path = shutil.which("bash")
    if not sys.platform.startswith("linux") or path is None or shutil.which("setpriv") is None:
        pytest.skip("scenarios run on Linux, with bash and setpriv")
    return path


@pytest.mark.parametrize("name", PAYLOADS)
def test_every_function_takes_a_text_as_it_is(name: str, bash: str, tmp_path: Path) -> None:
    text, work = PAYLOADS[name], tmp_path / "work $(touch was-code)"
    work.mkdir()
    done = subprocess.run(
        [bash, "-c", SCRIPT, "bash", str(HERE), text],
        env={**os.environ, "BK_WORK": str(work), "BK_OUT": str(work)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"{text}\n{text}\n" in done.stderr  # said, and the reason of the failure
    assert (work / "facts").read_text() == f"{text}\0{text}\0kept\0{text}\0"
    assert (work / "as").read_text() == f"{text}\0{text}\0"
    recorded = (work / "commands" / "001.argv").read_text().split("\0")
    assert recorded == [text, "bash", "-c", "sleep 9; :", text, ""]
    assert (work / "reason").read_text() == f"{text}\n"
    assert not list(tmp_path.rglob(SIGN))


def declared(toy: Scenario, folder: Path, *texts: str) -> Scenario:
    """The toy in another folder, with these as variants, levels of a param, and a setting."""
    shutil.copytree(toy.folder, folder)
    names = [json.dumps(text) for text in texts]
    declaration = DECLARATION.replace('plain = "answers"', "\n".join(f"{n} = ''" for n in names))
    declaration = declaration.replace('baseline = "plain"', f"baseline = {names[0]}")
    declaration = declaration.replace("size = [1, 2]", f"size = [{names[-1]}]")
    declaration = declaration.replace("seconds = 0.1", f"seconds = 0.1\nheader = {names[-1]}")
    (folder / "scenario.toml").write_text(declaration, encoding="utf-8")
    return read_scenario(folder)


def test_names_and_values_of_a_scenario_are_data(toy: Scenario, tmp_path: Path) -> None:
    commands = [text for name, text in PAYLOADS.items() if SIGN in text]
    texts = "".join(commands), "-rf * ?[a] ~ ${IFS}" + PAYLOADS["format"]
    scenario = declared(toy, tmp_path / f"$(touch {SIGN}) 'toy' *", *texts)
    wishes = Wishes(repeats=1, variants=texts)
    results = tmp_path / f"`touch {SIGN}`" / "-o"
    outcome = execute(plan(scenario, wishes), results, seed=1, listener=lambda _: None)
    assert outcome.failed == []
    metas = [json.loads(path.read_bytes()) for path in results.rglob("meta.json")]
    assert {meta["variant"] for meta in metas} == {*texts}
    assert {meta["params"]["size"] for meta in metas} == {texts[-1]}
    assert {meta["settings"]["header"] for meta in metas} == {texts[-1]}
    assert not list(tmp_path.rglob(SIGN))


def test_a_count_is_no_arithmetic(bash: str, tmp_path: Path) -> None:
    harness = HERE / "proxy-http-impl" / "harness.sh"
    functions = harness.read_text(encoding="utf-8").replace('bk_main "$@"', "constrain")
    done = subprocess.run(
        [bash, "-c", functions],
        env={
            **os.environ,
            "BK_LIB": str(HERE),
            "BK_WORK": str(tmp_path),
            "BK_CPUS": PAYLOADS["subscript"],
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "is neither a count nor all" in done.stderr
    assert not list(tmp_path.rglob(SIGN))


@pytest.mark.parametrize("name", ["a=b", "a b", "$(x)", "1a", "a.b", ""])
def test_a_param_has_the_name_of_a_variable(name: str, toy: Scenario) -> None:
    path = toy.folder / "scenario.toml"
    path.write_text(DECLARATION.replace("size = [", f"{json.dumps(name)} = ["), encoding="utf-8")
    with pytest.raises(InputError, match="letters, digits, _ and -"):
        read_scenario(toy.folder)


@pytest.mark.parametrize("channel", ["plain", "size = [1", "seconds = 0.1"])
def test_no_variable_holds_a_nul(channel: str, toy: Scenario) -> None:
    hostile = {
        "plain": DECLARATION.replace("plain =", '"plain\\u0000" =').replace(
            '"plain"', '"plain\\u0000"'
        ),
        "size = [1": DECLARATION.replace("size = [1, 2]", 'size = ["\\u0000"]'),
        "seconds = 0.1": DECLARATION.replace("seconds = 0.1", 'seconds = "\\u0000"'),
    }[channel]
    (toy.folder / "scenario.toml").write_text(hostile, encoding="utf-8")
    with pytest.raises(InputError, match="NUL"):
        read_scenario(toy.folder)


def test_two_variants_never_share_a_folder(toy: Scenario, tmp_path: Path) -> None:
    scenario = declared(toy, tmp_path / "other", "a/b", "a_b")
    wanted = plan(scenario, Wishes(repeats=1, variants=["a/b", "a_b"]))
    with pytest.raises(UsageError, match="would share the folder"):
        execute(wanted, tmp_path / "results", seed=1, listener=lambda _: None)


def test_a_run_set_names_no_run_that_was_not_planned(toy: Scenario, tmp_path: Path) -> None:
    wanted = plan(toy, Wishes(repeats=1, variants=["plain"], set=["size=1"]))
    results = tmp_path / "results"
    execute(wanted, results, seed=1, listener=lambda _: None)
    path = results / "toy" / "run-set.json"
    content = json.loads(path.read_bytes())
    content["runs"][0] |= {"variant": "plain+size-1", "params": {}, "state": "pending"}
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UsageError, match="would share the folder"):
        execute(wanted, results, seed=1, listener=lambda _: None)
