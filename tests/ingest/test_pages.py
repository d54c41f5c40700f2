"""What surrounds a run in a page."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import benchkit
from benchkit.ingest.commands import server_of, typed
from benchkit.ingest.pages import Context, Load, Page
from benchkit.text import Text


def contexts(page: str, *, tool: str = "wrk", url: str | None = None) -> list[Context]:
    """Return the contexts of the runs in a page; a run is a line 'RUN'."""
    text = Text.from_text(dedent(page).lstrip("\n"))
    at = [number for number, line in enumerate(text.lines) if "RUN" in line]
    loads = [Load(tool, url)] * len(at)
    return Page(text, [(number, number) for number in at], loads=loads).contexts()


def test_headings_of_each_run_without_the_title() -> None:
    first, second = contexts("""
        # Proxies compared

        ## Plain HTTP
        ### nginx
        RUN

        ## TLS
        ### nginx
        RUN
        """)
    assert first.title == second.title == "Proxies compared"
    assert first.trail == ["Plain HTTP", "nginx"]
    assert second.trail == ["TLS", "nginx"]


def test_front_matter_gives_the_title() -> None:
    (context,) = contexts("""
        ---
        layout: post
        title: "How much does TLS cost?"
        ---
        # Method
        RUN
        """)
    assert context.title == "How much does TLS cost?"
    assert context.trail == ["Method"]


def test_underlined_headings() -> None:
    (context,) = contexts("""
        Two proxies
        ===========

        Envoy
        -----
        RUN
        """)
    assert (context.title, context.trail) == ("Two proxies", ["Envoy"])


def test_a_heading_that_opens_as_the_next_of_its_level_does_is_no_title() -> None:
    first, second = contexts("""
        ## nginx
        ### Run 1
        RUN
        ## caddy
        ### Run 1
        RUN
        """)
    assert first.title is None
    assert (first.trail, second.trail) == (["nginx", "Run 1"], ["caddy", "Run 1"])


def test_a_title_has_others_of_its_level_below_it() -> None:
    first, second = contexts("""
        # Proxies compared
        ## nginx
        RUN
        # Appendix
        ## The machine
        RUN
        """)
    assert first.title == "Proxies compared"
    assert (first.trail, second.trail) == (["nginx"], ["Appendix", "The machine"])


def test_a_page_that_opens_with_prose_has_no_title() -> None:
    (context,) = contexts("""
        This page shows what we measured.

        ## Setup
        RUN
        """)
    assert (context.title, context.trail) == (None, ["Setup"])


def test_a_fence_may_end_behind_the_last_words_in_it() -> None:
    first, second = contexts("""
        # GET
        ```bash
        RUN ```
        # PUT
        ```RUN
        ```
        """)
    assert (first.trail, second.trail) == (["GET"], ["PUT"])


def test_code_that_ends_like_a_fence_ends_none() -> None:
    (context,) = contexts("""
        # nginx

        ```js
        log(md + '```
        # foo
        ```

        RUN
        """)
    assert (context.title, context.trail) == ("nginx", [])


def test_code_in_a_sentence_opens_no_fence() -> None:
    first, second = contexts("""
        # GET
        ```wrk``` printed:

        RUN
        # PUT
        RUN
        """)
    assert (first.trail, second.trail) == (["GET"], ["PUT"])


def test_a_comment_in_a_fence_is_no_heading() -> None:
    (context,) = contexts("""
        # Title
        ```sh
        # start the server
        RUN
        ```
        """)
    assert context.trail == []


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ("with keep-alive:", "with keep-alive"),
        ("**Caddy 2.7**", "Caddy 2.7"),
        ("----- warm cache -----", "warm cache"),
        ("# nginx", "nginx"),
        ("########## nginx ##########", "nginx"),
        (">>> nginx", "nginx"),
        ("--> nginx", "nginx"),
        ("[2026-11-26 10:01:00] nginx", "nginx"),
        ("Thu Nov 26 10:01:00 UTC 2026 nginx", "nginx"),
        ("nginx_c32_1", "nginx_c32_1"),
        ("<details><summary>nginx</summary>", "nginx"),
        ("<!-- nginx -->", None),
        ("The results.", None),
        ("_Latency_", None),
        ("Then we ran it again and this is what came out of the second attempt today", None),
        ("$ ./server --port 80", None),
    ],
)
def test_a_short_line_above_a_run_is_its_caption(line: str, caption: str | None) -> None:
    (context,) = contexts(f"Some prose that goes before.\n\n{line}\n\n```\nRUN\n```\n")
    assert (context.caption or next(iter(context.trail), None)) == caption


def test_a_caption_that_all_share_is_none() -> None:
    matches = contexts("""
        # T
        ## one
        Full output
        RUN
        ## two
        Full output
        RUN
        """)
    assert [(c.caption, c.trail) for c in matches] == [(None, ["one"]), (None, ["two"])]


def test_two_captions_under_one_heading() -> None:
    matches = contexts("""
        ## Connections
        old server:
        RUN
        new server
        RUN
        """)
    assert [c.caption for c in matches] == ["old server", "new server"]


@pytest.mark.parametrize(
    "prompt",
    [
        *("$ ", "[root@bench ~]# ", "me@box:~/b$ ", "bench$ ", "➜ "),
        *("(venv) me@box:~$ ", "➜  bench git:(main) ✗ "),
    ],
    ids=repr,
)
def test_a_comment_at_a_prompt_names_the_runs_below_it(prompt: str) -> None:
    """Once both were repeats of one variant, which was 30 % slower from the third on."""
    page = "\n".join(
        line
        for name in ("before the patch", "after the patch")
        for line in (f"{prompt}# {name}", *2 * (f"{prompt}wrk -c 10 http://h/", "RUN"))
    )
    captions = [c.caption for c in contexts(page)]
    assert captions == [*2 * ["before the patch"], *2 * ["after the patch"]]


@pytest.mark.parametrize(
    "line", ["bob@example.com: cores 50% busy", "50% of it", "", "x" * 300, "Mac:~ me$ "]
)
def test_prose_is_not_typed_at_a_prompt(line: str) -> None:
    assert typed(line) != "busy"
    assert typed(line) in {None, "of it"}


@pytest.mark.parametrize("prompt", ["$ ", "[root@bench ~]# ", "me@box:~/b (main) $ ", "Mac:~ me$ "])
def test_the_server_that_was_started_above_names_the_runs_below_it(prompt: str) -> None:
    page = """
        $ node server.js > /dev/null 2>&1 &
        [1] 4711
        $ wrk -c 10 http://h/
        RUN
        $ wrk -c 10 http://h/
        RUN
        $ kill %1
        $ node fastify.js &
        [1] 4799
        $ wrk -c 10 http://h/
        RUN
        """
    matches = contexts(page.replace("$ ", prompt))
    assert [c.caption for c in matches] == ["node server.js"] * 2 + ["node fastify.js"]


@pytest.mark.parametrize(
    "line", ["And again:", "Ran it again because I did not believe it:", "once more", "Again"]
)
def test_a_line_that_says_it_was_done_once_more_names_nothing(line: str) -> None:
    matches = contexts(f"""
        ## Node
        RUN
        {line}
        RUN
        ## Fastify
        RUN
        """)
    assert [(c.caption, c.trail) for c in matches] == [
        (None, ["Node"]),
        (None, ["Node"]),
        (None, ["Fastify"]),
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("no gzip", "again, with gzip on"),
        ("nginx, 1 worker", "nginx, 1 worker, once more with access log off"),
        ("Then:", "Now:"),
        ("nginx", "caddy again"),
    ],
)
def test_a_line_that_says_what_changed_is_a_name(first: str, second: str) -> None:
    captions = [c.caption for c in contexts(f"{first}\nRUN\n{second}\nRUN")]
    assert captions == [first.rstrip(":"), second.rstrip(":")]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("./a 2>/dev/null &", "./a"),
        ("node b.js &> b.log &", "node b.js"),
        ("sudo docker run -d --name x nginx > /dev/null", "sudo docker run -d --name x nginx"),
        ("docker-compose up -d", "docker-compose up -d"),
        ("systemctl restart nginx", "systemctl start nginx"),
        ("make && ./a &", None),
        ("tcpdump -i lo -w x &", None),
        ("make", None),
    ],
)
def test_what_starts_a_server(typed: str, name: str | None) -> None:
    assert server_of([typed]) == name
    assert server_of([typed, "sleep 2"]) == name
    assert server_of([typed, "kill %1"]) is None


def test_what_is_typed_between_runs_ends_the_server_above() -> None:
    """Once the second was the first's repetition, as nothing is known of `run.sh`."""
    matches = contexts("""
        $ node a.js &
        $ wrk -c 10 http://h/
        RUN
        $ ./run.sh b
        $ wrk -c 10 http://h/
        RUN
        """)
    assert [c.caption for c in matches] == [None, None]


def test_the_command_directly_above_belongs_to_the_run() -> None:
    matches = contexts("""
        $ wrk -t2 -c64 -d30s http://127.0.0.1:8080/a
        RUN
        ~% wrk -t4 -c128 -d30s http://127.0.0.1:8080/b
        RUN
        """)
    assert [c.command and c.command.columns["connections"] for c in matches] == [64, 128]


def test_commands_far_above_are_told_apart_by_url() -> None:
    page = """
        # T
        We ran

            wrk -t2 -c10 http://127.0.0.1:8080/with

        and

            wrk -t2 -c20 http://127.0.0.1:8080/without

        ## one
        RUN
        """
    (context,) = contexts(page, url="http://127.0.0.1:8080/with")
    assert context.command is not None
    assert context.command.columns["connections"] == 10
    (other,) = contexts(page, url="http://127.0.0.1:8080/elsewhere")
    assert other.command is None


def test_of_several_lines_above_the_one_that_differs_is_the_caption() -> None:
    matches = contexts("""
        Length: 60s
        Rate: 1
        Limit: 120s

        RUN

        Length: 60s
        Rate: 5
        Limit: 120s

        RUN
        """)
    assert [c.caption for c in matches] == ["Rate: 1", "Rate: 5"]


def test_a_line_between_rules_is_a_caption() -> None:
    matches = contexts("""
        ```
        ----------------
        Reading with cookies...
        ----------------
        RUN
        ----------------
        Writing with cookies...
        ----------------
        RUN
        ```
        """)
    assert [c.caption for c in matches] == ["Reading with cookies", "Writing with cookies"]


def test_code_marks_are_no_part_of_a_heading() -> None:
    (context,) = contexts("## a. ```ab -c 10```\nRUN\n## b. `ab`\n")
    assert context.trail == ["a. ab -c 10"]


def test_the_first_of_several_equal_headings_is_no_title() -> None:
    matches = contexts("""
        # nginx
        RUN
        # apache
        RUN
        """)
    assert [(c.title, c.trail) for c in matches] == [(None, ["nginx"]), (None, ["apache"])]


def test_a_command_with_another_load_made_another_run() -> None:
    text = Text.from_text(
        dedent("""
        ab -n 500 -c 10 http://localhost/
        RUN with 10 connections
        RUN with 1 connection
        """).lstrip("\n")
    )
    loads = [Load("ab", "http://localhost/", n) for n in (10, 1)]
    first, second = Page(text, [(1, 1), (2, 2)], loads=loads).contexts()
    assert first.command is not None
    assert second.command is None


def test_a_command_below_every_run_is_read_where_it_names_the_host_of_one() -> None:
    text = Text.from_text("RUN\n\nwrk -c 5 http://elsewhere/\nwrk -c 9 http://Localhost:80/a\n")
    page = Page(text, [(0, 0)], loads=[Load("wrk", "http://localhost/a")])
    (context,) = page.contexts()
    assert [command.line for command in page.commands] == [3]
    assert context.command is page.commands[0]


@pytest.mark.parametrize(("sent_rps", "known"), [(100.2, True), (80.0, True), (120.0, False)])
def test_a_command_that_asks_for_less_is_that_of_another_run(
    sent_rps: float, *, known: bool
) -> None:
    text = Text.from_text("vegeta attack -rate=100/s > results.json\n\nRequests [total] 5\n")
    (context,) = Page(text, [(2, 2)], loads=[Load("vegeta", sent_rps=sent_rps)]).contexts()
    assert (context.command is not None) == known


def test_a_directive_above_a_run_is_no_caption() -> None:
    text = Text.from_text("Cold start\n\n.. code-block:: text\n\n   Requests [total] 5\n")
    (context,) = Page(text, [(4, 4)], loads=[Load("vegeta")]).contexts()
    assert context.caption == "Cold start"


def test_the_rest_of_a_command_is_no_caption() -> None:
    command = "vegeta attack \\\n  -rate=5 \\\n  | vegeta report \\\n  -type=text\n"
    text = Text.from_text(f"Cold start\n\n{command}\nRequests [total] 5\n")
    (context,) = Page(text, [(7, 7)], loads=[Load("vegeta")]).contexts()
    assert context.caption == "Cold start"
    assert context.command is not None
    assert (context.command.line, context.command.last) == (2, 5)


def test_the_end_of_a_paragraph_is_no_caption() -> None:
    (context,) = contexts("""
        Now we raise the load to ten times of what it was (10 users who each make 100
        requests):

        RUN
        """)
    assert context.caption is None


def test_bold_type_right_below_a_fence_is_a_heading_too() -> None:
    listed = contexts("""
        ### Hello world

        **Actix**
        ```
        RUN
        ```
        **Warp**
        ```
        RUN
        ```
        ***Axum***
        ```
        RUN
        ```
        """)
    assert [context.trail[-1] for context in listed] == ["Actix", "Warp", "Axum"]


def test_a_paragraph_in_bold_type_is_a_heading_below_the_others() -> None:
    text = (
        "# Load\n\n## Cold\n\n**One**\n\n* Results:\n\n| a |\n\n__Two:__\n\nx\n\n**Results**\n\ny\n"
    )
    page = Page(Text.from_text(text), [(8, 8), (12, 12), (16, 16)], loads=[Load("ab")] * 3)
    trails = [each.trail for each in page.contexts()]
    assert trails == [["Cold", "One"], ["Cold", "Two"], ["Cold", "Two"]]


def test_a_caption_under_several_headings_tells_the_runs_below_each_apart() -> None:
    below = "Debug\n\nx\n\nRelease\n\ny\n"
    page = Page(
        Text.from_text(f"# Load\n\n## Cold\n\n{below}\n## Warm\n\n{below}"),
        [(6, 6), (10, 10), (16, 16), (20, 20)],
        loads=[Load("ab")] * 4,
    )
    assert [context.caption for context in page.contexts()] == ["Debug", "Release"] * 2


def test_badges_in_a_heading_are_no_words() -> None:
    text = Text.from_text(
        "# Load [![ok](b.svg)](https://example.org) ![x][y] of [it](a)\n\nRequests [total] 5\n"
    )
    assert Page(text, [(2, 2)]).title == "Load of it"


def test_a_banner_in_a_fence_is_a_heading_until_the_fence_ends() -> None:
    rule = "=" * 20
    each, two = (
        f"{rule}\n    {name}\n{rule}\nOf a long sentence that is no name.\nx\n" for name in "AB"
    )
    page = Page(
        Text.from_text(f"# Load\n\n## Cold\n\n```\n{each}{two}y\n```\n\nz\n"),
        [(9, 9), (14, 14), (15, 15), (18, 18)],
        loads=[Load("ab")] * 4,
    )
    trails = [context.trail for context in page.contexts()]
    assert trails == [["Cold", "A"], ["Cold", "B"], ["Cold", "B"], ["Cold"]]


@pytest.mark.parametrize("tool", ["artillery", "gatling", "h2load", "k6"])
def test_what_a_tool_prints_around_a_report_names_no_run(
    tool: str, data: Path, tmp_path: Path
) -> None:
    for path in (data / tool).glob("*.txt"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "wrk.txt").write_bytes((data / "wrk" / "latency.txt").read_bytes())
    runs = benchkit.load(tmp_path).runs
    names = [runs[column].fillna("") for column in ("scenario", "variant", "label")]
    words = names[0] + names[1] + names[2]
    assert not words.str.contains("starting|Metrics for|All VUs|output:|available").any()


def test_rows_of_wrk_that_are_not_read_name_no_run(data: Path, tmp_path: Path) -> None:
    report = (data / "wrk" / "plain.txt").read_text(encoding="utf-8")
    rows = "Thread Stats  Avg  Stdev  Low  +/- Stdev\n  Latency: 1.2us 1us 1us 90.91%\n"
    both = f"{report}\n{rows}{report.replace('67848.35', '67948.35')}\n{rows}"
    (tmp_path / "page.md").write_text(f"## Results\n\n```\n{both}```\n", encoding="utf-8")
    runs = benchkit.load(tmp_path / "page.md").runs
    assert set(runs["variant"]) == {"Results"}


def test_the_last_line_of_a_report_that_is_cut_names_no_other(data: Path, tmp_path: Path) -> None:
    whole = (data / "bombardier" / "latencies.txt").read_text(encoding="utf-8")
    cut = whole[: whole.index("Latency") + len("Laten")]
    path = tmp_path / "gin.txt"
    path.write_text(f"{cut}\n{whole}", encoding="utf-8")
    variants = benchkit.load(path).runs["variant"].tolist()
    assert variants
    assert "Laten" not in variants


@pytest.mark.parametrize(
    ("report", "end"),
    [
        ("ab/variable-length.txt", "Percentage of the reque"),
        ("ab/keepalive.txt", "Concurrency Leve"),
        ("ab/keepalive.txt", "Concurrency Level:      1"),
        ("ab/non2xx.txt", "   (Connect: 0, Rec"),
        ("ab/keepalive.txt", "Thi"),
        ("autocannon/table.txt", "│ Laten"),
        ("bombardier/latencies.txt", "Bombar"),
        ("h2load/plain.txt", "Application pr"),
        ("hey/plain.txt", "Det"),
        ("wrk/latency.txt", "    Laten"),
    ],
)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_the_last_words_of_a_report_that_is_cut_name_no_run(
    report: str, end: str, between: str, data: Path, tmp_path: Path
) -> None:
    whole = (data / report).read_text(encoding="utf-8")
    cut = whole[: whole.index(end) + len(end)]
    path = tmp_path / "gin.txt"
    path.write_text(f"{cut}{between}{whole}", encoding="utf-8")
    runs = benchkit.load(path).runs
    assert set(runs["variant"]) == {"gin"}


def test_a_line_between_rules_of_a_report_that_is_cut_names_no_run(
    data: Path, tmp_path: Path
) -> None:
    whole = (data / "artillery" / "plain.txt").read_text(encoding="utf-8")
    ruled = whole.index("\n---", whole.index("Summary report @")) + 40
    path = tmp_path / "gin.txt"
    path.write_text(f"{whole[:ruled]}\n{whole}", encoding="utf-8")
    assert set(benchkit.load(path).runs["variant"]) == {"gin"}


def test_a_name_of_one_letter_above_each_report_stays_one(data: Path, tmp_path: Path) -> None:
    whole = (data / "ab" / "keepalive.txt").read_text(encoding="utf-8")
    other = (data / "ab" / "non2xx.txt").read_text(encoding="utf-8")
    path = tmp_path / "languages.txt"
    path.write_text(f"C\n{whole}\nRust\n{other}", encoding="utf-8")
    assert set(benchkit.load(path).runs["variant"]) == {"C", "Rust"}


def test_a_row_of_a_table_that_is_cut_names_no_report_of_another_form(
    data: Path, tmp_path: Path
) -> None:
    table = (data / "autocannon" / "table-pipelining.txt").read_text(encoding="utf-8")
    whole = (data / "autocannon" / "no-verbose.txt").read_text(encoding="utf-8")
    path = tmp_path / "gin.txt"
    path.write_text(f"{table[: table.index('50%') + 3]}\n{whole}", encoding="utf-8")
    assert set(benchkit.load(path).runs["variant"]) == {"gin"}


@pytest.mark.parametrize(
    ("report", "other"),
    [
        ("autocannon/table-pipelining.txt", "autocannon/no-verbose.txt"),
        ("fortio/stall.txt", "fortio/mixed.txt"),
    ],
)
def test_no_line_of_a_report_that_is_cut_anywhere_names_another(
    report: str, other: str, data: Path, tmp_path: Path
) -> None:
    """Such as `# of samples: 2`, which reads like a heading."""
    lines = (data / report).read_text(encoding="utf-8").splitlines(keepends=True)
    whole = (data / other).read_text(encoding="utf-8")
    path = tmp_path / "gin.txt"
    for count in range(1, len(lines)):
        path.write_text(f"{''.join(lines[:count])}\n{whole}", encoding="utf-8")
        assert set(benchkit.load(path).runs["variant"]) == {"gin"}, count


