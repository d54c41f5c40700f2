"""ab's connection times as tables in pages."""

import pytest

from benchkit.errors import InputError
from benchkit.parsers import ab_text
from benchkit.parsing import RunRecord
from benchkit.text import Text

PAGE = """\
# Two builds of a proxy

## How long a connection takes

Before:

||min |  mean | mean +/-sd | median  | max |
|:--|:--|:--|:--|:--|:--|
|Connect: | 0 |  114 | 355.6    | 36 |   7088 |
|Processing: | 101 | 214 | 52.1  |  207  |  1005 |
|Waiting:   | 101 | 199 | 47.5  |  192    | 981 |
|Total:    |  110 | 328 |  360.0 |   250   | 7330 |

After

||min |  mean | mean +/-sd | median  | max |
|:--|:--|:--|:--|:--|:--|
|Connect:    |    0 | 207 | 664.8 | 17 | 7071|
|Processing: | 101 | 172 | 76.2 | 160 | 3337|
|Waiting:   |   99 | 165 | 74.6 | 153  | 3333|
|Total:     | 102 | 379 | 673.9 | 182 | 7301|
"""


def scan(text: str) -> list[RunRecord | InputError]:
    return list(ab_text.scan_tables(Text.from_text(text)))


def run(text: str) -> RunRecord:
    (record,) = scan(text)
    assert isinstance(record, RunRecord)
    return record


def figures(actual: RunRecord, metric: str) -> dict[str, float]:
    return {f.statistic: f.value for f in actual.figures if f.metric == metric}


def test_two_tables_are_two_runs() -> None:
    first, second = scan(PAGE)
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert first.columns == {
        "latency_min_s": 0.11,
        "latency_mean_s": 0.328,
        "latency_std_s": 0.36,
        "latency_p50_s": 0.25,
        "latency_max_s": 7.33,
    }
    assert second.columns["latency_std_s"] == 0.6739
    assert second.quantiles == [(0.5, 0.182)]
    assert (first.lines, second.lines) == ((6, 11), (15, 20))


def test_the_other_rows_are_figures_as_printed() -> None:
    first = scan(PAGE)[0]
    assert isinstance(first, RunRecord)
    assert figures(first, "Connect") == {
        "min": 0, "mean": 0.114, "stdev": 0.3556, "median": 0.036, "max": 7.088
    }  # fmt: skip
    assert figures(first, "Waiting")["stdev"] == 0.0475
    assert {f.printed for f in first.figures if f.metric == "Processing"} == {
        *("101", "214", "52.1", "207", "1005")
    }


def test_columns_in_another_order_and_spelling() -> None:
    record = run(
        "Phase | Maximum | Average | Std. dev. | Minimum | Median\n"
        "--- | ---: | ---: | ---: | ---: | ---:\n"
        "**Connect** | 9 | 2 | 1.5 | 0 | 1\n"
        "**Processing** | 900 | 120 | 33.5 | 40 | 110\n"
        "**Waiting** | 890 | 119 | 33.4 | 39 | 109\n"
        "**Total** | 905 | 122 | 33.7 | 41 | 111\n"
    )
    assert record.columns == {
        "latency_min_s": 0.041,
        "latency_mean_s": 0.122,
        "latency_std_s": 0.0337,
        "latency_p50_s": 0.111,
        "latency_max_s": 0.905,
    }


@pytest.mark.parametrize(
    ("header", "cell"),
    [
        ("| | min (s) | mean (s) | max (s) |", "| 0.1 | 0.25 | 1.5 |"),
        ("| Times (s) | min | mean | max |", "| 0.1 | 0.25 | 1.5 |"),
        ("| | min (s) | mean | max (s) |", "| 0.1 | 0.25 | 1.5 |"),
        ("| | min | mean | max |", "| 100 ms | 250ms | 1.5 s |"),
        ("| connection times in ms | min | mean | max |", "| 100 | 250 | 1500 |"),
        ("| | min [µs] | mean, ms | max |", "| 100000 | 250 | 1500 |"),
    ],
)
def test_units(header: str, cell: str) -> None:
    rows = "".join(f"| {name} {cell}\n" for name in ("Connect", "Processing", "Waiting", "Total"))
    record = run(f"{header}\n|---|---|---|---|\n{rows}")
    assert record.columns == {
        "latency_min_s": 0.1,
        "latency_mean_s": 0.25,
        "latency_max_s": 1.5,
    }


