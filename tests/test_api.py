"""The public interface: what it shows of itself, and that names that are wrong find the right."""

from __future__ import annotations

import pydoc
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import benchkit
import benchkit.history
import benchkit.report.build  # the room, which must not take the function's name
from benchkit.cli.guard import run
from benchkit.errors import BenchkitError

PUBLIC = [
    *("BenchkitError", "InputError", "NothingToReportError", "Results", "UsageError"),
    *("__version__", "load", "report"),
]
QUICKSTART = Path(__file__).parents[1] / "examples" / "results" / "quickstart"


@pytest.fixture(scope="module")
def quickstart() -> benchkit.Results:
    return benchkit.load(QUICKSTART)


def test_dir_shows_the_public_interface_and_it_alone() -> None:
    assert dir(benchkit) == sorted(benchkit.__all__) == PUBLIC
    assert all(hasattr(benchkit, name) for name in PUBLIC)


def test_help_shows_each_public_name() -> None:
    text = pydoc.plain(pydoc.render_doc(benchkit))
    shown = text.partition("PACKAGE CONTENTS")[2].partition("\nCLASSES")[2]
    for name in ("class Results", "    load(", "    report(", "class UsageError"):
        assert name in shown
    for name in ("TYPE_CHECKING", "annotations", "ModuleType", "nearest"):
        assert name not in shown


def test_what_is_public_is_imported_when_it_is_used() -> None:
    code = "import sys, benchkit; dir(benchkit); print({'pandas', 'benchkit.api'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


_HELP = """
import importlib, pydoc
import benchkit

text = pydoc.plain(pydoc.render_doc(benchkit))
importlib.invalidate_caches()
importlib.import_module("benchkit.gates.rule")
print(text)
"""


def test_help_shows_what_is_public_alone() -> None:
    """Before it stood the names of forty modules, which are found as ever."""
    done = subprocess.run([sys.executable, "-c", _HELP], capture_output=True, text=True, check=True)
    listed = re.search(r"PACKAGE CONTENTS\n(.*?)\n\n", done.stdout, re.DOTALL)
    assert listed is not None
    documented = Path("docs/plugins.md").read_text(encoding="utf-8")
    modules = [line.split()[0] for line in listed[1].splitlines()]
    assert modules == ["errors", "parsing", "stores", "testing", "text", "tool"]
    assert all(f"benchkit.{module}" in documented for module in modules)
    for name in ("load", "report", "class Results", "class InputError"):
        assert re.search(rf"^    {name}\b", done.stdout, re.MULTILINE), name


def test_every_table_and_method_has_its_help() -> None:
    public = [name for name in dir(benchkit.Results) if not name.startswith("_")]
    assert {"runs", "quantiles", "files", "compare", "table"} <= {*public}
    assert [name for name in public if not getattr(benchkit.Results, name).__doc__] == []


@pytest.mark.parametrize(
    ("attribute", "nearest"),
    [("runss", "'runs'"), ("Quantile", "'quantiles'"), ("time_line", "'timeline'")],
)
def test_a_wrong_attribute_names_the_nearest(
    attribute: str, nearest: str, quickstart: benchkit.Results
) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{attribute}'; did you mean {nearest}"):
        getattr(quickstart, attribute)


def test_a_wrong_name_of_the_package_names_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'laod'; did you mean 'load'\?"):
        _ = benchkit.laod
    with pytest.raises(AttributeError, match=r"no attribute 'chairs'$"):
        _ = benchkit.chairs


#: For calls that no type checker lets pass.
UNTYPED: Any = benchkit
Ask = Callable[[benchkit.Results], object]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda r: r.plot("heat_map"), "no figure 'heat_map'; did you mean 'heatmap'?"),
        (lambda r: r.compare(metric="trougput"), "no metric 'trougput'; did you mean 'throughput'"),
        (lambda r: r.compare(metric=["p50", "P99.9"]), "did you mean 'p99.9'?"),
        (lambda r: r.compare(baseline="thread"), "no variant 'thread' .*; did you mean 'threads'?"),
        (lambda r: r.select(scenario="quickstrt"), "no scenario .*; did you mean 'quickstart'?"),
        (lambda r: r.select(variant=["threads", "asynco"]), "did you mean 'asyncio'?"),
        (lambda r: r.select(without="quickstart/asyncio/11"), "did you mean 'quickstart/asyncio/1"),
        (lambda r: r.table("run"), "no table 'run'; did you mean 'runs'? There are runs, "),
        (lambda r: r.shift("quickstart/asyncio/11", "x"), "did you mean 'quickstart/asyncio/1'?"),
        (
            lambda r: benchkit.report(r, "r.html", format="htm"),  # type: ignore[arg-type]
            "did you mean 'html'?",
        ),
        (lambda r: r.plot("chairs"), "no figure 'chairs'; there are percentiles, "),
    ],
)
def test_a_wrong_value_names_the_nearest(
    ask: Ask, message: str, quickstart: benchkit.Results
) -> None:
    with pytest.raises(benchkit.UsageError, match=message.replace("?", r"\?")):
        ask(quickstart)


