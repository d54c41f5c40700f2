"""The checks for strangers' parsers: a parser that is right passes, and each mistake is found."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchkit.errors import InputError, UsageError, Where
from benchkit.parsing import FileParser, Parser, RunOrError, RunRecord, Source, TextParser
from benchkit.testing import CheckError, checks, failures, parametrize_checks
from benchkit.text import Text

REPORT = """tock to http://127.0.0.1:80/
sent 400 in 2.00 s over 4 connections
mean 2.5 ms, 50 % 2.0 ms, 99 % 9.0 ms, max 12.0 ms
done.
"""


def figures(lines: list[str]) -> RunRecord:
    """Return the run of a whole report."""
    sent, times = lines[1].split(), lines[2].replace(",", "").split()
    record = RunRecord(lines=(0, 3))
    record.columns = {
        "url": lines[0].split()[2],
        "requests": int(sent[1]),
        "duration_s": float(sent[3]),
        "throughput_rps": int(sent[1]) / float(sent[3]),
        "connections": int(sent[6]),
        "latency_mean_s": float(times[1]) / 1000,
        "latency_max_s": float(times[12]) / 1000,
    }
    record.quantile(0.5, float(times[5]) / 1000)
    record.quantile(0.99, float(times[9]) / 1000)
    return record


def run(lines: list[str]) -> RunRecord:
    """Return the run of a report, or refuse it."""
    try:
        return figures(lines) if lines[3:4] == ["done."] else figures([])
    except (ValueError, IndexError, ZeroDivisionError) as error:
        raise InputError("tock's report", actual="a part", where=Where(line=1)) from error


def parse(source: Source) -> Iterator[RunOrError]:
    yield run(source.data.decode(errors="replace").split("\n"))


TOCK = FileParser(
    name="tock-text",
    tool="tock",
    reads="what tock prints",
    versions="1",
    fills=("requests", "duration_s", "throughput_rps", "latency_mean_s", "latency_max_s"),
    may_fill=("url", "connections", "latency_p50_s", "latency_p99_s"),
    constants={"load_model": "closed"},
    sniff=lambda source: source.head.startswith(b"tock to "),
    parse=parse,
)


#: It sees no report anywhere.
SILENT = TextParser(
    name="tock-text",
    tool="tock",
    reads="a",
    versions="1",
    scan=lambda _: iter(()),
    markers=("tock to",),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plain.txt").write_text(REPORT, encoding="utf-8")
    (tmp_path / "plain.txt.cmd").write_text("tock http://127.0.0.1:80/\n", encoding="utf-8")
    return tmp_path


def changed(**columns: float | str | None) -> Parser:
    """Return the parser with other values in its runs."""

    def parse_otherwise(source: Source) -> Iterator[RunOrError]:
        for record in parse(source):
            assert isinstance(record, RunRecord)
            record.columns |= columns
            yield record

    return replace(TOCK, parse=parse_otherwise)


def scaled(factor: float) -> Parser:
    """Return the parser with all latencies in another unit."""

    def parse_otherwise(source: Source) -> Iterator[RunOrError]:
        for record in parse(source):
            assert isinstance(record, RunRecord)
            for name in ("latency_mean_s", "latency_max_s"):
                record.columns[name] *= factor
            quantiles, record.quantiles = record.quantiles, []
            for quantile, latency in quantiles:
                record.quantile(quantile, latency * factor)
            yield record

    return replace(TOCK, parse=parse_otherwise)


def careless(source: Source) -> Iterator[RunOrError]:
    """Read whatever is there of a report."""
    lines = source.data.decode(errors="replace").split("\n")
    yield RunRecord({"requests": int([*lines[1].split(), "0", "0"][1])} if lines[1:] else {})


def later(source: Source) -> Iterator[RunOrError]:
    for record in parse(source):
        assert isinstance(record, RunRecord)
        record.notes.append(f"read at {time.perf_counter_ns()}")
        yield record


def backwards(source: Source) -> Iterator[RunOrError]:
    source.content.read(50, 2)
    source.content.read(0, 2)
    yield from parse(source)


def spoiled(source: Source) -> Iterator[RunOrError]:
    for record in parse(source):
        assert isinstance(record, RunRecord)
        record.errors = Unpicklable()
        yield record


class Unpicklable(dict[str, int | None]):
    def __reduce__(self) -> tuple[type, tuple[dict[str, int]]]:
        return dict, ({"lost": 1},)


def slow(source: Source) -> bool:
    for _ in range(300):
        source.head.split()
    return False


def test_a_parser_that_is_right_passes(folder: Path) -> None:
    assert failures(TOCK, folder) == {}
    assert failures(TOCK, [folder / "plain.txt"]) == {}


def test_each_check_has_a_name(folder: Path) -> None:
    names = [check.name for check in checks(TOCK, folder)]
    assert names[:3] == ["other-tools", "markers", "quick"]
    assert names[3:6] == ["some-run", "may-fill", "reads[plain.txt]"]
    assert len(names) == len(set(names)) == 18
    assert not [name for name in names if ".cmd" in name]


@pytest.mark.parametrize(
    ("parser", "name", "text"),
    [
        (replace(TOCK, sniff=lambda _: True), "other-tools", "it takes "),
        (replace(TOCK, sniff=slow), "quick", "times as long as it takes to find the words"),
        (replace(TOCK, sniff=lambda _: False), "reads[plain.txt]", "nothing is read, and nothing"),
        (changed(colour=1), "reads[plain.txt]", "'colour' is no column of runs"),
        (changed(requests=float("nan")), "reads[plain.txt]", "requests is nan, which is no int"),
        (changed(errors=-1), "reads[plain.txt]", "errors is -1, below 0"),
        (changed(non2xx=900), "schema[plain.txt]", "non2xx is 900 of 400 requests"),
        (changed(load_model="half"), "reads[plain.txt]", "load_model is 'half', which is none of"),
        (replace(TOCK, tool="tick"), "schema[plain.txt]", "does not begin with tick-"),
        (changed(method="GET"), "declared-columns[plain.txt]", "filled, and not declared: method"),
        (changed(requests=None), "declared-columns[plain.txt]", "and not filled: requests"),
        (changed(success_ratio=99.5), "reads[plain.txt]", "found 'a share of successes of 99.5'"),
        (
            changed(latency_p99_s=9.0),
            "reads[plain.txt]",
            "latency_p99_s is 9.0, its quantile 0.009",
        ),
        (changed(latency_max_s=12000.0), "units[plain.txt]", "latency_max_s is 12,000 s"),
        (scaled(1e3), "units[plain.txt]", "latency_max_s is 12 s in a run of 2 s"),
        (scaled(1e-6), "units[plain.txt]", "latency_p50_s is 2e-09 s, and no answer comes so soon"),
        (changed(goodput_rps=2e5), "units[plain.txt]", "goodput_rps is 200000, above the through"),
        (
            changed(goodput_rps=0.2, success_ratio=1.0),
            "units[plain.txt]",
            "and success_ratio 1 of 400 requests: these are not the same successes",
        ),
        (changed(offered_rate_rps=2e5), "units[plain.txt]", "offered_rate_rps is 200000, and 400"),
        (changed(started_at="1970-01-21T09:58"), "units[plain.txt]", "started_at is 1970-01-21"),
        (changed(duration_s=2000.0), "units[plain.txt]", "in 2000 s are not 400 requests"),
        (changed(latency_mean_s=2.5), "units[plain.txt]", "4 connections cannot wait 2.5 s"),
        (changed(latency_max_s=0.005), "quantiles[plain.txt]", "at 1 is 0.005 s, below the 0.009"),
        (changed(latency_mean_s=0.1), "quantiles[plain.txt]", "latency_mean_s is 0.1, above the "),
        (changed(latency_min_s=0.1), "quantiles[plain.txt]", "latency_min_s is 0.1, above the lat"),
        (changed(latency_std_s=0.1), "quantiles[plain.txt]", "latency_std_s is 0.1, above the lat"),
        (replace(TOCK, parse=careless), "truncations[plain.txt]", "the whole output does not have"),
        (replace(TOCK, parse=careless), "changed-bytes[plain.txt]", "ValueError: invalid literal"),
        (replace(TOCK, parse=later), "read-again[plain.txt]", "it reads otherwise than before"),
        (replace(TOCK, parse=later), "gzip[plain.txt]", "it reads otherwise than before"),
        (replace(TOCK, parse=backwards), "forward[plain.txt]", "2 bytes are read at 0, after some"),
        (replace(TOCK, parse=spoiled), "pickling[plain.txt]", "that was pickled is another one"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_mistake_is_found(parser: Parser, name: str, text: str, folder: Path) -> None:
    (check,) = [check for check in checks(parser, folder) if check.name == name]
    with pytest.raises(CheckError) as message:
        check()
    assert text in str(message.value)


def test_a_marker_that_stands_in_any_text_is_found(folder: Path) -> None:
    parser = replace(SILENT, markers=("tock to", "e"))
    wrong = failures(parser, folder)["markers"]
    assert re.match(r"the marker 'e' stands in 9.% of the texts of others: choose words", wrong)


def test_a_text_without_a_marker_is_said_to_have_none(folder: Path) -> None:
    wrong = failures(replace(SILENT, markers=("tick to",)), folder)
    assert wrong["reads[plain.txt]"].endswith("; none of the `markers` stands in it")


def test_what_raises_is_one_failure_of_its_output(folder: Path) -> None:
    wrong = failures(changed(colour=1), folder)
    assert list(wrong) == ["reads[plain.txt]"]


def test_outputs_that_are_all_refused_check_nothing(folder: Path) -> None:
    def refuse(_: Source) -> Iterator[RunOrError]:
        yield InputError("another file", actual="this one", hint="take another")

    wrong = failures(replace(TOCK, parse=refuse), folder)
    assert list(wrong) == ["some-run"]


def test_a_name_that_is_no_text_is_found(folder: Path) -> None:
    def scan(text: Text) -> Iterator[RunOrError]:
        for number, line in enumerate(text.lines):
            if line.startswith("tock to "):
                yield RunRecord({"url": line.split()[2]}, lines=(number, number))

    parser = TextParser(
        name="tock-text", tool="tock", reads="a", versions="1", scan=scan, markers=("tock",)
    )
    wrong = failures(parser, folder)
    assert "IndexError" in wrong["hostile-strings[plain.txt]"]


def test_an_expected_failure_is_none_until_it_holds(folder: Path) -> None:
    wrong = changed(latency_mean_s=2.5, latency_max_s=3.0)
    assert list(failures(wrong, folder)) == ["units[plain.txt]"]
    for name in ("units", "units[plain.txt]"):
        reasons = {name: "tock prints nonsense"}
        assert failures(wrong, folder, expected_failures=reasons) == {}
        assert failures(TOCK, folder, expected_failures=reasons) == {
            "units[plain.txt]": "holds, and was expected to fail: tock prints nonsense"
        }


def test_a_check_that_does_not_exist_cannot_be_expected_to_fail(folder: Path) -> None:
    with pytest.raises(UsageError, match="no check 'unit'; did you mean 'units'"):
        failures(TOCK, folder, expected_failures={"unit": "?"})


def test_without_an_output_nothing_is_checked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no recorded output in"):
        failures(TOCK, tmp_path)


def test_what_a_later_line_changes_is_not_invented(folder: Path) -> None:
    careless_tock = replace(TOCK, parse=careless)
    names = ("truncations[plain.txt]",)
    assert set(names) <= failures(careless_tock, folder).keys()
    wrong = failures(careless_tock, folder, late=lambda _part, _whole: {"requests"})
    assert not set(names) & wrong.keys()


def test_the_decorator_marks_expected_failures(folder: Path) -> None:
    mark = parametrize_checks(TOCK, folder, expected_failures={"units": "why"}).mark
    name, parameters = mark.args
    assert name == "check"
    marked = {parameter.id: parameter.marks for parameter in parameters}
    assert [name for name, marks in marked.items() if marks] == ["units[plain.txt]"]
    ((xfail,),) = [marks for marks in marked.values() if marks]
    assert xfail.kwargs == {"reason": "why", "strict": True, "raises": CheckError}


def test_pytest_is_imported_only_where_it_is_used() -> None:
    code = "import sys, benchkit.testing; print('pytest' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8"
    )
    assert done.stdout == "False\n"
