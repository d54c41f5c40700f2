import base64
import gzip
import hashlib
import html as markup
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from benchkit.errors import UsageError
from benchkit.frames import rows_of
from benchkit.report import html
from benchkit.report.anchors import anchors
from benchkit.report.build import page_view
from benchkit.results import Results

NBSP = "\u00a0"


class Balanced(HTMLParser):
    """Fails on elements that are not closed in order; lists the scripts."""

    VOID = frozenset({"meta", "link", "br"})
    OPTIONAL = frozenset({"tr", "td", "th", "dt", "dd", "thead", "tbody"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open[-1] != tag and self.open[-1] in self.OPTIONAL:
            self.open.pop()
        assert self.open.pop() == tag


def scrubbed(page: str) -> str:
    """Return a page without plotly.js, whose version is not ours."""
    page = re.sub(r'(id="library">)[^<]*', r"\1…", page)
    page = re.sub(r'(id="content">)([^<]*)', lambda m: m[1] + unpacked(m[2]), page)
    return re.sub(r"sha256-[A-Za-z0-9+/=]+", "sha256-…", page)


def unpacked(text: str) -> str:
    return gzip.decompress(base64.b64decode(text)).decode()


class TestSentences:
    def test_two_variants(self, pair: Results) -> None:
        (section,) = page_view(pair)[0].sections
        assert section.answer.headline == (
            f"with: every printed percentile was lower; p99 was 74{NBSP}ms instead of 3.50{NBSP}s."
        )
        assert section.answer.grade_words == "Observed once"
        assert [(one.text, [m.number for m in one.marks]) for one in section.answer.limits] == [
            ("One run each: how much a repetition would differ is not known", [4]),
            ("Failures among the requests", [1]),
        ]
        assert (
            section.answer.eyebrow
            == f"ab · 1,000{NBSP}connections · 50,000{NBSP}requests · 1{NBSP}run each"
        )
        assert "closed loop" in section.answer.remarks[-1]

    def test_three_variants(self, summaries: Results) -> None:
        (section,) = page_view(summaries)[0].sections
        assert section.answer.headline == (
            f"“none” had the highest throughput, 117{NBSP}k{NBSP}req/s, "
            f"3.6×{NBSP}higher than gateway."
        )
        assert section.answer.pair is None
        assert section.answer.ranking is not None
        assert section.answer.ranking.absent == "p50 and p99 not printed by wrk."

    def test_the_verb_of_a_few_runs_is_was(self, known: Results) -> None:
        (section,) = page_view(known)[0].sections
        assert section.answer.grade_words == "Few runs"
        assert not re.search(r"\b(is|are) (faster|slower|better)", section.answer.headline)

    def test_middle_and_mean_that_disagree_are_both_named(self, pair: Results) -> None:
        pair = Results({**pair.tables, "quantiles": pair.quantiles.iloc[:0]})
        for column, values in (
            ("latency_p50_s", [0.25, 0.182]),
            ("latency_mean_s", [0.328, 0.379]),
        ):
            pair.tables["runs"][column] = values
        for column in ("throughput_rps", "latency_p95_s", "latency_p99_s"):
            pair.tables["runs"][column] = None
        (section,) = page_view(pair)[0].sections
        assert section.answer.headline == (
            f"with: p50 was 1.4×{NBSP}lower, but mean was 1.2×{NBSP}higher."
        )

    def test_no_verdict_where_most_requests_failed(self, pair: Results) -> None:
        pair.tables["runs"]["success_ratio"] = [0.0012, 0.5]
        (section,) = page_view(pair)[0].sections
        assert (
            section.answer.headline
            == "No verdict: 0.12% of the requests of “without” succeeded, at best 50%."
        )
        assert section.answer.pair is not None
        assert all(row.change is None for row in section.answer.pair.rows)


class TestTables:
    def test_metrics_are_rows_for_two_variants(self, pair: Results) -> None:
        (section,) = page_view(pair)[0].sections
        assert section.answer.pair is not None
        rows = {row.heading: row for row in section.answer.pair.rows}
        p99 = rows["p99, ms"]
        assert [cell.text for cell in p99.cells] == ["3,497", "74"]
        assert p99.change is not None
        assert (p99.change.amount, p99.change.word, p99.change.bar) == ("47×", "lower", 64)
        assert rows["p99.9"].absent == "not printed by ab"

    def test_repeated_runs_show_their_range(self, known: Results) -> None:
        known.tables["runs"]["latency_p99_s"] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        (section,) = page_view(known)[0].sections
        assert section.answer.pair is not None
        cells = next(row for row in section.answer.pair.rows if row.heading == "p99, ms").cells
        assert [(cell.text, cell.spread) for cell in cells] == [
            *(("200", "100–300"), ("500", "400–600"))
        ]

    def test_status_codes_and_errors_are_counted_per_variant(self, known: Results) -> None:
        (section,) = page_view(known)[0].sections
        assert section.statuses is not None
        assert section.statuses.rows == (("200", "3,000 (100%)", "3,000 (100%)"),)

    def test_a_run_keeps_its_figures_as_printed(self, pair: Results) -> None:
        (section,) = page_view(pair)[0].sections
        (printed,) = section.printed
        assert printed.headings == ("without", "with")
        blocks = {title: {row.name: row.cells for row in rows} for title, rows in printed.blocks}
        assert blocks["Further figures"] == {"Document Length value": ("", "146 bytes")}
        assert blocks[""]["throughput_rps"] == ("3,176.16", "32,669.38")
        assert blocks[""]["load_model"] == ("closed",)
        assert blocks["Percentiles"]["p99"] == (f"3.497{NBSP}s", f"74{NBSP}ms")

    def test_runs_stand_beside_each_other_where_a_variant_has_several(
        self, pair: Results, known: Results
    ) -> None:
        assert page_view(pair)[0].sections[0].run_table is None
        table = page_view(known)[0].sections[0].run_table
        assert table is not None
        assert [name.label for name, _ in table.rows][:2] == ["a/0", "a/1"]
        assert [heading for heading, _ in table.headings] == ["Run", "Max, ms", "Requests"]

    def test_what_was_skipped_is_said_with_its_reason(self, everything: Results) -> None:
        page, _ = page_view(everything)
        assert page.skipped == (("half.bin", "half.bin, byte 12: expected a record"),)
        assert page.foreign == f"1{NBSP}file of no known format."


class TestPage:
    def test_the_page_is_what_it_was(self, everything: Results, golden: object) -> None:
        assert callable(golden)
        golden("report/page.html", scrubbed(html.render(everything, title="Sample")))

    def test_the_same_results_give_the_same_page(self, everything: Results) -> None:
        assert html.render(everything) == html.render(everything)

    def test_elements_are_closed_and_none_loads_anything(self, everything: Results) -> None:
        page = html.render(everything)
        parser = Balanced()
        parser.feed(page)
        assert not parser.open
        assert not {"iframe", "object", "embed", "base", "form", "img"} & set(parser.tags)
        assert not re.search(r'(?:src|href)="(?!#|data:,)', scrubbed(page))

    def test_the_policy_names_the_scripts_and_nothing_else(self, pair: Results) -> None:
        page = html.render(pair)
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
        assert policy is not None
        allowed = re.findall(r"'(sha256-[^']*)'", markup.unescape(policy[1]))
        boot = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
        packed = re.search(r'id="content">([^<]*)', page)
        assert boot is not None
        assert packed is not None
        code = json.loads(unpacked(packed[1]))["code"]
        hashes = [hashlib.sha256(one.encode()).digest() for one in (boot[1], code)]
        assert len(allowed) == 3
        assert allowed[:2] == [f"sha256-{base64.b64encode(one).decode()}" for one in hashes]
        assert "unsafe-eval" not in policy[1]

    def test_the_file_appears_whole_or_not_at_all(
        self, pair: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "new" / "report.html"
        assert html.write(pair, target) == target
        assert target.read_text("utf-8") == html.render(pair)
        target.write_text("before", "utf-8")

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", full)
        with pytest.raises(UsageError, match="No space left"):
            html.write(pair, target)
        assert [path.name for path in target.parent.iterdir()] == ["report.html"]
        assert target.read_text("utf-8") == "before"


def test_places_are_called_after_their_scenario() -> None:
    names = [
        "Request coalescing in Go",
        "request COALESCING in C",
        "001_f7c129894a35d07b",
        "€",
        "🦆",
    ]
    assert anchors(names) == [
        *("request-coalescing-in-go", "request-coalescing-in-c", "001-f7c129894a35d0"),
        *("comparison", "comparison-2"),
    ]


class TestKeyTable:
    @pytest.fixture
    def sampled(self, pair: Results) -> Results:
        runs = pair.tables["runs"].assign(duration_s=10.0)
        samples = [
            {"run_id": f"r-{name}", "elapsed_s": 1.0, "process": "server"}
            | {"cpu_ratio": load, "rss_bytes": size}
            for name, load, size in (("without", 1.0, 20_000_000), ("with", 0.5, 40_000_000))
        ]
        frame = Results.of({"runs": rows_of(runs), "resources": samples}).resources
        return Results({**pair.tables, "runs": runs, "resources": frame})

    def test_costs_stand_beside_latencies(self, sampled: Results) -> None:
        pair = page_view(sampled)[0].sections[0].answer.pair
        assert pair is not None
        rows = {row.heading: row for row in pair.rows}
        cpu, memory = rows["CPU/request, µs"], rows["Peak memory"]
        assert [cell.text for cell in cpu.cells] == ["200", "100"]
        assert [cell.text for cell in memory.cells] == [f"20{NBSP}MB", f"40{NBSP}MB"]
        assert cpu.change is not None
        assert (cpu.change.amount, cpu.change.word) == ("2.0×", "lower")

    def test_comparisons_of_one_scenario_are_told_apart(self, pair: Results) -> None:
        other = pair.tables["runs"].assign(tool="wrk", format="wrk-text")
        other["run_id"] = other["run_id"] + "-wrk"
        runs = [*rows_of(pair.runs), *rows_of(other)]
        page, _ = page_view(Results.of({"runs": runs}))
        assert [one.link for one in page.sections] == ["messages, ab", "messages, wrk"]
        assert [one.answer.anchor for one in page.sections] == ["messages-ab", "messages-wrk"]


class TestProvenance:
    def test_the_machine_is_told_with_what_differs(self, pair: Results) -> None:
        pair.tables["runs"]["environment"] = [
            json.dumps({"cpu": "any", "cores": 2, "load": {"before": load}}) for load in (0.5, 1.25)
        ]
        page, _ = page_view(pair, command="benchkit report .")
        assert page.environment == (("cpu", "any"), ("cores", "2"), ("load before", "0.5; 1.25"))
        told = html.render(pair, command="benchkit report '<x>'")
        assert "<pre>benchkit report &#39;&lt;x&gt;&#39;</pre>" in told

    def test_without_metadata_the_machine_is_not_recorded(self, pair: Results) -> None:
        assert "<i>not recorded</i>" in html.render(pair)


def test_the_page_without_plotly_is_small(everything: Results) -> None:
    page = re.sub(r'(id="library">)[^<]*', "", html.render(everything))
    assert len(page.encode()) < 100 * 1024
