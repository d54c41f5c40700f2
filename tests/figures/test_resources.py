import json
import statistics
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from benchkit.api import Results
from benchkit.figures import chart
from benchkit.model.run import Run
from tests.figures.changes import without_samples
from tests.figures.charts import compared, drawn
from tests.report.conftest import SAMPLES

resources = partial(drawn, kind="resources")

identity = SAMPLES["identity"]
Sample = Mapping[str, Any]


def results_of(cores: dict[str, tuple[float, ...]], *, tool: str = "wrk") -> Results:
    """A run for each number; a server, a database and the load generator, sampled each second."""
    runs: list[dict[str, Any]] = []
    samples: list[dict[str, Any]] = []
    for variant, loads in cores.items():
        for number, load in enumerate(loads):
            run_id = f"{variant}{number}"
            runs.append(identity(run_id, "use", variant, tool) | {"label": run_id})
            for process, share in (("server", 1.0), ("database", 0.5), (tool, 9.0)):
                samples += [
                    {"run_id": run_id, "elapsed_s": float(second), "process": process}
                    | {"cpu_ratio": share * load, "rss_bytes": 1000 * second}
                    for second in range(1, 6)
                ]
    return Results.from_tables({"runs": runs, "resources": samples})


@pytest.mark.parametrize(
    ("cores", "words"),
    [
        ([2, 2], "; the machine has 2\u00a0processors."),
        ([2, 4], "left out."),
        ([None, None], "left out."),
        ([{"fast": 4}, {"fast": 4}], "left out."),
        ([True, True], "left out."),
        ([0, 0], "left out."),
    ],
)
def test_it_says_how_many_processors_there_are_where_that_is_one_number(
    cores: list[object], words: str
) -> None:
    results = results_of({"a": (1.0,), "b": (1.5,)})
    machines = (json.dumps({"cores": count}) for count in cores)
    runs = (
        run.with_columns(environment=machine)
        for run, machine in zip(results, machines, strict=True)
    )
    assert resources(Results(runs)).caption.endswith(words)


def test_each_process_has_a_panel_and_the_generator_none() -> None:
    made = resources(results_of({"a": (1.0,)}))
    assert [panel.title for panel in made.panels] == [
        "Process server: processors kept busy",
        "Process database: processors kept busy",
        "Process server: memory",
        "Process database: memory",
    ]


def test_lines_are_medians_and_bands_the_range() -> None:
    made = resources(results_of({"a": (1.0, 4.0, 2.0), "b": (0.5,)}))
    a, b = sorted(made.panels[0].series, key=lambda series: series.name)
    assert (set(a.ys), set(a.low), set(a.high)) == ({2.0}, {1.0}, {4.0})
    assert (set(b.ys), b.low) == ({0.5}, ())
    assert (
        made.title
        == "Process server was busiest with a: 2.00\u00a0processors at the median over time"
    )


def test_bands_that_lines_would_hide_are_called_so() -> None:
    wide, narrow = (results_of({"a": (1.0, top), "b": (0.5, 0.5)}) for top in (2.0, 1.01))
    assert "Lines are medians over runs, bands their range." in resources(wide).caption
    hidden = "Lines are medians over runs; their ranges are no wider than the lines."
    assert hidden in resources(narrow).caption


def test_busiest_is_whose_every_run_is_busier_than_all_others() -> None:
    assert resources(results_of({"a": (2.0, 2.2), "b": (1.0, 2.1)})).title == (
        "Process server kept 1.55 (b) to 2.10 (a)\u00a0processors busy at the median over time"
    )


def with_loads(results: Results, load: Callable[[Run, Sample], float]) -> Results:
    """The same with other processors kept busy, by run and sample."""
    return Results(
        replace(
            run,
            samples=tuple({**s, "cpu_ratio": load(run, s)} for s in run.samples),
        )
        for run in results
    )


def test_hundredths_of_a_processor_are_no_finding() -> None:
    results = results_of({"a": (1.0, 1.0), "b": (1.0, 1.0)})
    burst = with_loads(
        results, lambda run, s: 0.5 if run.variant == "b" and s["elapsed_s"] > 4 else 0.04
    )
    assert resources(burst).title == (
        "Process server kept less than 0.05\u00a0processors busy at the median over time"
    )


def test_of_a_process_that_was_never_busy_only_memory_is_drawn() -> None:
    made = resources(results_of({"a": (0.04, 0.04), "b": (0.01, 0.01)}))
    assert [panel.title for panel in made.panels] == [
        "Process server: memory",
        "Process database: memory",
    ]
    assert made.title == "Process server held 3\u00a0kB at the median over time"
    assert (
        "By the median of the runs server and database kept less than 0.05 processors busy."
        in made.caption
    )