@pytest.mark.parametrize(
    ("report", "end", "other"),
    [
        ("hey/plain.txt", "  Size/req", "hey/no-content.txt"),
        ("vegeta/ok.report.txt", "Bytes In      [total, m", "vegeta/errors.hist.txt"),
    ],
)
def test_the_last_words_of_a_report_that_is_cut_name_no_report_of_other_lines(
    report: str, end: str, other: str, data: Path, tmp_path: Path
) -> None:
    text = (data / report).read_text(encoding="utf-8")
    whole = (data / other).read_text(encoding="utf-8")
    path = tmp_path / "gin.txt"
    path.write_text(f"{text[: text.index(end) + len(end)]}\n{whole}", encoding="utf-8")
    assert set(benchkit.load(path).runs["variant"]) == {"gin"}


def test_a_heading_that_reads_like_a_line_of_a_report_is_one(data: Path, tmp_path: Path) -> None:
    reports = [
        (data / "autocannon" / f"{name}.txt").read_text(encoding="utf-8")
        for name in ("no-verbose", "table-pipelining")
    ]
    path = tmp_path / "page.md"
    path.write_text(
        "".join(
            f"## {count} connections\n\n```\n{report}```\n\n"
            for count, report in zip((10, 100), reports, strict=True)
        ),
        encoding="utf-8",
    )
    labels = " ".join(benchkit.load(path).runs["label"])
    assert "10 connections" in labels
    assert "100 connections" in labels


