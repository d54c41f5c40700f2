"""Parsers of other distributions: installed as pip would, and whatever is wrong with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import warm

HEAD = """
from benchkit.parsing import INTERFACE as THEIRS, FileParser, JsonParser, RunRecord, TextParser
from benchkit.tool import Tool
INTERFACE = 1
def parser(name="tock-text", tool="tock", **changes):
    given = {"scan": scan, "markers": ("tock says",), "reads": "what tock says", "versions": "1",
             "fills": ("requests",)}
    return TextParser(name=name, tool=tool, **(given | changes))
def scan(text):
    for number, line in enumerate(text.lines):
        if line.startswith("tock says "):
            yield RunRecord({"requests": int(line.split()[2])}, lines=(number, number))
"""
GOOD = HEAD + "PARSERS = (parser(),)\nTOOLS = (Tool(name='tock', programs=('tock',)),)\n"


#: Runs commands, and prints of each its status, its output and its errors.
EACH = """
import contextlib, io, json, sys
from benchkit.cli.guard import run
done = []
for arguments in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(arguments)
    done.append((status, out.getvalue(), err.getvalue()))
print(json.dumps(done))
"""


class Done(NamedTuple):
    status: int
    out: str
    err: str


class Site:
    """A folder of installed distributions, as pip leaves them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, name: str, code: str, version: str = "1.0") -> None:
        module = name.replace("-", "_")
        (self.folder / f"{module}.py").write_text(code, encoding="utf-8")
        info = self.folder / f"{module}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8"
        )
        (info / "entry_points.txt").write_text(
            f"[benchkit.parsers]\n{name} = {module}\n", encoding="utf-8"
        )

    def run(self, *arguments: str | Path, **variables: str) -> Done:
        return self._done(*map(str, arguments), **variables)

    def run_each(self, *commands: Sequence[str | Path]) -> list[Done]:
        """Run commands one after the other in one process, which looks for plug-ins once."""
        listed = json.dumps([list(map(str, command)) for command in commands])
        done = self._done(listed, code=EACH)
        assert done.status == 0, done.err
        return [Done(*each) for each in json.loads(done.out)]

    def python(self, *arguments: str) -> Done:
        """Run Python anew, as users do."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**os.environ, **self._variables},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def _done(self, *arguments: str, code: str = "", **variables: str) -> Done:
        given = {**self._variables, **variables}
        done = warm.run(*arguments, folder=self.folder, variables=given, code=code)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    @property
    def _variables(self) -> dict[str, str]:
        return {"PYTHONPATH": str(self.folder), "COLUMNS": "100"}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "tock.txt").write_text("tock says 7 times\n", encoding="utf-8")
    return Site(tmp_path)


@pytest.fixture
def wrk(data: Path) -> Path:
    """A file that a bundled parser reads."""
    return data / "wrk" / "plain.txt"


FORMATS = ("formats", "--format", "json")


def plugins(done: Done) -> list[dict[str, str]]:
    """Return what the list of formats says of those that are not benchkit's."""
    return [entry for entry in json.loads(done.out) if entry["distribution"] is not None]


def test_a_plugin_is_listed_and_reads_its_files(site: Site) -> None:
    site.install("benchkit-tock", GOOD)
    formats, table = site.run_each(FORMATS, ["formats"])
    (entry,) = plugins(formats)
    assert (entry["name"], entry["distribution"]) == ("tock-text", "benchkit-tock 1.0")
    assert "\ntock-text\n  reads     what tock says\n" in table.out
    assert "  of        benchkit-tock 1.0\n" in table.out
    done = site.run("export", "results", "--format", "json")
    (run,) = json.loads(done.out)
    assert (run["tool"], run["requests"], done.err) == ("tock", 7, "")


