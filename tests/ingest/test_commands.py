"""Command lines of load generators, as they stand in pages and metadata."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.ingest.commands import find_commands, read_command
from benchkit.text import Text
from benchkit.tool import shell_words


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("$ wrk -t2 -c10 http://127.0.0.1/", "wrk"),
        ("~% wrk -t 10 -c 200 -d 30s http://localhost:8081/hello", "wrk"),
        ("root@box:~# ab -n 10 -c 2 http://127.0.0.1/", "ab"),
        (r"PS C:\bench> ab.exe -n 10 http://127.0.0.1/", "ab"),
        (r"C:\tools\bin>ab -n 10 -c 2 http://127.0.0.1/", "ab"),
        ("❯ npx autocannon -c 10 http://127.0.0.1:3000", "autocannon"),
        ('echo "GET http://127.0.0.1/" | vegeta attack -duration=5s | vegeta report', "vegeta"),
        ("➜  proxies git:(main) ✗ autocannon -c 10 http://127.0.0.1:3000/a", "autocannon"),
        ("taskset -c 0 wrk -d 5 http://127.0.0.1", "wrk"),
        ("/usr/bin/ab -k -n5 http://127.0.0.1/", "ab"),
        ("[root@box bench]# ./ab -n 10 http://127.0.0.1/", "ab"),
        ("Mac:~ me$ ab -n 10 http://127.0.0.1/", "ab"),
        ("me@box ~ % wrk -d 5 http://127.0.0.1", "wrk"),
        ("➜  ~ wrk -d 5 http://127.0.0.1", "wrk"),
        ("└──╼ $ab -n 10 http://127.0.0.1/", "ab"),
        ("10:20:30 me/web  main [!$]  ruby-3 ➔ ab -n 10 http://127.0.0.1/", "ab"),
        (r"C:\Program Files (x86)\Apache\bin> ab.exe -n 10 http://127.0.0.1/", "ab"),
        (r"PS C:\my bench> wrk -d 5 http://127.0.0.1", "wrk"),
        (r"PS C:\bench> .\ab.exe -n 10 http://127.0.0.1/", "ab"),
        ("`ab -n 10 http://127.0.0.1/` gives", "ab"),
        ("`wrk -H 'Accept: */*' -d 5 http://127.0.0.1`", "wrk"),
        ("1) **wrk -d 5 http://127.0.0.1**", "wrk"),
        ("+ wrk -d 5 http://127.0.0.1", "wrk"),
        ("Command: autocannon -c 10 http://127.0.0.1:3000", "autocannon"),
        ("2. We call `ab -n 10 http://127.0.0.1/`:", "ab"),
        ('[me@box ~]$ echo "GET http://127.0.0.1/" | vegeta attack -rate=5', "vegeta"),
        ("for c in 1 10; do wrk -c $c http://127.0.0.1; done", "wrk"),
    ],
)
def test_a_command_is_found_behind_any_prompt(line: str, tool: str) -> None:
    command = read_command(line)
    assert command is not None
    assert command.tool == tool
    assert command.text in line
    assert not command.text.startswith(("PS", "C:", "$", "➜", "❯", "root@", "~"))


@pytest.mark.parametrize(
    "line",
    [
        "ab is a tool for benchmarking",
        "we used wrk and then autocannon",
        "sudo apt install wrk",
        "vegeta report -type=json results.bin",
        "This is ApacheBench, Version 2.3",
        "wrk:",
        "use `wrk -c 10 http://127.0.0.1` or `ab -c 10 http://127.0.0.1/` for that",
        "What to try next: ab is a tool",
        "wrk 4.2.0 - an HTTP benchmarking tool",
        "oha 1.16 -- HTTP load generator",
        "hey 0.1.5 --- see https://github.com/rakyll/hey",
        "siege 4.1.6: see http://www.joedog.org/",
        "ab - the tool of Apache, http://httpd.apache.org/",
        "wrk is available at https://github.com/wg/wrk",
    ],
)
def test_prose_is_no_command(line: str) -> None:
    assert read_command(line) is None


def test_the_target_piped_into_vegeta_is_the_url() -> None:
    command = read_command('echo "POST http://127.0.0.1:8080/x" | vegeta attack -rate=5')
    assert command is not None
    assert command.columns["url"] == "http://127.0.0.1:8080/x"
    assert command.columns["method"] == "POST"
    assert command.columns["offered_rate_rps"] == 5.0


@pytest.mark.parametrize(
    "line",
    [
        "ab \u2013n 10 \u2013c 2 http://127.0.0.1/a",
        "ab -n 10 -c 2 <http://127.0.0.1/a>",
        "ab -n 10 -c 2 [http://127.0.0.1/a](http://127.0.0.1/a)",
    ],
)
def test_dashes_and_links_that_pages_make_are_undone(line: str) -> None:
    command = read_command(line)
    assert command is not None
    assert command.columns["connections"] == 2
    assert command.columns["url"] == "http://127.0.0.1/a"


def test_a_backslash_joins_lines() -> None:
    text = Text.from_text("$ wrk -t2 \\\n    -c 64 \\\n    http://127.0.0.1/\nRunning …")
    (context,) = find_commands(text)
    assert context.line == 0
    assert context.columns["connections"] == 64


def test_of_thousands_of_commands_those_above_a_run_are_read() -> None:
    """Each takes 50 µs, and a megabyte holds tens of thousands."""
    lines = [f"$ wrk -t1 -c{n}" for n in range(1, 5001)]
    text = Text.from_text("\n".join([*lines, "Running …", "$ wrk -t1 -c9 http://h/"]))
    above = [c.columns["connections"] for c in find_commands(text, until=5000, runs=[2500, 5000])]
    assert above == [*range(2492, 2502), *range(4991, 5001)]
    named = find_commands(text, until=5000, hosts=["h"], runs=[5000])
    assert [*named][-1].columns["url"] == "http://h/"
    assert len([*find_commands(text)]) == 5001


def test_the_more_runs_there_are_the_fewer_commands_above_each_are_read() -> None:
    text = Text.from_text("\n".join(f"$ wrk -t1 -c{n}" for n in range(1, 9001)))
    runs = [*range(100, 9000, 4)]  # more than there are lines between them for ten of each
    assert len([*find_commands(text, runs=runs[:4])]) == 22
    assert len([*find_commands(text, runs=runs)]) == 2 + 3 * (len(runs) - 1) + 1


@pytest.mark.parametrize(("count", "of_many"), [(1999, False), (2000, True)])
def test_of_very_many_that_name_a_host_others_may_not_be_read(*, count: int, of_many: bool) -> None:
    """Then none of them is the only one of its URL."""
    lines = ["$ wrk -t1 -c1 http://h/late", *["$ wrk -c2 http://h/"] * count, *["$ ab -c 3 x"] * 9]
    commands = [*find_commands(Text.from_text("\n".join(lines)), hosts=["h"], runs=[len(lines)])]
    assert {command.of_many for command in commands} == {of_many}


def test_of_very_many_hosts_calls_without_a_scheme_are_not_known() -> None:
    lines = ["$ ab -n 8 -c 1 h3:80/", *["$ wrk -t1 -c3 $URL"] * 2500]
    hosts = [f"h{n}:80" for n in range(25)]
    commands = find_commands(Text.from_text("\n".join(lines)), hosts=hosts, runs=[len(lines)])
    assert all(command.of_many for command in commands)


@pytest.mark.parametrize(
    "line",
    [
        "We ran `ab`, `wrk`, `hey`, `k6`, e.g. `wrk -t2 -c10 -d5s http://x/`",
        "a: b: c: d: e: f: g: h: i: j: $ wrk -t2 -c10 -d5s http://x/",
        "\"wrk\" -t2 -c10 -d5s 'http://x/'",
        "me@laptop:~$ FOO='a b' wrk -t2 -c10 -d5s http://x/",
        "Here's what I ran: cd foo && wrk -t2 -c10 -d5s 'http://x/'",
        "bob's-mac:~ bob$ ulimit -n 9999; wrk -t2 -c10 -d5s 'http://x/'",
        "Let's run: `cat t | wrk -t2 -c10 -d5s 'http://x/'`",
        "Let's: $ for i in 1 2; do wrk -t2 -c10 'http://x/'; done",
        "cat urls.txt | wrk -t2 -c10 -d5s http://x/",
    ],
)
def test_a_command_is_read_whatever_stands_before_it(line: str) -> None:
    command = read_command(line)
    assert command is not None
    assert command.columns["connections"] == 10


@pytest.mark.parametrize("end", ["\\", "\\  "])
def test_below_the_runs_a_host_tells_a_command_also_on_its_next_line(end: str) -> None:
    below = f"It was:\n$ wrk -t1 -c4 {end}\n  'http://127.0.0.1/a'\n$ wrk -c5 http://h/\n"
    (command,) = find_commands(Text.from_text(f"Running …\n{below}"), until=0, hosts=["127.0.0.1"])
    assert command.columns["connections"] == 4


def test_commands_that_run_at_once_are_those_of_no_single_report() -> None:
    assert read_command("$ wrk -t2 http://127.0.0.1/a & wrk -t4 http://127.0.0.1/b") is None
    server = read_command("$ ./server --port 80 & wrk -t2 http://127.0.0.1/?a=1&b=2")
    assert server is not None
    assert server.columns["threads"] == 2


def test_what_a_command_printed_is_no_part_of_it() -> None:
    command = read_command(
        "$ wrk -t2 http://127.0.0.1/a Running 10s test @ http://127.0.0.1/a 2 threads"
    )
    assert command is not None
    assert command.text == "wrk -t2 http://127.0.0.1/a"


@pytest.mark.parametrize("end", [r"\n", r"\r\n", r"\\n", r"\n\n  ", r" \n", r"\n\t"])
def test_in_a_string_a_command_ends_where_its_output_begins(end: str) -> None:
    text = f"puts('$ wrk -t2 http://h/a{end}Running 10s test @ http://h/a{end}');"
    command = read_command(text)
    assert command is not None
    assert command.columns["url"] == "http://h/a"


def test_in_a_string_the_output_may_begin_with_two_lines() -> None:
    command = read_command(r"puts('$ hey -n 10 http://h/a\n\nSummary:\n  Total:\t1.5 secs\n');")
    assert command is not None
    assert command.columns["url"] == "http://h/a"


def test_what_has_an_equals_sign_is_no_setting_unless_a_name_stands_before_it() -> None:
    setting = read_command("LUA_PATH=/x wrk -t2 http://127.0.0.1/a")
    assert setting is not None
    assert setting.columns["threads"] == 2
    assert read_command("/slow?ms=15 wrk -t2 http://127.0.0.1/a") is None


@given(st.text("ab-= \t\r\n\x0b\x0c\x1c\u00a0#$|&<>é{}*'\"\\"))
def test_a_line_falls_into_the_words_of_a_shell(line: str) -> None:
    try:
        words = shlex.split(line, comments=False)
    except ValueError:  # a quote without an end
        words = line.split()
    assert shell_words(line) == words
