"""Which files hold the same run: their figures tell, not their place."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import benchkit
from benchkit.api import Results

Put = Callable[..., Path]


@pytest.fixture
def put(data: Path, tmp_path: Path) -> Put:
    """Copy a recorded file to a place under the test's folder."""

    def copy(source: str, target: str) -> Path:
        path = tmp_path / target
        path.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(data / source, path))

    return copy


def merged(folder: Path) -> list[tuple[str, set[str]]]:
    """Return (file, other files) of each run, by name."""
    runs = benchkit.load(folder).runs
    others = runs["other_sources"].fillna("")
    return [
        (Path(source).name, {Path(name).name for name in other.split("; ") if name})
        for source, other in zip(runs["source"], others, strict=True)
    ]


@pytest.mark.parametrize("name", ["ok", "mixed-post", "errors"])
def test_vegetas_binary_and_everything_made_from_it_is_one_run(
    data: Path, put: Put, tmp_path: Path, name: str
) -> None:
    files = [
        f.name for f in (data / "vegeta").glob(f"{name}.*") if f.suffix not in {".cmd", ".targets"}
    ]
    for file in files:
        put(f"vegeta/{file}", file)
    assert merged(tmp_path) == [(f"{name}.gob", set(files) - {f"{name}.gob"})]


@pytest.mark.parametrize("name", ["slow-all", "odd", "few", "reset-r"])
def test_abs_report_and_its_two_files_are_one_run(put: Put, tmp_path: Path, name: str) -> None:
    for suffix in ("csv", "tsv", "txt"):
        put(f"ab/{name}.{suffix}", f"{name}.{suffix}")
    assert merged(tmp_path) == [(f"{name}.tsv", {f"{name}.csv", f"{name}.txt"})]


def test_autocannons_json_and_table_are_one_run(put: Put, tmp_path: Path) -> None:
    put("autocannon/same-run.json", "out.json")
    put("autocannon/same-run.txt", "err.txt")
    assert merged(tmp_path) == [("out.json", {"err.txt"})]


def test_two_runs_in_one_folder_stay_two(put: Put, tmp_path: Path) -> None:
    for name in ("ab-with.txt", "pct-with.csv", "ab-without.txt", "pct-without.csv"):
        put(f"ab/two-runs/{name}", name)
    assert merged(tmp_path) == [
        ("ab-with.txt", {"pct-with.csv"}),
        ("ab-without.txt", {"pct-without.csv"}),
    ]


def test_names_that_mislead_do_not_mislead(put: Put, tmp_path: Path) -> None:
    put("ab/two-runs/ab-with.txt", "ab-with.txt")
    put("ab/two-runs/ab-without.txt", "ab-without.txt")
    put("ab/two-runs/pct-with.csv", "pct-without.csv")
    put("ab/two-runs/pct-without.csv", "pct-with.csv")
    assert merged(tmp_path) == [
        ("ab-with.txt", {"pct-without.csv"}),
        ("ab-without.txt", {"pct-with.csv"}),
    ]


def test_neighbours_whose_figures_differ_are_two_runs(put: Put, tmp_path: Path) -> None:
    put("ab/two-runs/ab-with.txt", "run.txt")
    put("ab/two-runs/pct-without.csv", "run.csv")
    assert merged(tmp_path) == [("run.csv", set()), ("run.txt", set())]


def test_a_run_far_away_is_known_again(put: Put, tmp_path: Path) -> None:
    put("vegeta/ok.gob", "raw/2026/results.bin")
    put("vegeta/ok.report.txt", "notes/vegeta.txt")
    assert merged(tmp_path) == [("results.bin", {"vegeta.txt"})]


def test_a_report_quoted_in_a_page_is_the_run_of_its_file(put: Put, tmp_path: Path) -> None:
    report = put("wrk/latency.txt", "wrk.txt").read_text(encoding="utf-8")
    page = f"# Our server\n\nIt is fast:\n\n```\n{report}```\n"
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    assert len(benchkit.load(tmp_path)) == 1


def states(results: Results) -> dict[str, str]:
    names = [Path(source).name for source in results.files["source"]]
    return dict(zip(names, results.files["state"], strict=True))


def test_the_same_content_twice_is_one_run(put: Put, tmp_path: Path) -> None:
    path = put("autocannon/refused.json", "a.json")
    put("autocannon/refused.json", "b.json")
    (tmp_path / "c.json.gz").write_bytes(gzip.compress(path.read_bytes()))
    results = benchkit.load(tmp_path)
    assert len(results) == 1
    assert states(results) == {"a.json": "read", "b.json": "duplicate", "c.json.gz": "duplicate"}


def test_an_encoding_of_two_attacks_is_the_two_runs_again(put: Put, tmp_path: Path) -> None:
    for name in ("two-attacks.gob", "two-attacks.csv", "named-a.gob", "named-b.gob"):
        put(f"vegeta/{name}", name)
    results = benchkit.load(tmp_path)
    assert sorted(results.runs["variant"]) == ["a", "b"]
    assert results.runs["other_sources"].notna().all()