def test_plugins_can_be_left_alone(site: Site) -> None:
    site.install("benchkit-tock", GOOD)
    site.install("benchkit-broken", "import nothing_of_that_name\n")
    assert "tock" not in site.run("formats", BENCHKIT_PLUGINS="off").out
    done = site.run("show", "results/tock.txt", BENCHKIT_PLUGINS="OFF")
    assert done.status == 2
    assert "found 'none of their formats'" in done.err


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("import nothing_of_that_name", "it cannot be imported: 'ModuleNotFoundError: No module"),
        ("raise SystemExit(3)", "it cannot be imported: 'SystemExit: 3'"),
        ("PARSERS = (", "it cannot be imported: 'SyntaxError: "),
        (
            HEAD + "PARSERS = (parser(fills=('request',)),)",
            "parser tock-text: fills has 'request'; did you mean 'requests'? There are ",
        ),
        (
            HEAD + "PARSERS = (parser(constants={'clock': 'due-to-last'}),)",
            "parser tock-text: clock has 'due-to-last'; did you mean 'due-to-last-byte'? There are",
        ),
        (
            HEAD + "PARSERS = (parser(may_fill='url'),)",
            "parser tock-text: may_fill is the text 'url'; write ('url',)",
        ),
        (HEAD + "PARSERS = (parser(markers=''),)", "markers is the text ''; write ('',)"),
        (
            HEAD + "PARSERS = (parser(markers=('',)),)",
            "parser tock-text: markers are words of which each of its outputs has one, not ('',)",
        ),
        (
            GOOD.replace("programs=", "loops=('opened',), programs="),
            "tool tock: loops has 'opened'; did you mean 'open'? There are closed, open",
        ),
        (HEAD + "PARSERS = ()", "it declares no PARSERS and TOOLS that can be used: none"),
        (HEAD + "PARSERS = (7,)", "it declares no PARSERS and TOOLS that can be used: int among"),
        (HEAD + "PARSERS = 5", "its PARSERS should be a tuple, such as PARSERS = (…,); it is '5'"),
        (
            HEAD + "PARSERS = parser()",
            "its PARSERS should be a tuple, such as PARSERS = (…,); it is",
        ),
        (GOOD.replace("INTERFACE = 1", "INTERFACE = 2"), "it says '2' for which version of the"),
        (GOOD.replace("INTERFACE = 1", ""), "it does not say for which version of the parser"),
        (
            HEAD + "PARSERS = (parser('wrk-text'),)",
            "benchkit has a parser called 'wrk-text', too: its author has to choose another name",
        ),
        (
            GOOD.replace("name='tock'", "name='wrk'"),
            "called 'wrk', too: its author has to choose another name, or leave it out of TOOLS",
        ),
        (HEAD + "PARSERS = (parser(), parser())", "two of its parsers have one name"),
        (GOOD.replace("programs=", "opening='(', programs="), "it cannot be imported: '"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_a_warning_and_stops_nothing(
    code: str, problem: str, *, site: Site, wrk: Path
) -> None:
    site.install("benchkit-tock", code, version="0.3")
    named = "the plug-in 'benchkit-tock' of benchkit-tock 0.3 is left out: "
    done, formats, table = site.run_each(["show", wrk], FORMATS, ["formats"])
    (line,) = done.err.splitlines()
    assert done.status == 0
    assert line.startswith(f"benchkit: {named}")
    assert problem in line
    (entry,) = plugins(formats)
    assert problem in entry["problem"]
    assert "left out" in table.out


def test_of_two_plugins_with_one_name_the_first_is_used(site: Site) -> None:
    site.install("benchkit-a", GOOD)
    site.install("benchkit-b", GOOD)
    done = site.run("show", "results")
    assert done.status == 0
    (line,) = done.err.splitlines()
    assert "of benchkit-b 1.0 is left out: benchkit-a 1.0 has a parser called 'tock-text'" in line
    assert "uninstall one of the two" in line


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ("{'requests': -7}", "requests is -7, below 0"),
        ("{'requests': 7, 'latency_mean_s': -0.1}", "latency_mean_s is -0.1, below 0"),
        ("{'requests': 7, 'latency_mean_s': 1 / 1e-300}", "latency_mean_s of 1e+300"),
        ("{'requests': 7, 'throughput_rps': 1e13}", "throughput_rps of 1e+13"),
        ("{'requests': 7, 'success_ratio': 1.5}", "a share of successes of 1.5"),
        ("{'requests': float('nan')}", "requests is nan, which is no int"),
        ("{'requests': 7}, [(0.5, -1.0)]", "the latency at 0.5 is -1 s, below 0"),
        ("{'latency_p50_s': 2.0}, [(0.5, 0.002)]", "latency_p50_s is 2.0, its quantile 0.002: "),
        ("{'requests': 7}, statuses={200: -7}", "200: -7 is no count of a status"),
    ],
)
def test_values_that_cannot_be_are_refused_and_their_parser_named(
    record: str, problem: str, *, site: Site
) -> None:
    site.install("benchkit-tock", GOOD.replace('{"requests": int(line.split()[2])}', record))
    done = site.run("show", "results")
    (line,) = done.err.splitlines()
    assert done.status == 2
    assert problem in line
    assert "the parser tock-text" in line


ROWS = """
import numpy as np
from benchkit.parsing import INTERFACE, RequestBatch, RowsParser
INTERFACE = 1
def rows(source):
    yield RequestBatch(np.array([1_000_000, {latency}]), status=np.array([200, 200], "i4"){more})
PARSERS = (RowsParser(name="tock-rows", tool="tock", reads="a", versions="1", fills=("requests",),
    sniff=lambda source: source.head.startswith(b"tock"), rows=rows),)
"""