@pytest.mark.parametrize(
    "ask",
    [
        lambda r: r.plot("runs", metric=["p95"]),
        lambda r: r.plot("runs", title=3),
        lambda r: r.plot("percentiles", caption="yes"),
        lambda r: r.plot("percentiles").save(None),
        lambda r: r.check("p99<+5%", baseline=["quickstart/blocking"]),
        lambda r: r.check("p99<+5%", baseline=[r]),
        lambda r: r.ingest(None),
        lambda r: UNTYPED.report([r]),
        lambda _: UNTYPED.report(None),
        lambda r: UNTYPED.report(r, None),
        lambda _: UNTYPED.history.baseline(3),
        lambda _: UNTYPED.load(".", progress=3),
        lambda _: UNTYPED.load(".", scenario=3),
        lambda _: UNTYPED.load(".", engine=None),
    ],
)
def test_what_is_of_another_kind_is_told(ask: Any, quickstart: benchkit.Results) -> None:  # noqa: ANN401
    with pytest.raises(benchkit.UsageError, match="expected "):
        ask(quickstart)


def test_a_shift_has_the_quantiles_of_its_runs(quickstart: benchkit.Results) -> None:
    """Of rows in whole milliseconds it once made up microseconds, below the least of the run."""
    pair = ["quickstart/asyncio/1", "quickstart/threads/1"]
    shift = quickstart.shift(*pair).set_index("quantile")
    runs = quickstart.runs.set_index("label").loc[pair]
    for quantile, column in ((0.5, "latency_p50_s"), (0.9, "latency_p90_s")):
        sides = [shift[side][quantile] for side in ("baseline_s", "variant_s")]
        assert sides == [*runs[column]]


def test_a_share_that_is_not_all_is_not_shown_as_all(data: Path, tmp_path: Path) -> None:
    text = (data / "wrk" / "plain.txt").read_text()
    failing = "  Non-2xx or 3xx responses: 1\nRequests/sec"
    (tmp_path / "a.txt").write_text(text.replace("Requests/sec", failing))
    results = benchkit.load(tmp_path)
    assert results.runs["success_ratio"][0] < 1
    assert "<td>1</td>" not in results._repr_html_().partition("success_ratio")[2]


def test_a_run_is_left_out_by_its_label_or_its_id(quickstart: benchkit.Results) -> None:
    labels = list(quickstart.runs["label"])
    left = quickstart.select(without=[labels[0], quickstart.runs["run_id"][3]])
    assert list(left.runs["label"]) == [*labels[1:3], *labels[4:]]


def test_a_metric_may_be_one_or_several(quickstart: benchkit.Results) -> None:
    tested = quickstart.compare(metric="p95")
    assert tested.loc[tested["metric"] == "p95", "verdict"].ne("not-tested").any()
    assert tested.equals(quickstart.compare(metric=["p95"]))


def test_what_is_left_out_of_the_start_is_said_as_on_the_command_line(data: Path) -> None:
    results = benchkit.load(data / "vegeta" / "ok.gob")
    cut = results.compare(trim_start="100ms")
    assert cut.equals(results.compare(trim_start=0.1))
    with pytest.raises(benchkit.UsageError, match="'soon' is no time; write for example 5s"):
        results.compare(trim_start="soon")


def test_each_run_is_offered_in_a_report_from_python_too(tmp_path: Path) -> None:
    """Also in Markdown, which says what all these answers come to."""
    made = benchkit.report(QUICKSTART, tmp_path / "r.md", each_run=True).read_text("utf-8")
    assert "if any one run is left out" in made or "one run is left out, for" in made
    assert "quickstart --each-run --format markdown" in made


