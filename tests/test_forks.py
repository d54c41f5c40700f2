"""One piece of work done by several processes: the same results, whatever becomes of the others.

The process of the tests has several threads and does not fork, so each test starts one that does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from textwrap import dedent

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2,
    reason="processes are forked on Linux, where there are several processors",
)

#: Each item takes a while, so that every process gets some.
_BEGIN = """
import os, signal, sys, time
from benchkit.forks import is_fork, mapped

def slow(item):
    time.sleep(0.02)
    return item * item
"""


def printed_by(code: str) -> str:
    command = [sys.executable, "-c", _BEGIN + dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
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


@pytest.mark.parametrize(
    "end", ["os.kill(os.getpid(), signal.SIGKILL)", "raise MemoryError", "return lambda: 1"]
)
def test_what_a_process_does_not_deliver_is_done_again_here(end: str) -> None:
    code = f"""
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
