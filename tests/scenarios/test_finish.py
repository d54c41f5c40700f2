from pathlib import Path

import pytest

from benchkit.scenarios.finish import measured


@pytest.mark.parametrize(
    ("commands", "loaded_until_s"),
    [
        ([], None),
        ([("fill", "99.9 0")], None),  # a program that prepares, and loads nothing
        ([("warm-up", "98.5 0"), ("warm-up", "99.5 0"), ("fill", "99.9 0")], 99.5),
        ([("warm-up", "99.5 0"), ("wrk", "108.0 0"), ("server", "")], 99.5),
    ],
)
def test_the_load_before_a_measurement_ended_with_the_last_warm_up(
    commands: list[tuple[str, str]], loaded_until_s: float | None, tmp_path: Path
) -> None:
    (tmp_path / "commands").mkdir()
    for number, (name, end) in enumerate(commands):
        (tmp_path / "commands" / f"{number}.argv").write_bytes(f"{name}\0true\0".encode())
        (tmp_path / "commands" / f"{number}.end").write_text(end, "utf-8")
    for name, text in (("measured.start", "100.0"), ("measured.end", "108.0")):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "as").write_bytes(b"wrk\0http://h/\0")
    measurement = measured(tmp_path, {})
    assert measurement is not None
    assert (measurement.start_s, measurement.end_s) == (100.0, 108.0)
    assert measurement.loaded_until_s == loaded_until_s
