"""vegeta's command line."""

import pytest

from benchkit.parsers.vegeta import read

DEFAULTS = {
    "offered_rate_rps": 50.0,
    "load_model": "open",
    "timeout_s": 30.0,
    "keepalive": True,
}


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("attack", {}),
        ("attack -duration=100s -targets=targets.http", {}),
        ("-cpus 2 -profile=heap attack -rate=100", {"offered_rate_rps": 100.0}),
        ("attack --rate 300/1m", {"offered_rate_rps": 5.0}),
        ("attack -rate=5000/s", {"offered_rate_rps": 5000.0}),
        ("attack -rate 1/500ms -lazy -timeout 1m30s", {"offered_rate_rps": 2.0, "timeout_s": 90.0}),
        (
            "attack -keepalive=false -insecure -rate=7",
            {"keepalive": False, "offered_rate_rps": 7.0},
        ),
        ("attack -keepalive -rate 7", {"offered_rate_rps": 7.0}),
        ("attack -unknown x -rate 9", {"offered_rate_rps": 9.0}),
        ("attack -name a positional -rate 9", {}),
    ],
)
def test_open_attacks(line: str, changes: dict[str, object]) -> None:
    assert read(line.split()) == DEFAULTS | changes


def test_rate_0_is_a_closed_loop() -> None:
    records = read(["attack", "-rate=0", "-max-workers=20", "-duration=1s"])
    assert records == {"load_model": "closed", "threads": 20, "timeout_s": 30.0, "keepalive": True}
    assert "threads" not in read(["attack", "-rate", "0/1s"])


@pytest.mark.parametrize("rate", ["infinity", "fast", "1/0s", "1/", "", "-5", "1_0"])
def test_a_rate_that_is_none_is_left_out(rate: str) -> None:
    records = read(["attack", f"-rate={rate}"])
    assert records.get("offered_rate_rps") in ({1.0} if rate == "1/" else {None})


@pytest.mark.parametrize(
    "line", ["", "report -type=json", "-version", "encode", "attack -h", "plot"]
)
def test_other_commands_say_nothing(line: str) -> None:
    assert read(line.split()).keys() <= DEFAULTS.keys()
    assert line == "attack -h" or not read(line.split())
