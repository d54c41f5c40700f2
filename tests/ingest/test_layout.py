"""Reports in texts of JSON, in notebooks and in logs of several services have their names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

import pandas as pd
import pytest

import benchkit
from benchkit.errors import BenchkitError
from benchkit.ingest.layout import page_of_log
from tests.outputs import DATA

REPORT = (DATA / "wrk" / "latency.txt").read_text()
SERVERS = ("nginx", "caddy")


def reports() -> list[tuple[str, str]]:
    """Three reports of each of two servers, no two alike."""
    return [
        (
            server,
            REPORT.replace("209159", f"2091{number}{digit}").replace("477.59", f"4{digit}7.59"),
        )
        for number in range(3)
        for digit, server in enumerate(SERVERS, 3)
    ]


def loaded(folder: Path, name: str, content: str) -> pd.DataFrame:
    (folder / name).write_text(content)
    return benchkit.load(folder).runs


def notebook() -> object:
    cells: list[Mapping[str, object]] = []
    for server in SERVERS:
        cells.append({"cell_type": "markdown", "source": [f"## {server}"]})
        for _, text in (each for each in reports() if each[0] == server):
            output = {"output_type": "stream", "text": text.splitlines(keepends=True)}
            cells.append({"cell_type": "code", "source": "!./bench.sh", "outputs": [output]})
    return {"cells": cells, "nbformat": 4}


def by_server() -> Mapping[str, list[str]]:
    return {name: [text for own, text in reports() if own == name] for name in SERVERS}


DOCUMENTS = {
    "what became of it": [
        {"server": name, "status": "ok" if n else "failed", "stdout": text}
        for n, (name, text) in enumerate(reports())
    ],
    "what nobody should read": [
        {"password": f"hunter{name}", "email": f"{name}@b.ch", "name": name, "stdout": text}
        for name, text in reports()
    ],
    "a name beside it": [{"server": name, "stdout": text} for name, text in reports()],
    "a name of each run too": [
        {
            "id": f"{name}-{n}",
            "url": f"http://{name}:{n}/",
            "at": f"2026-01-0{n + 1}T10:00:00",
            "target": name,
            "stdout": text,
        }
        for n, (name, text) in enumerate(reports())
    ],
    "figures as texts": [
        {"server": name, "took": f"30.0{n}", "stdout": text}
        for n, (name, text) in enumerate(reports())
    ],
    "its key": by_server(),
    "a key far above": {
        "host": {"os": "Linux"},
        "results": {name: {"runs": [{"out": t} for t in own]} for name, own in by_server().items()},
    },
    "lines in lists": [{"server": name, "out": text.splitlines()} for name, text in reports()],
    "other texts": [{"server": n, "stderr": "a\nb\n", "stdout": text} for n, text in reports()],
    "a notebook": notebook(),
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("form", DOCUMENTS)
def test_what_stands_beside_a_text_of_json_is_its_name(
    form: str, indent: int | None, tmp_path: Path
) -> None:
    runs = loaded(tmp_path, "results.json", json.dumps(DOCUMENTS[form], indent=indent))
    assert runs["variant"].value_counts().to_dict() == {"nginx": 3, "caddy": 3}
    assert set(runs["scenario"]) == {"results"}


def test_a_document_on_each_line(tmp_path: Path) -> None:
    lines = [json.dumps({"server": name, "stdout": text}) for name, text in reports()]
    runs = loaded(tmp_path, "results.jsonl", "\n".join(lines) + "\n")
    assert runs["variant"].value_counts().to_dict() == {"nginx": 3, "caddy": 3}


def test_what_has_no_name_is_below_no_other_ones(tmp_path: Path) -> None:
    (_, first), (_, second), (_, third), *_ = reports()
    document = [{"name": "nginx", "o": first}, {"name": "caddy", "o": second}, {"o": third}]
    runs = loaded(tmp_path, "results.json", json.dumps(document))
    assert runs["variant"].nunique() == 3


def test_a_second_text_tells_apart_what_is_called_the_same(tmp_path: Path) -> None:
    document = [
        {"server": name, "payload": "small" if n < 4 else "large", "note": "quiet", "stdout": text}
        for n, (name, text) in enumerate(reports())
    ]
    runs = loaded(tmp_path, "results.json", json.dumps(document))
    sizes = runs.groupby([runs["scenario"].fillna(""), "variant", runs["params"].fillna("")]).size()
    assert sorted(sizes) == [1, 1, 2, 2]


def test_secrets_beside_a_text_are_no_names(tmp_path: Path) -> None:
    document = [{"api_key": f"Zx9qLm2Pw{n}", "o": text} for n, (_, text) in enumerate(reports())]
    runs = loaded(tmp_path, "results.json", json.dumps(document))
    assert not runs.to_csv().count("Zx9qLm2Pw")


def test_texts_that_nothing_tells_apart_are_repetitions(tmp_path: Path) -> None:
    document = [{"server": "nginx", "stdout": text} for _, text in reports()]
    runs = loaded(tmp_path, "results.json", json.dumps(document))
    assert runs["variant"].value_counts().to_list() == [6]


def test_no_report_is_lost_to_one_of_the_same_key(tmp_path: Path) -> None:
    texts = [text for _, text in reports()]
    members = ", ".join(f'"stdout": {json.dumps(text)}' for text in texts)
    assert len(loaded(tmp_path, "results.json", "{" + members + "}")) == len(texts)


def test_a_text_that_is_a_page_has_its_own_headings(tmp_path: Path) -> None:
    page = "".join(f"## {name}\n\n```\n{text}```\n\n" for name, text in reports())
    runs = loaded(tmp_path, "issue.json", json.dumps({"user": "somebody", "body": page}))
    assert runs["variant"].value_counts().to_dict() == {"nginx": 3, "caddy": 3}


def test_a_document_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    document = json.dumps(DOCUMENTS["a name beside it"], indent=2)
    runs = loaded(tmp_path, "results.json", document[: len(document) // 2])
    assert 2 <= len(runs) <= 3


def log(form: str, *, mixed: bool) -> str:
    own = {
        name: [form.format(name=name, line=line) for each in texts for line in each.splitlines()]
        for name, texts in by_server().items()
    }
    if not mixed:
        return "\n".join(line for lines in own.values() for line in lines) + "\n"
    return "".join(f"{line}\n" for pair in zip(*own.values(), strict=True) for line in pair)


@pytest.mark.parametrize("mixed", [False, True], ids=["one after the other", "at once"])
@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("bench-{name}-1  | {line}", "bench-{}-1"),
        ("\x1b[36mbench-{name}-1  |\x1b[0m {line}", "bench-{}-1"),
        ("[pod/{name}-7d9f/wrk] {line}", "pod/{}-7d9f/wrk"),
        ("{name}\tRun wrk\t2026-01-02T10:00:00.1234567Z {line}", "{}"),
    ],
    ids=["compose", "colours", "kubectl", "gh"],
)
def test_a_log_of_several_services_has_each_ones_reports(
    form: str, name: str, tmp_path: Path, *, mixed: bool
) -> None:
    runs = loaded(tmp_path, "out.log", log(form, mixed=mixed))
    assert runs["variant"].value_counts().to_dict() == {name.format(s): 3 for s in SERVERS}
    assert set(zip(runs["variant"], runs["latency_mean_s"].round(8), strict=True)) == {
        (name.format("nginx"), 437.59e-6),
        (name.format("caddy"), 447.59e-6),
    }
    assert runs.groupby("variant")["requests"].min().to_dict() == {
        name.format("nginx"): 209103,
        name.format("caddy"): 209104,
    }


FIGURES = ["requests", "errors", "throughput_rps", "latency_mean_s", "latency_p99_s"]


def read_alone(text: str, folder: Path) -> list[float | None] | None:
    """Return the figures of a text that is one report."""
    try:
        runs = loaded(folder, "x.log", text)
    except BenchkitError:
        return None
    return figures(runs)[0] if len(runs) == 1 else None


def figures(runs: pd.DataFrame) -> list[list[float | None]]:
    rows = runs[FIGURES].astype("Float64").round(9).itertuples(index=False)
    return [[None if pd.isna(value) else float(value) for value in row] for row in rows]


@pytest.mark.parametrize("tool", ["ab", "wrk", "hey", "oha", "vegeta", "h2load", "k6", "locust"])
def test_two_reports_that_are_printed_at_once_read_as_each_alone(tool: str, tmp_path: Path) -> None:
    texts = [file.read_text() for file in sorted((DATA / tool).glob("*.txt"))]
    known = [(text, row) for text in texts if (row := read_alone(text, tmp_path)) is not None]
    (first, first_row), *others = known
    second, second_row = next(other for other in others if other[1] != first_row)
    named = [
        [f"{name} | {line}\n" for line in text.splitlines()]
        for name, text in (("load-a", first), ("load-b", second))
    ]
    mixed = "".join(line for pair in zip_longest(*named, fillvalue="") for line in pair)
    runs = loaded(tmp_path, "x.log", mixed)
    assert dict(zip(runs["variant"], figures(runs), strict=True)) == {
        "load-a": first_row,
        "load-b": second_row,
    }


def test_a_time_before_the_name_of_a_service(tmp_path: Path) -> None:
    form = "2026-01-02T10:00:00.1234567Z bench-{name}-1  | {line}"
    runs = loaded(tmp_path, "out.log", log(form, mixed=True))
    assert runs["variant"].value_counts().to_dict() == {f"bench-{s}-1": 3 for s in SERVERS}


def test_steps_of_a_job_have_their_names(tmp_path: Path) -> None:
    lines = log("bench\tRun {name}\t2026-01-02T10:00:00.1234567Z {line}", mixed=False)
    runs = loaded(tmp_path, "out.log", lines)
    assert runs["variant"].value_counts().to_dict() == {"Run nginx": 3, "Run caddy": 3}


@pytest.mark.parametrize("other", ["app-1 | INFO Latency of the start\n", "app-1 | GET /\n", ""])
def test_headings_between_logs_stay(other: str, tmp_path: Path) -> None:
    sections = [
        f"# {name}\n\n" + "".join(f"bench-1 | {line}\n" for line in text.splitlines()) + 3 * other
        for name, text in reports()[:2]
    ]
    runs = loaded(tmp_path, "out.md", "\n".join(sections))
    named = runs["scenario"].fillna("") + runs["variant"] + runs["params"].fillna("")
    assert [name for name, text in zip(SERVERS, named, strict=True) if name in text] == [*SERVERS]


def test_services_below_headings(tmp_path: Path) -> None:
    form = "bench-{name}-1  | {line}"
    lines = log(form, mixed=True)
    other = lines.replace("20910", "30910").replace("20911", "30911").replace("20912", "30912")
    runs = loaded(tmp_path, "out.md", f"# small\n\n{lines}\n# large\n\n{other}")
    sizes = runs.groupby([runs["scenario"].fillna(""), "variant", runs["params"].fillna("")]).size()
    assert sorted(sizes) == [3, 3, 3, 3]


def test_what_another_service_prints_in_between_is_no_part_of_a_report(tmp_path: Path) -> None:
    lines = (f"bench-1 | {line}\napp-1   | GET /ok 200\n" for line in REPORT.splitlines())
    runs = loaded(tmp_path, "nginx.log", "".join(lines))
    assert runs[["variant", "requests"]].to_numpy().tolist() == [["nginx", 209159]]
    assert runs["latency_max_s"].to_list() == [9.84e-3]


def test_the_line_at_the_end_of_a_log_may_be_cut_off(tmp_path: Path) -> None:
    whole = log("{name} | {line}", mixed=True).removesuffix("\n")
    rate = next(line for line in REPORT.splitlines() if line.startswith("Requests/sec"))
    at = whole.index(rate) + len(rate) - 1
    runs = loaded(tmp_path, "out.log", whole[:at])
    assert runs["throughput_rps"].isna().all()
    assert benchkit.load(tmp_path).files["message"].str.contains("service by service").all()
    pages = [
        page_of_log(text, lambda printed: "Running" in printed) for text in (whole, f"{whole}\n")
    ]
    assert [page.text.endswith("\n") for page in pages if page] == [False, True]
