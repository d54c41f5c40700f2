"""Options of `benchkit plot`."""

import struct
from pathlib import Path

from tests.cli.conftest import Benchkit


def test_plot_takes_words_size_and_panels(
    variants: list[str], tmp_path: Path, benchkit: Benchkit
) -> None:
    target = tmp_path / "figure.png"
    done = benchkit(
        *("plot", variants[1], variants[2], "-o", target, "--title", "My own", "--subtitle", "x"),
        *("--width", "6", "--height", "4", "--dpi", "100", "--no-ratio", "--no-caption"),
    )
    assert (done.status, done.err) == (0, "")
    assert struct.unpack(">II", target.read_bytes()[16:24]) == (600, 400)


def test_plot_selects_of_several(variants: list[str], tmp_path: Path, benchkit: Benchkit) -> None:
    target = tmp_path / "figure.html"
    command = ("plot", *variants, "--kind", "throughput", "-o", target, "--select")
    assert benchkit(*command, "slow").status == 0
    assert "latency" not in target.read_text("utf-8").partition('id="data"')[2].partition("<")[0]
    failed = benchkit(*command, "none")
    assert failed.status != 0
    assert "nothing here is called 'none'" in failed.err


def test_plot_says_what_sizes_and_metrics_there_are(
    variants: list[str], tmp_path: Path, benchkit: Benchkit
) -> None:
    command = ("plot", *variants, "-o", tmp_path / "figure.svg")
    assert "width 500: it must be 1 to 60 inches" in benchkit(*command, "--width", "500").err
    assert "no metric 'p42'" in benchkit(*command, "--kind", "runs", "--metric", "p42").err
