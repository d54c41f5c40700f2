from pathlib import Path

import pytest

from benchkit.scenarios.finish import measured


@pytest.mark.parametrize(
    ("ends", "loaded_until_s"),
    [
        ({}, None),
        ({"1": "98.5 0", "2": "99.5 0"}, 99.5),  # a build, a warm-up
        ({"1": "99.5 0", "2": "108.0 0", "3": ""}, 99.5),  # the load itself; one that still ran
    ],
)
def test_the_load_before_a_measurement_ended_with_the_last_command_before_it(
    ends: dict[str, str], loaded_until_s: float | None, tmp_path: Path
) -> None:
    (tmp_path / "commands").mkdir()
    for name, text in ends.items():
        (tmp_path / "commands" / f"{name}.end").write_text(text, "utf-8")
    for name, text in (("measured.start", "100.0"), ("measured.end", "108.0")):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "as").write_bytes(b"wrk\0http://h/\0")
    measurement = measured(tmp_path, {})
    assert measurement is not None
    assert (measurement.start_s, measurement.end_s) == (100.0, 108.0)
    assert measurement.loaded_until_s == loaded_until_s
