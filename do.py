"""Set-up and the two commands of the README, with nothing but Python.

    python3 do.py report            render a report from the sample results
    python3 do.py test [ARGS...]    linters, types, tests; ARGS go to pytest

Either makes `.venv` beside this file, or reuses it, and installs benchkit in it when that is due.
It works on Linux, macOS and Windows, and needs a network only for pip.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NEEDED = (3, 11)
if sys.version_info < NEEDED:  # above this line, and in its syntax, an old Python must get along
    sys.exit(
        "do.py: benchkit needs Python {}.{} or newer, this is {}.{} ({})".format(
            *NEEDED, *sys.version_info[:2], sys.executable
        )
    )

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "benchkit-installed.txt"
HERE = Path(sys.executable)
ADVICE = "on Debian and Ubuntu: apt install python3-venv"
Command = Sequence[str | Path]

CHECKS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy", "--strict"],
}


class SetupError(Exception):
    """Something on this machine is missing; the message says what, and what to do."""


def say(line: str) -> None:
    """Tell the person who waits; at once, also through a pipe."""
    print(f"do.py: {line}", flush=True)


def answers(python: Path, code: str) -> bool:
    """Whether `python` runs `code` without an error."""
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def run_module(*arguments: str | Path) -> int:
    """Run `python -m ...` of `.venv` in the checkout, in sight; return the exit status."""
    return subprocess.run([PYTHON, "-m", *arguments], cwd=ROOT, check=False).returncode


def run_check(command: Command) -> "subprocess.CompletedProcess[str]":
    """Run `python -m ...` likewise, and return what it prints."""
    return subprocess.run(
        [PYTHON, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )


def ensure_venv() -> None:
    """Make `.venv`, or reuse one whose Python still runs; either way with pip in it."""
    if not answers(PYTHON, f"import sys; sys.exit(sys.version_info < {NEEDED})"):
        say(f"making {VENV}")
        if not answers(HERE, "import venv"):
            raise SetupError(f"this Python has no venv module; {ADVICE}")
        run_quietly([HERE, "-m", "venv", "--clear", "--without-pip", VENV])
    if answers(PYTHON, "import pip"):
        return
    if answers(PYTHON, "import ensurepip"):
        run_quietly([PYTHON, "-m", "ensurepip"])
    elif answers(HERE, "import pip"):  # Debian, Ubuntu: ensurepip comes with python3-venv only
        pip_install([HERE, "-m", "pip", "--python", PYTHON], ["pip"])
    else:
        raise SetupError(f"this Python has neither ensurepip nor pip; {ADVICE}")


def run_quietly(command: Command) -> None:
    """Run; on failure show what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        line = " ".join(map(str, command))
        raise SetupError(f"{line} failed:\n{(done.stdout + done.stderr).rstrip()}")


def pip_install(pip: Command, what: list[str]) -> None:
    """Install, with a line for each distribution looked at and the rest only on failure."""
    # pip compiles with one processor.
    options = ["--disable-pip-version-check", "--no-input", "--no-compile", "--progress-bar", "off"]
    heard: list[str] = []
    with subprocess.Popen(
        [*pip, "install", *options, *what],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            heard.append(line)
            if line.startswith(("Collecting ", "Installing ")):
                print("  " + line.partition(" (from ")[0].rstrip()[:76], flush=True)
    if process.returncode:
        raise SetupError("pip failed:\n" + "".join(heard[-25:]).rstrip())


def fingerprint() -> str:
    """What an installation depends on; an editable one follows the sources by itself."""
    parts = [(ROOT / "pyproject.toml").read_bytes(), os.fsencode(ROOT)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def ensure_installed(extra: str = "") -> None:
    """Make sure `.venv` has benchkit, editable, with the dependencies of `extra`."""
    ensure_venv()
    wanted = fingerprint()
    stamp = STAMP.read_text(encoding="utf-8").split() if STAMP.is_file() else []
    if stamp[:1] == [wanted] and (not extra or extra in stamp):
        return
    say("installing benchkit and what it needs; the first time this takes a few minutes")
    target = f".[{extra}]" if extra else "."
    pip_install([PYTHON, "-m", "pip"], ["--editable", target])
    # Where Python may not write, it would translate every module at every start. Some that are
    # installed are for another version of it, and of no use here.
    run_module("compileall", "-qq", "-j", "0", "benchkit", "parsers", "templates", VENV)
    STAMP.write_text(f"{wanted} {extra}\n", encoding="utf-8")


def report() -> int:
    """Render `report.html` from the sample results and say where it is."""
    ensure_installed()
    page = ROOT / "report.html"
    status = run_module("benchkit", "report", ROOT / "examples" / "results", "-o", page)
    if status == 0:
        say(f"open the report in a browser: {page.as_uri()}")
    return status


def test(arguments: list[str]) -> int:
    """Run the linters and the type checker beside pytest; what they say comes last."""
    ensure_installed("dev")
    checks = ThreadPoolExecutor(1)  # beside the tests, which leave a processor idle now and then
    done = {name: checks.submit(run_check, command) for name, command in CHECKS.items()}
    say("pytest")
    # Each takes a part of the list, where files stay whole (a browser or a built wheel is made
    # once), and who has done takes half of what is left to another: none waits for another.
    spread = [] if arguments else ["-n", "4", "--dist", "worksteal"]
    status = run_module("pytest", *spread, *arguments)
    failed = []
    for name, check in done.items():
        result = check.result()
        say(f"{name}: {result.stdout.strip()}{result.stderr.strip()}")
        if result.returncode:
            failed.append(name)
    if failed:
        say(f"failed: {', '.join(failed)}")
    return status or int(bool(failed))


def main(arguments: list[str]) -> int:
    """Dispatch; the exit status is that of what was run."""
    try:
        if arguments == ["report"]:
            return report()
        if arguments[:1] == ["test"]:
            return test(arguments[1:])
    except SetupError as error:
        print(f"do.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(__doc__)
    return 0 if arguments in (["-h"], ["--help"]) else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
