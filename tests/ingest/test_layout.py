"""Reports in texts of JSON, in notebooks and in logs of several services have their names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

import pandas as pd
import pytest

import benchkit
from benchkit.errors import BenchkitError
from benchkit.ingest.layout import page_of_json, page_of_log
from benchkit.ingest.pages import Page
from benchkit.text import Text
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


GH_STEP = "bench\tRun {size}\t2026-01-02T10:00:00.1234567Z {line}\n"


def test_services_within_the_steps_of_a_job(tmp_path: Path) -> None:
    lines = log("{name}-1  | {line}", mixed=True)
    sizes = {"1k": lines, "64k": lines.replace("2091", "3091")}
    steps = (GH_STEP.format(size=s, line=line) for s in sizes for line in sizes[s].splitlines())
    runs = loaded(tmp_path, "out.log", "".join(steps))
    named = runs.groupby([runs["scenario"].fillna(""), "variant", runs["params"].fillna("")]).size()
    assert named.to_list() == [3, 3, 3, 3]
    assert {name for name in SERVERS for row in named.index if name in "".join(row)} == {*SERVERS}


def test_services_within_the_only_step_of_a_job(tmp_path: Path) -> None:
    lines = log("{name}-1  | {line}", mixed=True).splitlines()
    runs = loaded(tmp_path, "x.log", "".join(GH_STEP.format(size="", line=line) for line in lines))
    assert runs["variant"].value_counts().to_dict() == {f"{server}-1": 3 for server in SERVERS}


def test_a_log_of_services_in_a_text_of_json(tmp_path: Path) -> None:
    lines = log("{name}-1  | {line}", mixed=True)
    content = json.dumps({"note": "run\ntwice", "log": lines, "stdout": REPORT})
    runs = loaded(tmp_path, "x.json", content)
    assert runs["variant"].value_counts().to_dict() == {"nginx-1": 3, "caddy-1": 3, "stdout": 1}


@pytest.mark.parametrize("below", ["", "That is it.\n", "## old\n\n```\n" + REPORT + "```\n"])
def test_a_page_that_quotes_a_log_of_services(below: str, tmp_path: Path) -> None:
    lines = log("{name}-1  | {line}", mixed=True)
    content = f"# Results\n\nWe ran it:\n\n```\n$ docker compose up\n{lines}```\n\n{below}"
    runs = loaded(tmp_path, "x.md", content)
    assert {*runs["variant"]} - {"old"} == {"nginx-1", "caddy-1"}
    assert (runs["variant"] == "old").sum() == ("old" in below)
    assert len(runs) == 6 + ("old" in below)


@pytest.mark.parametrize(("heading", "name"), [("# All\n\n", "All"), ("", "x")])
def test_a_report_below_a_quoted_log_is_of_no_service(
    heading: str, name: str, tmp_path: Path
) -> None:
    lines = log("{name}-1  | {line}", mixed=True)
    runs = loaded(tmp_path, "x.md", f"{heading}```\n{lines}```\n\n```\n{REPORT}```\n")
    assert runs["variant"].to_list() == ["nginx-1"] * 3 + ["caddy-1"] * 3 + [name]


def test_a_quoted_log_may_be_cut_off(tmp_path: Path) -> None:
    lines = log("{name}-1  | {line}", mixed=False)
    whole = f"# All\n\n```\n{lines}"
    runs = loaded(tmp_path, "x.md", whole[: whole.rindex("Requests/sec:  67") + 17])
    assert runs["variant"].to_list() == ["nginx-1"] * 3 + ["caddy-1"] * 3
    assert runs["throughput_rps"].isna().to_list() == [False] * 5 + [True]


def settings(server: str, workers: int) -> Mapping[str, object]:
    return {"host": {"os": "Linux"}, "config": {"server": server, "workers": workers}}


def test_numbers_that_were_set_tell_apart(tmp_path: Path) -> None:
    """Those that were measured do not, nor the number of a repetition."""
    documents = [
        {**settings(name, n), "run": n, "errors": n, "elapsed": 30 + n, "stdout": text}
        for n, (name, text) in enumerate(reports())
    ]
    runs = loaded(tmp_path, "x.json", json.dumps(documents))
    assert runs["variant"].to_list() == [name for name, _ in reports()]
    assert all(
        f"workers={n}" in "".join(map(str, row))
        for n, row in enumerate(runs[["scenario", "variant", "params"]].to_numpy())
    )


def cut(text: str, end: str) -> str:
    return text[: text.index(end) + len(end)]


@pytest.mark.parametrize(
    ("at", "throughput", "losses"),
    [
        ("Requests/sec:  67", None, "breaks off"),
        ("Requests/sec:  67475.37\nTransfer/sec:      7.34MB", 67475.37, ""),
        ("Requests/sec:  67475.37\nTransfer/sec:      7.34MB\n", 67475.37, ""),
    ],
)
def test_a_text_of_json_may_be_cut_off(
    at: str, throughput: float | None, losses: str, tmp_path: Path
) -> None:
    other = REPORT.replace("209159", "209160")
    texts = [{"server": "nginx", "out": cut(REPORT, at)}, {"server": "caddy", "out": other}]
    runs = loaded(tmp_path, "x.json", json.dumps(texts)).set_index("variant")
    value = runs["throughput_rps"]["nginx"]
    assert pd.isna(value) if throughput is None else value == throughput
    assert runs["throughput_rps"]["caddy"] == 67475.37
    assert losses in str(benchkit.load(tmp_path).files["message"].iloc[0])


def test_a_cut_line_of_a_log_in_a_text_of_json(tmp_path: Path) -> None:
    lines = log("{name}-1  | {line}", mixed=False)
    texts = {"log": cut(lines, lines[: lines.rindex("Requests/sec:  67")] + "Requests/sec:  67")}
    runs = loaded(tmp_path, "x.json", json.dumps(texts | {"other": REPORT}))
    assert runs["throughput_rps"].isna().sum() == 1
    assert 67 not in {*runs["throughput_rps"]}


@pytest.mark.parametrize("form", ["## {name}\n\n{text}\n", "{name} | {text}"])
def test_a_report_that_cannot_be_read_names_no_other_one(form: str, tmp_path: Path) -> None:
    broken = REPORT.replace("Latency   477", "Latency   x77")
    texts = {"nginx": broken, **dict(reports()[1:2]), "haproxy": REPORT}
    if "|" in form:
        texts = {n: t.strip().replace("\n", f"\n{n} | ") + "\n" for n, t in texts.items()}
    pages = (form.format(name=name, text=text) for name, text in texts.items())
    runs = loaded(tmp_path, "x.txt", "".join(pages))
    assert {*runs["variant"]} == {"caddy", "haproxy"}
    assert "nginx" not in {*runs["scenario"]}


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
    assert [len(page.ends) for page in pages if page] == [1, 0]


def of_rate(rate: int, connections: int = 10) -> str:
    """The report with another throughput."""
    text = REPORT.replace("67475.37", f"{rate}.00").replace("209159", str(rate * 31 // 10))
    return text.replace("10 connections", f"{connections} connections")


def at_once(first: int, second: int) -> str:
    pairs = zip(of_rate(first).splitlines(), of_rate(second).splitlines(), strict=True)
    return "".join(f"nginx-1  | {nginx}\ncaddy-1  | {caddy}\n" for nginx, caddy in pairs)


def names(runs: pd.DataFrame) -> dict[int, str]:
    """Return what names each run, by its throughput."""
    kinds = ["variant", "params", "repeat"]
    rows = runs[kinds].astype(object).where(runs[kinds].notna(), "").itertuples(index=False)
    texts = (" ".join(str(cell) for cell in row if cell != "") for row in rows)
    return dict(zip(runs["throughput_rps"].fillna(0).astype(int), texts, strict=True))


BOTH = {1: "before", 2: "before", 3: "after", 4: "after"}
STEP = "bench\trun\t2026-01-02T10:00:00.1234567Z {}\n"


@pytest.mark.parametrize(
    "form",
    [
        "**before**\n\n```\n{}```\n\n**after**\n\n```\n{}```\n",
        "1. before\n\n   ```\n{}   ```\n\n2. after\n\n   ```\n{}   ```\n",
        "".join(
            f"<details><summary>{name}</summary>\n\n```\n{{}}```\n</details>\n"
            for name in ("before", "after")
        ),
        "###### before\n\n```\n{}```\n\n###### after\n\n```\n{}```\n",
        "before\n------\n\n```\n{}```\n\nafter\n-----\n\n```\n{}```\n",
        "before:\n\n```\n{}```\n\nafter:\n\n```\n{}```\n",
        "## before\n\n~~~\n{}~~~\n\n## after\n\n```\n{}```\n",
        "```make``` prints:\n\n## before\n\n```\n{}```\n\n## after\n\n```\n{}```\n",
        "=== before ===\n{}=== after ===\n{}",
        "before:\n{}after:\n{}",
    ],
)
@pytest.mark.parametrize("line", ["{}\n", STEP], ids=["page", "step"])
def test_headings_of_every_kind_between_logs_stay(form: str, line: str, tmp_path: Path) -> None:
    page = form.format(at_once(1000, 2000), at_once(3000, 4000))
    runs = loaded(tmp_path, "x.md", "".join(line.format(each) for each in page.splitlines()))
    named = names(runs)
    assert [rate // 1000 for rate in named] == [1, 2, 3, 4]
    for rate, name in named.items():
        assert BOTH[rate // 1000] in name
        assert ("nginx-1" if rate // 1000 % 2 else "caddy-1") in name


def test_a_log_in_a_quote_of_a_letter(tmp_path: Path) -> None:
    lines = "".join(f"> {line}\n" for line in at_once(1000, 2000).splitlines())
    runs = loaded(tmp_path, "x.md", f"Hi,\n\n> ```\n{lines}> ```\n")
    assert names(runs) == {1000: "nginx-1", 2000: "caddy-1"}


def test_what_a_service_prints_beside_is_no_heading(tmp_path: Path) -> None:
    lines = at_once(1000, 2000).split("\n")
    content = "\n".join([*lines[:4], "nginx-1  | # warm up done", *lines[4:]])
    assert names(loaded(tmp_path, "x.log", content)) == {1000: "nginx-1", 2000: "caddy-1"}


def test_logs_in_the_cells_of_a_notebook(tmp_path: Path) -> None:
    cells: list[Mapping[str, object]] = []
    for name, text in (("before", at_once(1000, 2000)), ("after", at_once(3000, 4000))):
        cells.append({"cell_type": "markdown", "source": f"## {name}"})
        output = {"output_type": "stream", "text": text}
        cells.append({"cell_type": "code", "source": "!docker compose up", "outputs": [output]})
    runs = loaded(tmp_path, "x.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    assert all(BOTH[rate // 1000] in name for rate, name in names(runs).items())
    assert len(names(runs)) == 4


PAGE = "## before\n\n```\n{}```\n\n## after\n\n```\n{}```\n"


def test_pages_in_texts_of_json_keep_apart(tmp_path: Path) -> None:
    bodies = {"nginx": PAGE.format(of_rate(1000), of_rate(3000))}
    bodies["caddy"] = PAGE.format(of_rate(2000), of_rate(4000))
    documents = [{"server": name, "body": body} for name, body in bodies.items()]
    runs = loaded(tmp_path, "x.json", json.dumps(documents))
    assert {rate: "nginx" in name for rate, name in names(runs).items()} == {
        rate: rate in {1000, 3000} for rate in (1000, 2000, 3000, 4000)
    }
    assert all(BOTH[rate // 1000] in name for rate, name in names(runs).items())


def test_the_first_name_in_a_document_is_no_title(tmp_path: Path) -> None:
    content = {"nginx": {"a": of_rate(1000)}, "caddy": {"b": of_rate(2000)}}
    assert loaded(tmp_path, "x.json", json.dumps(content))["scenario"].to_list() == ["x", "x"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"workers": "4"}, {"workers": "8"}),
        ({"workers": 4.0}, {"workers": 8.0}),
        ({"cache": False}, {"cache": True}),
        ({"version": "1.24"}, {"version": "1.25"}),
        ({"version": 3.9}, {"version": 3.11}),
        ({"commit": "1112223"}, {"commit": "4445556"}),
        ({"config": {"worker_processes": 1}}, {"config": {"worker_processes": 8}}),
        ({"config": {"server": "a", "tags": [1]}}, {"config": {"server": "b", "tags": [1]}}),
        ({"server": {"name": "a"}, "client": {"name": "wrk"}}, {"server": {"name": "b"}}),
        ({"config": {"workers": 1}, "host": {"workers": 2}}, {"config": {"workers": 4}}),
        ({"payload": "1k"}, {"payload": "64k"}),
    ],
)
def test_what_was_set_tells_apart(
    first: Mapping[str, object], second: Mapping[str, object], tmp_path: Path
) -> None:
    sides = ((first, 1000), (first, 1010), ({**first, **second}, 2000), ({**first, **second}, 2010))
    documents = [{**side, "run": n, "stdout": of_rate(r)} for n, (side, r) in enumerate(sides)]
    runs = loaded(tmp_path, "x.json", json.dumps(documents))
    assert sorted(runs.groupby("variant")["throughput_rps"].mean()) == [1005, 2005]


@pytest.mark.parametrize(
    "key",
    ["memory", "elapsed", "note", "exit", "size", "system", "netstat", "healthy_after"],
)
def test_what_was_measured_does_not(key: str, tmp_path: Path) -> None:
    values = {
        "memory": "1{}0MB",
        "elapsed": "3.{}s",
        "note": "good {}",
        "exit": "ok{}",
        "healthy_after": "{}",
    }
    objects = {"system": "processes", "netstat": "connections"}
    documents: list[Mapping[str, object]] = []
    for number, server in enumerate((*SERVERS, *SERVERS)):
        value = values[key].format(number) if key in values else 1120 + number
        beside = {objects[key]: value} if key in objects else value
        text = of_rate(1000 + number)
        documents.append({"server": server, key: beside, "stdout": text})
    runs = loaded(tmp_path, "x.json", json.dumps(documents))
    assert runs["variant"].to_list() == [*SERVERS, *SERVERS]
    assert runs["params"].isna().all()


def test_connections_that_the_outputs_print_are_a_sweep(tmp_path: Path) -> None:
    documents = [
        {"server": server, "connections": count, "stdout": of_rate(1000 * n + count, count)}
        for n, server in enumerate(SERVERS, 1)
        for count in (10, 50)
    ]
    runs = loaded(tmp_path, "x.json", json.dumps(documents))
    assert runs["params"].to_list() == ['{"connections": 10}', '{"connections": 50}'] * 2
    assert runs["variant"].to_list() == ["nginx", "nginx", "caddy", "caddy"]


def test_lines_in_a_list_are_lines_whether_they_end_so_or_not(tmp_path: Path) -> None:
    lines = REPORT.splitlines(keepends=True)
    mixed = [line.rstrip("\n") if n % 2 else line for n, line in enumerate(lines)]
    runs = loaded(tmp_path, "x.json", json.dumps({"out": mixed}))
    assert runs["throughput_rps"].to_list() == [67475.37]


@pytest.mark.parametrize("form", ["lines", "notebook"])
def test_texts_of_other_forms_may_be_cut_off(form: str, tmp_path: Path) -> None:
    text = cut(REPORT, "Requests/sec:  67").splitlines(keepends=True)
    cell = {"cell_type": "code", "source": "!x", "outputs": [{"text": text}]}
    content: object = {"cells": [cell], "nbformat": 4} if form == "notebook" else {"out": text}
    runs = loaded(tmp_path, "x.json", json.dumps(content))
    assert runs["throughput_rps"].isna().all()


def test_rows_of_a_table_of_markdown_have_their_first_cell_as_name(tmp_path: Path) -> None:
    rows = [
        f"| {name} | <pre>{of_rate(rate).replace(chr(10), '<br>')}</pre> |"
        for name, rate in (("nginx", 1000), ("caddy", 2000), ("nginx", 1010), ("caddy", 2020))
    ]
    page = "\n".join(["# T", "", "| Server | Result |", "|---|:--|", *rows, ""])
    assert names(loaded(tmp_path, "x.md", page)) == {
        1000: "nginx 1",
        2000: "caddy 1",
        1010: "nginx 2",
        2020: "caddy 2",
    }


def test_a_quote_that_never_ends_goes_no_further_than_its_text() -> None:
    bodies = {"a": f"```\n{of_rate(1000)}", "b": PAGE.format(of_rate(2000), of_rate(3000))}
    content = json.dumps([{"server": name, "out": body} for name, body in bodies.items()])
    laid_out = page_of_json(content, lambda printed: "Running" in printed)
    assert laid_out is not None
    text = Text.from_text(laid_out.text, laid_out.sections, laid_out.ends)
    heading = text.lines.index("## before")
    assert Page(text, [(3, 14)]).fenced[heading : heading + 3] == [False, False, True]


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        (["| GET /json | {} |"], {1000: "nginx", 2000: "caddy"}),
        (["| 4 threads | {} |"], {1000: "nginx", 2000: "caddy"}),
        (["| 10 | {} |", "| 20 | {} |"], {1000: "nginx", 2000: "caddy"}),
    ],
)
def test_cells_that_do_not_differ_name_nothing(
    rows: list[str], named: Mapping[int, str], tmp_path: Path
) -> None:
    parts = []
    for server, rate in (("nginx", 1000), ("caddy", 2000)):
        cells = [
            row.format(f"<pre>{of_rate(rate + n, 10 * n + 10).replace(chr(10), '<br>')}</pre>")
            for n, row in enumerate(rows)
        ]
        parts.append("\n".join([f"## {server}", "", "| c | out |", "|---|---|", *cells, ""]))
    runs = loaded(tmp_path, "x.md", "\n".join(parts))
    assert {rate // 1000 * 1000: name.split()[0] for rate, name in names(runs).items()} == named


@pytest.mark.parametrize(
    "cells",
    [
        ("1 | nginx", "2 | caddy"),
        ("2026-01-02 | nginx", "2026-01-03 | caddy"),
        ("**[nginx](https://nginx.org)** | 5", "`caddy` | 6"),
    ],
)
def test_the_cell_that_is_a_name_names(cells: Sequence[str], tmp_path: Path) -> None:
    rows = [
        f"| {cell} | <pre>{of_rate(rate).replace(chr(10), '<br>')}</pre> |"
        for cell, rate in zip(cells, (1000, 2000), strict=True)
    ]
    page = "\n".join(["# T", "", "| a | b | out |", "|---|---|---|", *rows, ""])
    assert names(loaded(tmp_path, "x.md", page)) == {1000: "nginx", 2000: "caddy"}


def test_headings_of_connections_stay_where_they_tell_more(tmp_path: Path) -> None:
    sections = {"100 connections": 1000, "100 connections, TLS": 2000}
    page = "".join(f"## {text}\n\n{of_rate(rate, 100)}\n" for text, rate in sections.items())
    assert names(loaded(tmp_path, "x.md", f"# B\n\n{page}")) == {
        rate: text for text, rate in sections.items()
    }


def test_headings_of_connections_are_a_sweep_also_where_wrk_leaves_some_out(tmp_path: Path) -> None:
    page = "".join(
        f"## {count} connections\n\n"
        + "".join(
            f"### {server}\n\n{of_rate(n + count, count).replace('2 threads', '12 threads')}\n"
            for server, n in (("nginx", 1000), ("caddy", 2000))
        )
        for count in (12, 100, 240)
    )
    runs = loaded(tmp_path, "x.md", f"# B\n\n{page}")
    assert {*runs["variant"]} == {"nginx", "caddy"}
    assert {json.loads(params)["connections"] for params in runs["params"]} == {12, 100, 240}
    assert len(benchkit.load(tmp_path / "x.md").compare()["scenario"].unique()) == 1


@pytest.mark.parametrize("key", ["crashed", "converged", "threads"])
def test_what_was_measured_of_some_does_not_tell_apart(key: str, tmp_path: Path) -> None:
    values: Mapping[str, Sequence[object]] = {
        "crashed": (False, False, True, False, False, False),
        "converged": (True, False, True, True, True, True),
        "threads": (17, 18, 17, 33, 31, 32),
    }
    documents = [
        {"name": SERVERS[n // 3], key: value, "stdout": of_rate(1000 + n)}
        for n, value in enumerate(values[key])
    ]
    runs = loaded(tmp_path, "x.json", json.dumps(documents))
    assert runs["variant"].to_list() == ["nginx"] * 3 + ["caddy"] * 3
    assert runs["params"].isna().all()
