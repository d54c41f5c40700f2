"""What a terminal acts upon never reaches one, in no format and no line about an error."""

import base64
import csv
import io
import json
import os
import unicodedata
from pathlib import Path

import pytest

from .conftest import Benchkit

#: C0 without the tab and the line feed, DEL, C1, overrides of the writing direction, line ends.
CONTROLS = [
    *map(chr, range(1, 9)),
    *map(chr, range(11, 32)),
    *map(chr, range(127, 160)),
    *"\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff",
]
TEXTS = [f"{at}{control}[31m;x" for at, control in enumerate(CONTROLS) if control != "\r"]
ALL = "a" + "".join(CONTROLS) + "\x1b]0;title\x07\x1b[2J\x9b31m"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """Results with every such character in every text, file names too where these may hold it."""
    top = tmp_path_factory.mktemp("controls")
    for at, report in enumerate(("plain.txt", "latency.txt")):
        name = ALL if os.name != "nt" else "a"
        folder = top / name / f"{at}"
        folder.mkdir(parents=True)
        (folder / name).write_bytes((data / "wrk" / report).read_bytes())
        (folder / f"{name}-broken").write_text("Running 1s test @ http://h/\n  2 threads and")
        meta = {
            "scenario": ALL,
            "variant": f"{ALL}{at}",
            "label": f"{ALL}{at}",
            "server": ALL,
            "command": f"wrk -t1 -c2 {ALL} http://h/{ALL}",
            "url": f"http://h/{ALL}",
            "tool_version": ALL,
            "params": {ALL: ALL},
            "environment": {ALL: ALL, "cpu": ALL},
            "commands": [{"name": ALL, "command": ALL}],
        }
        (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
        with (folder / "resources.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("elapsed_s", "process", "rss_bytes"))
            writer.writerows((1, text, 1) for text in TEXTS)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for seq, text in enumerate(TEXTS):
        row = (10**18 + seq * 10**6, 0, 10**6 + seq, 0, 2, text, "", "", seq, "GET", text)
        writer.writerow((*row, base64.b64encode(text.encode()).decode()))
    (top / "attack.csv").write_text(out.getvalue(), encoding="utf-8", newline="")
    return top


def acted_upon(shown: bytes) -> set[str]:
    kinds = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    text = shown.decode("utf-8")
    return {c for c in set(text) - {"\n", "\t"} if unicodedata.category(c) in kinds}


@pytest.mark.parametrize(
    "arguments",
    [
        *(["show", "--format", form] for form in ("table", "markdown", "csv", "json")),
        *(["compare", "--format", form] for form in ("table", "markdown", "csv", "json")),
        *(["check", "--format", form] for form in ("table", "markdown", "json")),
        *(["files", "--format", form] for form in ("table", "markdown", "csv", "json")),
        *(
            ["export", "--table", name, "--format", form]
            for name in ("runs", "errors", "requests", "resources", "files", "notes")
            for form in ("csv", "json")
        ),
        ["report", "--format", "markdown"],
        ["report", "-o", "OUT/page.html"],
        ["plot", "-o", "OUT/plot.svg", "--kind", "throughput"],
        ["plot", "-o", f"OUT/{ALL}.svg", "--kind", "throughput"],
        ["show", "--baseline", ALL],
        ["show", "--names", ALL],
        ["show", "--format", ALL],
        ["export", "--table", ALL],
        ["export", "-o", f"OUT/{ALL}/x"],
        ["plot", "-o", f"OUT/{ALL}"],
        ["compare", "--metric", ALL],
        ["compare", "--slo", ALL],
    ],
    ids=lambda words: ascii(" ".join(words))[:50],
)
def test_nothing_is_acted_upon(
    arguments: list[str], results: Path, tmp_path: Path, benchkit: Benchkit
) -> None:
    command = [word.replace("OUT", str(tmp_path)) for word in arguments]
    done = benchkit(command[0], results, *command[1:])
    assert done.status in {0, 1, 2}, done.err
    assert done.err.count("\n") == len(done.err.splitlines())
    assert acted_upon(done.raw) | acted_upon(done.err.encode()) == set()
    for path in tmp_path.iterdir():
        assert acted_upon(path.read_bytes()) == set()


def test_json_gives_back_what_it_escapes(results: Path, benchkit: Benchkit) -> None:
    done = benchkit("export", results, "--table", "errors", "--format", "json")
    assert {row["error"] for row in json.loads(done.out)} >= set(TEXTS)
