"""Names from files are data: in images, tables and pages nothing takes them for more."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from .conftest import Benchkit

PAYLOADS: tuple[str, ...] = run_path(str(Path(__file__).parents[1] / "report" / "payloads.py"))[
    "PAYLOADS"
]
PARTS = range(0, len(PAYLOADS), 12)


@pytest.fixture
def named(tmp_path: Path, data: Path) -> Any:  # noqa: ANN401 - a function
    """Results of a dozen variants, each named like a payload."""

    def make(first: int) -> Path:
        report = (data / "wrk" / "latency.txt").read_text("utf-8")
        for at, payload in enumerate(PAYLOADS[first : first + 12]):
            folder = tmp_path / "results" / str(at)
            folder.mkdir(parents=True)
            own = report.replace("Requests/sec:  6", f"Requests/sec:  {at + 11}")
            (folder / "run.txt").write_text(own, encoding="utf-8")
            meta = {"scenario": PAYLOADS[first], "variant": payload, "label": payload}
            meta |= {"command": f"wrk -t2 {payload}", "server": payload, "tool_version": payload}
            (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
        return tmp_path / "results"

    return make


@pytest.mark.parametrize("first", PARTS)
def test_an_image_is_drawn_of_elements_that_do_nothing(
    first: int,
    named: Any,  # noqa: ANN401 - a function
    tmp_path: Path,
    benchkit: Benchkit,
) -> None:
    target = tmp_path / "plot.svg"
    done = benchkit("plot", named(first), "--kind", "throughput", "-o", target)
    assert done.status == 0, done.err
    tree = ET.parse(target)  # noqa: S314 - what matplotlib wrote
    kinds = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert not kinds & {"script", "image", "a", "foreignObject", "iframe"}
    for element in tree.iter():
        assert not [name for name in element.attrib if name.startswith("on")]


@pytest.mark.parametrize("first", PARTS)
def test_a_table_has_as_many_cells_in_each_row(
    first: int,
    named: Any,  # noqa: ANN401 - a function
    benchkit: Benchkit,
) -> None:
    results = named(first)
    for arguments in (["show"], ["compare"], ["files"], ["export"]):
        done = benchkit(arguments[0], results, "--format", "csv")
        assert done.status == 0, done.err
        rows = list(csv.reader(io.StringIO(done.out, newline="")))
        assert {len(row) for row in rows} == {len(rows[0])}
        cells = [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "\t"))]
        assert cells == []
    for arguments in (["show"], ["files"]):
        done = benchkit(*arguments, results, "--format", "markdown")
        assert done.status == 0, done.err
        assert re.findall(r"(?<!\\)<[A-Za-z/!?]|(?<!\\)\]\(", done.out) == []
