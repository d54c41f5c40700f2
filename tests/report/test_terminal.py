import re

import pytest
from rich.cells import cell_len

from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.report.terminal import render, render_verdicts
from tests.compare.runs import repeated, spread


def runs(*labels: str, **columns: list[float | int | None]) -> Results:
    rows = [
        {
            "run_id": f"r{n}",
            "label": label,
            "variant": label,
            "tool": "wrk",
            "format": "wrk-text",
            "source": "x",
            "sha256": "0",
            **{name: values[n] for name, values in columns.items()},
        }
        for n, label in enumerate(labels)
    ]
    return Results.from_tables({"runs": rows})


def shown(results: Results, width: int = 80, *, colour: bool = False) -> str:
    return render(assess(results).comparisons, width=width, colour=colour)


def test_two_variants_have_metrics_as_rows_and_a_bar_for_each_difference() -> None:
    text = shown(runs("a", "b", throughput_rps=[100.0, 1000.0], latency_p99_s=[0.4, 0.2]))
    assert "Throughput, req/s" in text
    assert "change  worse│better" in text
    assert "10×          │█████" in text
    assert "0.50×        │█▌" in text


def test_the_bar_of_what_is_worse_runs_to_the_left_in_another_shade() -> None:
    text = shown(runs("a", "b", throughput_rps=[100.0, 1000.0], latency_p50_s=[0.002, 0.2]))
    assert re.search("10× +│██▌", text)
    assert re.search("100× +▒▒▒▒▒│", text)


def test_three_variants_are_rows_best_first() -> None:
    text = shown(runs("a", "b", "c", throughput_rps=[100.0, 1000.0, 500.0]))
    rows = [line.split()[0] for line in text.splitlines() if line[:2] in {"a ", "b ", "c "}]
    assert rows[-3:] == ["b", "c", "a"]
    assert "a (base)" in text


def test_what_no_tool_printed_is_a_word_and_never_0() -> None:
    text = shown(runs("a", "b", throughput_rps=[100.0, 1000.0]))
    assert re.search(r"^p99 +not printed +not printed$", text, re.MULTILINE)
    three = shown(runs("a", "b", "c", throughput_rps=[1.0, 2.0, 3.0]))
    assert "p50, p99 and p99.9 not printed by wrk." in three


@pytest.mark.parametrize("width", range(40, 200, 9))
@pytest.mark.parametrize("count", [1, 2, 3, 20])
def test_no_line_is_wider_than_the_terminal(width: int, count: int) -> None:
    labels = [f"変種 a-server-with-a-long-name {n} " + "x" * n for n in range(count)]
    values: list[float | int | None] = [1234.5 * (n + 1) for n in range(count)]
    text = shown(runs(*labels, throughput_rps=values, latency_p50_s=values), width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "Throughput" in text


@pytest.mark.parametrize("width", range(40, 90, 3))
def test_a_figure_and_its_unit_stay_on_one_line(width: int) -> None:
    values: list[float | int | None] = [100.0, 101.0, 99.0, 100.5, 99.5]
    faster = [value * 1.123 for value in values if value]
    text = shown(runs(*"aaaaabbbbb", throughput_rps=[*values, *faster]), width)
    assert "+12\xa0%" in text
    assert not re.search(r"\d\n *%", text)


def test_wider_terminals_show_more() -> None:
    columns: dict[str, list[float | int | None]] = {
        f"latency_{name}_s": [0.001, 0.0021, 0.00345]
        for name in ("mean", "p50", "p90", "p95", "p99", "p999", "max")
    }
    results = runs("a", "b", "c", throughput_rps=[1000.0, 2000.0, 3000.0], **columns)
    headings = [
        {word for word in ("Mean", "p50", "p90", "p95", "p99", "p99.9", "Max") if word in text}
        for text in (shown(results, width) for width in (40, 60, 80, 120))
    ]
    assert headings[0] < headings[1] < headings[2] <= headings[3]
    assert len(headings[3]) == 7


def test_colour_is_only_bold_and_dim() -> None:
    results = runs("a", "b", throughput_rps=[100.0, 1000.0])
    assert "\x1b[1m" in shown(results, colour=True)
    assert "\x1b[3" not in shown(results, colour=True)
    assert "\x1b" not in shown(results)


def test_names_are_neither_markup_nor_escape_sequences() -> None:
    text = shown(runs("[red]a[/red] :smile:", "\x1b[31mb", throughput_rps=[100.0, 1000.0]), 120)
    assert "[red]a[/red] :smile: (base)" in text
    assert "\\x1b[31mb" in text


def test_the_answers_of_many_comparisons_stand_together_before_the_tables() -> None:
    rows = [
        {
            "run_id": f"r{n}",
            "scenario": f"bench {n // 2}",
            "variant": "ab"[n % 2],
            "label": f"bench {n // 2}/{'ab'[n % 2]}",
            "tool": "wrk",
            "format": "wrk-text",
            "source": "x",
            "sha256": "0",
            "throughput_rps": 100.0 * (n + 1),
        }
        for n in range(8)
    ]
    text = shown(Results.from_tables({"runs": rows}))
    first, *rest = text.split("\n\n")
    assert first.splitlines()[:2] == ["4 comparisons", "bench 0 [observed once]"]
    assert [line for line in first.splitlines() if line.startswith("  ")]
    assert "Throughput, req/s" not in first
    assert sum("Throughput, req/s" in part for part in rest) == 4
    few = shown(Results.from_tables({"runs": rows[:6]}))
    assert "comparisons" not in few


def test_a_narrow_terminal_folds_at_blanks_alone() -> None:
    rates = {"before": spread(100.0, 0.02), "after": spread(110.0, 0.02, seed=2)}
    measured = repeated({name: {"throughput_rps": values} for name, values in rates.items()})
    text = render_verdicts(assess(measured).comparisons, width=50)
    assert max(map(cell_len, text.splitlines())) <= 50
    words = set(text.split())
    assert {"Throughput,", "req/s", "verdict"} <= words
    assert "interval" not in words  # the first to go
    assert "interval" in render_verdicts(assess(measured).comparisons, width=80)
