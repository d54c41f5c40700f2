"""One piece of work done by several processes: the same results, whatever becomes of the others.

The process of the tests has several threads and does not fork, so each test starts one that does.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from textwrap import dedent

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2,
    reason="processes are forked on Linux, where there are several processors",
)

EXAMPLES = Path(__file__).parents[2] / "examples" / "results" / "request-coalescing"

#: Each item takes a while, so that every process gets some.
_BEGIN = """
import os, signal, sys, time
from benchkit.runtime.forks import is_fork, mapped

def slow(item):
    time.sleep(0.02)
    return item * item
"""


def printed_by(code: str) -> str:
    command = [sys.executable, "-c", _BEGIN + dedent(code)]
    # Threads of numpy would keep the process from forking.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    assert not done.stderr, done.stderr
    return done.stdout


def test_each_item_has_its_result_and_several_processes_have_worked() -> None:
    code = """
        def work(item):
            return slow(item), os.getpid()

        results = dict(mapped(work, range(40)))
        print([results[n][0] for n in range(40)] == [n * n for n in range(40)])
        print(len({process for _, process in results.values()}) > 1)
    """
    assert printed_by(code) == "True\nTrue\n"


def test_few_items_are_not_worth_a_process() -> None:
    code = "print({value for _, value in mapped(lambda _: os.getpid(), range(40), least=32)}"
    assert printed_by(f"{code} == {{os.getpid()}})") == "True\n"


def test_a_process_with_several_threads_does_not_fork() -> None:
    code = """
        import threading
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
        print({value for _, value in mapped(lambda _: os.getpid(), range(40))} == {os.getpid()})
    """
    assert printed_by(code) == "True\n"


def test_what_every_process_has_stays_the_same_object() -> None:
    code = """
        class Run:
            pass

        runs = [Run() for _ in range(40)]

        def work(number):
            slow(number)
            return {"of": runs[number], "new": Run()}

        results = dict(mapped(work, range(40), shared=runs))
        print(all(results[n]["of"] is runs[n] for n in range(40)))
    """
    assert printed_by(code) == "True\n"


def test_what_others_did_is_told_here_when_it_has_come() -> None:
    code = """
        own, others = [], []

        def work(number):
            if not is_fork():
                own.append(number)
            return slow(number)

        dict(mapped(work, range(40), received=others.append))
        print(sorted(own + others) == list(range(40)), bool(others), is_fork())
    """
    assert printed_by(code) == "True True False\n"


def test_parsers_and_patterns_come_back() -> None:
    """Some parsers hold functions without a name, which cannot be written."""
    code = """
        import re
        from benchkit import registry

        parsers = registry.bundled()

        def work(number):
            slow(number)
            return os.getpid(), parsers[number], re.compile(str(number))

        results = dict(mapped(work, range(len(parsers)), shared=parsers))
        print(all(results[n][1] is parsers[n] for n in range(len(parsers))))
        print(len({process for process, *_ in results.values()}) > 1)
    """
    assert printed_by(code) == "True\nTrue\n"


def test_warnings_and_what_is_printed_are_there_as_often_as_without_forks() -> None:
    code = """
        import warnings

        def work(number):
            slow(number)
            print("line")
            warnings.warn(f"item {number}")

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            dict(mapped(work, range(40)))
        print(len({str(warning.message) for warning in caught}))
    """
    printed = printed_by(code)
    assert printed.count("line") == 40  # without a buffer an end of a line may stand elsewhere
    assert printed.endswith("40\n")


def test_where_nobody_waits_for_children_each_item_has_its_result() -> None:
    code = """
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print(sorted(mapped(slow, range(40))) == [(n, n * n) for n in range(40)])
    """
    assert printed_by(code) == "True\n"


@pytest.mark.parametrize(
    "end",
    [
        *("os.kill(os.getpid(), signal.SIGKILL)", "raise MemoryError"),
        *("return lambda: 1", "return Two(1, 2)"),
    ],
)
def test_what_a_process_does_not_deliver_is_done_again_here(end: str) -> None:
    code = f"""
        class Two(Exception):
            def __init__(self, first, second):
                super().__init__(first)

        def work(number):
            slow(number)
            if is_fork():
                {end}
            return number

        print(sorted(mapped(work, range(40))) == [(n, n) for n in range(40)])
    """
    assert printed_by(code) == "True\n"


def test_an_error_is_raised_as_if_there_were_no_other_process() -> None:
    code = """
        def work(number):
            slow(number)
            if number == 33:
                raise ValueError("item 33")
            return number

        try:
            dict(mapped(work, range(40)))
        except ValueError as error:
            print(error)
    """
    assert printed_by(code) == "item 33\n"


def test_no_process_is_left_when_somebody_stops_listening() -> None:
    code = """
        results = mapped(slow, range(1000))
        next(results)
        results.close()
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            print("none")
    """
    assert printed_by(code) == "none\n"


def test_an_end_of_the_process_ends_its_forks(tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    code = f"""
        def work(number):
            if is_fork():
                with open({str(alive)!r}, "a") as file:
                    file.write(f"{{os.getpid()}}\\n")
                time.sleep(60)
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGKILL)

        dict(mapped(work, range(40)))
    """
    command = [sys.executable, "-c", _BEGIN + dedent(code)]
    subprocess.run(command, timeout=60, check=False)
    (process,) = map(int, alive.read_text().split())
    for _ in range(100):
        if not Path(f"/proc/{process}").exists() or " Z " in _stat(process):
            return
        time.sleep(0.05)
    pytest.fail("the fork is still there")


def _stat(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return " Z "


#: Runs a command, and writes a line into a file for each fork.
_COUNTING = """
import os, sys
fork = os.fork

def counted():
    with open(sys.argv[1], "a") as file:
        file.write("fork\\n")
    return fork()

os.fork = counted
from benchkit.cli.guard import run
sys.exit(run(sys.argv[2:]))
"""


def _drained(terminal: int) -> None:
    with contextlib.suppress(OSError):  # when nobody has its other end
        while os.read(terminal, 4096):
            pass
    os.close(terminal)


def test_a_command_forks_on_a_terminal_too_and_says_the_same_with_one_processor(
    tmp_path: Path,
) -> None:
    forks = tmp_path / "forks"
    forks.touch()
    command = [sys.executable, "-c", _COUNTING, str(forks), "show", str(EXAMPLES)]
    terminal, stderr = os.openpty()
    reader = threading.Thread(target=_drained, args=(terminal,))
    reader.start()
    try:
        usual = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=stderr, timeout=60, check=True
        )
    finally:
        os.close(stderr)
        reader.join()
    assert forks.read_text()
    alone = subprocess.run(
        command,
        capture_output=True,
        timeout=60,
        check=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    )
    assert usual.stdout == alone.stdout