@pytest.mark.parametrize(
    ("latency", "more", "problem"),
    [
        ("5", ", error=np.array([0, 3], 'i4'), errors=['x']", "error from 0 to 3 for 1 texts"),
        ("5", ", started_ns=np.array([5])", "1 of started_ns beside 2 of latency_ns"),
        ("5.5", "", "latency_ns: float64, array of int64 expected"),
        ("5", ", url=np.array([0, 0]), urls=['x']", "url: int64, array of int32 expected"),
        ("5", ", seq=[1, 2]", "seq: list, array of int64 expected"),
        ("5", ", repeats=np.array([1, 0])", "repeats of 0, below 1"),
    ],
)
def test_rows_that_cannot_be_counted_are_refused_and_their_parser_named(
    latency: str, more: str, problem: str, *, site: Site
) -> None:
    site.install("benchkit-tock", ROWS.format(latency="5", more=""))
    assert "tock · 2\u00a0requests" in site.run("show", "results").out
    (site.folder / "benchkit_tock.py").write_text(
        ROWS.format(latency=latency, more=more), encoding="utf-8"
    )
    done = site.run("show", "results")
    (line,) = done.err.splitlines()
    assert done.status == 2
    assert problem in line
    assert "the parser tock-rows" in line


def test_rows_that_cannot_be_are_left_out_and_their_parser_named(site: Site) -> None:
    site.install("benchkit-tock", ROWS.format(latency="-5", more=""))
    done = site.run("show", "results")
    assert "tock · 1\u00a0request ·" in done.out
    (line,) = done.err.splitlines()
    assert "1 of 2 results without" in line
    assert "the parser tock-rows" in line


FILE = (
    "PARSERS = (FileParser(name='tock-text', tool='tock', reads='a', versions='1', "
    "sniff=lambda source: b'tock' in source.head {}, parse=iter),)"
)
BROKEN = {
    "scan-raises": GOOD.replace("scan(text):", "scan(text):\n    raise ValueError('no')"),
    "no-such-column": GOOD.replace('"requests": int(', '"colour": int('),
    "no-integer": GOOD.replace("int(line.split()[2])", "line"),
    "no-record": GOOD.replace("yield RunRecord", "yield 7 #"),
    "sniff-raises": GOOD.replace("PARSERS = (parser(),)", FILE.format("and 1 / 0")),
    "parse-raises": GOOD.replace("PARSERS = (parser(),)", FILE.format("")),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_defect_of_a_plugin_costs_its_files_and_no_others(
    broken: str, site: Site, wrk: Path
) -> None:
    site.install("benchkit-tock", broken)
    (site.folder / "results" / "wrk.txt").write_bytes(wrk.read_bytes())
    done = site.run("export", "results", "--format", "json")
    assert done.status == 0, done.err
    assert [run["tool"] for run in json.loads(done.out)] == ["wrk"]
    (line,) = [line for line in done.err.splitlines() if "tock.txt" in line]
    assert "expected the parser tock-text to read this or to say why not, found" in line
    assert "a defect of that parser, not of the file" in line


def test_a_parser_that_fails_to_look_at_json_costs_no_other(site: Site, data: Path) -> None:
    code = HEAD + (
        "PARSERS = (JsonParser(name='tock-json', tool='tock', reads='a', versions='1', "
        "matches=lambda value: value['no'], parse=iter),)"
    )
    site.install("benchkit-tock", code)
    results = site.folder / "results"
    (results / "one.json").write_bytes((data / "autocannon" / "plain.json").read_bytes())
    (results / "two.json").write_text('{"a": 1}', encoding="utf-8")
    done = site.run("export", "results", "--format", "json")
    assert [run["tool"] for run in json.loads(done.out)] == ["autocannon"]
    (line,) = [line for line in done.err.splitlines() if "two.json" in line]
    assert "expected the parser tock-json to read this" in line


def test_a_parser_of_json_with_markers_is_asked_of_what_has_one(site: Site) -> None:
    code = HEAD + (
        "PARSERS = (JsonParser(name='tock-json', tool='tock', reads='a', versions='1', "
        "markers=('tock', 'tick'), matches=lambda value: value['no'], parse=iter),)"
    )
    site.install("benchkit-tock", code)
    results = site.folder / "results"
    for name, value in {"a.json": {"a": 1}, "b.json": {"b": {"tick": 1}}}.items():
        (results / name).write_text(json.dumps(value), encoding="utf-8")
    lines = site.run("export", "results").err.splitlines()
    assert not any("a.json" in line for line in lines)
    assert any("b.json" in line and "parser tock-json" in line for line in lines)


def test_a_command_line_that_a_plugin_stumbles_over_is_not_read(site: Site) -> None:
    site.install("benchkit-tock", GOOD.replace("programs=", "read=lambda words: 1 / 0, programs="))
    (site.folder / "results" / "tock.txt").write_text("$ tock http://h/\ntock says 7 times\n")
    done = site.run("export", "results", "--format", "json")
    (run,) = json.loads(done.out)
    assert (run["requests"], run["url"], done.err) == (7, None, "")


def test_in_python_it_is_a_warning(site: Site) -> None:
    site.install("benchkit-broken", "import nothing_of_that_name\n")
    code = "import benchkit; print(len(benchkit.load('results/wrk.txt').runs))"
    (site.folder / "results" / "wrk.txt").write_bytes(
        (Path(__file__).parent / "data" / "wrk" / "plain.txt").read_bytes()
    )
    done = site.python("-c", code)
    assert (done.status, done.out) == (0, "1\n")
    assert "PluginWarning: the plug-in 'benchkit-broken' of benchkit-broken 1.0" in done.err
