"""Whatever is compared, every output shows the same change, and it follows from what it shows."""

from __future__ import annotations

import html as markup
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchkit.api import Results
from benchkit.compare.assess import Assessment, assess
from benchkit.model.comparison import Effect
from benchkit.model.metric import COMPARED
from benchkit.report import html
from benchkit.report.answers import Wanted, answer
from benchkit.report.markdown import markdown, verdicts_markdown
from benchkit.report.records import effect_records, variant_records
from benchkit.report.sentences import headline
from benchkit.report.table import comparison_table
from benchkit.report.terminal import render, render_verdicts
from benchkit.stats.interval import Interval
from tests.compare.runs import four_metrics, interleaved

METRICS = {"Throughput": "throughput", "p50": "p50", "p99": "p99"}
NUMBER = r"[+−]?[\d,]*\.?\d+"
CHANGE = re.compile(rf"({NUMBER}) %|({NUMBER})×")
INTERVAL = re.compile(rf"({NUMBER}) to ({NUMBER}) %|({NUMBER})–({NUMBER})×")


#: What a note below a table says in place of each cell.
ALL_PAIRED = "Changes are paired:"


@dataclass(frozen=True)
class Shown:
    """One metric as an output shows it."""

    base: str
    value: str
    change: str
    interval: str
    paired: bool


def number(text: str) -> tuple[float, float]:
    """Return a printed number and half its last digit."""
    plain = text.replace(",", "").replace("−", "-").replace("+", "")
    decimals = len(plain.partition(".")[2])
    return float(plain), 0.5 * 10**-decimals


def ratios(text: str) -> tuple[float, float]:
    """Return the ratios that a printed change may stand for."""
    match = CHANGE.fullmatch(text)
    assert match, text
    value, half = number(match[1] or match[2])
    if match[2]:
        return value - half, value + half
    return 1 + (value - half) / 100, 1 + (value + half) / 100


def check(shown: Shown, ratio: float) -> None:
    low, high = ratios(shown.change)
    assert low * (1 - 1e-9) <= ratio <= high * (1 + 1e-9)
    (base, base_half), (value, value_half) = number(shown.base), number(shown.value)
    if not shown.paired:
        assert low <= (value + value_half) / max(base - base_half, 1e-12)
        assert high >= (value - value_half) / (base + base_half)
        if shown.change.endswith("%") and shown.change.strip("+−0. %") != "0":
            assert (shown.change[0] != "−") or value <= base
            assert (shown.change[0] != "+") or value >= base
    if shown.interval:
        bounds = INTERVAL.fullmatch(shown.interval)
        assert bounds, shown.interval
        first, last = (number(text)[0] for text in bounds.groups() if text)
        match = CHANGE.fullmatch(shown.change)
        assert match
        assert first <= number(match[1] or match[2])[0] <= last
        assert bool(match[2]) == shown.interval.endswith("×")  # in one form and direction


def parsed(base: str, value: str, beside: str) -> Shown:
    """Return what the cells of a row say; spreads and verdicts left out."""
    interval = INTERVAL.search(beside)
    rest = beside.replace(interval[0], "") if interval else beside
    change = CHANGE.search(rest)
    assert change, beside
    texts = [re.match(NUMBER, cell.strip()) for cell in (base, value)]
    first, second = (text[0] if text else "" for text in texts)
    return Shown(first, second, change[0], interval[0] if interval else "", "paired" in rest)


def of_markdown(text: str) -> Iterator[tuple[str, Shown]]:
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        metric = cells[0].strip().partition(",")[0]
        if metric in METRICS and CHANGE.search(cells[3]):
            yield metric, parsed(cells[1], cells[2], " ".join(cells[3:]))


def of_page(text: str) -> Iterator[tuple[str, Shown]]:
    table = text[text.index('<table class="pair">') : text.index("</table>")]
    for row in re.split('<tr(?: class="lead")?><th>', table)[2:]:
        heading, *rest = row.split("<td")
        cells = [re.sub("<[^>]*>", " ", f"<td{cell}") for cell in rest]
        metric = re.split("[,<]", heading)[0].strip()
        if metric in METRICS and len(cells) > 2 and CHANGE.search(cells[2]):
            yield metric, parsed(*map(markup.unescape, cells))


def of_terminal(text: str) -> Iterator[tuple[str, Shown]]:
    for line in text.splitlines():
        cells = [
            cell for cell in re.split(r"\s{2,}", line) if not re.fullmatch("[█▉▊▋▌▍▎▏]+", cell)
        ]
        metric = cells[0].partition(",")[0]
        if metric in METRICS and len(cells) > 3:
            values = [cell for cell in cells[1:] if re.fullmatch(NUMBER, cell)]
            beside = [cell for cell in cells[1:] if "%" in cell or "×" in cell]
            if beside:
                yield metric, parsed(values[0], values[1], " ".join(beside))


