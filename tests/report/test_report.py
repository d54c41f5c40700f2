import base64
import gzip
import hashlib
import html as markup
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from runpy import run_path

import pytest

from benchkit.api import Results
from benchkit.report.build import anchors
from benchkit.report.tabular import BAR

from .pages import Rows, rendered, row, section, viewed

NBSP = "\u00a0"
SAMPLES = run_path(str(Path(__file__).parent / "samples.py"))
with_columns, together = SAMPLES["with_columns"], SAMPLES["together"]


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
    """Return a page with what it carries packed as it is, without its script and styles."""
    page = re.sub(r"(<script>|<style[^>]*>).*?(?=</)", r"\1…", page, flags=re.DOTALL)
    packed = r'(<script type="text/plain">)([^<]*)'
    page = re.sub(packed, lambda m: m[1] + unpacked(m[2]), page)
    return re.sub(r"sha256-[A-Za-z0-9+/=]+", "sha256-…", page)


def unpacked(text: str) -> str:
    return gzip.decompress(base64.b64decode(text)).decode()


class TestSentences:
    def test_two_variants(self, pair: Rows) -> None:
        shown = section(pair)
        assert shown.answer.headline == (
            "“with” had lower latencies than “without” at every printed percentile: "
            f"p99 was 74{NBSP}ms instead of 3,497{NBSP}ms."
        )
        assert shown.answer.grade.words == "Observed once"
        assert [(limit.text, [m.number for m in limit.marks]) for limit in shown.answer.limits] == [
            ("One run each: how much a repetition would differ is not known", [3]),
            ("Failures differ between variants", [1]),
        ]
        assert (
            shown.answer.eyebrow
            == f"ab · 1,000{NBSP}connections · 50,000{NBSP}requests · 1{NBSP}run each"
        )
        assert "closed loop" in shown.answer.remarks[-1]

    def test_three_variants(self, summaries: Results) -> None:
        shown = section(summaries)
        assert shown.answer.headline == (
            f"“none” had the highest throughput, 117{NBSP}k{NBSP}req/s; "
            "the next was gateway, 0.28×."
        )
        assert not shown.answer.table.by_metric
        assert shown.answer.table.notes == (
            "Ordered by throughput, best first.",
            "p50, p99 and p99.9 not printed by wrk.",
        )

    def test_the_verb_of_a_few_runs_is_was(self, known: Rows) -> None:
        shown = section(with_columns(known, latency_p99_s=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
        assert shown.answer.grade.words == "Few runs"
        assert not re.search(r"\b(is|are) (faster|slower|better)", shown.answer.headline)

    def test_middle_and_mean_that_disagree_are_both_named(self, pair: Rows) -> None:
        gone = [None, None]
        rows = with_columns(
            pair | {"quantiles": []},
            latency_p50_s=[0.25, 0.182],
            latency_mean_s=[0.328, 0.379],
            **dict.fromkeys(("throughput_rps", "latency_p95_s", "latency_p99_s"), gone),
        )
        assert section(rows).answer.headline == (
            "“with” against “without”: p50 −27\u00a0%, but mean +16\u00a0%."
        )

    def test_no_verdict_where_most_requests_failed(self, pair: Rows) -> None:
        shown = section(with_columns(pair, success_ratio=[0.0012, 0.5]))
        assert shown.answer.headline == (
            f"No verdict: 99.88{NBSP}% of the requests of “without” failed, 50{NBSP}% of “with”."
        )
        assert not shown.answer.table.changes


class TestTables:
    def test_metrics_are_rows_for_two_variants(self, pair: Rows) -> None:
        view = section(pair).answer
        p99 = row(view, "p99, ms")
        assert [cell.text for cell in p99.cells] == ["3,497", "74"]
        change = p99.cells[1].change
        assert change is not None
        assert (change.text, change.bar) == ("0.021×", BAR)
        assert row(view, "p99.9").absent == "not printed by ab"

    def test_a_bar_for_worse_runs_to_the_other_side(self, pair: Rows) -> None:
        rows = with_columns(pair, latency_p50_s=[0.002, 0.222], latency_p99_s=[4.5, 0.5])
        view = section(rows).answer
        p50, p99 = (row(view, name).cells[1].change for name in ("p50, ms", "p99, ms"))
        assert p50 is not None
        assert p99 is not None
        assert p50.bar == -BAR
        assert 0 < p99.bar < BAR
        page = rendered(rows)
        assert f"<b class=worse style=width:{BAR}px>" in page
        assert f"<b class=better style=width:{p99.bar}px>" in page

    def test_repeated_runs_show_their_range(self, known: Rows) -> None:
        rows = with_columns(known, latency_p99_s=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        cells = row(section(rows).answer, "p99, ms").cells
        assert [(cell.text, cell.spread) for cell in cells] == [
            *(("200", "100–300"), ("500", "400–600"))
        ]

    def test_status_codes_and_errors_are_counted_per_variant(self, known: Rows) -> None:
        shown = section(known).answer
        assert shown.statuses[1:] == [("200", "3,000 (100\u00a0%)", "3,000 (100\u00a0%)")]

    def test_messages_are_parts_of_the_status_that_they_were_counted_with(
        self, known: Rows
    ) -> None:
        runs = [run["run_id"] for run in known["runs"]]
        counts = ((200, 700), (503, 200), (0, 100))
        statuses = [{"run_id": r, "status": s, "count": n} for r in runs for s, n in counts]
        messages = (("503 Service Unavailable", 150), ("503 Busy", 50), ("timed out", 100))
        errors = [{"run_id": r, "error": m, "count": n} for r in runs for m, n in messages]
        shown = section(known | {"statuses": statuses, "errors": errors}).answer.statuses
        assert [row[0] for row in shown[1:]] == [
            *("200", "503", "of these: 503 Service Unavailable", "of these: 503 Busy"),
            *("no response", "of these: timed out"),
        ]
        shown = section(known | {"statuses": [], "errors": errors}).answer.statuses
        assert [row[0] for row in shown[1:]] == [message for message, _ in messages]
        errors[-1]["count"] = 5000
        shown = section(known | {"statuses": statuses, "errors": errors}).answer.statuses
        assert [row[0] for row in shown[-2:]] == ["no response", "timed out"]

    def test_a_run_keeps_its_figures_as_printed(self, pair: Rows) -> None:
        shown = section(pair)
        (printed,) = shown.printed
        assert printed.headings == ["without", "with"]
        blocks = {title: dict(rows) for title, rows in printed.blocks}
        assert blocks["Further figures"] == {"Document Length value": ["", "146 bytes"]}
        assert blocks[""]["throughput_rps"] == ["3,176.16", "32,669.38"]
        assert blocks[""]["load_model"] == ["closed"]
        assert blocks["Percentiles"]["p99"] == [f"3.497{NBSP}s", f"74{NBSP}ms"]

    def test_runs_stand_beside_each_other_where_a_variant_has_several(
        self, pair: Rows, known: Rows
    ) -> None:
        assert section(pair).answer.run_table is None
        table = section(known).answer.run_table
        assert table is not None
        assert [name.label for name in table.names][:2] == ["a/0", "a/1"]
        assert [row.heading for row in table.rows] == ["Max, ms", "Requests"]

    def test_a_run_is_called_by_the_words_of_its_variant(self, known: Rows) -> None:
        """Those that all runs share stand above."""
        labels = {
            run["run_id"]: f"servers/{run['variant']}/{run['repeat']} · aa, cpus 1"
            for run in known["runs"]
        }
        runs = [run | {"label": labels[run["run_id"]]} for run in known["runs"]]
        table = section(known | {"runs": runs}).answer.run_table
        assert table is not None
        assert [name.label for name in table.names][:2] == ["a/1", "a/2"]

    def test_what_was_skipped_is_said_with_its_reason(self, everything: Results) -> None:
        page = viewed(everything)
        assert page.provenance.skipped == [("half.bin", "byte 12: expected a record")]
        assert page.provenance.foreign == f"1{NBSP}file of no known format."


class TestPage:
    def test_the_page_is_what_it_was(self, everything: Results, golden: object) -> None:
        assert callable(golden)
        golden("report/page.html", scrubbed(rendered(everything, title="Sample")))

    def test_the_same_results_give_the_same_page(self, everything: Results) -> None:
        assert rendered(everything) == rendered(everything)

    def test_elements_are_closed_and_none_loads_anything(self, everything: Results) -> None:
        page = rendered(everything)
        parser = Balanced()
        parser.feed(page)
        assert not parser.open
        assert not {"iframe", "object", "embed", "base", "form", "img"} & set(parser.tags)
        assert not re.search(r'(?:src|href)="(?!#|data:,)', page + scrubbed(page))

    def test_the_policy_names_the_scripts_and_nothing_else(self, pair: Rows) -> None:
        page = rendered(pair)
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
        assert policy is not None
        allowed = re.findall(r"'(sha256-[^']*)'", markup.unescape(policy[1]))
        (code,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        assert allowed == [f"sha256-{digest}"]
        assert "unsafe-eval" not in policy[1]


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
    def sampled(self, pair: Rows) -> Rows:
        samples = [
            {"run_id": f"r-{name}", "elapsed_s": 1.0, "process": "server"}
            | {"cpu_ratio": load, "rss_bytes": size}
            for name, load, size in (("without", 1.0, 20_000_000), ("with", 0.5, 40_000_000))
        ]
        rows: Rows = with_columns(pair, duration_s=[10.0, 10.0]) | {"resources": samples}
        return rows

    def test_costs_stand_beside_latencies(self, sampled: Rows) -> None:
        view = section(sampled).answer
        cpu, memory = row(view, "CPU/request, µs"), row(view, "Peak memory")
        assert [cell.text for cell in cpu.cells] == ["200", "100"]
        assert [cell.text for cell in memory.cells] == [f"20{NBSP}MB", f"40{NBSP}MB"]
        change = cpu.cells[1].change
        assert change is not None
        assert change.text == "0.50×"

    def test_comparisons_of_one_scenario_are_told_apart(self, pair: Rows) -> None:
        other = [
            run | {"tool": "wrk", "format": "wrk-text", "run_id": f"{run['run_id']}-wrk"}
            for run in pair["runs"]
        ]
        page = viewed({"runs": [*pair["runs"], *other]})
        assert [section.link for section in page.sections] == ["messages, ab", "messages, wrk"]
        assert [section.answer.anchor for section in page.sections] == [
            "messages-ab",
            "messages-wrk",
        ]


class TestProvenance:
    def test_the_machine_is_told_with_what_differs(self, pair: Rows) -> None:
        machine = [
            json.dumps({"cpu": "any", "cores": 2, "load": {"before": load}}) for load in (0.5, 1.25)
        ]
        page = viewed(with_columns(pair, environment=machine), command="benchkit report .")
        assert page.provenance.environment == [
            ("cpu", "any"),
            ("cores", "2"),
            ("load before", "0.5; 1.25"),
        ]
        page_text = rendered(pair, command="benchkit report '<x>'")
        assert '<pre id="command">benchkit report &#39;&lt;x&gt;&#39;</pre>' in page_text

    def test_without_metadata_the_machine_is_not_recorded(self, pair: Rows) -> None:
        assert "<i>not recorded</i>" in rendered(pair)


def test_the_page_is_small(everything: Results) -> None:
    assert len(rendered(everything).encode()) < 150 * 1024
