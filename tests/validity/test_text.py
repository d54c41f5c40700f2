from __future__ import annotations

import json
from pathlib import Path

from benchkit.validity import examine, findings
from benchkit.validity.text import groups, markdown, messages, records, summary, table
from tests.validity.runs import results, run

FULL = {"connections": 10, "throughput_rps": 1000.0, "latency_mean_s": 0.04, "duration_s": 5.0}


def test_a_line_per_finding_within_the_width() -> None:
    text = table(examine(results(run("wrk", **FULL))), width=60)
    assert max(map(len, text.splitlines())) <= 60
    assert "error: More requests in flight than connections\n  [LITTLE_HIGH]" in text
    assert text.index("error:") < text.index("warning:")


def test_many_runs_with_one_finding_are_told_once() -> None:
    examined = examine(results(*(run("wrk", f"v{n}", duration_s=5.0) for n in range(6))))
    (short,) = [finding for finding in groups(examined.findings) if finding[0].check == "TOO_SHORT"]
    assert len(short) == 6
    assert messages(short)[1] == "Also found of v1 1, v2 2 and 3 more runs."


def test_few_are_told_one_by_one() -> None:
    examined = examine(results(*(run("wrk", f"v{n}", duration_s=5.0) for n in range(3))))
    (short,) = [finding for finding in groups(examined.findings) if finding[0].check == "TOO_SHORT"]
    assert len(messages(short)) == 3


def test_one_entry_per_kind_and_severity_tells_each_difference() -> None:
    first = run("wrk", "a", connections=2, method="GET", pipelining=1)
    other = run("wrk", "b", connections=4, method="PUT", pipelining=2)
    (differs,) = [
        g for g in groups(findings(results(first, other))) if g[0].check == "CONFIG_DIFFERS"
    ]
    assert [text.split(". ")[1][:6] for text in messages(differs)] == ["Connec", "Pipeli", "Method"]


def test_what_is_of_all_runs_comes_before_what_is_of_single_ones() -> None:
    runs = [run("wrk", name, success_ratio=0.5 if name == "a" else 1.0) for name in "aaaaab"]
    apart, failed = [g for g in groups(findings(results(*runs))) if g[0].check == "ERROR_MIX"]
    assert [apart[0].title, failed[0].title] == [
        "Failures differ between variants",
        "Over 1\u00a0% of the requests failed",
    ]
    (only,) = messages(apart)
    assert only.startswith("Over all runs, 50\u00a0% of the requests failed in a, 0\u00a0% in b")
    first, second = messages(failed)
    assert first.startswith("a 0: 50\u00a0% of the requests failed")
    assert second == "Also found of a 1, a 2 and 2 more runs."


def test_markdown_shows_names_as_they_are() -> None:
    text = markdown(examine(results(run("wrk", "<b>*a*", duration_s=5.0))))
    assert r"\<b\>\*a\*" in text
    assert "- **Note: Measured for a short time.**" in text


def test_control_characters_do_not_reach_a_terminal() -> None:
    text = table(examine(results(run("wrk", "a\x1b]0;owned\x07", duration_s=5.0))), width=80)
    assert "\x1b" not in text
    assert "\x07" not in text


def test_records_are_plain_data() -> None:
    page = json.loads(json.dumps(records(examine(results(run("wrk", **FULL))))))
    high = next(finding for finding in page["findings"] if finding["check"] == "LITTLE_HIGH")
    keys = {"check", "severity", "scenario", "variant", "run_id", "message", "values"}
    assert keys <= high.keys()
    assert high["values"]["in_flight"] == 40
    assert "\u00a0" not in high["message"]
    states = {finding["check"]: finding["state"] for finding in page["checks"] if finding["run_id"]}
    assert states["WARMUP"] == "not applicable"


def test_kinds_are_counted_not_runs() -> None:
    message = summary(examine(results(*(run("wrk", duration_s=5.0) for _ in range(12)))))
    assert message.replace("\u00a0", " ").startswith("1 note.")


def test_the_summary_counts_and_says_what_was_not_looked_at() -> None:
    message = summary(examine(results(run("wrk", **FULL)))).replace("\u00a0", " ")
    assert message.startswith("1 error, 1 warning and 1 note. Not applicable, for lack of data: ")
    assert "WARMUP" in message
    assert "AB_LENGTH" not in message  # never of wrk
    assert "SIGN_CONFLICT" not in message  # there is one variant


def test_every_page_of_the_examples_can_be_written(data: Path) -> None:
    import benchkit

    examined = examine(benchkit.load(data / "pages"))
    assert json.dumps(records(examined))
    assert table(examined, width=40)