def under_sentences(*sentences: str) -> list[str | None]:
    """Return the captions of runs below a sentence each."""
    listed = contexts("".join(f"{sentence}\n\nRUN\n\n" for sentence in sentences))
    return [context.caption for context in listed]


def test_sentences_that_begin_alike_name_what_they_are_about() -> None:
    assert under_sentences(
        "Here is the spring-boot-tomcat (tomcat embedded) performance.",
        "Here is the spring-boot-undertow performance.",
        "And now something else, with a sentence of its own, that says what it is:",
        "Here is the spring-boot-undertow performance.",
    ) == [
        *("spring-boot-tomcat (tomcat embedded)", "spring-boot-undertow"),
        "And now something else, with a sentence of its own, that says what it is",
        "spring-boot-undertow",
    ]


def test_a_banner_ends_what_another_began() -> None:
    rule = 20 * "="
    warm, measured = contexts(f"""
```
{rule}WARM-UP{rule}
RUN
{rule}END WARM-UP{rule}
==== Sun  1 Jan 19:38:56 GMT 2017 Running nginx

RUN
```
""")
    assert (warm.caption, warm.trail) == ("WARM-UP", [])
    assert (measured.caption, measured.trail) == ("Running nginx", [])


@pytest.mark.parametrize(
    "prompt",
    [
        "me@box:~/servers/{}$",
        "[me@box {}]#",
        "PS C:\\servers\\{}>",
        "C:\\servers\\{}>",
        "➜  {} git:(main) ✗",
    ],
)
def test_folders_in_which_runs_were_started_name_them(prompt: str) -> None:
    """Five frameworks, each started in a folder of its own, were five repetitions."""
    lines = [f"{prompt.format(v)} wrk -c{c} http://h/\nRUN\n" for v in "AB" for c in (1, 2)]
    listed = contexts("# Page\n\n```\n" + "\n".join(lines) + "```\n")
    assert [context.caption for context in listed] == ["A", "A", "B", "B"]