@dataclass(frozen=True)
class Case:
    """Two variants with random runs; some effects are estimated in another way.

    Attributes:
        scale: About how many times the throughput of the second is that of the first.
        noise: Per run of either, per metric a factor.
        others: Per effect None, or factors of the ratio: another estimate and its bounds.
    """

    scale: float
    noise: list[list[float]]
    others: list[tuple[float, float, float] | None]

    def assessment(self) -> Assessment:
        half = len(self.noise) // 2
        runs = []
        for n, noise in enumerate(self.noise):
            name, by = ("old", 1.0) if n < half else ("new", self.scale)
            runs.append(
                {"run_id": f"{name}{n}", "label": f"{name}{n}", "variant": name, "tool": "wrk"}
                | {"format": "wrk-text", "source": "x", "sha256": "0", "load_model": "closed"}
                | {"scenario": "s", "throughput_rps": 1234.5 * by * noise[0]}
                | {"latency_p50_s": 0.0123 / by * noise[1], "latency_p99_s": 0.4 / by * noise[2]}
            )
        made = assess(Results.from_tables({"runs": runs}))
        (comparison,) = made.comparisons
        effects = [
            other(effect, factors) if factors and half > 1 else effect
            for effect, factors in zip(comparison.effects, self.others, strict=True)
        ]
        made.__dict__["comparisons"] = (replace(comparison, effects=tuple(effects)),)
        return made


def other(effect: Effect, factors: tuple[float, float, float]) -> Effect:
    assert effect.ratio
    ratio = effect.ratio * factors[0]
    interval = Interval(ratio * factors[1], ratio * factors[2], 0.95)
    return replace(effect, ratio=ratio, estimate="pairs", interval=interval)


NOISE = st.lists(st.floats(0.8, 1.25), min_size=3, max_size=3)
OTHER = st.tuples(st.floats(0.9, 1.1), st.floats(0.3, 1.0), st.floats(1.0, 3.0))
CASES = st.builds(
    Case,
    st.sampled_from([1.0, 1.001, 0.98, 1.7, 3.3, 0.2, 41.0]),
    st.sampled_from([2, 6, 12]).flatmap(
        lambda count: st.lists(NOISE, min_size=count, max_size=count)
    ),
    st.lists(st.none() | OTHER, min_size=3, max_size=3),
)


def page_part(assessment: Assessment) -> str:
    """Return what the page shows beside the first figure."""
    (comparison,) = assessment.comparisons
    view = answer(comparison, Wanted("s", alone=True, drawings=None))
    module = html.environment().get_template("answer.html.j2").make_module()
    return str(module.words(view))


@settings(max_examples=60)
@given(CASES)
def test_every_output_shows_the_same_change(case: Case) -> None:
    assessment = case.assessment()
    (comparison,) = assessment.comparisons
    records = {record["metric"]: record for record in effect_records(assessment)}
    outputs = {
        "markdown": (of_markdown, markdown([comparison])),
        "compare": (of_markdown, verdicts_markdown([comparison])),
        "terminal": (of_terminal, render([comparison], width=200)),
        "verdicts": (of_terminal, render_verdicts([comparison], width=200)),
        "page": (of_page, page_part(assessment)),
    }
    for name, (rows, text) in outputs.items():
        shown = dict(rows(plain(text)))
        assert {METRICS[metric] for metric in shown} == set(records), name
        for metric, read in shown.items():
            record = records[METRICS[metric]]
            cell = replace(read, paired=read.paired or ALL_PAIRED in text)
            assert cell.paired == (record["estimate"] == "paired")
            check(cell, record["ratio"])


@settings(max_examples=60)
@given(CASES)
def test_no_sentence_points_the_other_way_than_its_interval(case: Case) -> None:
    (comparison,) = case.assessment().comparisons
    sentence = plain(headline(comparison))
    for part in re.finditer(rf"({CHANGE.pattern}) \((?:paired, )?({INTERVAL.pattern})\)", sentence):
        check(Shown("1", "1", part[1], part[4], paired=True), sum(ratios(part[1])) / 2)
    match = re.search(r"is (faster|slower) than old: (\w+) (\S+)", sentence)
    if match:
        above = match[3][0] not in "−0"
        assert (match[1] == "faster") == (above == (match[2] == "throughput")), sentence


@dataclass(frozen=True)
class Field:
    """Several variants, or two at several levels, interleaved or not, with random runs.

    Attributes:
        params: Of each variant of which there are several runs, beside its name.
        noise: Per run number, per metric a factor.
        paired: Whether the repeats were made in turn.
    """

    params: dict[tuple[str, int | None], float]
    noise: list[list[float]]
    paired: bool

    def assessment(self) -> Assessment:
        runs = []
        for at, ((name, level), by) in enumerate(self.params.items()):
            for n, noise in enumerate(self.noise):
                label, began = f"{name} {level} {n}", 60 * (n * len(self.params) + at)
                # Another order of the factors for each variant: else all ratios were the same.
                own = noise[at % 3 :] + noise[: at % 3]
                runs.append(
                    {"run_id": label, "label": label, "variant": name, "tool": "vegeta"}
                    | {"format": "vegeta-text", "source": "x", "sha256": "0", "scenario": "s"}
                    | {"repeat": n + 1, "load_model": "closed", "correction": "none"}
                    | {"params": json.dumps({} if level is None else {"c": level})}
                    | ({"started_at": BEGAN + np.timedelta64(began, "s")} if self.paired else {})
                    | {"throughput_rps": 1234.5 * by * own[0]}
                    | {"latency_p50_s": 0.0123 / by * own[1], "latency_p99_s": 0.4 / by * own[2]}
                )
        return assess(Results.from_tables({"runs": runs}))


