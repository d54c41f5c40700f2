"""Cut outputs give no wrong value: a share of all prefixes, and the ends that once did.

`python -m studies.prefixes` goes through all of them and writes docs/robustness.md.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.damage.prefixes import Recording, outcome_of, recordings

SHARE = 1500
#: What a fixture was cut behind when a value was wrong, or missing without a word.
ONCE_WRONG = (
    ("autocannon/table-timeouts.txt", "15 m"),
    ("autocannon/table-timeouts.txt", "kB read\n20 err"),
    ("autocannon/table-timeouts.txt", "kB read\n20 errors (2"),
    ("autocannon/table-samples.txt", "Req/Sec   │ 92      │ 92"),
    ("autocannon/table.txt", "# of samp"),
    ("vegeta/ok.report.txt", "200:3"),
    ("vegeta/errors.report.txt", 'Error Set:\nGet "'),
    ("vegeta/errors.report.txt", "unexpec"),
    ("vegeta/errors.report.txt", "0:120  200:30"),
    ("vegeta/errors.csv", "http://127.0.0.1:8931/o"),
    ("ab/few.txt", "Total:          0    8   7.9     15      1"),
    ("ab/few.txt", "  50%     1"),
    ("ab/few.txt", "\n\nPercentage of"),
    ("ab/few.txt", "16 (longes"),
    ("ab/few.csv", "50,"),
    ("wrk/lua-done.txt", "50% 1"),
    ("wrk/lua-done.txt", "Trans"),
    ("wrk2/latency.txt", "0.500000          4"),
    ("rewrk/pct.txt", "10.32m"),
    ("locust/plain_stats_history.csv", "11.8651685393258"),
    ("fortio/mixed.txt", "IP addresses distribution:\n127"),
    ("fortio/access.txt", "Sockets used: 4"),
    ("fortio/grpc.txt", "SERVING : 1"),
    ("h2load/plain.txt", "time for connect"),
    ("ghz/not-found.txt", "Error dist"),
    ("k6/one.txt", "EXECUTION"),
)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Recording]:
    return list(recordings(tmp_path_factory.mktemp("prefixes")))


def test_a_cut_output_gives_no_wrong_value(recorded: Sequence[Recording], tmp_path: Path) -> None:
    drawn = random.Random(4)  # noqa: S311 - no secret
    cases = [(r := drawn.choice(recorded), drawn.choice(r.lengths)) for _ in range(SHARE)]
    outcomes = [(outcome_of(*case, tmp_path), case[0].name, case[1]) for case in cases]
    assert [each for each in outcomes if each[0][0] == "wrong"] == []
    silent = sum(outcome == "absent" for (outcome, _), _, _ in outcomes)
    assert silent <= 0.01 * SHARE


@pytest.mark.parametrize(("name", "end"), ONCE_WRONG)
def test_what_was_wrong_once_is_not_wrong_again(
    recorded: Sequence[Recording], tmp_path: Path, name: str, end: str
) -> None:
    recording = next(each for each in recorded if each.name == name)
    length = recording.content.index(end.encode()) + len(end.encode())
    outcome, what = outcome_of(recording, length, tmp_path)
    assert outcome in {"absent, noted", "refused"}, what