@pytest.mark.parametrize("name", ["r.html", "r.md"])
def test_a_report_from_python_is_that_of_the_command(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(QUICKSTART.parents[2])
    ours, theirs = tmp_path / "python" / name, tmp_path / "command" / name
    for folder in (ours.parent, theirs.parent):
        folder.mkdir()
    paths = str(Path("examples", "results", "quickstart"))
    options = ["--title", "Three servers", "--baseline", "threads", "--margin", "5%"]
    assert run(["report", paths, *options, "-o", str(theirs)]) == 0
    made = benchkit.report(paths, ours, title="Three servers", baseline="threads", margin=0.05)
    assert made == ours
    assert ours.read_bytes() == theirs.read_bytes()


def test_a_report_of_results_lacks_nothing_but_the_command(
    quickstart: benchkit.Results, tmp_path: Path
) -> None:
    whole = benchkit.report(QUICKSTART, tmp_path / "whole.md").read_text(encoding="utf-8")
    made = benchkit.report(quickstart, tmp_path / "made.md").read_text(encoding="utf-8")
    missing = [line for line in whole.splitlines() if line not in made]
    assert [line for line in missing if line and "benchkit report" not in line] == [
        "To make this again:"
    ]


def test_a_report_that_cannot_be_written_is_said_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(benchkit.UsageError, match="it is a folder; name a file in it"):
        benchkit.report(tmp_path / "no such results", tmp_path)


def test_a_report_never_replaces_an_input(tmp_path: Path) -> None:
    recorded = tmp_path / "a.txt"
    recorded.write_bytes((QUICKSTART / "asyncio" / "1" / "report.txt").read_bytes())
    with pytest.raises(benchkit.UsageError, match="is one of the inputs"):
        benchkit.report(recorded, recorded, format="html")


def test_a_report_hides_secrets_in_its_title(quickstart: benchkit.Results, tmp_path: Path) -> None:
    title = "Authorization: Bearer abcdef0123456789"
    hidden = benchkit.report(quickstart, tmp_path / "r.md", title=title)
    assert "abcdef0123456789" not in hidden.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "wrong",
    [
        *({"margin": margin} for margin in (8, -1, 0, float("inf"), float("nan"), "3%")),
        *({"looks": looks} for looks in (-5, 0, 2.5, float("inf"), "a")),
        *({"effect": effect} for effect in (-1, float("inf"), None)),
        *({"trim_start": start} for start in (-1.0, float("nan"), None)),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(
    quickstart: benchkit.Results, wrong: dict[str, Any]
) -> None:
    with pytest.raises(BenchkitError, match=f"{next(iter(wrong))} .*: expected"):
        quickstart.compare(**wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda results: results.compare(metric=None),
        lambda results: results.compare(baseline=5),
        lambda results: results.check(None),
        lambda results: results.select(variant=5),
        lambda results: results.requests(5),
        lambda results: results.requests(["quickstart/threads/1"]),
        lambda results: results.plot("percentiles", theme="Dark"),
        lambda results: results.plot("percentiles", theme=["light"]),
        lambda results: results.plot(3),
        lambda results: results.table(["runs"]),
        lambda results: results.check("p99<1s", baseline=3),
        lambda results: results.select(run_ids=[3]),
        lambda results: benchkit.report(results, baseline=3),  # type: ignore[arg-type]
        lambda results: results.plot("percentiles", width="wide"),
        lambda _: benchkit.load([]),
    ],
)
def test_a_value_of_another_type_is_refused(
    quickstart: benchkit.Results, call: Callable[[benchkit.Results], object]
) -> None:
    with pytest.raises(benchkit.UsageError) as refused:
        call(quickstart)
    assert "\n" not in str(refused.value)


def test_nothing_is_reported_of_no_runs(quickstart: benchkit.Results, tmp_path: Path) -> None:
    for name in ("page.html", "page.md"):
        with pytest.raises(benchkit.NothingToReportError, match="no run to report on"):
            benchkit.report(quickstart.select(run_ids=[]), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_column_of_a_dataframe_says_which_runs_are_left_out(
    quickstart: benchkit.Results,
) -> None:
    ids = quickstart.runs["run_id"]
    assert len(quickstart.select(without=ids.iloc[:3])) == len(ids) - 3
    assert len(quickstart.select(without=ids.iloc[:0])) == len(ids)


def test_quantiles_of_a_coarser_file_lie_between_those_of_a_finer_one(
    quickstart: benchkit.Results,
) -> None:
    """Whole milliseconds of ab's `-g` beside microseconds of its `-e`."""
    runs = quickstart.runs
    assert (runs["latency_p99_s"] <= runs["latency_p999_s"]).all()
    assert (runs["latency_p999_s"] <= runs["latency_max_s"]).all()
    for _, of_run in quickstart.quantiles.groupby("run_id"):
        assert of_run.sort_values("quantile")["latency_s"].is_monotonic_increasing


def test_runs_are_chosen_by_their_ids(quickstart: benchkit.Results) -> None:
    run_id = quickstart.runs["run_id"].iloc[0]
    assert quickstart.select(run_ids=run_id).runs["run_id"].tolist() == [run_id]
    assert quickstart.select(run_ids=[]).runs.empty
    assert quickstart.select(variant=[]).runs.empty
    with pytest.raises(BenchkitError, match="no run 'nope'"):
        quickstart.select(run_ids=["nope"])
