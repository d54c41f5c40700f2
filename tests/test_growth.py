"""Twice as much input takes twice the time, whatever it is made of.

Each shape is read at two sizes, the second four times the first, and held by the ratio of the
processor times: 4 is linear, 16 quadratic. A shape is chosen large enough that what is not linear
shows, and small enough that the catalogue takes seconds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

import benchkit
from benchkit.compare.assess import assess
from benchkit.config import of_text
from benchkit.errors import BenchkitError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers import _candidates
from benchkit.report.build import page_view
from studies.fuzz import gob
from tests import timing
from tests.shares import share
from tests.timing import processor_s

DATA: Final = Path(__file__).parent / "data"
TIMES: Final = 4
#: Linear is 4, with the noise of a shared machine; quadratic is 16.
MOST: Final = 9.0

WRK: Final = """\
Running 30s test @ http://127.0.0.1:8080/
  2 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     {0}.20ms    1.92ms  64.00ms   81.50%
    Req/Sec    10.00k   120.50     13.33k    71.33%
  600{0} requests in 30.03s, 85.83MB read
Requests/sec:  20{0}.50
Transfer/sec:      2.86MB
"""
AB_G: Final = "starttime\tseconds\tctime\tdtime\tttime\twait\n"
AB_E: Final = "Percentage served,Time in ms\n"


#: To its statuses.
AUTOCANNON: Final = (
    '{"url":"http://h/","connections":1,"pipelining":1,"duration":1,"errors":0,"timeouts":0,'
    '"non2xx":0,"2xx":9,"latency":{"average":1,"mean":1,"stddev":1,"min":1,"max":2,"p50":1},'
    '"requests":{"average":9,"mean":9,"total":9,"sent":9},'
    '"throughput":{"average":9,"mean":9,"total":9},"statusCodeStats":'
)
VEGETA: Final = """\
Requests      [total, rate, throughput]         900, 9.00, 9.00
Duration      [total, attack, wait]             100s, 99s, 1s
Latencies     [min, mean, 50, 90, 95, 99, max]  1ms, 2ms, 2ms, 3ms, 3ms, 4ms, 5ms
Bytes In      [total, mean]                     900, 1.00
Bytes Out     [total, mean]                     0, 0.00
Success       [ratio]                           100.00%
Status Codes  [code:count]                      """
H2LOAD: Final = """\
starting benchmark...
spawning thread #0: 8 total client(s). 2000 total requests
Application protocol: http/1.1
progress: 10% done
progress: 20% done
"""
COUNTS: Final = (
    "requests: 2000 total, 2000 started, 2000 done, 2000 succeeded, 0 failed, 0 errored, 0 timeout"
    "<br>status codes: 2000 2xx, 0 3xx, 0 4xx, 0 5xx<br>"
)
CELLS: Final = f"echo '<table><tr><td>{COUNTS}</td><td>{COUNTS}</td></tr></table>'"
DASHES: Final = "+ Con\u2013Con" * 12
RATE: Final = "Requests per second:    {}.1 [#/sec] (mean)"
AB: Final = """\
Server Software:        a
Server Hostname:        127.0.0.1

Document Length:        12 bytes