def test_a_stretch_that_one_run_lacks_is_not_drawn() -> None:
    results = without_samples(
        results_of({"a": (1.0, 2.0)}),
        lambda run, sample: run.run_id == "a1" and sample["elapsed_s"] > 3,
    )
    made = resources(results)
    assert len(made.panels[0].series[0].xs) == 3


def test_the_generator_alone_is_no_figure() -> None:
    results = results_of({"a": (1.0,)})
    alone = without_samples(results, lambda _run, sample: sample["process"] != "wrk")
    assert chart(compared(alone), "resources") is None


def test_runs_that_took_longer_are_compared_over_what_all_lasted() -> None:
    """Once `short` has ended `long` idles: that says nothing of who was busier."""
    results = results_of({"short": (1.0, 1.1), "long": (2.0, 2.2)})
    ended = without_samples(
        results, lambda run, sample: run.variant == "short" and sample["elapsed_s"] > 3
    )
    idle = with_loads(
        ended,
        lambda run, s: 0.1 if run.variant == "long" and s["elapsed_s"] > 2 else s["cpu_ratio"],
    )
    assert resources(idle).title == (
        "Process server was busiest with long: 2.10\u00a0processors at the median "
        "over the first 2.5\u00a0s"
    )


def test_the_axis_ends_at_the_data() -> None:
    """Once it went on to the next tick: to three processors of a machine that has two."""
    for load in (0.43, 1.1, 2.9, 7.3):
        for panel in resources(results_of({"a": (load, load / 2)})).panels:
            highest = max(high for series in panel.series for high in series.high or series.ys)
            assert highest <= panel.y.high <= 1.11 * highest
            assert 0.7 * highest <= panel.y.ticks[-1][0] <= panel.y.high


def test_the_name_of_a_line_that_ends_early_stands_beside_its_end() -> None:
    """Neither is moved for the other, whose end is elsewhere, nor does a line cross it."""
    results = without_samples(
        results_of({"short": (1.0,), "long": (1.05,)}),
        lambda run, sample: run.variant == "short" and sample["elapsed_s"] > 2,
    )
    panel = resources(results).panels[0]
    names = {note.text: note for note in panel.notes}
    assert (names["long"].dx, names["long"].dy) == (12, 0)
    assert names["short"].y == 1.0
    assert names["short"].dy >= 10


def test_a_title_begins_with_a_capital() -> None:
    titles = {resources(results_of({"a": (2.0, 2.2), "b": (1.0, b)})).title for b in (1.1, 2.1)}
    assert all(title[0].isupper() for title in titles)


def test_names_of_lines_that_end_early_together_stand_apart() -> None:
    """Once the name of one was printed over that of another."""
    results = without_samples(
        results_of({"long": (0.06,), "first": (0.055,), "second": (0.05,)}),
        lambda run, sample: run.variant != "long" and sample["elapsed_s"] > 2,
    )
    steady = with_loads(results, lambda _run, s: s["cpu_ratio"] * (s["elapsed_s"] < 2))
    made = resources(steady)
    names = [note for note in made.panels[0].notes if note.text != "long"]
    heights = sorted(note.dy for note in names)
    assert len({note.x for note in names}) == 1
    assert heights[1] - heights[0] >= 10
    assert "A line ends with the shortest run of its variant." in made.caption


def test_a_neutral_title_states_the_time_that_it_is_of() -> None:
    """Once it named a median of a part of the line without a word: 1 beside a line at 0.2."""
    results = without_samples(
        results_of({"short": (1.1, 0.9), "long": (1.0, 1.2)}),
        lambda run, sample: run.variant == "short" and sample["elapsed_s"] > 2,
    )
    idle = with_loads(
        results,
        lambda run, s: 0.1 if run.variant == "long" and s["elapsed_s"] > 2 else s["cpu_ratio"],
    )
    made = resources(idle)
    assert made.title == (
        "Process server kept 1.00 (short) to 1.10 (long)\u00a0processors busy at the median "
        "over the first 1.5\u00a0s"
    )
    rows = {float(cells[0][0]): cells[1][1] for name, cells in made.table.rows if name == "long"}
    assert statistics.median(v for at, v in rows.items() if v and at <= 1.5) == pytest.approx(1.1)
    assert "over the first" not in resources(results_of({"a": (1.0,), "b": (1.1,)})).title