def test_what_runs_are_of_goes_before_their_folders() -> None:
    """A folder per URL tells no more than the URL, one that only counts a repetition."""
    of_urls = [f"me@box:~/{v}$ wrk http://{v}/\nRUN\n" for v in "ab"]
    counting = [f"me@box:~/res/{n}$ wrk http://h/\nRUN\n" for n in (1, 2, 3)]
    said = [
        f"{sentence}\n\n```\nme@box:~/{folder}$ wrk http://h/\nRUN\n```\n"
        for sentence, folder in (
            ("Here is what plain node does on my machine.", "tmp"),
            ("Bun, by contrast, does quite a bit better.", "tmp"),
            ("The second server is written in Rust.", "x"),
        )
    ]
    assert [c.caption for c in contexts("\n".join(of_urls))] == [None, None]
    assert [c.caption for c in contexts("\n".join(counting))] == [None] * 3
    assert [c.caption for c in contexts("\n".join(said))] == [
        "Here is what plain node does on my machine",
        "Bun, by contrast, does quite a bit better",
        "The second server is written in Rust",
    ]


def test_a_run_without_a_sentence_is_called_by_where_it_stands() -> None:
    listed = contexts(
        "This is the plain server.\n\nRUN\n\nAnd this is a proxy.\n\nRUN\n\n---\n\nRUN\n"
    )
    *_, last = listed
    assert [c.caption for c in listed[:2]] == ["This is the plain server", "And this is a proxy"]
    assert last.caption is not None
    assert last.caption.startswith("at line ")