"""
HEY: Final = "Summary:\n  Total:\t1.0000 secs\n  Requests/sec:\t9.0\n\nStatus code distribution:\n"


def report(number: int = 100) -> str:
    return WRK.format(number)


def reports(count: int, between: str = "\n") -> str:
    return between.join(report(100 + number % 900) for number in range(count))


def at_once(number: int) -> str:
    """A log of two services that print a report at once."""
    return "".join(f"{name} | {line}\n" for line in report(number).splitlines() for name in "ab")


#: What one file holds, by the size, and the size to begin with.
TEXTS: Final[Mapping[str, tuple[Callable[[int], str], int]]] = {
    # marks around text
    "nested quotes of mails": (lambda n: "> " * n + "x\n" + report(), 4000),
    "lines of nested quotes": (lambda n: ("> " * 20 + "x\n") * n + report(), 300),
    "banner of dashes": (lambda n: "- " * n + "a\n" + report(), 4000),
    "banner of stars": (lambda n: "*" * n + "\nname\n" + "*" * n + "\n" + report(), 8000),
    "heading with blanks": (lambda n: "# a" + " " * n + "x\n" + report(), 8000),
    "images": (lambda n: "# " + "![" * n + "\n" + report(), 4000),
    "links": (lambda n: "# " + "[a](" * n + "\n" + report(), 3000),
    "emphasis": (lambda n: "# " + "**a" * n + "\n" + report(), 3000),
    "code marks": (lambda n: "# " + "`" * n + "\n" + report(), 8000),
    "texts of JSON": (
        lambda n: json.dumps([{"server": f"s{i}", "out": "a\nb"} for i in range(n)] + [report()]),
        2000,
    ),
    "documents of JSON on one line": (
        lambda n: json.dumps([{"source": "!wrk http://h/", "out": report()}]) * n,
        40,
    ),
    "objects within each other": (
        lambda n: '{"a":"b","c":' * n + json.dumps(report()) + "}" * n,
        200,
    ),
    "a key of each text": (
        lambda n: json.dumps([{f"k{i}": "v", "out": report(i)} for i in range(n)]),
        40,
    ),
    "keys beside a text": (
        lambda n: json.dumps({**{f"k{i}": f"v{i}" for i in range(n)}, "a": report(), "b": "c\nd"}),
        2000,
    ),
    "settings beside a text": (
        lambda n: json.dumps([{"config": {"workers": i}, "out": report(i)} for i in range(n)]),
        40,
    ),
    "commands above texts": (
        lambda n: json.dumps(
            {
                **{f"k{i}": f"wrk -t2 -c10 {'x' * 200} http://h{i}/" for i in range(45)},
                "runs": [{"stdout": report(i)} for i in range(n)],
            }
        ),
        40,
    ),
    "lines of a service that reports nothing": (
        lambda n: at_once(1) + "".join(f"a | < {i}\n" for i in range(n)),
        2000,
    ),
    "quoted logs of services": (
        lambda n: "```\n" + "```\n\n```\n".join(at_once(i) for i in range(n)),
        20,
    ),
    "logs of services in texts of JSON": (
        lambda n: json.dumps([{"out": at_once(i)} for i in range(n)]),
        20,
    ),
    "steps with logs of services": (
        lambda n: "".join(
            f"job\tstep {i}\t2026-01-02T10:00:00Z {line}\n"
            for i in range(n)
            for line in at_once(i).splitlines()
        ),
        20,
    ),
    "names of services": (
        lambda n: (
            "".join(f"s{i % n}  | {line}\n" for i in range(3 * n) for line in ("a", "b"))
            + "".join(f"s{i % 2}  | {line}\n" for i in range(2) for line in report().splitlines())
        ),
        500,
    ),
    "headings": (lambda n: "".join(f"# run {i}\n\ntext\n\n" for i in range(n)) + report(), 300),
    "runs of one line below a long one": (
        lambda n: f"{AB}{DASHES * n}\n{''.join(map(RATE.format, range(100, 100 + n)))}\n",
        300,
    ),
    "amounts with commas": (lambda n: "1," * n + "1 connection\n" + report(), 10_000),
    "figure with commas in parentheses": (lambda n: "1," * n + "ms (abc)\n" + report(), 10_000),
    "fences": (lambda n: "```\nx\n```\n" * n + report(), 300),
    "tags": (lambda n: "<b>" * n + "\n" + report(), 3000),
    "open tags": (lambda n: "<" * n + "\n" + report(), 8000),
    "entities": (lambda n: "&nbsp;" * n + "\n" + report(), 2000),
    "table cells of blanks": (lambda n: "| " * n + "|\n" + report(), 4000),
    "rows of a table": (lambda n: "| a | b |\n" * n + report(), 300),
    "tabs": (lambda n: "\t" * n + "x\n" + report(), 8000),
    "lines of blanks": (lambda n: (" " * 40 + "\n") * n + report(), 300),
    "empty lines": (lambda n: "\n" * n + report(), 4000),
    "nothing but empty lines": (lambda n: "\n" * n, 16000),
    "labels of a report": (lambda n: report() + "Succes\n" * n, 4000),
    "lines of a letter": (lambda n: "r\n" * n + "\\xff\n" + report(), 4000),
    "lines of a digit": (lambda n: "1\n" * n + report(), 4000),
    "ends of lines that are none": (
        lambda n: WRK.format(1) + "t 1 threads and 2" * 20 + "\x85\u2028" * n + "*",
        8000,
    ),
    "escaped ends of lines": (lambda n: "r\\n" * n + "\\xff\n" + report(), 4000),
    "a line of another script": (lambda n: "\u6f22" * n + "\n" + report(), 30000),
    "a line of thin blanks": (lambda n: "9\u2009" * n + "\n" + report(), 8000),
    "two reports beside each other": (
        lambda n: "".join(f"{line}\t{line}\n" for line in reports(n).split("\n")),
        20,
    ),
    "many blank lines behind": (lambda n: report() + "\n" * n, 30000),
    "escape sequences": (lambda n: "\x1b[0m" * n + "\n" + report(), 3000),
    "one letter": (lambda n: "a" * n + "\n" + report(), 16000),
    "one digit": (lambda n: "0" * n + "\n" + report(), 8000),
    "backslashes": (lambda n: "\\" * n + "\n" + report(), 8000),
    "lines with backslashes": (lambda n: "wrk \\\n" * n + report(), 300),
    "parentheses": (lambda n: "(" * n + "\n" + report(), 8000),
    "quotation marks": (lambda n: "'\"" * n + "\n" + report(), 4000),
    "log prefixes": (lambda n: "2026-01-01T00:00:00Z x | a\n" * n + report(), 300),
    # printed reports
    "reports": (reports, 20),
    "equal reports": (lambda n: (report() + "\n") * n, 40),
    "reports without room": (lambda n: reports(n, ""), 20),
    "reports in cells below lines without a blank one": (
        lambda n: H2LOAD + "pr\nogress: 30% done\npess: \n30% done\npr" * 3 * n + CELLS * (n // 2),
        400,
    ),
    "begins of reports": (lambda n: report().split("\n", 1)[0].join(["", "\n"]) * n, 200),
    "figures grouped by apostrophes": (
        lambda n: "1'" * n + "\nLatency\n│ Stat │ 1% │ 2.5% │ 50% │ 97.5% │ Avg │ Stdev │ Min │\n",
        4000,
    ),
    "tails of reports": (lambda n: "Requests/sec:  20100.50\n" * n, 200),
    "rows of percentiles": (lambda n: report() + "     50%    3.20ms\n" * n, 200),
    # command lines
    "command of blanks": (lambda n: "$ wrk" + " " * n + "x\n" + report(), 4000),
    "command of bars": (lambda n: "$ wrk" + "|" * n + "x\n" + report(), 900),
    "command of quotes": (lambda n: "$ wrk" + "'" * n + "x\n" + report(), 900),
    "command of commands": (lambda n: "$ env " + "wrk " * n + "\n" + report(), 200),
    "command of line ends": (lambda n: "$ wrk -t2 http://h/" + r"\n" * n + "\n" + report(), 900),
    "commands": (lambda n: "$ wrk -t2 -c9 http://h/\n" * n + report(), 100),
    # JSON
    "open objects": (lambda n: '{"a":' * n, 2000),
    "broken objects": (lambda n: '[{"a":1},' * n, 1500),
    "objects": (lambda n: '{"a": 1}\n' * n, 1500),
    "braces": (lambda n: "{" * n, 6000),
    "open arrays": (lambda n: '{"a":' + "[" * n, 6000),
    "brackets before an object": (lambda n: "[[[[[{[[[[\n" * n, 1500),
    "heading that is JSON": (lambda n: "# {" + "] `x1`" * n + "\n" + report(), 2000),
    "keys twice": (lambda n: json.dumps({f"k{i}": 1 for i in range(n)})[:-1] + ', "k0": 1}', 4000),
    "long strings": (lambda n: json.dumps({"a": "x" * n}), 50000),
    "objects of Node": (lambda n: "{ a: 'x', b: [ 1, 2 ] }\n" * n, 800),
    "objects of Node, open": (lambda n: "{ a: " * n, 2000),
    # rows
    "ab's rows": (lambda n: AB_G + "Sun Jan 01\t1700000000\t1\t2\t3\t2\n" * n, 8000),
    "ab's rows of letters": (lambda n: AB_G + "a" * n, 30000),
    "ab's rows of tabs": (lambda n: AB_G + "\t" * n, 30000),
    "ab's percentages of blanks": (lambda n: AB_E + "0," + " " * n + "1\n", 30000),
    "CSV": (lambda n: "1700000000000000000,200,5000000,0,9,,,a,0,GET,http://h/,\n" * n, 3000),
    "CSV with an open quote": (lambda n: '1700000000000000000,200,5,0,9,"' + "a,\n" * n, 3000),
    "JSON lines": (
        lambda n: (
            '{"attack":"","seq":0,"code":200,"timestamp":"2026-01-01T00:00:00Z","latency":5,'
            '"bytes_out":0,"bytes_in":9,"error":"","body":null,"method":"GET","url":"http://h/"}\n'
            * n
        ),
        1500,
    ),
    "statuses": (
        lambda n: "".join(
            f"{1700000000000000000 + i},{100 + i % 900},5000000,0,9,,,a,{i},GET,http://h/,\n"
            for i in range(n)
        ),
        2000,
    ),
    "statuses of autocannon": (
        lambda n: AUTOCANNON + json.dumps({str(i): {"count": 1} for i in range(n)}) + "}",
        2000,
    ),
    "statuses of a report": (
        lambda n: VEGETA + "  ".join(f"{i}:1" for i in range(n)) + "\n",
        240,
    ),
    "statuses, one to a line": (
        lambda n: HEY + "".join(f"  [{100 + i % 900}]\t1 responses\n" for i in range(n)),
        500,
    ),
    "endpoints": (
        lambda n: "".join(
            f"{1700000000000000000 + i},200,5000000,0,9,,,a,{i},GET,http://h/{i},\n"
            for i in range(n)
        ),
        2000,
    ),
    "errors": (
        lambda n: "".join(
            f"{1700000000000000000 + i},0,5000000,0,9,error {i},,a,{i},GET,http://h/,\n"
            for i in range(n)
        ),
        2000,
    ),
}


def growth(spent: Callable[[int], float], size: int) -> float:
    """Return how much longer four times the size takes."""
    return timing.growth(spent, size, TIMES * size, most=MOST)


# --- gob ---

_RESULT: Final = 65


def definition(number: int, fields: int) -> bytes:
    """A message that describes a struct of so many fields, as the first of a stream does."""
    members = b"".join(
        b"\x01" + gob.text(b"f%d" % n) + b"\x01" + gob.sint(6) + b"\0" for n in range(fields)
    )
    common = b"\x01" + gob.text(b"Result") + b"\x01" + gob.sint(number) + b"\0"
    body = gob.sint(-number) + b"\x03\x01" + common + b"\x01" + gob.uint(fields)
    return gob.text(body + members + b"\0\0")


def chain(count: int) -> bytes:
    """Types that are each a list of the next."""
    first = definition(_RESULT, 3)
    numbers = range(_RESULT + 1, _RESULT + 1 + count)
    lists = (
        gob.sint(-n) + b"\x02\x01\x02" + gob.sint(n) + b"\0\x01" + gob.sint(n + 1) + b"\0\0"
        for n in numbers
    )
    return first + b"".join(map(gob.text, lists)) + gob.text(gob.sint(_RESULT) + b"\0")


#: Types of a stream of vegeta's results, by the size, and the size to begin with.
TYPES: Final[Mapping[str, tuple[Callable[[int], bytes], int]]] = {
    "fields": (lambda n: definition(_RESULT, n) + gob.text(gob.sint(_RESULT) + b"\0"), 1499),
    "types": (lambda n: b"".join(definition(_RESULT + i, 3) for i in range(n)), 1500),
    "the same type": (lambda n: definition(_RESULT, 3) * n, 1500),
    "lists of lists": (chain, 500),
}


@pytest.mark.parametrize("shape", TYPES)
def test_types_of_gob(shape: str, tmp_path: Path) -> None:
    made, size = TYPES[shape]
    path = tmp_path / "a.gob"

    def spent(count: int) -> float:
        path.write_bytes(made(count))
        start = time.process_time()
        outcome = read_file(Input(str(path), path.name, path.name))
        assert outcome.format == "vegeta-gob" or outcome.problems
        return time.process_time() - start

    assert growth(spent, size) < MOST


@pytest.mark.parametrize("shape", TEXTS)
def test_a_file(shape: str, tmp_path: Path) -> None:
    made, size = TEXTS[shape]
    path = tmp_path / "a.txt"

    def spent(count: int) -> float:
        path.write_text(made(count), encoding="utf-8")
        return processor_s(lambda: read_file(Input(str(path), path.name, path.name)))

    assert growth(spent, size) < MOST


def reports_of(tool: str) -> bytes:
    """One printed report of a tool, whole and not long."""
    paths = sorted((DATA / tool).glob("*.txt"), key=lambda path: path.stat().st_size)
    return next(text for path in paths if len(text := path.read_bytes()) > 300)


@pytest.mark.parametrize("tool", sorted({path.parent.name for path in DATA.glob("*/*.txt")}))
def test_four_times_as_many_reports_of_a_tool_cost_four_times_as_much(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the calls, which no other program disturbs: less than all of a quadratic cost shows."""
    monkeypatch.setattr(_candidates, "NEAR", 10)  # a short text costs less for each line
    path, text = tmp_path / "a.txt", reports_of(tool)

    def cost(count: int) -> int:
        path.write_bytes((text + b"\n") * count)
        return timing.calls(lambda: read_file(Input(str(path), path.name, path.name)))

    cost(2)  # what is compiled or loaded once
    few, many = cost(50), cost(200)
    assert many < 4.3 * few