@pytest.mark.parametrize("name", ["ok", "mixed-post", "errors"])
def test_reports_without_their_binary_are_one_run(put: Put, tmp_path: Path, name: str) -> None:
    files = {f"{name}.report.json", f"{name}.report.txt", f"{name}.hist.txt", f"{name}.hdrplot.txt"}
    for file in files:
        put(f"vegeta/{file}", file)
    assert merged(tmp_path) == [(f"{name}.report.json", files - {f"{name}.report.json"})]


def test_a_histogram_of_another_run_stays_apart(put: Put, tmp_path: Path) -> None:
    put("vegeta/ok.report.json", "ok.json")
    put("vegeta/errors.hist.txt", "ok.txt")
    assert len(merged(tmp_path)) == 2


@pytest.mark.parametrize(
    "names",
    [
        # A deviation of the population in the report, of the sample in the rows: √2 of two.
        ["gatling/3.11-one.log", "gatling/3.11-one.stats.js", "gatling/3.11-one.txt"],
        # A duration that begins before the first request and ends behind the last answer.
        ["h2load/mixed.tsv", "h2load/mixed.txt"],
        # A mean of what was rounded row by row.
        ["fortio/access.log.json", "fortio/access.txt"],
        ["fortio/access.influx", "fortio/access-influx.txt"],
    ],
)
def test_figures_that_each_output_takes_in_its_own_way(
    put: Put, tmp_path: Path, names: list[str]
) -> None:
    first, *others = (put(name, Path(name).name).name for name in names)
    assert merged(tmp_path) == [(first, set(others))]


def test_what_agrees_with_any_of_a_run_is_that_run(put: Put, tmp_path: Path) -> None:
    """The JSON's duration is 9 ms longer: not the one that the report rounds, but the rows'."""
    put("vegeta/ok.report.txt", "r.txt")
    summary = put("vegeta/ok.report.json", "r.json")
    text = summary.read_text(encoding="utf-8")
    longer = text.replace('"duration":2990113740', '"duration":2999113740')
    assert longer != text
    summary.write_text(longer, encoding="utf-8")
    assert len(merged(tmp_path)) == 2
    put("vegeta/ok.gob", "r.gob")
    assert merged(tmp_path) == [("r.gob", {"r.json", "r.txt"})]


def test_what_looks_like_one_run_and_is_two_is_named(put: Put, tmp_path: Path) -> None:
    put("vegeta/ok.gob", "r.gob")
    text = put("vegeta/ok.report.txt", "r.txt").read_text(encoding="utf-8")
    summary = put("vegeta/ok.report.json", "r.json")
    text = summary.read_text(encoding="utf-8").replace('"mean":404984', '"mean":404000')
    summary.write_text(text, encoding="utf-8")
    (line,) = (line for line in benchkit.load(tmp_path).naming if "count as two runs" in line)
    assert "r.json" in line
    assert "r.txt" in line
    assert line.endswith("latency_mean_s is 0.000404 in the one and 0.000404984 in the other")


def test_repetitions_do_not_look_like_one_run(data: Path) -> None:
    assert not any("two runs:" in line for line in benchkit.load(data / "ab" / "repeats").naming)


def test_of_a_figure_that_two_files_give_the_finer_counts(put: Put, tmp_path: Path) -> None:
    put("autocannon/same-run.json", "out.json")
    put("autocannon/same-run.txt", "err.txt")
    results = benchkit.load(tmp_path)
    figures = results.figures.set_index(["metric", "statistic"])
    assert figures.index.is_unique
    alone = benchkit.load(tmp_path / "out.json").figures.set_index(["metric", "statistic"])
    mean = ("Bytes/Sec", "mean")
    assert figures["value"].to_dict()[mean] == alone["value"].to_dict()[mean]


REPEATS = [str(number) for number in range(1, 7)]


def test_repeated_runs_in_one_folder_are_each_once(put: Put, tmp_path: Path) -> None:
    for number in REPEATS:
        for suffix in ("txt", "csv", "tsv"):
            put(f"ab/repeats/{number}.{suffix}", f"{number}.{suffix}")
    assert merged(tmp_path) == [(f"{n}.tsv", {f"{n}.csv", f"{n}.txt"}) for n in REPEATS]


@pytest.mark.parametrize("suffixes", [("txt", "csv"), ("txt", "tsv"), ("csv", "tsv")])
@pytest.mark.parametrize("names", [("ab-with", "pct-without"), ("report", "other")])
def test_files_of_different_repetitions_never_become_one(
    put: Put, tmp_path: Path, suffixes: tuple[str, str], names: tuple[str, str]
) -> None:
    """Six runs of one server, which differ in little: each file with one of another run."""
    for repeat in REPEATS:
        for other in set(REPEATS) - {repeat}:
            anchor = f"{repeat}-{other}"
            put(f"ab/repeats/{repeat}.{suffixes[0]}", f"{anchor}/{names[0]}.{suffixes[0]}")
            put(f"ab/repeats/{other}.{suffixes[1]}", f"{anchor}/{names[1]}.{suffixes[1]}")
            assert len(benchkit.load(tmp_path / anchor)) == 2