def test_a_sample_stands_for_the_time_before_it_wherever_the_clock_puts_its_end() -> None:
    """Once a millisecond decided whether the first was of the first or the second stretch."""
    loads = (4.0, 1.0, 2.0, 3.0)
    runs, samples = [], []
    for number, jitter in enumerate((-0.002, 0.001, 0.003)):
        run_id = f"a{number}"
        runs.append(identity(run_id, "use", "a", "wrk") | {"label": run_id})
        samples += [
            {"run_id": run_id, "elapsed_s": at + jitter, "process": "server"}
            | {"cpu_ratio": load, "rss_bytes": 1000}
            for at, load in enumerate(loads, 1)
        ]
    made = resources(Results.from_tables({"runs": runs, "resources": samples}))
    (line,) = made.panels[0].series
    assert line.xs == pytest.approx((0.5, 1.5, 2.5, 3.5), abs=0.01)
    assert line.ys == pytest.approx(loads, abs=0.05)


def test_memory_that_never_changed_is_a_sentence() -> None:
    held = Results(
        replace(run, samples=tuple({**s, "rss_bytes": 2e7 + 1e5 * at} for at, s in enumerate(own)))
        for run in results_of({"a": (1.0,), "b": (2.0,)})
        for own in [[s for s in run.samples if s["process"] != "database"]]
    )
    made = resources(held)
    assert [panel.name or panel.title for panel in made.panels] == [
        "Process server: processors kept busy"
    ]
    assert "Process server: memory 20.0\u201320.4\u00a0MB all the time." in made.caption


def test_ranges_of_many_variants_are_thin_lines() -> None:
    """Three bands that lay over each other mixed to a colour of none."""
    made = resources(results_of(dict.fromkeys("abc", (1.0, 2.0))))
    widths = [series.line for series in made.panels[0].series]
    assert widths == [1.0] * 6 + [2.0] * 3
    assert not any(series.low for series in made.panels[0].series)
    ranges = "thin ones their lowest and highest, unless thick ones hide them."
    assert f"Lines are medians over runs, {ranges}" in made.caption


def test_a_variant_without_a_process_that_others_have_is_named() -> None:
    results = results_of({"a": (1.0, 1.1), "b": (2.0, 2.2)})
    direct = without_samples(
        results,
        lambda run, sample: run.variant == "a" and sample["process"] == "database",
    )
    assert "No samples of process database with a." in resources(direct).caption


def test_two_samples_are_no_course() -> None:
    results = results_of({"a": (1.0, 1.1), "b": (2.0, 2.2)})
    early = without_samples(results, lambda _run, sample: sample["elapsed_s"] > 2)
    assert chart(compared(early), "resources") is None


def _sampled(*loads: float, every_s: float) -> Results:
    """One run whose server, and as much memory as ever, was looked at so often."""
    samples = [
        {"run_id": "a0", "elapsed_s": every_s * number, "process": "server"}
        | {"cpu_ratio": load, "rss_bytes": 1000 * number}
        for number, load in enumerate(loads, 1)
    ]
    run = identity("a0", "use", "a", "wrk") | {"label": "a0"}
    return Results.from_tables({"runs": [run], "resources": samples})


def test_the_first_stretch_of_processors_may_count_a_warm_up() -> None:
    """Of memory it is as good as any."""
    made = resources(_sampled(3.0, 1.0, 1.0, 1.0, every_s=0.25))
    cores, memory = made.panels
    assert [min(panel.series[0].xs) for panel in (cores, memory)] == [0.375, 0.125]
    assert "The first of processors is left out" in made.caption
    (_, first), *_ = made.table.rows
    assert [text for text, _ in first] == ["0.125", "left out", "1\u00a0kB"]


def test_of_half_a_minute_it_is_left_out_too() -> None:
    """Its samples are half a second apart, and a little more."""
    made = resources(_sampled(*[3.0] + [1.0] * 59, every_s=30.2 / 60))
    assert {*made.panels[0].series[0].ys} == {1.0}


@pytest.mark.parametrize(
    ("loads", "every_s"),
    [((3.0, 1.0, 1.0), 0.25), ((3.0, 1.0, 1.0, 1.0), 1.0)],
    ids=["too few are left", "a second is little changed by a fifth of it"],
)
def test_a_first_stretch_of_a_few_or_a_long_one_stays(
    loads: tuple[float, ...], every_s: float
) -> None:
    made = resources(_sampled(*loads, every_s=every_s))
    assert made.panels[0].series[0].ys[0] == 3.0
    assert "is left out: it" not in made.caption


def test_where_a_process_has_no_first_stretch_none_is_left_out() -> None:
    late = _sampled(*[2.0] * 5, every_s=0.25)
    (run,) = late
    samples = tuple({**sample, "elapsed_s": sample["elapsed_s"] + 2.0} for sample in run.samples)
    made = resources(Results([replace(run, samples=samples)]))
    assert "is left out: it" not in made.caption
    assert not any(text == "left out" for _, cells in made.table.rows for text, _ in cells)


def test_a_process_that_was_busy_at_first_alone_was_not_idle() -> None:
    made = resources(_sampled(3.0, 0.0, 0.0, 0.0, every_s=0.25))
    assert "kept less than" not in made.caption
