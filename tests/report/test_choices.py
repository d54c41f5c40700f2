"""Another baseline, and without some runs: in the views, and chosen in the page."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Any

import pytest

from benchkit.api import Results
from benchkit.cli.guard import run
from benchkit.compare.assess import Assessment, assess
from benchkit.report.without_first import FIRST
from benchkit.validity import examine
from tests.recorded import EXAMPLES, example

from .browsing import opened, unfold, wait_until
from .pages import Pages, section, viewed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SAMPLES = run_path(str(Path(__file__).parent / "samples.py"))
REPEATED = SAMPLES["repeated"]


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_a_verdict_of_any_metric_changes_where_a_run_is_left_out() -> None:
    """Once only what the metrics said together was looked at."""
    rows = SAMPLES["repeated_rows"](effect=1.5)
    for row in rows["quantiles"]:
        if row["quantile"] == 0.99:
            row["latency_s"] = 0.05 * (1 + 0.01 * int(row["run_id"][3:]))
    for row in rows["runs"]:
        row["latency_p99_s"] = 0.05 * (1 + 0.01 * int(row["run_id"][3:]))
    results = Results.from_tables(rows)
    whole = assess(results)

    def verdicts(assessment: Assessment) -> dict[str, str]:
        return {effect.metric.name: effect.verdict for effect in assessment.effects}

    flips = [
        run.label for run in results if verdicts(whole.without([run.run_id])) != verdicts(whole)
    ]
    remarks = " ".join(section(results).answer.remarks)
    assert ("No verdict changes" in remarks) == (not flips)
    assert all(label in remarks for label in flips) or f"for {len(flips)} of" in remarks


class TestViews:
    def test_another_baseline_is_the_report_with_that_baseline(self) -> None:
        results = REPEATED(effect=1.5)
        chosen = section(results).choices[0]
        made = viewed(results, baseline="new").sections[0].answer
        assert (chosen.other.group, chosen.other.label) == ("Baseline", "new")
        assert plain(chosen.answer.headline).startswith("old is slower than new: throughput −32 %")
        for what in ("headline", "grade", "limits", "table"):
            assert getattr(chosen.answer, what) == getattr(made, what)
        assert chosen.answer.messages == made.messages

    def test_without_a_run_is_the_report_of_the_others(self) -> None:
        results = REPEATED(effect=1.02)
        chosen = next(
            choice for choice in section(results).choices if choice.other.label == "checkout/old/1"
        )
        left = results.select(run_ids=[run.run_id for run in results if run.run_id != "old0"])
        made = viewed(left).sections[0].answer
        for what in ("headline", "grade", "limits", "table"):
            assert getattr(chosen.answer, what) == getattr(made, what)
        assert chosen.answer.messages == made.messages
        assert "chosen after the fact" in chosen.other.note

    def test_what_was_found_in_single_runs_stands(self) -> None:
        results = REPEATED(effect=1.5, errors=12_000)
        left = results.select(run_ids=[run.run_id for run in results][1:])
        again, known = examine(left), examine(left, known=examine(results))
        assert known.findings == again.findings
        assert known.statuses == again.statuses

    def test_whether_the_verdict_hangs_on_one_run_is_said(self) -> None:
        view = section(REPEATED(effect=1.5))
        assert "No verdict changes if any one run is left out." in view.answer.remarks
        view = section(REPEATED(effect=1.03, seed=0))
        (hangs,) = [each for each in view.answer.remarks if each.startswith("Leaving out")]
        assert hangs == "Leaving out checkout/old/6 or checkout/new/6 alone changes a verdict."
        for each in view.choices:
            if each.other.group != "Baseline" and each.other.label in hangs:
                assert each.answer.grade != view.answer.grade

    def test_what_is_chosen_after_the_fact_has_no_better_grade(self) -> None:
        """Once variants that all runs do not show to differ were without one "Established"."""
        view = section(REPEATED(effect=1.03, seed=0))
        assert view.answer.grade.key == "unshown"
        left = [each for each in view.choices if each.other.is_single]
        assert {each.answer.grade.key for each in left} == {"unshown", "limited"}
        better = [each.answer.headline for each in left if each.answer.grade.key == "limited"]
        assert all(headline.startswith("In these runs new is") for headline in better)

    def test_of_what_is_established_it_may_be_as_good(self) -> None:
        view = section(REPEATED(effect=1.5))
        left = [each for each in view.choices if each.other.is_single]
        assert {each.answer.grade.key for each in left} == {"established"}

    def test_few_runs_leave_out_the_first_of_each_only(self) -> None:
        view = section(REPEATED(effect=1.5, runs=3))
        assert [choice.other.label for choice in view.choices] == ["new", "the first run of each"]
        once = section(REPEATED(effect=1.5, runs=1))
        assert [choice.other.label for choice in once.choices] == ["new"]

    def test_single_runs_of_many_are_offered_where_that_is_wished(self) -> None:
        results = REPEATED(effect=1.02, runs=13)
        usual, wished = section(results), section(results, each_run=True)
        labels = [run.label for run in results]
        assert [each.other.label for each in usual.choices] == ["new", FIRST]
        assert usual.holds_back
        assert [each.other.label for each in wished.choices] == ["new", FIRST, *labels]
        assert not wished.holds_back
        for left in (labels[0], labels[-1]):
            (chosen,) = [each for each in wished.choices if each.other.label == left]
            made = viewed(results.select(without=left)).sections[0].answer
            for what in ("headline", "grade", "limits", "table", "messages"):
                assert getattr(chosen.answer, what) == getattr(made, what)

    def test_of_few_runs_or_of_none_that_can_be_left_out_nothing_is_held_back(self) -> None:
        for runs in (1, 8, 12):
            assert not section(REPEATED(effect=1.5, runs=runs)).holds_back

    def test_variants_that_cannot_be_compared_have_no_other_baseline(
        self, pair: dict[str, list[dict[str, Any]]]
    ) -> None:
        failing = SAMPLES["with_columns"](pair, success_ratio=[0.0012, 0.5])
        assert section(failing).choices == ()

    def test_without_the_variant_that_failed_the_others_are_compared(self) -> None:
        """Their failures are alike: what no figure of the three together can say."""
        (console,) = (
            view
            for view in viewed(example("gin-panic")).sections
            if view.answer.tabled.comparison.name.endswith("console")
        )
        assert console.answer.headline.startswith("No verdict")
        (choice,) = console.choices
        assert (choice.other.label, choice.other.link) == ("default", "without=default")
        assert plain(choice.answer.headline).startswith(
            "In these runs recover is faster than nolog"
        )
        assert choice.answer.grade.key == "limited"
        assert console.answer.limits[-1].text == "Without default the others can be compared"
        alone = ["--scenario gin-panic", "--variant nolog", "--variant recover"]
        assert choice.other.options == alone
        assert choice.other.note.startswith("Without default in all comparisons of gin-panic, ")
        asked = viewed(example("gin-panic"), baseline="default").sections
        assert [len(view.choices) > 0 for view in asked] == [True] * 3  # once an error
        main = console.answer.main
        assert main is not None
        assert main.chart.title == "Latency by percentile: nolog and recover, not compared"

    def test_what_was_not_prepared_has_its_words_for_a_command(self) -> None:
        rows: list[dict[str, Any]] = [
            SAMPLES["identity"](f"r{n}", "many", f"v{n}", "wrk")
            | {"throughput_rps": 100.0 + n, "latency_mean_s": 0.01, "load_model": "closed"}
            for n in range(9)
        ]
        view = section(Results.from_tables({"runs": rows}))
        assert len(view.choices) == 5
        assert len(view.asking["baselines"]) == 9
        assert view.asking["baselines"][8] == ("v8", "--baseline v8")
        assert view.asking["runs"][8][1].startswith("--without ")

    def test_figures_that_are_the_same_are_kept_once(self) -> None:
        view = section(REPEATED(effect=1.5))
        mains = [choice.answer.main for choice in view.choices]
        numbers = {main.number for main in mains if main}
        assert max(numbers) < len(view.charts)
        assert len(view.charts) == len(set(view.charts))


class TestPage:
    @pytest.fixture
    def written(self, pages: Pages) -> Path:
        return pages.repeated(effect=1.5, errors=12_000)

    def test_a_baseline_changes_words_table_figure_and_marks(
        self, browser: Browser, written: Path
    ) -> None:
        with opened(browser, written) as page:
            unfold(page)
            first = page.inner_text("#checkout h2")
            places = ".main .plot", "[id='checkout.throughput'] .plot"
            drawn = [page.inner_html(anchor) for anchor in places]
            assert page.input_value("#checkout select") == ""
            page.select_option("#checkout select", label="against new")
            assert plain(page.inner_text("h2")).startswith(
                "In these runs old is slower than new:\nthroughput −32 %"
            )
            heads = page.eval_on_selector_all(".pair thead th", "all => all.map(h => h.innerText)")
            assert "baseline" in heads[1]
            assert "new" in heads[1]
            for anchor, before in zip(places, drawn, strict=True):
                assert page.inner_html(anchor) != before
            assert "the report compares with old" in page.inner_text(".chosen")
            page.click(".chosen button")
            assert page.inner_text("#checkout h2") == first
            assert [page.inner_html(anchor) for anchor in places] == drawn
            assert page.evaluate("document.activeElement.tagName") == "SELECT"
            assert page.inner_text(".chosen") == ""

    def test_a_run_is_left_out_and_said_to_be(self, browser: Browser, written: Path) -> None:
        with opened(browser, written) as page:
            unfold(page)
            page.select_option("#checkout select", label="without checkout/new/3")
            assert "Without checkout/new/3, chosen after the fact" in page.inner_text(".chosen")
            assert "7 runs" in plain(page.inner_text(".pair thead"))
            page.click(".grade a")
            wait_until(page, "document.activeElement.id.startsWith('checkout.')")

    def test_each_run_is_left_out_as_the_command_does(
        self, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        results = str(EXAMPLES / "quickstart")
        left = "quickstart/threads/7"
        assert run(["report", results, "--each-run", "-o", "each.html"]) == 0
        assert run(["report", results, "--without", left, "-o", "less.html"]) == 0
        with opened(browser, tmp_path / "less.html") as page:
            unfold(page)
            made = [page.inner_text(selector) for selector in ("h2", ".first table")]
            drawn = page.inner_html(".main .plot")
        with opened(browser, tmp_path / "each.html") as page:
            unfold(page)
            before = page.inner_html(".main .plot")
            options = page.locator("#quickstart select option").all_inner_texts()
            assert len([text for text in options if text.startswith("without quickstart/")]) == 32
            page.select_option("#quickstart select", f"without={left}")
            assert [page.inner_text(selector) for selector in ("h2", ".first table")] == made
            assert page.inner_html(".main .plot") == drawn != before
            assert "threads/7" not in page.inner_text("[id='quickstart.all-runs']")
            assert "--each-run" in page.inner_text("#command")
            page.click(".chosen button")
            assert page.inner_html(".main .plot") == before

    def test_the_command_for_anything_else_makes_it(
        self, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        results = EXAMPLES / "quickstart"
        assert run(["report", str(results), "-o", "all.html"]) == 0
        with opened(browser, tmp_path / "all.html") as page:
            page.select_option("#quickstart select", label="anything else…")
            page.select_option(".asking select", label="threads")
            for left in ("without quickstart/asyncio/3", "without quickstart/threads/1"):
                page.get_by_label(left).check()
            command = shlex.split(page.inner_text(".asking code"))
            assert "With --each-run the page offers" in page.inner_text(".asking")
        assert command[:3] == ["benchkit", "report", str(results)]
        assert run([*command[1:], "-o", "less.html"]) == 0
        with opened(browser, tmp_path / "less.html") as page:
            unfold(page)
            assert "threads baseline 7 runs" in " ".join(page.inner_text(".first table").split())
            assert "7 to 8 runs each" in page.inner_text(".eyebrow")
            rows = page.inner_text("[id='quickstart.all-runs']")
            assert "asyncio/2" in rows
            assert "asyncio/3" not in rows

    def test_a_table_is_copied_as_markdown_and_csv(self, browser: Browser, written: Path) -> None:
        with opened(browser, written) as page:
            unfold(page)
            page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
            page.click("[aria-label='Copy as Markdown: Key numbers']")
            text = plain(page.evaluate("window.copied"))
            assert text.startswith("| Metric | old (baseline) | new | Change |\n| --- | --: |")
            assert (
                "| p99, ms | 49.6 (49.1–50.5) | 33.8 (32.6–35.1) | −32 % (faster, −34 to −31 %)"
                in text
            )
            page.click("[aria-label='Copy as CSV: Runs']")
            lines = page.evaluate("window.copied").split("\r\n")
            assert lines[0].startswith("Run,")
            assert "200000" in lines[1]
            assert page.inner_text(".hidden[role=status]") != ""

    def test_rows_are_sorted_by_a_column(self, browser: Browser, written: Path) -> None:
        with opened(browser, written) as page:
            unfold(page)
            column = (
                "[...document.querySelectorAll('.ranking tbody tr')].map(r => r.cells[3].innerText)"
            )
            before = page.evaluate(column)
            button = page.locator(".ranking thead th >> nth=3").locator("button")
            button.click()
            after = page.evaluate(column)
            assert after == sorted(before, key=lambda text: float(text.replace(",", "")))
            button.click()
            assert page.evaluate(column) == after[::-1]
            assert (
                page.locator(".ranking thead th >> nth=3").get_attribute("aria-sort")
                == "descending"
            )

    def test_a_place_has_a_link(self, browser: Browser, written: Path) -> None:
        with opened(browser, written) as page:
            unfold(page)
            links = page.eval_on_selector_all(".here", "all => all.map(a => a.hash.slice(1))")
            assert {"checkout", "checkout.findings", "checkout.1", "checkout.percentiles"} <= set(
                links
            )
            for name in links:
                assert page.locator(f'[id="{name}"]').count() == 1

    def test_light_and_dark_can_be_chosen(self, browser: Browser, written: Path) -> None:
        with opened(browser, written, color_scheme="dark") as page:
            unfold(page)
            colour = "getComputedStyle(document.body).backgroundColor"
            assert page.evaluate(colour) == "rgb(20, 23, 28)"
            page.click("nav button")
            assert page.evaluate(colour) == "rgb(255, 255, 255)"
            assert page.inner_text("nav button") == "Theme: light"
            page.click("nav button")
            assert page.evaluate(colour) == "rgb(20, 23, 28)"


@pytest.fixture
def two(pages: Pages) -> Path:
    return pages.examples("gateways", "request-coalescing")


class TestAddress:
    """What is chosen stands in the address, so that a link shows what was seen."""

    @staticmethod
    def visit(page: Page, path: Path, fragment: str) -> None:
        page.goto("about:blank")
        page.goto(f"{path.as_uri()}#{fragment}")
        wait_until(page, "document.querySelector('.folds')")
        page.wait_for_timeout(50)

    def test_each_choice_has_an_address_of_its_own(self) -> None:
        links = [choice.other.link for choice in section(REPEATED(effect=1.5)).choices]
        assert links[:3] == ["against=new", "without=first", "without=checkout/old/1"]
        assert len(set(links)) == len(links)

    def test_a_choice_is_restored_with_its_place(self, browser: Browser, two: Path) -> None:
        with opened(browser, two, viewport={"width": 1440, "height": 900}) as page:
            for fragment, anchor in (("gateways", "gateways"), ("gateways.1", "gateways.1")):
                self.visit(page, two, f"{fragment}?against=zuul")
                assert "Against zuul, as chosen here" in page.inner_text("#gateways .chosen")
                assert page.input_value("#gateways .asked select") == "against=zuul"
                assert page.inner_text("#gateways h2").startswith("“none” is faster than zuul")
                assert page.evaluate("document.activeElement.id").startswith(anchor)
            self.visit(page, two, "gateways.1")
            assert page.inner_text("#gateways .chosen") == ""
            assert page.evaluate("document.activeElement.id") == "gateways.1"

    def test_back_and_forward_go_through_choices(self, browser: Browser, two: Path) -> None:
        shown = "document.querySelector('#gateways .asked select').value"
        with opened(browser, two) as page:
            self.visit(page, two, "gateways")
            for link in ("against=zuul", "without=first"):
                page.select_option("#gateways .asked select", link)
                assert page.evaluate("location.hash") == f"#gateways?{link}"
                wait_until(page, f"{shown} === '{link}'")
            page.click("#gateways .chosen button")
            assert page.evaluate("location.hash") == "#gateways"
            for step, link in (
                (page.go_back, "without=first"),
                (page.go_back, "against=zuul"),
                (page.go_back, ""),
                (page.go_forward, "against=zuul"),
            ):
                step()
                wait_until(page, f"{shown} === '{link}'")
            page.keyboard.press("o")
            wait_until(page, "document.querySelector('#gateways').hidden")
            page.go_back()
            wait_until(page, f"{shown} === 'against=zuul'")

    def test_the_next_and_the_previous_keep_their_choice(self, browser: Browser, two: Path) -> None:
        with opened(browser, two) as page:
            self.visit(page, two, "gateways?against=zuul")
            page.keyboard.press("j")
            wait_until(page, "location.hash === '#request-coalescing-pool-bounded'")
            wait_until(page, "document.querySelector('.comparison:not([hidden]) .beside a')")
            page.keyboard.press("k")
            wait_until(page, "location.hash === '#gateways?against=zuul'")
            wait_until(page, "document.title.startsWith('gateways')")  # it is shown
            page.keyboard.press("j")
            back = "document.querySelector('.comparison:not([hidden]) .beside a')"
            wait_until(page, f"{back}?.getAttribute('href') === '#gateways?against=zuul'")
            page.keyboard.press("o")  # which lists the report's own answers
            wait_until(page, "document.querySelector('#gateways').hidden")
            page.click(".answers a >> nth=0")
            wait_until(page, "document.querySelector('.beside a')")
            assert page.evaluate("location.hash") == "#gateways"

    def test_keys_can_be_switched_off(self, browser: Browser, two: Path) -> None:
        with opened(browser, two) as page:
            self.visit(page, two, "gateways?against=zuul")
            page.get_by_label("Keys: j next").uncheck()
            page.keyboard.press("j")
            page.keyboard.press("/")
            assert page.evaluate("[location.hash, document.activeElement.type]") == [
                *("#gateways?against=zuul", "checkbox")
            ]
            page.get_by_label("Keys: j next").check()
            page.keyboard.press("j")
            wait_until(page, "location.hash === '#request-coalescing-pool-bounded'")

    def test_keys_in_quick_succession_are_each_a_step(self, browser: Browser, two: Path) -> None:
        """Once the second did nothing, as the first had not been shown yet."""
        with opened(browser, two) as page:
            self.visit(page, two, "gateways?against=zuul")
            addresses = page.evaluate("""() => ["j", "k", "j", "k"].map((key) => {
                document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
                return location.hash;
            })""")
            assert addresses == ["#request-coalescing-pool-bounded", "#gateways?against=zuul"] * 2
            wait_until(page, "document.title.startsWith('gateways – against zuul')")
            assert not page.evaluate("document.querySelector('#gateways').hidden")

    def test_who_goes_on_before_a_comparison_is_made_finds_its_choice_again(
        self, browser: Browser, two: Path
    ) -> None:
        with opened(browser, two) as page:
            page.evaluate("""() => {
                addEventListener("hashchange", () => document.body.dispatchEvent(
                    new KeyboardEvent("keydown", {key: "j", bubbles: true})), {once: true});
                location.hash = "gateways?against=zuul";
            }""")
            wait_until(page, "document.title.startsWith('request-coalescing')")
            page.keyboard.press("k")
            wait_until(page, "document.title.startsWith('gateways – against zuul')")
            assert page.evaluate("location.hash") == "#gateways?against=zuul"

    def test_the_title_is_that_of_what_is_shown(self, browser: Browser, two: Path) -> None:
        """Once all tabs and entries of the history were called the same."""
        with opened(browser, two) as page:
            usual = page.title()
            for fragment, begin in (
                ("gateways", "gateways – "),
                ("gateways?against=zuul", "gateways – against zuul – "),
                ("gateways?against=nginx", "gateways – "),
                ("gateways.findings", "gateways – "),
                ("request-coalescing-pool-bounded", "request-coalescing, pool bounded – "),
            ):
                self.visit(page, two, fragment)
                assert page.title() == f"{begin}{usual}"
            for fragment in ("nothing", "method", "overview"):
                page.evaluate("name => { location.hash = name; }", fragment)
                wait_until(page, f"document.title === {json.dumps(usual)}")

    def test_links_of_a_comparison_keep_the_choice(self, browser: Browser, two: Path) -> None:
        with opened(browser, two) as page:
            self.visit(page, two, "gateways.all-runs?against=zuul")
            own = page.eval_on_selector_all(
                "#gateways a[href^='#gateways']", "all => all.map(link => link.hash)"
            )
            assert "#gateways.all-runs?against=zuul" in own
            assert {link.partition("?")[2] for link in own} == {"against=zuul"}
            page.click("#gateways .grade a")
            wait_until(page, "document.activeElement.id === 'gateways.1'")
            assert page.evaluate("location.hash") == "#gateways.1?against=zuul"
            page.click("#gateways .chosen button")
            wait_until(page, "!document.querySelector('#gateways a[href*=\"?\"]')")

    def test_what_the_page_has_no_answer_for_is_told(self, browser: Browser, two: Path) -> None:
        with opened(browser, two) as page:
            for link, named in (("against=nginx", "against=nginx"), ("%E0%A4%A", "%E0%A4%A")):
                self.visit(page, two, f"gateways?{link}")
                refusal = f"This page has no answer for “{named}”: this is the report's own."
                assert refusal in page.inner_text("#gateways .chosen")

    def test_the_list_follows_what_is_chosen(self, browser: Browser, two: Path) -> None:
        with opened(browser, two, viewport={"width": 1440, "height": 900}) as page:
            self.visit(page, two, "gateways?against=zuul")
            assert page.inner_text("#gateways .chip") == "● Established"
            grade = page.locator(".contents .mark").first
            assert grade.get_attribute("title") == "● Established"
            self.visit(page, two, "gateways?without=first")
            page.fill(".contents input", "zuul/1")
            assert page.inner_text(".hits") == "zuul/1 left out"
            assert page.locator(".hits a").count() == 0
            page.fill(".contents input", "zuul/2")
            page.click(".hits a")
            wait_until(page, "location.hash.includes('.run-')")
            assert page.evaluate("location.hash").endswith("?without=first")
            page.fill(".contents input", "zuul/1")
            page.click("#gateways .chosen button")
            wait_until(page, "document.querySelector('.hits a')")
            assert grade.get_attribute("title") == "◕ In these runs only"
