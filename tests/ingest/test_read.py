"""One file to its runs: what a parser stumbles over stays with that file."""

from __future__ import annotations

import gc
import gzip
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

import benchkit
from benchkit import registry
from benchkit.cli.guard import DEFECT, run
from benchkit.errors import InputError, NothingToReportError
from benchkit.ingest import defects
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.ingest.sources import open_source
from benchkit.parsing import RunOrError, TextParser
from benchkit.text import decode, repair
from benchkit.text.pieces import Piece

ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
TEXTS = (
    *("ab/odd.txt", "ab/html.txt", "wrk/non2xx.txt", "wrk/lua-done.txt", "wrk2/uncorrected.txt"),
    *("vegeta/errors.report.txt", "vegeta/errors.hist.txt", "vegeta/ok.hdrplot.txt"),
    *("autocannon/table-mixed.txt", "autocannon/table-workers.txt", "vegeta/ok.report.json"),
)


def message(path: Path) -> str:
    files = benchkit.load(path.parent).files
    (results,) = files[files["state"] == "skipped"]["message"]
    return str(results)


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    """A folder with one good file."""
    (tmp_path / "good.txt").write_bytes((data / "wrk" / "plain.txt").read_bytes())
    return tmp_path


@pytest.mark.parametrize("name", TEXTS)
def test_digits_of_other_scripts_are_no_numbers(name: str, data: Path, tmp_path: Path) -> None:
    lines = (decode((data / name).read_bytes()) or "").splitlines()
    path = tmp_path / "other.txt"
    for at, line in enumerate(lines):
        changed = [*lines[:at], line.translate(ARABIC), *lines[at + 1 :]]
        path.write_text("\n".join(changed), encoding="utf-8")
        problems = map(str, read_file(Input(str(path), path.name, path.name)).problems)
        assert not [problem for problem in problems if "figures that can be read" in problem], line


def test_a_report_with_such_a_digit_names_the_line(data: Path, folder: Path) -> None:
    report = (data / "ab" / "few.txt").read_text(encoding="utf-8")
    time = next(line for line in report.splitlines() if line.startswith("Time taken"))
    path = folder / "ab.txt"
    path.write_text(
        report.replace(time, "Time taken for tests:   1 seconds".translate(ARABIC)),
        encoding="utf-8",
    )
    assert message(path).startswith(f"{path.as_posix()}, line ")
    assert "1".translate(ARABIC) in message(path)


def stumbling(*_: object) -> Iterator[RunOrError]:
    yield from ()
    msg = "not a number: x"
    raise ValueError(msg)


