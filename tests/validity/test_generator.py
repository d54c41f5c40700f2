from __future__ import annotations

import json
from typing import Any

import pytest

from tests.validity.runs import One, plain, raised, run, state

CHECK = "GENERATOR_BUSY"


def sampled(tool: str, *loads: float, server: float = 0.0, **columns: Any) -> One:  # noqa: ANN401
    """Return a run on a machine of four processors, with samples of generator and server."""
    environment = json.dumps({"cores": 4})
    both = {tool: loads, "server": (server,) * len(loads)}
    return run(tool, loads=both, environment=environment, **columns)


def test_one_thread_can_keep_one_processor_busy() -> None:
    (finding,) = raised("GENERATOR_BUSY", sampled("ab", 0.94, 0.98))
    assert plain(finding.message) == (
        "a 0: ab kept 0.96 processors busy on average, as many as its one thread can."
    )
    assert finding.values["generator_cores"] == pytest.approx(0.96)
    assert state(CHECK, sampled("ab", 0.85, 0.9)) == {"passed"}


def test_more_threads_can_keep_more_busy() -> None:
    assert state(CHECK, sampled("ab", 0.96, threads=2)) == {"passed"}
    (finding,) = raised(CHECK, sampled("wrk", 1.9, threads=2))
    assert "wrk kept 1.90 processors busy on average, as many as it can: 2." in plain(
        finding.message
    )


def test_no_more_than_the_machine_has() -> None:
    assert raised(CHECK, sampled("wrk", 3.7, threads=16))


def test_a_machine_that_generator_and_server_use_up() -> None:
    (finding,) = raised(CHECK, sampled("wrk", 1.2, 1.0, server=2.6, threads=16))
    assert finding.title == "Load generator and servers kept all processors busy"
    assert plain(finding.message) == (
        "a 0: the sampled processes kept 3.70 of the machine's 4 processors busy on average, "
        "1.10 of them wrk."
    )
    assert state(CHECK, sampled("wrk", 1.2, 1.0, server=2.4, threads=16)) == {"passed"}


@pytest.mark.parametrize(
    "blind",
    [
        run("wrk", environment=json.dumps({"cores": 4}), threads=2),
        run("wrk", environment=json.dumps({"cores": 4}), loads={"server": (1.0,)}),
        run("wrk", loads={"wrk": (1.0,)}),
    ],
    ids=["no samples", "none of the generator", "neither threads nor processors"],
)
def test_what_it_needs(blind: One) -> None:
    assert state(CHECK, blind) == {"not applicable"}
