"""The workflows of docs/pipelines.md do what the page says, run as shell in a small project."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest
import yaml

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = (ROOT / "docs" / "pipelines.md").read_text(encoding="utf-8")
SERVER: Final = """
import os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep({delay_s})
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Answer).serve_forever()
"""
FAST_S: Final = 0.04
SLOW_S: Final = 0.15  # by more than what a busy machine adds
NAMES: Final = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"} | {
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def block(language: str, mark: str) -> str:
    """Return the one block of the page in a language that has a mark in it."""
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (text,) = (each for each in blocks if mark in each)
    return text


MEASURE: Final = block("sh", "bench/measure.sh BASE HEAD")
GITHUB: Final = yaml.safe_load(block("yaml", "runs-on:"))
GITLAB: Final = yaml.safe_load(block("yaml", "image:"))["benchmark"]


def program(name: str) -> str:
    return shutil.which(name) or name


@dataclass
class Project:
    """A repository with a server of two commits, and what its pipeline has on its path."""

    folder: Path
    commands: Path
    environment: dict[str, str] = field(default_factory=dict)

    def git(self, *words: str) -> str:
        done = subprocess.run(
            [program("git"), *words],
            cwd=self.folder,
            env=os.environ | NAMES,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, *, delay_s: float, message: str) -> str:
        (self.folder / "server.py").write_text(SERVER.format(delay_s=delay_s), encoding="utf-8")
        self.git("add", ".")
        self.git("commit", "--allow-empty", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD")

    def shell(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a step as runners do: a shell that ends at the first error."""
        path = os.pathsep.join([str(self.commands), os.environ["PATH"]])
        done = subprocess.run(
            [program("bash"), "-e", "-o", "pipefail", "-c", script],
            cwd=self.folder,
            env=os.environ | {"PATH": path} | self.environment | variables,
            check=False,
            capture_output=True,
            text=True,
            timeout=400,
        )
        print(done.stdout, done.stderr)  # noqa: T201 - shown where a test fails
        return done

    def called(self, command: str) -> list[list[str]]:
        """Return with which arguments a command was called that only writes them down."""
        log = self.commands / f"{command}.log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [json.loads(line) for line in lines]


#: On a machine that other tests keep busy, from some time on or until then, connections idle, a
#: request waits, and one variant gets faster from run to run.
BUSY: Final = """\
[ignored]
LITTLE_LOW = "other tests run beside these measurements"
STRAGGLER = "other tests run beside these measurements"
TREND = "other tests run beside these measurements"
"""