@pytest.mark.parametrize(
    ("file", "changes", "where"),
    [
        ("ab/few.txt", {"scan": stumbling}, ""),
        ("autocannon/plain.json", {"parse": lambda _: next(stumbling())}, ", line 1"),
        ("vegeta/ok.gob", {"rows": stumbling}, ""),
    ],
)
def test_a_defect_of_a_parser_names_it_and_costs_one_file_only(
    file: str,
    changes: dict[str, Any],
    where: str,
    *,
    folder: Path,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (whole,) = read_file(Input(str(data / file), file, file)).runs
    there = [replace(p, **changes) if p is whole.parser else p for p in registry.parsers()]
    monkeypatch.setattr(registry, "parsers", lambda: there)
    monkeypatch.setattr(defects, "ends_command", False)
    bad = folder / Path(file).name
    bad.write_bytes((data / file).read_bytes())
    line = (
        f"expected the parser {whole.parser.name} to read this or to say why not, "
        "found 'ValueError: not a number: x'; "
        "a defect of that parser, not of the file: please report it"
    )
    assert message(bad) == f"{bad.as_posix()}{where}: {line}"


def test_in_tests_and_for_developers_such_a_defect_ends_the_command(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = data / "ab" / "few.txt"
    there = [
        replace(p, scan=stumbling) if isinstance(p, TextParser) else p for p in registry.parsers()
    ]
    monkeypatch.setattr(registry, "parsers", lambda: there)
    assert run(["show", str(path)]) == DEFECT
    assert "not a number: x" in capsys.readouterr().err


#: The lines by which outputs of generators without a parser are told, typed after their sources.
UNREAD = {
    "h2load": "starting benchmark...\nspawning thread #0: 1 total client(s). 5 total requests\n",
    "siege": '{\t"transactions":\t\t5,\n\t"availability":\t100.00\n}\n',
    "hey": "\nSummary:\n  Total:\t1.0000 secs\n  Slowest:\t0.5000 secs\n",
    "oha": "Summary:\n  Success rate:\t100.00%\n  Total:\t1000.0000 ms\n",
    "bombardier": "Bombarding http://h/ for 1s using 1 connection(s)\n",
    "k6": '{"metrics": {"http_req_duration": {"avg": 1.5}}}',
    "fortio": '{"RunType": "HTTP", "Labels": "h", "RequestedQPS": "max"}',
    "artillery": "--------\nMetrics for period to: 10:00:00(+0000) (width: 1s)\n--------\n",
    "plow": "Summary:\n  Elapsed    1s\n  Count       5\n  RPS     5.000\n  Concurrency   1\n",
    "ghz": "\nSummary:\n  Count:\t5\n  Total:\t1.00 s\n  Slowest:\t2.00 ms\n",
}


@pytest.mark.parametrize("tool", sorted(UNREAD.keys() - registry.tools().keys()))
def test_an_output_of_a_tool_without_a_parser_is_called_that_even_in_a_folder(
    tool: str, folder: Path
) -> None:
    path = folder / "other.out"
    path.write_text(UNREAD[tool], encoding="utf-8")
    files = benchkit.load(folder).files
    (skipped,) = files[files["state"] == "skipped"].to_dict("records")
    named = f"found 'an output of {tool}'; benchkit does not read it yet"
    assert "other.out: " in skipped["message"]
    assert skipped["message"].endswith(named)


def test_a_packed_text_that_is_cut_off_is_said_to_be(data: Path, tmp_path: Path) -> None:
    packed = gzip.compress((data / "wrk" / "plain.txt").read_bytes() * 20)
    for kept, state, line in (
        (40, "skipped", "expected an output of ab, "),
        (len(packed) - 8, "read", "a gzip stream that ends early"),
    ):
        path = tmp_path / "cut.gz"
        path.write_bytes(packed[:kept])
        outcome = read_file(Input(str(path), path.name, path.name))
        reason = outcome.message or str(outcome.problems[0])
        assert outcome.state == state
        assert reason.startswith(f"cut.gz: {line}")
        assert "a gzip stream that ends early" in reason


def test_what_a_tool_said_before_it_gave_up_names_no_other_run(data: Path, tmp_path: Path) -> None:
    good = (data / "ab" / "few.txt").read_text(encoding="utf-8")
    aborted = (data / "ab" / "reset-abort.txt").read_text(encoding="utf-8")
    parts = [good, aborted, good.replace("248.52", "249.52"), good.replace("248.52", "250.52")]
    (tmp_path / "all.txt").write_text("\n=====\n\n".join(parts), encoding="utf-8")
    runs = benchkit.load(tmp_path).runs
    assert list(runs["variant"]) == ["all"] * 3
    assert list(runs["repeat"]) == [1, 2, 3]


@pytest.mark.parametrize(
    ("begin", "packed", "unpack"),
    [
        (b"\xfd7zXZ\x00", "xz", "unxz"),
        (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
        (b"BZh91AY", "bzip2", "bunzip2"),
        (b"PK\x03\x04", "zip", "unzip"),
    ],
)
def test_a_packed_file_is_said_to_be_with_what_unpacks_it(
    begin: bytes, packed: str, unpack: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrk.txt.packed"
    path.write_bytes(begin + b"\x00\x01\x02")
    (problem,) = read_file(Input(str(path), path.name, path.name)).problems
    assert f"found 'a file packed with {packed}'" in str(problem)
    assert f"unpack it: {unpack} " in str(problem)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("a.xz", "unxz a.xz"),
        ("$(id).xz", "unxz '$(id).xz'"),
        ("-rf.xz", "unxz ./-rf.xz"),
        ("my runs/a.xz", "unxz 'my runs/a.xz'"),
    ],
)
def test_a_command_can_be_pasted_whatever_the_file_is_called(
    name: str, command: str, tmp_path: Path
) -> None:
    path = tmp_path / "packed"
    path.write_bytes(b"\xfd7zXZ\x00\x01\x02")
    (problem,) = read_file(Input(str(path), name, name)).problems
    assert problem.hint == f"unpack it: {command}"


def test_a_binary_file_is_said_to_be_no_output_of_a_tool(tmp_path: Path) -> None:
    path = tmp_path / "wrk.txt"
    path.write_bytes(b"Requests/sec: 5\n" * 300 + b"\x0b\x0b\xff\0\t\xf8" * 1000)
    reading = read_file(Input(str(path), path.name, path.name))
    (problem,) = reading.problems
    assert not reading.runs
    assert "expected an output of ab, " in str(problem)


def test_a_file_that_grows_while_it_is_read_is_noticed(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "wrk.txt"
    path.write_bytes((data / "wrk" / "plain.txt").read_bytes())
    opened = open_source(str(path), name=path.name)
    with path.open("a", encoding="utf-8") as file:
        file.write("more\n")
    monkeypatch.setattr(sys.modules[read_file.__module__], "open_source", lambda *_, **__: opened)
    outcome = read_file(Input(str(path), path.name, path.name))
    assert outcome.state == "read"
    assert outcome.message == "wrk.txt: its size changed while it was read"


def without(path: str, value: dict[str, Any]) -> dict[str, Any]:
    name, _, below = path.partition(".")
    rest = {key: inner for key, inner in value.items() if key != name}
    return rest | {name: without(below, value[name])} if below else rest


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("autocannon/amount.json", "latency"),
        ("autocannon/amount.json", "requests"),
        ("vegeta/closed-loop.report.json", "latencies.mean"),
        ("vegeta/closed-loop.report.json", "duration"),
    ],
)
def test_what_json_lacks_is_named(source: str, path: str, data: Path, tmp_path: Path) -> None:
    value = json.loads((data / source).read_text("utf-8"))
    written = tmp_path / "result.json"
    written.write_text("\n" + json.dumps(without(path, value)), "utf-8")
    outcome = read_file(Input(str(written), written.name, written.name))
    (problem,) = outcome.problems
    assert f"line 2: expected '{path}" in str(problem)


def test_json_of_something_else_lacks_nothing(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"average": 1, "stddev": 2, "samples": 3, "p999": 4}')
    path = tmp_path / "package.json"
    outcome = read_file(Input(str(path), path.name, path.name, named=False))
    assert (outcome.state, outcome.problems) == ("foreign", [])


@pytest.mark.parametrize(
    ("name", "content", "field"),
    [
        ("row.csv", "NaN,200,1000,0,0,,,0,,GET,http://x,\n", "timestamp"),
        (
            "row.jsonl",
            '{"attack":"","seq":0,"code":200,"timestamp":"2020-01-01T00:00:00Z","bytes_in":0}\n',
            "latency",
        ),
    ],
)
def test_a_first_row_that_is_broken_is_named(
    name: str, content: str, field: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    outcome = read_file(Input(str(tmp_path / name), name, name))
    assert f"{name}, line 1: expected a whole number as {field}" in str(outcome.problems[0])


def test_a_parser_that_leaves_ends_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defects, "ends_command", False)
    parser = registry.parsers()[0]
    with pytest.raises(InputError, match="SystemExit: 0"), defects.blaming(parser):
        raise SystemExit(0)


@pytest.mark.parametrize(
    ("name", "sizes", "tool"),
    [
        ("oha/mixed.json", (300, 500, 700), "oha"),
        ("oha/refused.json", (300, 500, 700), "oha"),
        ("plow/plain.json", (200, 400), "plow"),
        ("bombardier/plain.json", (200, 400), "bombardier"),
        ("fortio/mixed.json", (300, 700), "fortio"),
        ("ghz/plain.json", (300, 700), "ghz"),
        ("k6/export-dropped.json", (300, 500, 700), "k6"),
        ("k6/handle.json", (500, 700), "k6"),
        ("artillery/mixed.json", (300, 700), "artillery"),
        ("locust/plain.json", (300, 700), "locust"),
    ],
)
def test_the_beginning_of_a_report_is_not_left_alone_in_silence(
    name: str, sizes: Sequence[int], tool: str, *, data: Path, tmp_path: Path
) -> None:
    shutil.copy(data / "wrk" / "plain.txt", tmp_path)
    for size in sizes:
        (tmp_path / f"{size}.json").write_bytes((data / name).read_bytes()[:size])
    files = benchkit.load(tmp_path).files
    skipped = files[files["state"] == "skipped"]
    assert sorted(skipped["source"].str.extract(r"(\d+)\.json$")[0].astype(int)) == [*sizes]
    assert skipped["message"].str.contains("cut off").all()
    assert (skipped["format"].str.split("-").str[0] == tool).all()


@pytest.mark.parametrize(
    ("name", "other", "cut"),
    [
        *(("wrk/plain.txt", "wrk/non2xx.txt", cut) for cut in (6, 7)),
        *(("wrk2/latency.txt", "wrk2/plain.txt", cut) for cut in (4, 70, 76)),
        *(("bombardier/plain.txt", "bombardier/mixed.txt", cut) for cut in (3, 5)),
        *(("fortio/default.txt", "fortio/mixed.txt", cut) for cut in (20, 35, 39)),
        *(("hey/plain.txt", "hey/mixed.txt", cut) for cut in (5, 20, 42)),
        *(("ab/quiet.txt", "ab/post.txt", cut) for cut in (17, 30, 36)),
        *(("plow/plain.txt", "plow/mixed.txt", cut) for cut in (5, 12, 18)),
        *(("rewrk/plain.txt", "rewrk/drop.txt", cut) for cut in (4, 8)),
        *(("siege/text.txt", "siege/text-slow.txt", cut) for cut in (7, 12)),
        *(("ghz/plain.txt", "ghz/named.txt", cut) for cut in (5, 20)),
        *(("vegeta/ok.report.txt", "vegeta/errors.report.txt", cut) for cut in (3, 5)),
    ],
)
def test_the_end_of_a_report_above_another_is_not_left_out_in_silence(
    name: str, other: str, cut: int, data: Path, tmp_path: Path
) -> None:
    end = (data / name).read_text().splitlines(keepends=True)[cut:]
    path = tmp_path / "two.txt"
    path.write_text("".join([*end, "\n", (data / other).read_text()]))
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == 2 or outcome.problems or outcome.message


def test_what_another_tool_printed_is_no_part_of_a_report(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "several.txt"
    names = ("wrk/latency.txt", "bombardier/latencies.txt", "hey/plain.txt", "ghz/plain.txt")
    path.write_text("\n".join((data / name).read_text() for name in names))
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == len(names)
    assert outcome.message is None


@pytest.mark.parametrize(
    "output",
    [
        *("k6/export.json", "k6/handle.json", "k6/machine.json", "gatling/3.11.stats.json"),
        *("gatling/3.11.global_stats.json", "ghz/plain.json", "ghz/pretty.json"),
        *("rewrk/plain.json", "artillery/plain.json", "fortio/drop.json", "oha/mixed.json"),
        *("plow/plain.json", "bombardier/plain.json"),
    ],
)
def test_json_that_breaks_off_early_is_told_by_its_beginning(
    output: str, data: Path, tmp_path: Path
) -> None:
    whole = (data / output).read_bytes()
    (tmp_path / "plain.txt").write_bytes((data / "wrk" / "plain.txt").read_bytes())
    tool = output.partition("/")[0]
    for kept in (75, 100, 150):
        (tmp_path / "cut.json").write_bytes(whole[:kept])
        files = benchkit.load(tmp_path).files.set_index("source")
        (message,) = [
            text for name, text in files["message"].items() if str(name).endswith("cut.json")
        ]
        assert f"expected a whole report of {tool}" in message


def test_other_json_that_begins_with_few_of_its_keys_is_no_output(
    data: Path, tmp_path: Path
) -> None:
    (tmp_path / "plain.txt").write_bytes((data / "wrk" / "plain.txt").read_bytes())
    (tmp_path / "other.json").write_text('{"metrics": {"speed": 1, "na', encoding="utf-8")
    (tmp_path / "more.json").write_text('{"name": "All", "date": "2026', encoding="utf-8")
    states = benchkit.load(tmp_path).files["state"]
    assert sorted(states) == ["foreign", "foreign", "read"]


def test_reports_are_not_looked_for_among_very_many_short_lines(data: Path, tmp_path: Path) -> None:
    """As a file of numbers has them; looked at one by one, they would take seconds."""
    report = (data / "ab" / "two-runs" / "ab-with.txt").read_text()
    path = tmp_path / "numbers.txt"
    path.write_text(report + "".join(f"n {number}\n" for number in range(40_000)))
    with pytest.raises(NothingToReportError, match="more than 30,000 lines too short"):
        benchkit.load(path)
    path.write_text(report + "".join(f"<tr>n {number}" for number in range(40_000)))
    with pytest.raises(NothingToReportError, match="more than 30,000 lines too short"):
        benchkit.load(path)
    path.write_text(report + "".join(f"server: request {n} of many\n" for n in range(40_000)))
    assert len(benchkit.load(path)) == 1


#: A log of a service in strings in a table.
DAMAGED = [
    f'| "> app_1  | <b>line</b> {n} of the log\\n> app_1  | more {n}\\nand {n}" |'
    for n in range(5000)
]


def test_damage_below_damage_is_not_undone_without_end(data: Path, tmp_path: Path) -> None:
    """Once a megabyte of it took five seconds: each step over all lines, three times."""
    report = (data / "wrk" / "plain.txt").read_text()
    path = tmp_path / "page.md"
    path.write_text("\n".join([report, *DAMAGED]))
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == 1
    assert "more damage than is undone in a text of its length" in str(outcome.message)


def test_many_quoted_reports_are_not_too_much(data: Path, tmp_path: Path) -> None:
    """Those with the shortest lines of all, in a mail: two rounds of all steps."""
    printed = (data / "ghz" / "plain.txt").read_text() * 900
    path = tmp_path / "mail.md"
    path.write_text("\n".join(f"> {line}" for line in printed.splitlines()))
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == 900
    assert outcome.message is None


@pytest.mark.parametrize(
    ("rows", "times"),
    [
        (DAMAGED, 1),
        ([f"request {n} of many" for n in range(20_000)], 1),
        ([f"request {n} of many" for n in range(200)], 2),
    ],
    ids=["much damage", "long", "short"],
)
def test_only_a_short_log_in_which_nothing_is_too_much_is_read_again(
    rows: Sequence[str], times: int, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once again as it stood, where its services had printed no report."""
    begun = (data / "ab" / "few.txt").read_text().splitlines()[:3]
    services = [
        f"a  | Running 3s test @ http://h/{n}\nb  | {line}\n" for n, line in enumerate(begun)
    ]
    path = tmp_path / "compose.log"
    path.write_text("".join([*services, *(f"b  | {row}\n" for row in rows)]))
    repaired: list[int] = []

    def pieces(lines: Sequence[str], unread: list[str]) -> Sequence[Piece]:
        repaired.append(len(lines))
        return untouched(lines, unread)

    untouched = repair.pieces
    monkeypatch.setattr(repair, "pieces", pieces)
    outcome = read_file(Input(str(path), path.name, path.name))
    assert not outcome.runs
    assert len(repaired) == times


def test_a_report_beside_a_long_json_result_is_read_with_it(data: Path, tmp_path: Path) -> None:
    result = json.loads((data / "autocannon" / "plain.json").read_text())
    result["log"] = [f"request {number} of many" for number in range(40_000)]
    report = (data / "wrk" / "plain.txt").read_text()
    path = tmp_path / "page.md"
    path.write_text(f"# Results\n\n{json.dumps(result, indent=2)}\n\n## wrk\n\n{report}")
    assert list(benchkit.load(path).runs["tool"]) == ["autocannon", "wrk"]


@pytest.mark.parametrize(
    ("times", "rows", "most"),
    [(1000, 1, "500,000 characters"), (1, 15_000, "20,000 lines of a tool")],
)
def test_a_paragraph_of_very_much_is_not_taken_apart(
    times: int, rows: int, most: str, data: Path, tmp_path: Path
) -> None:
    report = (data / "ab" / "two-runs" / "ab-with.txt").read_text()
    path = tmp_path / "paragraph.txt"
    together = " ".join(report.split()) + " 50% 5 66% 6" * rows
    path.write_text(f"{report}\n\n{together * times}\n")
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == 1
    assert f"more than {most} run together" in str(outcome.message)


def test_a_long_log_around_a_report_is_no_damage(data: Path, tmp_path: Path) -> None:
    report = (data / "ab" / "two-runs" / "ab-with.txt").read_text()
    line = "server: total requests per second and latency are looked at, concurrency is 4\n"
    path = tmp_path / "log.txt"
    path.write_text(f"{line * 5000}{report}{line * 5000}")
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == 1
    assert outcome.message is None


def test_json_in_many_short_lines_is_read(data: Path, tmp_path: Path) -> None:
    source = next((data / "autocannon").rglob("*.json"))
    value = {**json.loads(source.read_text()), "further": [*range(40_000)]}
    path = tmp_path / "result.json"
    path.write_text(json.dumps(value, indent=1))
    assert len(benchkit.load(path)) == 1


def test_reports_of_short_lines_are_read_however_many_they_are(data: Path, tmp_path: Path) -> None:
    """Once 860 of ghz's, whose lines are the shortest of all, were too short for reports."""
    path = tmp_path / "all.txt"
    path.write_text((data / "ghz" / "plain.txt").read_text() * 900)
    assert len(read_file(Input(str(path), path.name, path.name)).runs) == 900


def test_reports_of_several_tools_are_read_within_a_long_log(data: Path, tmp_path: Path) -> None:
    """Once words of many tools made lines of 45 characters too short for any report."""
    printed = ["ab/few.txt", "wrk/plain.txt", "hey/plain.txt", "vegeta/ok.report.txt"]
    log = "".join(f"compiling module number {n} of the tree ok\n" for n in range(31_000))
    path = tmp_path / "build.log"
    path.write_text("\n".join((data / name).read_text() for name in printed) + log)
    assert len(read_file(Input(str(path), path.name, path.name)).runs) == len(printed)


@pytest.mark.parametrize(
    "name",
    [
        *("vegeta/ok.gob", "vegeta/ok.csv", "vegeta/ok.json", "jmeter/plain.jtl"),
        *("jmeter/plain.xml", "gatling/3.15.bin", "gatling/3.11.log", "k6/points.json"),
        *("ab/few.txt", "wrk/all-503.txt"),
    ],
)
def test_nothing_is_kept_of_how_a_broken_file_was_read(
    data: Path, tmp_path: Path, name: str
) -> None:
    """Errors held the frames that read, and these the rows: 1.6 MB for each of many files."""
    content = (data / name).read_bytes()
    broken = tmp_path / Path(name).name
    broken.write_bytes(content[: len(content) * 2 // 3] + b"\xff\xff\xff{<")
    gc.collect()
    gc.disable()
    try:
        before = sum(isinstance(each, TracebackType) for each in gc.get_objects())
        outcome = read_file(Input(str(broken), broken.name, broken.name))
        after = sum(isinstance(each, TracebackType) for each in gc.get_objects())
    finally:
        gc.enable()
    assert outcome.runs or outcome.problems
    assert after == before