def lines_of_reports() -> list[tuple[Path, int]]:
    """Each line of some printed reports of each tool, by its number."""
    known: set[str] = set()
    listed = []
    for folder in sorted(path for path in DATA.iterdir() if path.is_dir()):
        paths = sorted(folder.glob("*.txt"))
        for path in paths[:: len(paths) // 4 or 1]:
            for number, line in enumerate(path.read_text("utf-8", "replace").split("\n")):
                if len(line) > 2 and line not in known:
                    listed.append((path, number))
                known.add(line)
    return listed


@pytest.mark.parametrize("between", ["\n", "  "])
def test_a_line_of_a_report_that_is_printed_again_and_again(between: str, tmp_path: Path) -> None:
    """Below it a parser may look for what never comes: from each, all of the text."""
    path = tmp_path / "a.txt"

    def cost(source: Path, number: int, count: int) -> int:
        lines = source.read_text("utf-8", "replace").split("\n")
        lines[number] = between.join([lines[number]] * count)
        path.write_text("\n".join(lines), encoding="utf-8")
        return timing.calls(lambda: read_file(Input(str(path), path.name, path.name)))

    for source, number in share(lines_of_reports(), 75):
        few, many = cost(source, number, 100), cost(source, number, 400)
        if many >= 6 * few:  # or there are so few that nobody looks at them
            few, many = many, cost(source, number, 1600)
        assert many < 6 * few, (source, number, few, many)


# --- many runs ---


def folder(top: Path, count: int, name: Callable[[int], str]) -> Path:
    for number in range(count):
        path = top / str(count) / name(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(report(100 + number % 900 + 1000 * number), encoding="utf-8")
    return top / str(count)


def letters(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in f"{number:03}")


#: How many runs lie in a folder, by the number of the run.
FOLDERS: Final[Mapping[str, tuple[Callable[[int], str], int]]] = {
    "repeats": (lambda n: f"a/{n}/wrk.txt", 25),
    "variants": (lambda n: f"{letters(n)}/wrk.txt", 25),
    "levels": (lambda n: f"a/c{n + 2}/wrk.txt", 25),
    "flat names": (lambda n: f"server{letters(n)}_c9_{n}.txt", 25),
    "names that differ in digits": (lambda n: f"x{n:04}.txt", 25),
    "many words": (lambda n: "-".join(f"{letters(n)}{w}" for w in "abcdefgh") + ".txt", 25),
    "long names": (lambda n: f"{'word-' * 30}{n}.txt", 25),
    "deep folders": (lambda n: "/".join("abcdefgh") + f"/{n}/wrk.txt", 25),
}


@pytest.mark.parametrize("shape", FOLDERS)
def test_a_folder_that_is_loaded_and_compared(shape: str, tmp_path: Path) -> None:
    name, size = FOLDERS[shape]

    def spent(count: int) -> float:
        path = folder(tmp_path, count, name)
        start = time.process_time()
        results = benchkit.load(path)
        with suppress(BenchkitError):  # there may be nothing to compare
            results.compare()
        return time.process_time() - start

    assert growth(spent, size) < MOST


def test_the_quantiles_of_a_run(tmp_path: Path) -> None:
    def spent(count: int) -> float:
        path = tmp_path / "hdrplot.txt"
        head = "Value(ms)  Percentile  TotalCount  1/(1-Percentile)\n"
        shares = [(n / count, n) for n in range(count)]
        rows = "".join(f"{1 + q:f}   {q:f}    {n:<11} {1 / (1 - q):f}\n" for q, n in shares)
        path.write_text(
            f"{head}{rows}2.000000   1.000000    {count:<11} 10000000.000000\n", encoding="utf-8"
        )
        start = time.process_time()
        assert len(benchkit.load(path).quantiles) > count / 2
        return time.process_time() - start

    assert growth(spent, 1500) < MOST


def of_params(count: int) -> dict[str, object]:
    return {f"factor{n}": n for n in range(count)}


def of_levels(count: int) -> dict[str, object]:
    return {letters(n): "x" * (n % 9) for n in range(count)}


@pytest.mark.parametrize("made", [of_params, of_levels])
def test_many_params_of_two_variants(
    made: Callable[[int], dict[str, object]], tmp_path: Path
) -> None:
    def spent(count: int) -> float:
        path = folder(tmp_path, 2, lambda n: f"{letters(n)}/wrk.txt")
        for variant in path.iterdir():
            params = made(count) | {"variant": variant.name}
            content = {"variant": variant.name, "params": params}
            (variant / "meta.json").write_text(json.dumps(content), encoding="utf-8")
        return processor_s(lambda: page_view(assess(benchkit.load(path)), drawn=True))

    assert growth(spent, 300) < MOST


def test_a_page_of_many_variants(tmp_path: Path) -> None:
    def spent(count: int) -> float:
        path = folder(tmp_path, count, lambda n: f"{letters(n)}/wrk.txt")
        results = benchkit.load(path)
        start = time.process_time()
        page_view(assess(results))
        return time.process_time() - start

    assert growth(spent, 25) < MOST


def test_two_forms_of_each_run_that_no_figure_tells_apart(tmp_path: Path) -> None:
    """A report and a histogram each: both give the requests, which are those of all runs."""

    def spent(count: int) -> float:
        path = tmp_path / "page.md"
        path.write_text("\n".join(map(two_forms, range(count))), encoding="utf-8")
        start = time.process_time()
        assert len(benchkit.load(path)) == count
        return time.process_time() - start

    assert growth(spent, 150) < MOST


def two_forms(number: int) -> str:
    counts = {"0s,    2.9ms": 500 + number % 300, "4.5ms, +Inf": number // 300}
    counts["2.9ms, 4.5ms"] = 900 - sum(counts.values())
    rows = (f"[{ends}]  {n}  {n / 9:.2f}%  #" for ends, n in sorted(counts.items()))
    report = VEGETA.replace(" 2ms,", f" 2.{number + 100}ms,", 1)
    return "\n".join([f"{report}200:900", "", "Bucket  #  %  Histogram", *rows, ""])


def test_names_that_are_long() -> None:
    from benchkit.ingest.naming.tokens import split

    def spent(count: int) -> float:
        split.cache_clear()
        start = time.process_time()
        split("run-1_" * count)
        split("1" * count)
        split("a" * count)
        return time.process_time() - start

    assert growth(spent, 2000) < MOST


CONFIGURATIONS: Final[Mapping[str, Callable[[int], str]]] = {
    "a key of parts": lambda count: "title" + ".V" * count + "=1",
    "keys of parts": lambda count: "".join(f"a{n}{'.V' * 299}=1\n" for n in range(count // 200)),
    "tables": lambda count: "".join(f"[a.b{n}]\n" for n in range(count)),
    "brackets": lambda count: "title=" + "[" * count,
    "texts": lambda count: 'title="""' + "\n\\\n" * count,
}


@pytest.mark.parametrize("shape", CONFIGURATIONS)
def test_a_configuration(shape: str) -> None:
    def spent(count: int) -> float:
        data = CONFIGURATIONS[shape](count).encode()
        start = time.process_time()
        with suppress(BenchkitError):
            of_text(data, "benchkit.toml")
        return time.process_time() - start

    assert growth(spent, 5000) < MOST


def test_what_is_not_linear_is_found() -> None:
    def spent(count: int) -> float:
        start = time.process_time()
        kept: list[int] = []
        for number in range(count):
            if number not in kept:
                kept.append(number)
        return time.process_time() - start

    assert growth(spent, 1000) > MOST