BEGAN = np.datetime64("2026-01-01T00:00:00", "ns")
FACTORS = st.sampled_from([1.0, 1.001, 0.98, 1.7, 0.2])
SEVERAL = st.lists(FACTORS, min_size=3, max_size=5).map(
    lambda factors: {(name, None): by for name, by in zip("abcde", factors, strict=False)}
)
SWEPT = st.lists(FACTORS, min_size=6, max_size=6).map(
    lambda factors: {
        (name, level): by
        for by, (name, level) in zip(
            factors, [(n, c) for c in (8, 32, 128) for n in ("old", "new")], strict=True
        )
    }
)
FIELDS = st.builds(
    Field,
    SEVERAL | SWEPT,
    st.sampled_from([1, 3, 6, 8]).flatmap(lambda n: st.lists(NOISE, min_size=n, max_size=n)),
    st.booleans(),
)


def of_rows(text: str, labels: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield label, metric and cell of a Markdown table with variants as rows."""
    headings: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if cells[0].strip() == "Variant":
            headings = [re.split(r"[,(]", cell)[0].strip() for cell in cells]
        name = cells[0].partition(" (")[0].strip()
        if headings and name in labels and len(cells) == len(headings):
            yield from ((name, *pair) for pair in zip(headings[1:], cells[1:], strict=True))


@settings(max_examples=40)
@given(FIELDS)
def test_of_many_variants_and_sweeps_every_output_shows_the_same(field: Field) -> None:
    """The change is the ratio of the values beside it or named, and lies in its interval."""
    assessment = field.assessment()
    effects = {(r["variant"], r["metric"]): r for r in effect_records(assessment)}
    for comparison in assessment.comparisons:
        own = {record["label"]: record for record in variant_records([comparison])}
        for (label, metric), effect in effects.items():
            if metric in METRICS.values():
                beside = own[own[label]["baseline"]]
                agree(own[label], beside, COMPARED[metric].column, effect)
        assert {r["evidence"] for r in own.values()} == {comparison.grade.words.lower()}
        text, seen = plain(markdown([comparison])), set()
        for label, title, cell in of_rows(text, own):
            record = effects.get((label, METRICS.get(title, "")))
            if record is None:
                continue
            seen.add((label, METRICS[title]))
            change = CHANGE.search(INTERVAL.sub("", cell.partition("(")[2]))
            assert change, cell
            low, high = ratios(change[0])
            assert low * (1 - 1e-9) <= record["ratio"] <= high * (1 + 1e-9)
            assert ("paired" in cell or ALL_PAIRED in text) == (record["estimate"] == "paired")
        assert seen == {key for key in effects if key[1] in METRICS.values()}
        compared = plain(verdicts_markdown([comparison]))
        for words in {r["grade"] for r in effects.values()}:
            assert f"**{words}.**" in compared.lower()
        shown, verdicts = (
            " ".join(plain(text).split()).lower()
            for text in (
                render([comparison], width=200),
                render_verdicts([comparison], width=200),
            )
        )
        assert f"[{comparison.grade.words.lower()}]" in shown
        assert all(f"[{r['grade']}]" in verdicts for r in effects.values())


def agree(
    record: Mapping[str, Any], beside: Mapping[str, Any], column: str, effect: Mapping[str, Any]
) -> None:
    """Compare what `show` writes as JSON and CSV of a variant with what `compare` does."""
    ratio, name = record[f"{column}_ratio"], record[f"{column}_ratio_estimate"]
    assert (ratio, name) == (effect["ratio"], effect["estimate"])
    assert record["baseline"] == effect["baseline"] == beside["label"]
    assert beside["is_baseline"]
    assert beside[f"{column}_ratio"] == 1
    if not name:
        assert ratio == pytest.approx(record[column] / beside[column])
    if effect["ci_low"] is not None:
        assert effect["ci_low"] <= ratio <= effect["ci_high"]


def plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\\", "")


@pytest.mark.parametrize(("slower", "sign"), [(1.5, "%"), (2.5, "×")])
def test_a_column_of_changes_has_one_notation_in_every_output(slower: float, sign: str) -> None:
    """Once −9 % stood below 87×."""
    factors = {"a": 1.0, "b": 1.1, "c": slower}
    runs = interleaved({name: four_metrics(by) for name, by in factors.items()})
    (comparison,) = assess(runs).comparisons
    table = comparison_table(comparison)
    (throughput,) = (row for row in table.rows if row.column == "throughput_rps")
    changes = [cell.change for cell in throughput.cells if cell.change]
    assert len(changes) == 2
    assert all(change.text.endswith(sign) for change in changes)
    texts = (markdown([comparison]), render([comparison], width=120))
    for change in changes:
        assert all(change.text in text for text in texts)