def test_an_end_to_end_test_ends_no_banner() -> None:
    rule = "---"
    text = f"```\n{rule} API {rule}\nx\nRUN\n{rule} End to end test {rule}\nx\nRUN\n```\n"
    assert [c.caption for c in contexts(text)] == ["API", "End to end test"]


@pytest.mark.parametrize("prompt", ["C:>", "C:\\>", "PS C:\\>"])
def test_a_prompt_at_the_root_names_no_folder(prompt: str) -> None:
    assert [c.caption for c in contexts(f"{prompt}wrk http://h/\nRUN\n\n" * 2)] == [None, None]


@pytest.mark.parametrize("folders", [("~/wrk", "~"), ("~/a", "~/a"), ("~/a/wrk", "~/b")])
def test_folders_that_tell_no_server(folders: tuple[str, str]) -> None:
    lines = [f"me@box:{folder}$ wrk http://h/\nRUN\n" for folder in folders]
    assert [c.caption for c in contexts("\n".join(lines))] == [None, None]


def test_sentences_of_their_own_tell_runs_apart() -> None:
    """Two servers at one address are no repetitions, whatever words they are written about with."""
    assert under_sentences(
        "First the plain one, without a cache or so.",
        "Now we switch it on, and look at what is.",
        "To be sure of it I let it run again, just as it was:",
        "@ann sent a change to add the caddy server and here is the result.",
        "@ann sent a change to add the nginx server and here is the result.",
        "@bob had a better idea, and here is the result.",
    ) == [
        "First the plain one, without a cache or so",
        *["Now we switch it on, and look at what is"] * 2,
        *("caddy", "nginx"),
        "@bob had a better idea,",
    ]


