"""Recorded outputs, put into pages as people do: what each run is called, and that none is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchkit
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from tests.ingest.outputs import ab, recorded, wrk


def loaded(folder: Path, page: str, name: str = "page.md") -> list[tuple[str, int | None]]:
    """Return the variants of the runs in a page and what counts them."""
    (folder / name).write_text(page, encoding="utf-8")
    return [(run.variant, run.get("repeat")) for run in benchkit.load(folder / name)]


def variants(folder: Path, page: str, name: str = "page.md") -> list[str]:
    return [variant for variant, _ in loaded(folder, page, name)]


def loss(path: Path) -> str:
    """Return what is told of a file that is not read whole."""
    return read_file(Input(str(path), path.name, path.name)).message or ""


def test_a_banner_in_code_names_the_run_below_what_a_script_prints(tmp_path: Path) -> None:
    runs = [
        f"------- {name} -------\n{answer}\n{wrk()}"
        for name, answer in (("node", "okay"), ("kone", "Hello World"), ("koa", "Hello World"))
    ]
    page = "## Bench\n\n```\n" + "\n".join(runs) + "```\n\n## With middleware\n\n```\n"
    page += f'------- express -------\nxxx("aaa");\n{wrk()}```\n'
    assert variants(tmp_path, page) == ["node", "kone", "koa", "express"]


def test_headings_name_the_runs_where_only_some_have_a_line_below(tmp_path: Path) -> None:
    page = "".join(
        f"## {name}\n\n{line}\n\n```\n{wrk()}```\n\n"
        for name, line in (("AspNetCore", "Built with dotnet"), ("Actix", ""))
    )
    assert variants(tmp_path, page) == ["AspNetCore", "Actix"]


@pytest.mark.parametrize(
    "headings", [("First run", "Second run"), ("Test A", "Test B"), ("nginx", "nginx 2")]
)
def test_lines_below_headings_that_tell_the_runs_apart_are_kept(
    tmp_path: Path, headings: tuple[str, str]
) -> None:
    page = "".join(
        f"## {heading}\n\ncache {state}\n\n```\n{wrk()}```\n\n"
        for heading, state in zip(headings, ("off", "on"), strict=True)
    )
    assert [name[-3:].strip() for name in variants(tmp_path, page)] == ["off", "on"]


def test_headings_that_only_count_leave_it_to_the_lines_below(tmp_path: Path) -> None:
    page = "".join(
        f"## Test {number}\n\n{name}\n\n```\n{wrk()}```\n\n"
        for number, name in enumerate(("without cache", "with cache"), 1)
    )
    assert variants(tmp_path, page) == ["without cache", "with cache"]


def test_a_heading_below_a_run_is_none_of_the_next_that_opens_as_one_above_it(
    tmp_path: Path,
) -> None:
    runs = [f"# {wrk().lstrip()}## Total: {rate} rps\n\n" for rate in (2889, 614)]
    assert not {name for name in variants(tmp_path, "".join(runs)) if "Total" in name}


def test_the_columns_of_a_table_in_html_name_the_runs_in_its_cells(tmp_path: Path) -> None:
    def cell() -> str:
        return "<td><p>" + "<br />\n".join(ab().split("\n")) + "</p></td>\n"

    rows = [f"<tr>\n<td>{n}</td>\n{cell()}{cell()}</tr>\n" for n in (1, 2)]
    head = "<tr>\n<th>Time</th>\n<th>Wildfly</th>\n<th><b>Quarkus</b></th>\n</tr>\n"
    page = f"# Servers compared\n\n## 10 clients\n\n<table>\n{head}{''.join(rows)}</table>\n"
    assert loaded(tmp_path, page) == [
        ("Wildfly", 1),
        ("Quarkus", 1),
        ("Wildfly", 2),
        ("Quarkus", 2),
    ]


def test_headings_of_commented_out_outputs_hold(tmp_path: Path) -> None:
    page = ""
    for name in ("nginx", "caddy"):
        output = "".join(f"# {line}\n" for line in wrk().splitlines())
        page += f"# {name}\n{output}\n"
    assert variants(tmp_path, page, "bench.py") == ["nginx", "caddy"]


def test_heads_of_rows_and_of_columns_name_the_run_in_a_cell(tmp_path: Path) -> None:
    rows = ""
    for server in ("nginx", "caddy"):
        cells = "".join(f"<td>{f'<br />{chr(10)}'.join(ab().split(chr(10)))}</td>\n" for _ in "AB")
        rows += f"<tr>\n<th>{server}</th>\n{cells}</tr>\n"
    page = f"<table>\n<tr>\n<th></th>\n<th>off</th>\n<th>on</th>\n</tr>\n{rows}</table>\n"
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    labels = [run.get("label") for run in benchkit.load(tmp_path / "page.md")]
    assert len(set(labels)) == 4
    assert all("nginx" in label for label in labels[:2])


def test_cells_over_several_columns_name_nothing(tmp_path: Path) -> None:
    cells = "".join(f"<td>{f'<br />{chr(10)}'.join(ab().split(chr(10)))}</td>\n" for _ in "ABC")
    head = "<tr>\n<th colspan=2>nginx</th>\n<th>caddy</th>\n</tr>\n"
    page = f"<table>\n{head}<tr>\n{cells}</tr>\n</table>\n"
    assert "caddy" not in variants(tmp_path, page)


def test_what_looks_like_a_comment_in_code_hides_nothing(tmp_path: Path) -> None:
    page = f"A comment begins with `<!--` there.\n\n## A\n\n{ab()}\n```\n<!-- <html>\n```\n"
    page += f"\n## B\n\n{ab()}\nand ends with `-->` there.\n\n## C\n\n{ab()}"
    assert variants(tmp_path, page) == ["A", "B", "C"]


@pytest.mark.parametrize("word", ["Test", ""])
def test_a_run_right_below_one_that_warmed_up_does_not(tmp_path: Path, word: str) -> None:
    page = "".join(
        f"# {name}\nWarm up\n```\n{wrk()}```\n{word}\n```\n{wrk()}```\n"
        for name in ("nginx", "caddy")
    )
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    runs = benchkit.load(tmp_path / "page.md")
    assert [bool(run.params.get("warm-up")) for run in runs] == [True, False] * 2
    assert [run.variant for run in runs] == ["nginx", "nginx", "caddy", "caddy"]


def test_cells_of_one_line_are_not_all_called_by_the_last_column(tmp_path: Path) -> None:
    cells = "".join(f"<td>{'<br>'.join(ab().split(chr(10)))}</td>" for _ in "AB")
    head = "<tr><th>Wildfly</th><th>Quarkus</th></tr>"
    page = f"<h1>Servers</h1><table>{head}<tr>{cells}</tr></table>"
    assert set(variants(tmp_path, page, "page.html")) != {"Quarkus"}


def test_a_report_in_a_comment_is_left_out_and_told(tmp_path: Path) -> None:
    page = f"## GET\n\n{ab()}\n## PUT\n\n<!-- {ab()} -->\n\n{ab()}"
    assert variants(tmp_path, page) == ["GET", "PUT"]
    assert "commented out and left out" in loss(tmp_path / "page.md")


def test_what_a_comment_hides_is_read_where_nothing_else_is_there(tmp_path: Path) -> None:
    page = f"# Results\n\nSee the graph.\n\n<!--\n{wrk()}\n{wrk()}\n-->\n"
    assert len(loaded(tmp_path, page)) == 2
    assert loss(tmp_path / "page.md") == ""


def test_a_label_as_a_heading_does_not_end_the_report(tmp_path: Path) -> None:
    percentiles = "Percentage of the requests served"
    report = ab().replace(percentiles, f"#### {percentiles}")
    rate = next(line for line in report.split("\n") if line.startswith("Transfer rate:"))
    report = report.replace(rate, f"#### Transfer rate:\n\n- {rate.split(':')[1].strip()}")
    (tmp_path / "page.md").write_text(f"## POST\n\n{report}", encoding="utf-8")
    (run,) = benchkit.load(tmp_path)
    assert run.variant == "POST"
    assert run.get("throughput_rps")
    assert run.get("latency_p99_s")


@pytest.mark.parametrize("behind", [")", "{% endcodeblock %}", " {%- endhighlight -%}"])
def test_what_stands_behind_the_last_line_of_a_report_spoils_none(
    tmp_path: Path, behind: str
) -> None:
    report = ab()
    whole = [*variants(tmp_path, report, "plain.txt")]
    assert len(whole) == 1
    assert variants(tmp_path, f"{report.rstrip()}{behind}\n", "plain.txt") == whole


def test_a_picture_by_its_name_before_a_line_is_no_part_of_it(tmp_path: Path) -> None:
    report = recorded("bombardier/plain.txt")
    statistics = report[report.index("Statistics") :].replace("\n", "\n\n")
    other = statistics.replace("158.", "258.")
    page = f"## Go\n\n:clock1: {statistics}\n## Rust\n\n:clock1: {other}"
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    runs = benchkit.load(tmp_path / "page.md")
    assert [run.variant for run in runs] == ["Go", "Rust"]
    assert all(run.get("throughput_rps") for run in runs)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("vegeta/ok.report.txt", "Latencies"),
        ("ab/keepalive.txt", "Total:"),
        ("wrk/latency.txt", "    Latency"),
        ("siege/text.txt", "Availability"),
        ("k6/full.txt", "    http_reqs"),
        ("autocannon/latency-table.txt", "│ Latency"),
    ],
)
def test_a_line_that_stands_twice_makes_no_second_run(tmp_path: Path, name: str, line: str) -> None:
    lines = recorded(name).split("\n")
    at = next(n for n, text in enumerate(lines) if text.startswith(line))
    (tmp_path / "doubled.txt").write_text("\n".join([*lines[:at], *lines[at:][:1], *lines[at:]]))
    (tmp_path / "whole.txt").write_text("\n".join(lines))
    doubled, whole = (benchkit.load(tmp_path / f"{n}.txt") for n in ("doubled", "whole"))
    assert len(doubled.runs) == len(whole.runs) == 1
    figures = ["throughput_rps", "latency_p50_s", "latency_max_s", "requests"]
    assert doubled.runs[figures].equals(whole.runs[figures])


def test_a_run_below_a_word_on_warming_up_is_none_of_the_measured(tmp_path: Path) -> None:
    page = ""
    for name, port in (("Express", 8091), ("Fastify", 8092)):
        page += f"{'=' * 40}\n Baseline: {name}\n{'=' * 40}\n[*] Starting {name} server...\n"
        page += f"{name} listening on port {port}\n[*] Warmup...\n{wrk(c=10)}\n"
        page += "".join(f"--- {c} connections ---\n{wrk(c=c)}\n" for c in (100, 1000))
    (tmp_path / "log.txt").write_text(page, encoding="utf-8")
    runs = benchkit.load(tmp_path / "log.txt")
    assert [bool(run.params.get("warm-up")) for run in runs] == [True, False, False] * 2
    assert {run.variant for run in runs} == {"Baseline: Express", "Baseline: Fastify"}


@pytest.mark.parametrize("between", [" ", "  ", ": ", " - "])
def test_a_list_of_rates_names_each_before_it(tmp_path: Path, between: str) -> None:
    rate = "Requests per second:    438.89 [#/sec] (mean)"
    page = f"threaded{between}{rate}\nprefork{between}{rate.replace('438', '129')}\n"
    assert variants(tmp_path, page, "list.txt") == ["threaded", "prefork"]


@pytest.mark.parametrize("mark", ["# ", "#=> ", "## "])
def test_comments_in_code_name_the_runs_of_each_section(tmp_path: Path, mark: str) -> None:
    page = "".join(
        f"## Node {version}\n\n```\n{mark}POLKA\n{wrk()}\n{mark}EXPRESS\n{wrk()}```\n\n"
        for version in ("v9", "v8")
    )
    assert variants(tmp_path, page) == ["POLKA", "EXPRESS"] * 2


def test_a_comment_above_the_command_names_its_run(tmp_path: Path) -> None:
    command = "wrk -d 10s --latency http://127.0.0.1:8931/"
    page = "".join(
        f"```\n# {name}\n\n{command}\n{wrk()}```\n\n" for name in ("Deno (flash)", "Bun")
    )
    assert variants(tmp_path, page) == ["Deno (flash)", "Bun"]


def test_what_root_types_is_no_name(tmp_path: Path) -> None:
    page = f"## nginx\n\n```\n{f'# ./start.sh --port=80{chr(10)}{wrk()}' * 2}```\n"
    assert {name for name, _ in loaded(tmp_path, page)} == {"nginx"}


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("<p>{}</p>\n<pre>", "</pre>"),
        ("<li><b>{}</b></li>\n<pre><code>", "</code></pre>"),
        ("<dt>{}</dt>\n<pre>", "</pre>"),
        ('<h3 id="x">{}<a class="anchor" href="#x"></a></h3>\n<pre>', "</pre>"),
    ],
)
def test_words_in_tags_name_the_runs_of_a_saved_page(tmp_path: Path, begin: str, end: str) -> None:
    runs = (f"{begin.format(name)}{wrk()}{end}" for name in ("nginx", "caddy"))
    page = "<html><body>\n" + "\n".join(runs) + "\n</body></html>\n"
    assert variants(tmp_path, page, "page.html") == ["nginx", "caddy"]


@pytest.mark.parametrize("form", ["##{}", "#{}", "**{}** (tuned)", "### <span>{}</span>"])
def test_headings_as_people_write_them(tmp_path: Path, form: str) -> None:
    page = "".join(f"{form.format(name)}\n\n```\n{wrk()}```\n\n" for name in ("polka", "express"))
    assert [name.split(" (")[0] for name in variants(tmp_path, page)] == ["polka", "express"]


@pytest.mark.parametrize(
    "fact",
    ["Maximum Memory Usage: {} MB", "Startup time: {}.5 s", "RAM usage - {}M", "Version: {}"],
)
def test_a_fact_below_a_heading_is_no_name(tmp_path: Path, fact: str) -> None:
    page = "".join(
        f"### {name}\n\n{fact.format(n)}\n\n```\n{wrk()}```\n\n"
        for n, name in enumerate(("actix-web", "axum"), 5)
    )
    assert variants(tmp_path, page) == ["actix-web", "axum"]


def test_after_a_warm_up_is_no_warm_up(tmp_path: Path) -> None:
    names = ("Go", "Java, after warming up")
    page = "".join(f"## {name}\n\n```\n{wrk()}```\n\n" for name in names)
    assert variants(tmp_path, page) == [*names]
    assert benchkit.load(tmp_path / "page.md").runs["params"].isna().all()


@pytest.mark.parametrize(
    "words",
    [
        ("第一次", "第二次"),
        ("第1次", "第2次"),
        ("1回目", "2回目"),
        ("Erster Lauf", "Zweiter Lauf"),
        ("Первый запуск", "Второй запуск"),
        ("Premier essai", "Deuxième essai"),
        ("The first run:", "The second run:"),
    ],
)
def test_repetitions_in_any_language_are_repetitions(
    tmp_path: Path, words: tuple[str, str]
) -> None:
    page = "".join(
        f"## {name}\n\n" + "".join(f"**{word}**\n\n```\n{wrk()}```\n\n" for word in words)
        for name in ("polka", "express")
    )
    assert loaded(tmp_path, page) == [("polka", 1), ("polka", 2), ("express", 1), ("express", 2)]


@pytest.mark.parametrize(
    "chatter", ["Listening on 127.0.0.1:{}", "real\t0m{}.356s", "Server running on port {}"]
)
def test_what_programs_print_above_a_run_is_no_name(tmp_path: Path, chatter: str) -> None:
    page = "".join(
        f"```\nmode {name}\n{chatter.format(n)}\n{wrk()}```\n\n"
        for n, name in enumerate(("turbo", "plain"), 4544)
    )
    assert variants(tmp_path, page) == ["mode turbo", "mode plain"]


@pytest.mark.parametrize(
    "names",
    [
        ("Rails 6", "Rails 7", "Sinatra"),
        ("Node 18", "Node 20", "Bun"),
        ("Express 4 on 2 cores", "Express 5 on 2 cores", "Koa"),
    ],
)
def test_versions_in_the_headings_of_files_are_no_repetitions(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    for name in names:
        path = tmp_path / f"{name.lower().replace(' ', '')}.md"
        path.write_text(f"## {name}\n\n```\n{wrk()}```\n", encoding="utf-8")
    assert sorted(run.variant for run in benchkit.load(tmp_path)) == sorted(names)


def test_versions_in_names_of_files_are_no_repetitions(tmp_path: Path) -> None:
    """But numbers from 2 on are, where all have them, or the name without one is there."""
    for folder, names, expected in (
        ("a", ("rails6", "rails7", "sinatra"), ["rails6", "rails7", "sinatra"]),
        ("b", ("nginx-2", "nginx-3", "caddy-2", "caddy-3"), ["caddy", "caddy", "nginx", "nginx"]),
        ("d", ("php7", "php8"), ["php7", "php8"]),
        ("c", ("nginx", "nginx2", "nginx3", "caddy"), ["caddy", "nginx", "nginx", "nginx"]),
    ):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.txt").write_text(wrk(), encoding="utf-8")
        assert sorted(run.variant for run in benchkit.load(tmp_path / folder)) == expected


def test_a_page_with_one_run_keeps_the_numbers_of_its_name(tmp_path: Path) -> None:
    assert variants(tmp_path, f"### Aliyun 8 cores 16G ram\n\n```\n{wrk()}```\n") == [
        "Aliyun 8 cores 16G ram"
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("Running on bare metal:", "Running on Docker:"),
        ("Server running on Node 18", "Server running on Node 20"),
        ("Listening with epoll", "Listening with kqueue"),
    ],
)
def test_words_like_those_of_a_server_may_be_names(tmp_path: Path, lines: tuple[str, str]) -> None:
    page = "# Bench\n\n" + "".join(f"{line}\n\n```\n{wrk()}```\n\n" for line in lines)
    assert len(set(variants(tmp_path, page))) == 2


@pytest.mark.parametrize(
    "line",
    [
        *(
            "#performance",
            "#wrk -t4 -c100 -d30s http://localhost/",
            "**Results** (higher is better)",
        ),
        *("<p>Response time</p>", "After testing we see this.", "`#main {margin: 0;}`"),
    ],
)
def test_a_line_below_headings_that_tell_the_runs_apart_is_no_name(
    tmp_path: Path, line: str
) -> None:
    page = "".join(f"## {name}\n\n{line}\n\n```\n{wrk()}```\n\n" for name in ("nginx", "apache"))
    assert variants(tmp_path, page) == ["nginx", "apache"]


@pytest.mark.parametrize("pair", [("Vec<i>", "Vec<s>"), ("Prueba 1", "Prueba 2")])
def test_headings_that_are_names_as_they_stand(tmp_path: Path, pair: tuple[str, str]) -> None:
    page = "".join(f"## {name}\n\n```\n{wrk()}```\n\n" for name in pair)
    assert variants(tmp_path, page) == [*pair]


def test_comments_in_code_give_way_to_headings_that_tell_the_runs_apart(tmp_path: Path) -> None:
    page = "".join(
        f"## {name}\n\n```\n# {comment}\n{wrk()}```\n\n"
        for name, comment in (("Go", "first look at the cache"), ("Rust", "killall server"))
    )
    assert variants(tmp_path, page) == ["Go", "Rust"]


def test_a_name_with_a_version_is_no_fact(tmp_path: Path) -> None:
    page = "".join(
        f"## HTTP server in {language}\n\n{name}\n\n```\n{wrk()}```\n\n"
        for language, name in (("C", "nginx"), ("Java", "undertow"), ("JS", "node - 18.2"))
    )
    assert variants(tmp_path, page) == ["nginx", "undertow", "node - 18.2"]


def test_numbers_of_files_that_count_from_one_are_repetitions(tmp_path: Path) -> None:
    for folder, names, expected in (
        ("a", [f"Test {n} {s}" for s in ("nginx", "apache") for n in (1, 2, 3)], 2),
        ("b", ["base", "fix-2", "fix-3"], 2),
        ("c", ["nginx_4", "nginx_5", "apache_4", "apache_5"], 2),
    ):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.txt").write_text(wrk(), encoding="utf-8")
        names_read = {run.variant for run in benchkit.load(tmp_path / folder)}
        assert len(names_read) == expected, (folder, names_read)