@pytest.mark.parametrize("cell", ["205 ± 1145.2", "205 1145.2", "205 [+/-1145.2]", "205 (1145.2)"])
def test_mean_and_deviation_in_one_cell(cell: str) -> None:
    rows = "".join(
        f"| {name} | 0 | {cell} | 55 | 15719 |\n" for name in ("Connect", "Processing", "Waiting")
    )
    records = run(f"| | min | mean[+/-sd] | median | max |\n|-|-|-|-|-|\n{rows}")
    assert figures(records, "Processing") == {
        "min": 0, "mean": 0.205, "stdev": 1.1452, "median": 0.055, "max": 15.719
    }  # fmt: skip


def test_a_header_pasted_from_ab_is_a_column_short() -> None:
    rows = "".join(
        f"| {name} | 0 | 205 | 1145.2 | 55 | 15719 |\n"
        for name in ("Connect:", "Processing:", "Waiting:")
    )
    record = run(f"| | min | mean[+/-sd] | median | max |\n|-|-|-|-|-|\n{rows}")
    assert figures(record, "Waiting")["stdev"] == 1.1452
    assert record.columns == {}


def test_an_empty_cell_is_missing() -> None:
    record = run(PAGE[: PAGE.index("After")].replace("  110 |", " - |"))
    assert "latency_min_s" not in record.columns
    assert record.columns["latency_max_s"] == 7.33


def test_drawn_with_lines() -> None:
    record = run(
        "┌────────────┬─────┬──────┬──────┐\n"
        "│            │ min │ mean │ max  │\n"
        "├────────────┼─────┼──────┼──────┤\n"
        "│ Connect    │ 0   │ 1    │ 2    │\n"
        "│ Processing │ 3   │ 4    │ 5    │\n"
        "│ Waiting    │ 3   │ 4    │ 5    │\n"
        "│ Total      │ 3   │ 5    │ 7    │\n"
        "└────────────┴─────┴──────┴──────┘\n"
    )
    assert record.columns["latency_max_s"] == 0.007


def test_a_cell_that_is_no_time() -> None:
    (record,) = scan(PAGE[: PAGE.index("After")].replace("7330", "7.3.30"))
    assert isinstance(record, InputError)
    assert record.where is not None
    assert record.where.line == 12
    assert record.actual == "7.3.30"


def test_thousands_beside_a_decimal_are_thousands() -> None:
    record = run(PAGE[: PAGE.index("After")].replace("7330", "7,330"))
    assert record.columns["latency_max_s"] == 7.33


OTHERS = {
    "fruit": """
| Item | min | mean | max |
|------|-----|------|-----|
| Apples | 1 | 2 | 3 |
| Total | 1 | 2 | 3 |
""",
    "plan": """
| Step | Owner | Days |
|------|-------|------|
| Connect | Ann | 1 |
| Processing | Bo | 2 |
| Waiting | Cy | 3 |
| Total | | 6 |
""",
    "browser": """
| Phase | min | mean | max |
|-------|-----|------|-----|
| DNS | 1 | 2 | 3 |
| Connect | 1 | 2 | 3 |
| Processing | 1 | 2 | 3 |
| Waiting | 1 | 2 | 3 |
""",
    "states": """
| State | max | count |
|-------|-----|-------|
| Connect | 1 | 2 |
| Processing | 1 | 2 |
| Waiting | 1 | 2 |
| Total | 3 | 6 |
""",
}


@pytest.mark.parametrize("table", OTHERS.values(), ids=OTHERS.keys())
def test_other_tables_are_not_ab(table: str) -> None:
    assert scan(table) == []