@pytest.mark.parametrize(
    "sentences",
    [
        (
            "Then I ran it for 10 seconds, and saw this.",
            "Then I ran it for 20 seconds, and saw this.",
        ),
        (
            "Here is the first run of the nginx server.",
            "Here is the second run of the nginx server.",
        ),
        ("Here is the Undertow performance, once.", "Here is the Undertow performance again."),
        (
            "I began it with a quiet machine, and with no browser open:",
            "To be sure of it I let it run again, just as it was:",
        ),
        (
            "We run wrk with ten connections, and let it do so for a minute:",
            "We run wrk with fifty connections, and see what becomes of it now:",
        ),
        (
            "Writing the results of all that to /tmp/tmp.aBc for you to see:",
            "Writing the results of all that to /tmp/tmp.xYz for you to see:",
        ),
        (
            "| Server of ours | rps | p99 | errors seen:",
            "| Another of them | rps | p99 | errors seen:",
        ),
        (
            f"{'The same long words. ' * 9} One of them:",
            f"{'The same long words. ' * 9} Two of them:",
        ),
    ],
)
def test_sentences_that_are_no_names(sentences: tuple[str, str]) -> None:
    assert under_sentences(*sentences) == [None, None]


def test_a_language_behind_a_fence_is_no_caption() -> None:
    """The first fence is never closed: what opens the others ends it."""
    listed = contexts("""
        Flask:
        ```
        RUN

        FastAPI:
        ```bash
        RUN
        ```

        Go:
        ```bash
        RUN
        ```
        """)
    assert [context.caption for context in listed] == ["Flask", "FastAPI", "Go"]


