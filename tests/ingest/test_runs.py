"""Files and what was found in them to runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import benchkit
from benchkit.model.run import Run
from benchkit.schema import RUNS
from tests.outputs import DATA


def only(*paths: Path, show_secrets: bool = False) -> Run:
    (run,) = benchkit.load(list(paths), show_secrets=show_secrets)
    return run


class TestColumns:
    def test_a_run_has_every_column_of_the_table_each_of_its_kind(self, data: Path) -> None:
        for path in (data / "vegeta" / "errors.gob", data / "ab" / "few.txt"):
            run = only(path)
            assert tuple(run.columns) == RUNS.names
            kinds = {"string": str, "int": int, "float": float, "bool": bool}
            for column in RUNS.columns:
                value = run.get(column.name)
                if value is not None and column.kind in kinds:
                    assert type(value) is kinds[column.kind], column.name

    def test_the_id_is_that_of_the_content_wherever_it_lies(
        self, data: Path, tmp_path: Path
    ) -> None:
        copy = tmp_path / "elsewhere.txt"
        copy.write_bytes((data / "ab" / "few.txt").read_bytes())
        assert only(copy).run_id == only(data / "ab" / "few.txt").run_id

    def test_metadata_fill_what_the_output_lacks(self, data: Path, tmp_path: Path) -> None:
        (tmp_path / "few.txt").write_bytes((data / "ab" / "few.txt").read_bytes())
        meta = {"command": "ab -k -n 12 -c 3 http://h/", "connections": 99, "server": "app"}
        (tmp_path / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
        run = only(tmp_path)
        assert run.get("server") == "app"
        assert run.get("connections") != 99  # the output says it
        assert run.get("command") == meta["command"]


class TestSeveralFiles:
    """ab's report, `-e` and `-g` of one run."""

    @pytest.fixture
    def run(self, data: Path) -> Run:
        return only(*(data / "ab" / f"slow-all.{ending}" for ending in ("txt", "csv", "tsv")))

    def test_latencies_are_of_the_file_with_the_smallest_steps(self, data: Path, run: Run) -> None:
        report, percentiles = (only(data / "ab" / f"slow-all.{e}") for e in ("txt", "csv"))
        assert run.get("latency_p50_s") == percentiles.get("latency_p50_s")
        assert run.get("latency_p50_s") != report.get("latency_p50_s")
        assert run.get("throughput_rps") == report.get("throughput_rps")

    def test_a_column_of_a_coarser_file_keeps_its_step(self, run: Run) -> None:
        assert run.step_of("latency_p50_s") == run.get("resolution_s") == 1e-6
        assert run.step_of("latency_mean_s") == 1e-3
        assert run.step_of("latency_p999_s") == 1e-3  # ab -e ends at p99; -g has milliseconds

    def test_the_sources_are_all_named(self, run: Run) -> None:
        others = str(run.get("other_sources")).split("; ")
        assert {Path(name).suffix for name in (run.get("source"), *others)} == {
            *(".txt", ".csv", ".tsv")
        }

    def test_quantiles_that_were_printed_and_computed_stand_apart(self, run: Run) -> None:
        assert list(run.quantiles) == sorted(run.quantiles, key=lambda q: (q.quantile, q.origin))
        assert {quantile.origin for quantile in run.quantiles} == {"printed", "computed"}
        assert len({(q.quantile, q.origin) for q in run.quantiles}) == len(run.quantiles)
        assert run.by_quantile[0.5] == run.get("latency_p50_s")


class TestSecrets:
    def test_they_are_taken_out_of_every_text(self, data: Path) -> None:
        hidden, plain = (
            only(data / "ab" / "secrets.txt", show_secrets=shown) for shown in (False, True)
        )
        texts = [
            [r.get("url"), r.get("command"), *r.errors, *r.notes]
            + [str(figure.printed) for figure in r.figures]
            for r in (hidden, plain)
        ]
        assert texts[0] != texts[1]

    def test_endpoints_are_redacted_where_they_are_looked_at(
        self, data: Path, tmp_path: Path
    ) -> None:
        recorded = (data / "vegeta" / "errors.json").read_text(encoding="utf-8")
        first = json.loads(recorded.splitlines()[0])
        secret = recorded.replace(first["url"], f"{first['url']}?token=hunter2")
        (tmp_path / "results.json").write_text(secret, encoding="utf-8")
        for shown in (False, True):
            run = only(tmp_path, show_secrets=shown)
            assert run.counts.cells is not None
            assert ("hunter2" in str(run.counts.cells.names)) == shown


class TestCounts:
    def test_the_distribution_is_that_of_every_outcome(self, data: Path) -> None:
        run = only(data / "vegeta" / "errors.gob")
        assert run.distribution is not None
        assert run.distribution.count == run.get("requests")
        parts = [run.outcome(name) for name in ("success", "http-error", "no-response")]
        assert sum(part.count for part in parts if part) == run.get("requests")

    def test_cells_are_made_when_they_are_first_looked_at_and_once(self, data: Path) -> None:
        run = only(data / "vegeta" / "errors.gob")
        assert "cells" not in vars(run.counts)
        cells = run.counts.cells
        assert cells is run.counts.cells
        assert cells is not None
        assert cells.counts.sum() == run.get("requests")

    def test_a_printed_summary_has_none(self, data: Path) -> None:
        run = only(data / "wrk" / "plain.txt")
        assert (run.distribution, run.counts.cells, run.matrix) == (None, None, None)
        assert list(run.timeline) == []


def test_what_became_of_a_file_that_cannot_be_read_stands_beside_its_message(
    data: Path, tmp_path: Path
) -> None:
    (tmp_path / "half.gob").write_bytes(b"\x40" + b"\xff" * 40)
    (tmp_path / "good.txt").write_bytes((data / "wrk" / "plain.txt").read_bytes())
    (tmp_path / "notes.md").write_text("nothing of a load generator", encoding="utf-8")
    by_name = {Path(row["source"]).name: row for row in benchkit.load(tmp_path).sources}
    assert (by_name["good.txt"]["state"], by_name["good.txt"]["runs"]) == ("read", 1)
    assert by_name["notes.md"]["state"] == "foreign"
    assert by_name["good.txt"]["message"] is None


@pytest.mark.parametrize(
    ("name", "column", "step_s"),
    [
        ("wrk/seconds.txt", "latency_p50_s", 0.01),
        ("wrk/latency.txt", "latency_p99_s", 1e-5),
        ("wrk/latency.txt", "latency_p50_s", 1e-6),
        ("oha/seconds.txt", "latency_p50_s", 1e-4),
        ("oha/mixed.txt", "latency_p50_s", 1e-7),
    ],
)
def test_a_latency_is_known_to_the_step_it_is_printed_in(
    name: str, column: str, step_s: float
) -> None:
    (run,) = benchkit.load(DATA / name)
    assert run.step_of(column) == pytest.approx(step_s)
