"""vegeta's histogram and percentile listing."""

import sys
from pathlib import Path

import pytest

from benchkit import text
from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers.vegeta_hist import scan_hdrplot, scan_hist
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "vegeta"

HIST = """\
$ vegeta report -type='hist[0,2ms,4ms,6ms]' results.bin
Bucket         #     %       Histogram
[0,     2ms]   6007  32.65%  ########################
[2ms,   4ms]   5505  29.92%  ######################
[4ms,   6ms]   2117  11.51%  ########
[6ms,   +Inf]  4771  25.93%  ###################
"""


def test_a_histogram_gives_its_buckets_and_their_sum() -> None:
    [run] = scan_hist(Text.from_text(HIST))
    assert isinstance(run, RunRecord)
    assert run.lines == (1, 5)
    assert run.columns == {"requests": 18400}
    records = {(f.metric, f.statistic): (f.value, f.unit) for f in run.figures}
    assert records["[2ms, 4ms]", "total"] == (5505, "")
    assert records["[6ms, +Inf]", "value"] == (0.2593, "ratio")


@pytest.mark.parametrize("path", sorted(DATA.glob("*.hist.txt")), ids=lambda path: path.name)
def test_recorded_histograms(path: Path) -> None:
    [run] = scan_hist(Text.from_text(path.read_text("utf-8")))
    assert isinstance(run, RunRecord)
    assert run.columns["requests"] in {150, 300}
    assert len(run.figures) == 12


def test_two_histograms_without_heads_are_two_runs() -> None:
    rows = HIST.splitlines(keepends=True)[2:]
    assert [run.lines for run in scan_hist(Text.from_text("".join(rows * 2)))] == [(0, 3), (4, 7)]


def test_of_very_many_histograms_the_first_are_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also where many stand in what reads as one report."""
    for module in (sys.modules["benchkit.ingest.read"], text):
        monkeypatch.setattr(module, "MOST_REPORTS", 3)
    path = tmp_path / "hist.txt"
    path.write_text("".join(HIST.splitlines(keepends=True)[2:]) * 5, encoding="utf-8")
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == 3
    assert "reports are read; below line 12 are more" in str(outcome.message)


def test_a_cut_histogram_is_one_line() -> None:
    [error] = scan_hist(Text.from_text(HIST.rsplit("[6ms", maxsplit=1)[0]))
    assert str(error).startswith("line 5: expected a last bucket up to +Inf, found '[4ms,   6ms]")


@pytest.mark.parametrize("path", sorted(DATA.glob("*.hdrplot.txt")), ids=lambda path: path.name)
def test_recorded_percentiles(path: Path) -> None:
    text = path.read_text("utf-8")
    [run] = scan_hdrplot(Text.from_text(f"prose\n{text}\nprose 1.0 1.0 1 1.0\n"))
    assert isinstance(run, RunRecord)
    assert run.lines == (1, text.count("\n"))
    assert len(run.quantiles) == text.count("\n") - 1
    last = text.split("\n")[-2].split()
    assert run.columns["requests"] == int(last[2])
    assert run.columns["latency_max_s"] == pytest.approx(float(last[0]) / 1e3, rel=1e-15)
    assert run.columns["latency_p50_s"] == dict(run.quantiles)[0.5]


def test_every_cut_of_the_percentiles_is_one_line() -> None:
    lines = (DATA / "errors.hdrplot.txt").read_text("utf-8").splitlines(keepends=True)
    for end in range(1, len(lines)):
        [error] = scan_hdrplot(Text.from_text("".join(lines[:end])))
        assert isinstance(error, InputError)
        assert str(error).endswith("the listing is cut off here")


def test_other_spectra_are_left_alone() -> None:
    spectrum = "       Value   Percentile   TotalCount 1/(1-Percentile)\n\n 0.5 0.000000 1 1.00\n"
    assert list(scan_hdrplot(Text.from_text(spectrum))) == []