def test_captions_right_behind_and_right_above_fences() -> None:
    listed = contexts("1. Flask\n```\nRUN\n```2. Fast API\n```\nRUN\n```3. Go on\n```\nRUN\n```\n")
    assert [context.caption for context in listed] == ["1. Flask", "2. Fast API", "3. Go on"]


def test_a_fence_may_end_behind_what_stands_below_a_run() -> None:
    first, second = contexts("# A\n\n```\nRUN\n$ ```\n\n# B\n\n```\nRUN\ndone.```\n")
    assert (first.trail, second.trail) == (["A"], ["B"])


def test_headings_go_before_sentences() -> None:
    listed = contexts("""
        # nginx

        I started it, and waited until all was quiet on the machine:

        RUN

        It was measured with the machine of before, when it was warm:

        RUN

        # caddy

        RUN
        """)
    assert [context.caption for context in listed] == [None, None, None]


@pytest.mark.parametrize("prompt", ["PS C:\\Users\\pc\\a b> ", "C:\\bench>", "Mac:wrk me$ ", "$ "])
def test_what_was_typed_at_a_prompt(prompt: str) -> None:
    assert typed(f"{prompt}node app.js --h3") == "node app.js --h3"


def test_captions_of_two_stretches_below_equal_headings() -> None:
    loads = ("10k", "20k", "10k", "40k")
    page = "".join(f"# {h}\n\n{a}:\nRUN\n\n{b}:\nRUN\n\n" for h, a, b in _STRETCHES)
    assert [context.caption for context in contexts(page)] == [*loads, *loads]