@pytest.fixture
def project(tmp_path: Path, need: Callable[[str], str]) -> Project:
    for tool in ("ab", "bash", "curl", "git"):
        need(tool)
    commands, folder = tmp_path / "bin", tmp_path / "project"
    commands.mkdir()
    (folder / "bench").mkdir(parents=True)
    own = f'#!/bin/sh\nexec "{sys.executable}" -m benchkit "$@"\n'
    noted = (
        f"#!{sys.executable}\nimport json, sys\n"
        "print(json.dumps(sys.argv[1:]), file=open(f'{__file__}.log', 'a'))\n"
    )
    words = {"benchkit": own, **dict.fromkeys(("gh", "sudo", "apt-get", "pip"), noted)}
    for name, text in words.items():
        (commands / name).write_text(text, encoding="utf-8")
        (commands / name).chmod((commands / name).stat().st_mode | stat.S_IXUSR)
    (folder / "bench" / "measure.sh").write_text(MEASURE, encoding="utf-8")
    configured = f"{block('toml', 'baseline')}\n{BUSY}"
    (folder / "benchkit.toml").write_text(configured, encoding="utf-8")
    (folder / ".gitignore").write_text("results\nhistory\n", encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = Project(folder, commands)
    made.environment = {"PORT": str(port), "REPEATS": "8", "REQUESTS": "40"} | {
        "TMPDIR": str(tmp_path),
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
    }
    made.git("init", "--quiet", "--initial-branch", "main")
    made.commit(delay_s=FAST_S, message="first")
    return made


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where what the first pipeline measured stays for the next."""
    return tmp_path_factory.mktemp("measured")


@contextmanager
def measured_once(project: Project, kept: Path) -> Iterator[None]:
    """Measure in the first pipeline; the next finds these results, if it asks for these commits."""
    if not kept.exists():
        yield
        shutil.copytree(project.folder / "results", kept)
        return
    commits = {"1": project.git("rev-list", "--max-parents=0", "HEAD")}
    commits["2"] = project.git("rev-parse", "HEAD")
    asked = (f'test "$(git rev-parse "${n}")" = {commit}\n' for n, commit in commits.items())
    script = "".join(("set -eu\n", *asked, f'cp -R "{kept}" results\n'))
    (project.folder / "bench" / "measure.sh").write_text(script, encoding="utf-8")
    yield


# --- GitHub ---

#: What expressions of the workflow are, by event.
EXPRESSIONS: Final[Mapping[str, Mapping[str, str | bool]]] = {
    event: {
        "github.ref == 'refs/heads/main'": event == "push",
        "!cancelled()": True,
        "!cancelled() && github.event_name == 'pull_request'": event == "pull_request",
        "github.event.pull_request.head.repo.full_name == github.repository && "
        "github.token || ''": "token",
        "github.repository": "owner/name",
        "github.event.pull_request.number": "17",
        "github.event_name == 'push' && github.event.before || 'HEAD^1'": "HEAD^1"
        if event == "pull_request"
        else "0" * 40,  # as of a branch that was not there
    }
    for event in ("push", "pull_request")
}


def expression(text: str, event: str) -> str | bool:
    return EXPRESSIONS[event][text.removeprefix("${{").removesuffix("}}").strip()]


def github(project: Project, event: str) -> dict[str, int]:
    """Run the steps of the workflow; return the status of each by its name.

    After a step that failed only those run that say so.
    """
    statuses: dict[str, int] = {}
    variables = {
        "GITHUB_SHA": project.git("rev-parse", "HEAD"),
        "GITHUB_REF_NAME": "main" if event == "push" else "17/merge",
        "GITHUB_STEP_SUMMARY": str(project.commands / "summary.md"),
        "GITHUB_ACTIONS": "true",
    }
    for step in GITHUB["jobs"]["benchmark"]["steps"]:
        condition = step.get("if", "")
        is_asked = not condition or expression(condition, event)
        if not is_asked or (any(statuses.values()) and "cancelled()" not in condition):
            continue
        if "run" in step:
            own = {
                name: str(expression(value, event)) for name, value in step.get("env", {}).items()
            }
            statuses[step["name"]] = project.shell(step["run"], **variables, **own).returncode
    return statuses


@pytest.mark.slow
def test_github_stops_a_change_that_is_slower_and_comments(project: Project, earlier: Path) -> None:
    project.commit(delay_s=SLOW_S, message="slower")
    with measured_once(project, earlier / "slower"):
        statuses = github(project, "pull_request")
    assert statuses == {"Install": 0, "Measure": 0, "Check": 1, "Comment": 0}
    comment = (project.folder / "comment.md").read_text(encoding="utf-8")
    assert fails_with_interval(comment, "head: p50<+5%")
    assert (project.commands / "summary.md").read_text(encoding="utf-8") == comment
    assert project.called("gh") == [
        ["pr", "comment", "17", "--edit-last", "--create-if-none", "--body-file", "comment.md"]
    ]
    assert cases(project)["failure"]
    assert (project.folder / "report.html").stat().st_size
    assert not (project.folder / "history").exists()
    assert project.git("worktree", "list").count("\n") == 0


@pytest.mark.slow
def test_github_lets_pass_what_changed_nothing_and_keeps_it(
    project: Project, earlier: Path
) -> None:
    commit = project.commit(delay_s=FAST_S, message="words only")
    with measured_once(project, earlier / "same"):
        statuses = github(project, "push")
    assert statuses == {"Install": 0, "Measure": 0, "Keep the history": 0, "Check": 0}
    assert not cases(project)["failure"]
    done = project.shell("benchkit history history --format json")
    (save,) = json.loads(done.stdout)["saves"]
    assert (save["commit"], save["branch"], save["runs"]) == (commit, "main", 8)
    assert (project.folder / "history.html").stat().st_size
    assert project.called("gh") == []


@pytest.mark.parametrize("pipeline", ["github", "gitlab"])
def test_a_push_of_several_commits_is_measured_from_what_was_there_before(
    project: Project, pipeline: str
) -> None:
    (project.folder / "bench" / "measure.sh").write_text('echo "base $1"\n', encoding="utf-8")
    before = project.git("rev-parse", "HEAD")
    for message in ("first of the push", "second of the push"):
        project.commit(delay_s=FAST_S, message=message)
    if pipeline == "github":
        (script,) = (step["run"] for step in steps() if step.get("name") == "Measure")
        name = "BASE"
    else:
        script, name = GITLAB["script"][0], "CI_COMMIT_BEFORE_SHA"
    assert f"base {before}\n" in project.shell(script, **{name: before}).stdout
    gone = project.shell(script, **{name: "0" * 40})  # of a branch that was not there
    assert (gone.returncode, gone.stdout) == (0, "base HEAD^1\n")


def fails_with_interval(markdown: str, rule: str) -> bool:
    """Whether the table has a rule that failed, with an interval beyond a change of 5 %."""
    rows = [line for line in markdown.splitlines() if line.startswith("|") and "failed" in line]
    (row,) = (line for line in rows if rule in line.replace("\\", ""))
    factors = re.search(r"([0-9.]+)–[0-9.]+×", row)
    per_cent = re.search(r"\+([0-9.]+)\sto\s\+[0-9.]+\s%", row)
    if factors:
        return float(factors[1]) > 1.05
    return per_cent is not None and float(per_cent[1]) > 5


def cases(project: Project) -> dict[str, list[str]]:
    """Return the names of the cases of the JUnit file by what came of them."""
    root = ET.parse(project.folder / "junit.xml").getroot()  # noqa: S314 - ours
    listed: dict[str, list[str]] = {kind: [] for kind in ("failure", "error", "skipped")}
    for case in root.iter("testcase"):
        for outcome in case:
            listed[outcome.tag].append(case.attrib["name"])
    assert len(list(root.iter("testcase"))) >= 5
    return listed


# --- GitLab ---


class Notes(BaseHTTPRequestHandler):
    """An API that takes comments."""

    taken: Final[list[tuple[str, str | None, str]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.taken.append((self.path, self.headers["PRIVATE-TOKEN"], body))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def notes() -> Iterator[str]:
    Notes.taken.clear()
    server = HTTPServer(("127.0.0.1", 0), Notes)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def gitlab(project: Project, **variables: str) -> int:
    """Run the job, `after_script` whatever came of it; return its status."""
    known = GITLAB["variables"] | variables
    script = "\n".join(GITLAB["before_script"] + GITLAB["script"])
    status = project.shell(script, **known).returncode
    assert project.shell("\n".join(GITLAB["after_script"]), **known).returncode == 0
    return status


def variables_where(condition: str) -> dict[str, str]:
    """Return the variables of the rule of the job with a condition."""
    (rule,) = (each for each in GITLAB["rules"] if each["if"] == condition)
    return dict(rule["variables"])


@pytest.mark.slow
def test_gitlab_stops_a_change_that_is_slower_and_comments(
    project: Project, notes: str, earlier: Path
) -> None:
    base = project.git("rev-parse", "HEAD")
    project.commit(delay_s=FAST_S, message="on the way")
    project.commit(delay_s=SLOW_S, message="slower")
    known = variables_where('$CI_PIPELINE_SOURCE == "merge_request_event"')
    known |= {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_MERGE_REQUEST_IID": "5"}
    known |= {"CI_PROJECT_ID": "3", "CI_API_V4_URL": notes, "BENCHMARK_TOKEN": "token"}
    with measured_once(project, earlier / "slower"):
        assert gitlab(project, **known) == 1
    ((path, token, body),) = Notes.taken
    assert (path, token) == ("/projects/3/merge_requests/5/notes", "token")
    assert fails_with_interval(body, "head: p50<+5%")
    assert cases(project)["failure"]
    assert not (project.folder / "history").exists()


@pytest.mark.slow
def test_gitlab_lets_pass_what_changed_nothing_and_keeps_it(
    project: Project, notes: str, earlier: Path
) -> None:
    commit = project.commit(delay_s=FAST_S, message="words only")
    known = variables_where("$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH")
    known |= {"CI_COMMIT_SHA": commit, "CI_COMMIT_BRANCH": "main", "CI_API_V4_URL": notes}
    with measured_once(project, earlier / "same"):
        assert gitlab(project, **known) == 0
    assert not cases(project)["failure"]
    (save,) = json.loads(project.shell("benchkit history history --format json").stdout)["saves"]
    assert (save["commit"], save["branch"], save["runs"]) == (commit, "main", 8)
    assert Notes.taken == []  # no token, no request


# --- what can be said without running them ---


def steps() -> list[dict[str, Any]]:
    return list(GITHUB["jobs"]["benchmark"]["steps"])


def test_everything_that_is_fetched_is_pinned() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]
    assert len(used) == 5
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each)] == []
    assert GITHUB["jobs"]["benchmark"]["runs-on"] == "ubuntu-24.04"
    assert re.fullmatch(r"python:3\.[0-9]+\.[0-9]+-[a-z-]+", GITLAB["image"])
    installs = re.findall(r"pip install (.*)", PAGE)
    assert len(installs) == 2
    assert all(line.endswith("@COMMIT'") for line in installs)


def test_no_step_is_put_together_from_the_names_of_a_change() -> None:
    assert [step for step in steps() if "${{" in step.get("run", "")] == []


def test_artifacts_are_what_the_steps_write() -> None:
    written = {"report.html", "junit.xml", "history.html", "comment.md"}
    for name in written:
        assert any(name in step.get("run", "") for step in steps())
        assert any(name in line for line in GITLAB["script"])
    assert GITLAB["artifacts"]["reports"] == {"junit": "junit.xml"}
    assert {"report.html", "junit.xml", "history.html"} < set(GITLAB["artifacts"]["paths"])


def test_the_script_is_good_shell(need: Callable[[str], str], tmp_path: Path) -> None:
    path = tmp_path / "measure.sh"
    path.write_text(MEASURE, encoding="utf-8")
    subprocess.run([need("sh"), "-n", str(path)], check=True)
    checker = shutil.which("shellcheck")
    if checker is not None:
        subprocess.run([checker, str(path)], check=True)
