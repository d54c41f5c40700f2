import csv
from pathlib import Path

import pytest

from benchkit.scenarios.samples import FILE, Sample, read_samples, write_resources


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / FILE).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def looks(*points: tuple[float, float]) -> list[Sample]:
    return [Sample(at, cpu, 1000 + round(at), 3, 7) for at, cpu in points]


def test_the_mean_ratio_times_the_time_is_what_was_spent(tmp_path: Path) -> None:
    server = looks((9.9, 5.0), (10.1, 5.05), (10.45, 5.40), (10.8, 5.7), (11.2, 6.0))
    write_resources(tmp_path / FILE, {"server": server}, start_s=10.0, end_s=11.0)
    matches = rows(tmp_path)
    assert [row["elapsed_s"] for row in matches] == ["0.250", "0.500", "0.750", "1.000"]
    mean = sum(float(row["cpu_ratio"]) for row in matches) / len(matches)
    assert mean == pytest.approx(1.0, abs=1e-3)  # 5.0 to 6.0: it was idle before and after


@pytest.mark.parametrize(
    ("loaded_until_s", "since_s"),
    [
        (10.0, 0.2),  # the warm-up went on until the start: it spent the other half
        (9.9, 0.3),
        (9.7, 0.4),  # it had ended before the last look: all that was spent is of the measurement
        (None, 0.4),
        (11.0, 0.2),  # no longer than until the start
    ],
)
def test_what_a_warm_up_spent_before_the_start_is_not_of_the_measurement(
    loaded_until_s: float | None, since_s: float, tmp_path: Path
) -> None:
    server = looks((9.6, 4.8), (9.8, 5.0), (10.2, 5.4), (10.4, 5.6), (11.2, 6.4))
    write_resources(
        *(tmp_path / FILE, {"server": server}),
        start_s=10.0,
        end_s=11.0,
        loaded_until_s=loaded_until_s,
    )
    first, *_ = rows(tmp_path)  # from 10.0 to 10.25; one processor is busy from 10.2 on
    assert float(first["cpu_ratio"]) == pytest.approx((since_s + 0.05) / 0.25, abs=1e-3)


def test_a_warm_up_that_spent_much_leaves_nothing_negative(tmp_path: Path) -> None:
    server = looks((9.6, 1.0), (9.8, 5.0), (10.2, 5.1), (11.2, 5.1))
    times = {"start_s": 10.0, "end_s": 11.0, "loaded_until_s": 10.0}
    write_resources(tmp_path / FILE, {"server": server}, **times)
    assert {float(row["cpu_ratio"]) for row in rows(tmp_path)} == {0.0}


def test_a_process_that_began_with_the_load_had_spent_nothing(tmp_path: Path) -> None:
    write_resources(tmp_path / FILE, {"ab": looks((10.1, 0.2))}, start_s=10.0, end_s=10.2)
    (row,) = rows(tmp_path)
    assert float(row["cpu_ratio"]) == pytest.approx(1.0)
    assert (row["rss_bytes"], row["threads"], row["descriptors"]) == ("1010", "3", "7")


def test_nothing_is_written_where_nothing_was_seen(tmp_path: Path) -> None:
    write_resources(tmp_path / FILE, {"late": looks((12.0, 1.0))}, start_s=10.0, end_s=11.0)
    assert not (tmp_path / FILE).exists()


def test_a_row_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    path.write_text(
        "epoch_s,process,cpu_s,rss_bytes,threads,descriptors\n1.5,a,0.1,5,1,3\n1.7,a,0.",
        encoding="utf-8",
    )
    assert read_samples(path) == {"a": [Sample(1.5, 0.1, 5, 1, 3)]}
    assert read_samples(tmp_path / "none.csv") == {}