_STRETCHES = [("PUT", "10k", "20k"), ("GET", "10k", "40k")] * 2


def test_a_caption_may_stand_right_behind_the_end_of_a_fence() -> None:
    first, second = contexts("""
        1. Flask

        ```
        RUN
        ```2. FastAPI

        ```
        RUN
        ```
        """)
    assert (first.caption, second.caption) == ("1. Flask", "2. FastAPI")


def test_what_is_left_of_a_fence_is_no_caption() -> None:
    first, second = contexts("""
        - without keep-alive:

        `ash
        RUN

        - with keep-alive:

        `ash
        RUN
        """)
    assert (first.caption, second.caption) == ("without keep-alive", "with keep-alive")


@pytest.mark.parametrize(
    "page",
    [
        """
        <table>
        <tr><th>Server</th><th>Result</th></tr>
        <tr><td>nginx</td><td><pre>
        RUN
        </pre></td></tr>
        <tr><td>apache</td><td><pre>
        RUN
        </pre></td></tr>
        </table>
        """,
        """
        <table>
        <tr><td>nginx</td><td><pre>
        RUN
        </pre></td></tr>
        <tr><td>apache</td><td><pre>
        RUN
        </pre></td></tr>
        </table>
        """,
    ],
)
def test_the_first_cell_of_a_row_heads_it(page: str) -> None:
    assert [context.trail for context in contexts(page)] == [["nginx"], ["apache"]]
