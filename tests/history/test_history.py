"""The trend of a store: every save, the values of each commit, and where their level changed."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit.history.chart import trend_chart
from benchkit.history.page import page
from benchkit.history.saves import save_results
from benchkit.history.trends import History, history_of
from benchkit.stores.folder import Folder

from .conftest import Command, Series, step


def shown(command: Command, series: Series, *options: str) -> dict[str, Any]:
    done = command("history", series.store, "--format", "json", *options)
    assert done.status == 0, done.err
    content = json.loads(done.out)
    assert isinstance(content, dict)
    return content


def trends(series: Series) -> History:
    return history_of(Folder(series.store))


def test_every_save_is_listed_whatever_its_runs(series: Series, command: Command) -> None:
    for n in (1, 5, 2):
        series.commit(f"c{n}", runs=n, branch="main" if n < 5 else "topic", label=f"v{n}")
    content = shown(command, series)
    assert [(s["commit"], s["branch"], s["runs"], s["label"]) for s in content["saves"]] == [
        ("c1", "main", 1, "v1"),
        ("c5", "topic", 5, "v5"),
        ("c2", "main", 2, "v2"),
    ]
    assert all(re.fullmatch(r"[\dT:.-]{26}Z", save["saved_at"]) for save in content["saves"])
    assert content["branch"] == "main"
    assert {each["metric"] for each in content["series"]} == {"throughput", "p50", "p99"}
    assert all([p["commit"] for p in each["points"]] == ["c1", "c2"] for each in content["series"])
    assert [s["commit"] for s in shown(command, series, "--branch", "topic")["saves"]] == ["c5"]


def test_five_runs_have_an_interval_and_fewer_a_range(series: Series, command: Command) -> None:
    series.commit("a", runs=5)
    series.commit("b", runs=2)
    series.commit("c", runs=1)
    (trend,) = shown(command, series, "--metric", "p99")["series"]
    assert [point["confidence"] for point in trend["points"]] == [0.95, None, None]
    assert all(point["low"] <= point["value"] <= point["high"] for point in trend["points"])
    assert trend["points"][2]["low"] == trend["points"][2]["high"]


def test_a_step_is_found_with_commit_and_magnitude(series: Series, command: Command) -> None:
    step(series, before=7, after=6, factor=1.2)
    content = shown(command, series, "--metric", "p99", "--metric", "throughput")
    assert content["tests"] == 2
    changes = {each["metric"]: each["change_points"] for each in content["series"]}
    for metric, ratio in {"p99": 1.2, "throughput": 1 / 1.2}.items():
        (change,) = changes[metric]
        assert (change["commit"], change["after_commit"]) == ("c07", "c06")
        assert change["worse"] is True
        assert change["ratio"] == pytest.approx(ratio, rel=0.01)
        assert change["ci_low"] < change["ratio"] < change["ci_high"]
        assert (change["before_runs"], change["runs"]) == (14, 12)


def test_the_command_shows_the_comparison_behind_a_change(series: Series, command: Command) -> None:
    step(series)
    (trend,) = shown(command, series, "--metric", "p99")["series"]
    (change,) = trend["change_points"]
    words = shlex.split(change["command"])
    assert words[0] == "benchkit"
    (effect,) = json.loads(command(*words[1:], "--format", "json").out)
    assert (effect["baseline"], effect["variant"]) == ("before", "after")
    for name in ("ratio", "ci_low", "ci_high", "value", "runs"):
        assert effect[name] == change[name]
    assert effect["baseline_value"] == change["before_value"]


def test_terminal_and_page_say_the_same_change(series: Series, command: Command) -> None:
    step(series)
    history = trends(series)
    text = command("history", series.store, columns=200).out
    drawn = page(history)
    assert len(history.changes) == 3
    for trend, change in history.changes:
        interval = change.effect.interval
        assert interval is not None
        assert change.command in text
        assert change.command.partition("--scenario")[0].rstrip() in drawn
        assert f"{trend.metric.title} " in text
    output = re.findall(r"[+−][\d.]+\xa0% \([^)]*\), worse, from c07", text)
    assert len(output) == 3
    assert all(words in drawn for words in output)
    assert all("take runs for independent" in " ".join(each.split()) for each in (text, drawn))


def test_behind_each_change_on_the_page_its_comparison_is_folded(series: Series) -> None:
    step(series)
    folded = re.findall(r'<details class="point".*?</details>', page(trends(series)), re.DOTALL)
    assert len(folded) == 3
    for each in folded:
        summary, _, inner = each.partition("</summary>")
        assert summary.count("worse") == 1
        assert "<table" in inner
        assert "after" in inner
        assert "benchkit compare before=" in inner


@pytest.mark.parametrize(("before", "after"), [(7, 14), (14, 7)])
@pytest.mark.parametrize("factor", [0.8, 1.2])
def test_the_size_of_a_change_stands_where_the_line_is_not(
    series: Series, before: int, after: int, factor: float
) -> None:
    """On the way up it is above the old level or below the new one, never on a level itself."""
    step(series, before=before, after=after, factor=factor)
    history = trends(series)
    chart = trend_chart(history.trends)
    for panel, trend in zip(chart.panels, history.trends, strict=True):
        (note,) = panel.notes
        values = [point.value for point in trend.points]
        level = values[:before] if note.x < before else values[before:]
        line = (min(level), max(level))
        assert not line[0] <= note.y <= line[1]
        assert (note.align == "left") == (note.x >= before)  # away from the step


def test_the_saves_are_read_from_the_left(series: Series) -> None:
    series.commit("a")
    (table,) = re.findall(
        r'aria-label="Saves"[^>]*>\s*<table class="([^"]*)"', page(trends(series))
    )
    assert "numbers" not in table.split()


def test_a_drift_of_one_per_cent_a_commit_is_seen(series: Series) -> None:
    for n in range(20):
        series.commit(f"c{n:02}", 1.01**n)
    changes = trends(series).changes
    assert changes
    assert all(change.worse for _, change in changes)


def test_noise_has_no_change_point(series: Series, command: Command) -> None:
    step(series, factor=1.0)
    assert "No change of level was found." in command("history", series.store).out
    assert trends(series).changes == []


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        ("environment", {"cpu": "fast", "cores": 8}, {"cpu": "slow", "cores": 8}),
        ("tool_version", "4.1", "4.2"),
    ],
)
def test_what_was_measured_otherwise_is_told_and_no_change(
    series: Series, command: Command, key: str, before: object, after: object
) -> None:
    for n in range(14):
        series.commit(f"c{n:02}", 1.0 if n < 7 else 1.5, meta={key: before if n < 7 else after})
    content = shown(command, series)
    assert [each["change_points"] for each in content["series"]] == [[], [], []]
    (message,) = content["series"][0]["breaks"]
    assert message["commit"] == "c07"
    words = {
        "environment": "cpu: slow, before fast",
        "tool_version": "tool version: 4.2, before 4.1",
    }
    assert message["differences"] == [words[key]]
    assert words[key] in " ".join(command("history", series.store).out.split())
    assert words[key] in page(trends(series))


def test_machines_in_turn_are_each_compared_with_themselves(series: Series) -> None:
    for n in range(28):
        slow = n % 2
        factor = (2.0 if slow else 1.0) * (1.2 if n >= 14 else 1.0)
        series.commit(f"c{n:02}", factor, meta={"environment": {"cpu": "slow" if slow else "fast"}})
    changes = trends(series).changes
    assert {change.at.commit for _, change in changes} == {"c14", "c15"}
    assert all("," in change.command for _, change in changes)  # no stretch: others lie between


def test_machines_in_turn_are_named_once_and_with_their_changes(
    series: Series, command: Command
) -> None:
    for n in range(24):
        factor = (2.0 if n % 2 else 1.0) * (1.2 if n >= 12 else 1.0)
        cpu = "slow" if n % 2 else "fast"
        series.commit(f"c{n:02}", factor, meta={"environment": {"cpu": cpu}})
    history = trends(series)
    assert [each.at.commit for each in history.trends[0].breaks] == ["c01"]
    assert {change.circumstances for _, change in history.changes} == {
        ("cpu: fast",),
        ("cpu: slow",),
    }
    text = " ".join(command("history", series.store).out.split())
    assert "First measured otherwise at c01: cpu: slow, before fast. Not compared across." in text
    assert "(cpu: fast) +20" in text.replace("\u00a0", " ")


def test_a_change_of_level_outlives_the_tool(series: Series, data: Path, command: Command) -> None:
    """Those that were saved before are of the tool that they were measured with."""
    for n in range(12):
        series.commit(f"c{n:02}", 1.0 if n < 6 else 1.5)
    folder = series.results / "other"
    folder.mkdir()
    shutil.copy(data / "hey" / "12.txt", folder)
    (folder / "meta.json").write_text('{"scenario": "load", "variant": "server"}')
    save_results(benchkit.load(folder), Folder(series.store), commit="c12", branch="main")
    history = trends(series)
    assert {change.at.commit for _, change in history.changes} == {"c06"}
    (point, *_) = history.trends[0].changes
    assert point.circumstances[:1] == ("tool: wrk",)
    assert "tool: hey, before wrk" in " ".join(command("history", series.store).out.split())


def test_another_benchkit_is_told(series: Series, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(14):
        if n == 7:
            monkeypatch.setattr("benchkit.history.saves.version", lambda _: "9.0")
        series.commit(f"c{n:02}", 1.0 if n < 7 else 1.5)
    history = trends(series)
    assert history.changes == []
    assert history.trends[0].breaks[0].differences == ("benchkit: 9.0, before 0.1.0",)


def test_a_figure_that_is_withheld_is_not_in_the_trend(
    data: Path, tmp_path: Path, command: Command
) -> None:
    store = tmp_path / "store"
    given = (data / "wrk", "--to", store, "--commit", "a", "--branch", "main")
    assert command("save", *given).status == 0
    variants = json.loads(command("show", data / "wrk", "--format", "json").out)
    withheld = {each["variant"] for each in variants if "latency_p99_s" in each["withheld"]}
    drawn = json.loads(command("history", store, "--format", "json", "--metric", "p99").out)
    assert withheld
    assert withheld & {each["variant"] for each in drawn["series"]} == set()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--metric", "p98"), "no metric 'p98'"),
        (("--branch", "mian"), "did you mean 'main'"),
        (("--scenario", "lod"), "did you mean 'load'"),
    ],
)
def test_what_is_not_there_is_an_error(
    series: Series, command: Command, options: tuple[str, str], words: str
) -> None:
    series.commit("a")
    done = command("history", series.store, *options)
    assert done.status == 2
    assert words in done.err


def test_a_page_has_no_script_and_each_link_leads_somewhere(series: Series) -> None:
    step(series)
    drawn = page(trends(series))
    assert "<script" not in drawn
    names = re.findall(r'\bid=["\']?([\w.-]+)', drawn)
    assert len(names) == len(set(names))
    links = set(re.findall(r'href=["\']?#([\w.-]+)', drawn))
    assert links - set(names) == set()
    assert page(trends(series)) == drawn
