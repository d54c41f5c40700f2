"""The simulation of docs/scale.md on cases that can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studies.scale_simulation import Site, Work, simulated

#: Four files, each 10 s of a core.
WORK = Work(files=4, file_bytes=100.0, core_bps=10.0)


def test_cores_bound_what_nothing_else_does() -> None:
    course = simulated(Site(workers=2, start_s=3.0), WORK)

    assert course.read_s == pytest.approx(3 + 2 * 10)
    assert course.done_s == course.read_s
    assert course.received_bytes == pytest.approx(400)


def test_a_file_too_many_takes_a_turn_of_its_own() -> None:
    assert simulated(Site(workers=3), WORK).read_s == pytest.approx(20)


def test_a_store_divides_what_it_sends() -> None:
    assert simulated(Site(workers=4, store_bps=8.0), WORK).read_s == pytest.approx(400 / 8)


def test_workers_of_a_machine_share_its_link() -> None:
    # Three on the first machine have 5 a second each, the fourth has 10 for itself.
    site = Site(workers=4, per_machine=3, link_bps=15.0)

    assert simulated(site, WORK).read_s == pytest.approx(20)
    assert simulated(site, replace(WORK, files=3)).read_s == pytest.approx(20)


def test_the_client_takes_outcomes_one_after_the_other() -> None:
    # Two are there after 10 s, two after 20 s: 10 + 4 × 6 = 34, of which a second each is the link.
    work = replace(WORK, outcome_bytes=100.0, take_s=5.0, combine_s=0.5)
    course = simulated(Site(workers=2, link_bps=100.0), work)

    assert course.read_s == pytest.approx(20)
    assert course.taken_s == pytest.approx(34)
    assert course.done_s == pytest.approx(36)
    assert course.client_busy_s == pytest.approx(26)


def test_a_dead_worker_loses_what_it_had_and_starts_again() -> None:
    # Both begin at 3 s. The first file is lost at 7 s, and read again by its worker from 10 to
    # 20 s; the other worker has the third from 13 to 23 s; the last one is read from 20 to 30 s.
    work = replace(WORK, deaths={0: (0.4,)})
    course = simulated(Site(workers=2, start_s=3.0), work)

    assert course.read_s == pytest.approx(30)
    assert course.received_bytes == pytest.approx(440)