@pytest.mark.parametrize("suffixes", [("txt", "csv"), ("txt", "tsv"), ("csv", "tsv")])
def test_files_of_one_repetition_need_no_kindred_names(
    put: Put, tmp_path: Path, suffixes: tuple[str, str]
) -> None:
    for number in REPEATS:
        put(f"ab/repeats/{number}.{suffixes[0]}", f"{number}/report.{suffixes[0]}")
        put(f"ab/repeats/{number}.{suffixes[1]}", f"{number}/other.{suffixes[1]}")
        assert len(benchkit.load(tmp_path / number)) == 1


def test_a_histogram_needs_a_kindred_name(put: Put, tmp_path: Path) -> None:
    """Counts of a few bins fit many runs, so names that differ keep them apart."""
    put("vegeta/ok.report.txt", "before.txt")
    put("vegeta/ok.hist.txt", "after-hist.txt")
    assert len(benchkit.load(tmp_path)) == 2


def test_what_the_other_files_know_is_kept(put: Put, tmp_path: Path) -> None:
    put("vegeta/ok.gob", "r.bin")
    report = put("vegeta/ok.report.txt", "r.txt")
    line = "$ echo GET http://127.0.0.1/ | vegeta attack -rate=100 -timeout=7s | vegeta report\n"
    report.write_text(line + report.read_text(encoding="utf-8"), encoding="utf-8")
    (run,) = benchkit.load(tmp_path).runs.to_dict("records")
    assert (run["offered_rate_rps"], run["load_model"], run["timeout_s"]) == (100.0, "open", 7.0)
    assert run["command"].startswith("echo GET")


def test_the_metadata_of_the_other_files_is_kept(put: Put, tmp_path: Path) -> None:
    put("vegeta/ok.gob", "raw/r.bin")
    put("vegeta/ok.report.json", "notes/r.json")
    (tmp_path / "notes" / "meta.json").write_text(
        '{"scenario": "S", "variant": "V", "repeat": 3}', encoding="utf-8"
    )
    (run,) = benchkit.load(tmp_path).runs.to_dict("records")
    assert (run["scenario"], run["variant"], run["repeat"]) == ("S", "V", 3)


def test_a_run_quoted_in_a_page_keeps_its_name(data: Path, put: Put, tmp_path: Path) -> None:
    first, second, third = (
        (data / "wrk" / f"{name}.txt").read_text(encoding="utf-8")
        for name in ("latency", "plain", "seconds")
    )
    fenced = [f"```\n{text}```\n" for text in (first, second, third)]
    page = "# T\n## A\n### keep\n{}## B\n### keep\n{}## C\n{}".format(*fenced)
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    put("wrk/plain.txt", "out.txt")
    runs = benchkit.load(tmp_path).runs
    assert set(runs["label"]) == {"A · keep", "B · keep", "C"}
    assert set(runs["scenario"]) == {"T"}


def test_of_equal_files_the_first_in_path_order_is_the_source(put: Put, tmp_path: Path) -> None:
    put("wrk/latency.txt", "x/one.txt")
    path = put("wrk/latency.txt", "y/two.txt")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert merged(tmp_path) == [("one.txt", {"two.txt"})]


REPORT = """\
Requests      [total, rate, throughput]         400, 80.20, 80.11
Duration      [total, attack, wait]             4.993s, 4.988s, 5.2ms
Latencies     [min, mean, 50, 90, 95, 99, max]  {low}ms, 5ms, 4.9ms, 6.1ms, 7.3ms, 9.4ms, {high}ms
Success       [ratio]                           100.00%
Status Codes  [code:count]                      200:400
"""
HISTOGRAM = """\
Bucket           #    %        Histogram
[0s,     100ms]  400  100.00%  ##########
[100ms,  +Inf]   0    0.00%
"""


@pytest.mark.parametrize("order", ["rhrh", "hrhr", "rrhh"])
def test_a_histogram_in_a_page_belongs_to_the_report_beside_it(tmp_path: Path, order: str) -> None:
    reports = iter(REPORT.format(low=n, high=10 + n) for n in (1, 2))
    parts = [next(reports) if kind == "r" else HISTOGRAM for kind in order]
    (tmp_path / "page.md").write_text("\n".join(parts), encoding="utf-8")
    # Where both histograms stand apart, each fits both reports, and nothing is joined by guess.
    assert len(benchkit.load(tmp_path)) == (4 if order == "rrhh" else 2)
