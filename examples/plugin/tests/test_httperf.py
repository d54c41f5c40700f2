from pathlib import Path

from benchkit_httperf import PARSERS

import benchkit
from benchkit.testing import ParserCheck, parametrize_checks

DATA = Path(__file__).parent / "data"


@parametrize_checks(PARSERS[0], DATA)
def test_the_parser_passes_the_checks(check: ParserCheck) -> None:
    check()


def test_the_figures_are_those_of_the_report() -> None:
    run = benchkit.load(DATA / "stall.txt").runs.iloc[0]
    assert (run["tool"], run["requests"], run["errors"], run["non2xx"]) == ("httperf", 100, 5, 0)
    assert (run["duration_s"], run["latency_mean_s"], run["timeout_s"]) == (1.5, 0.0004, 0.5)
    assert (run["offered_rate_rps"], run["load_model"]) == (100, "open")
