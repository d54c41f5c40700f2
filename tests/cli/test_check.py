from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path

import jsonschema
import pytest

from .conftest import Benchkit


def test_an_error_is_status_1_and_json_says_which(data: Path, benchkit: Benchkit) -> None:
    done = benchkit("check", data / "wrk" / "timeouts.txt", "--format", "json")
    assert done.status == 1
    matches = json.loads(done.out)["findings"]
    assert {"DROPPED_TIMEOUT", "LITTLE_LOW"} <= {each["check"] for each in matches}
    assert {each["severity"] for each in matches} <= {"info", "warning", "error"}


def test_without_an_error_it_is_0(data: Path, benchkit: Benchkit) -> None:
    done = benchkit("check", data / "pages" / "two-servers.md")
    assert done.status == 0
    assert "note: Measured for a short time [TOO_SHORT]" in done.out


def test_a_named_file_that_cannot_be_read_is_2(
    data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text("nothing that a tool printed", encoding="utf-8")
    good = data / "pages" / "two-servers.md"
    for other in (broken, tmp_path / "not-there.txt"):
        done = benchkit("check", good, other)
        assert done.status == 2
        assert "TOO_SHORT" in done.out
        assert other.name in done.err
    assert benchkit("check", broken).status == 2


def test_a_stranger_in_a_folder_is_no_trouble(
    data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("nothing that a tool printed", encoding="utf-8")
    page = (data / "pages" / "two-servers.md").read_bytes()
    (tmp_path / "page.md").write_bytes(page)
    assert benchkit("check", tmp_path).status == 0


@pytest.mark.parametrize("columns", ["60", "100"])
def test_the_terminal_at_each_width(
    columns: str, data: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = benchkit("check", data / "pages" / "two-servers.md")
    assert max(map(len, done.out.splitlines())) <= int(columns)


def test_markdown(data: Path, benchkit: Benchkit) -> None:
    done = benchkit("check", data / "pages" / "two-servers.md", "--format", "markdown")
    assert done.status == 0
    assert "- **Note: Measured for a short time.**" in done.out


# --- rules ---

QUICKSTART = Path(__file__).resolve().parents[2] / "examples" / "results" / "quickstart"


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs as a stranger keeps them: files in one folder, nothing beside them."""
    folder = tmp_path_factory.mktemp("flat")
    for variant in ("blocking", "threads"):
        for number in range(1, 7):
            (source,) = (QUICKSTART / variant / str(number)).glob("*.txt")
            (folder / f"{variant}_{number}.txt").write_bytes(source.read_bytes())
    return folder


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--require", "p99<1s"], 0),
        (["--require", "p99<1ms"], 1),
        (["--require", "threads: p50<1s"], 0),
        (["--require", "nolog: p50<1s"], 2),
        (["--require", "cpu_per_request<1s"], 2),
        (["--require", "cpu_per_request<1s?"], 0),
        (["--require", "p99<1ms", "--require", "nolog: p50<1s"], 2),
        (["--require", "p50<+5%", "--baseline", "blocking"], 0),
        (["--require", "p50<+5%", "--baseline", "threads"], 1),
        (["--require", "p50<+5%"], 2),
        (["--require", "p50<+5%", "--baseline", "x"], 2),
        (["--require", "p99<5"], 2),
        (["--require", "blocking: p50<17ms", "--require-verdict"], 3),
        (["--require", "blocking: p50<17ms"], 0),
        (["--require", "blocking: p50<17ms", "--require", "p99<1ms", "--require-verdict"], 1),
        (["--fail-on", "error"], 0),
    ],
)
def test_the_status_says_what_came_of_the_rules(
    arguments: list[str], status: int, flat: Path, benchkit: Benchkit
) -> None:
    done = benchkit("check", flat, *arguments)
    assert done.status == status, done.out + done.err
    if not done.out:
        assert done.err.count("\n") == 1


def test_a_named_file_that_cannot_be_read_goes_before_a_rule_that_failed(
    flat: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text("nothing that a tool printed", encoding="utf-8")
    done = benchkit("check", flat, broken, "--require", "p99<1ms")
    assert done.status == 2
    assert "couldnotberead" in "".join(done.out.split())
    assert "failed" in done.out


def test_a_run_that_crashed_does_not_let_the_others_pass(
    data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    (tmp_path / "gin_1.txt").write_bytes((data / "ab" / "keepalive.txt").read_bytes())
    assert benchkit("check", tmp_path, "--require", "throughput>1").status == 0
    (tmp_path / "notes.txt").touch()
    assert benchkit("check", tmp_path).status == 0
    (tmp_path / "gin_2.txt").touch()
    done = benchkit("check", tmp_path, "--require", "throughput>1")
    assert done.status == 2
    assert "gin_2.txtcouldnotberead" in "".join(done.out.split())  # a long folder may wrap anywhere
    assert "an empty file" in done.err
    assert benchkit("check", tmp_path, "--ignore", "gin_2*").status == 0


@pytest.mark.parametrize("words", ["Killed", "apr_socket_recv: Connection refused (111)"])
def test_words_in_place_of_a_report_do_not_let_the_others_pass(
    words: str, data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    (tmp_path / "gin_1.txt").write_bytes((data / "ab" / "keepalive.txt").read_bytes())
    (tmp_path / "gin_2.txt").write_text(f"{words}\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("nginx 1.24 on eight cores\n", encoding="utf-8")
    done = benchkit("check", tmp_path, "--require", "throughput>1")
    assert done.status == 2
    (line,) = (line for line in done.err.splitlines() if "skipped" in line)
    assert f"found '{words}'" in line


def test_of_a_file_with_other_runs_a_part_could_not_be_read(
    data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    # Words and paths are broken where a line ends.
    whole = (data / "wrk" / "all-503.txt").read_text("utf-8")
    cut = "".join(whole.splitlines(keepends=True)[:2])
    command = "$ wrk -t1 -c4 -d2s http://127.0.0.1:8931/status?code=503"
    log = "\n".join((command, whole, command, f"{cut}^C\n"))
    (tmp_path / "log.txt").write_text(log, encoding="utf-8")
    done = benchkit("check", tmp_path, "--require", "throughput>1")
    assert done.status == 2
    assert "apartof" in "".join(done.out.split())
    (tmp_path / "log.txt").write_text(f"{cut}^C\n", encoding="utf-8")
    (tmp_path / "whole.txt").write_text(whole, encoding="utf-8")
    done = benchkit("check", tmp_path, "--require", "throughput>1")
    assert "apartof" not in "".join(done.out.split())
    assert "log.txtcouldnotberead" in "".join(done.out.split())


def test_a_record_of_a_command_that_failed_does_not_let_the_others_pass(
    data: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    for repeat, status in ((1, 0), (2, 3)):
        folder = tmp_path / "api" / "gin" / str(repeat)
        folder.mkdir(parents=True)
        (folder / "meta.json").write_text(f'{{"exit_status": {status}}}', encoding="utf-8")
    (tmp_path / "api/gin/1/output.txt").write_bytes((data / "ab/keepalive.txt").read_bytes())
    done = benchkit("check", tmp_path, "--require", "throughput>1")
    assert done.status == 2
    assert "2/meta.json: expected a run beside it, found 'none: its command ended" in done.err
    assert benchkit("check", tmp_path, "--ignore", "*/2/*").status == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ("--baseline", "gone", "--require", "p50<+5%"),
        ("--require", "p50<5"),
        ("--baseline", "store@main"),
    ],
)
def test_trouble_leaves_no_earlier_answer(
    wrong: tuple[str, ...],
    flat: Path,
    benchkit: Benchkit,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    names = {"--markdown": "a.md", "--junit": "a.xml", "--json": "a.json", "--report": "a.html"}
    for name in names.values():
        (tmp_path / name).write_text("Passed", encoding="utf-8")
    files = [part for option, name in names.items() for part in (option, tmp_path / name)]
    done = benchkit("check", flat, *wrong, *files, "--annotations")
    assert done.status == 2
    assert "::error" in done.out
    texts = {name: (tmp_path / name).read_text("utf-8") for name in names.values()}
    assert not any("Passed" in text for text in texts.values())
    assert "<error" in texts["a.xml"]
    assert json.loads(texts["a.json"])["status"] == 2
    for name in ("a.md", "a.html"):
        assert "Trouble" in texts[name]
    assert "Trouble" in summary.read_text("utf-8")


@pytest.mark.parametrize(
    "mistake",
    [
        ('rules = ["p50<1"]',),
        ('rules = ["p50<1s"',),
        ('baselin = "a"',),
        ("", "--fail-on", "waring"),
        ("", "--requires", "p50<1s"),
    ],
)
def test_nor_does_what_goes_wrong_before_the_command_begins(
    mistake: tuple[str, ...],
    flat: Path,
    benchkit: Benchkit,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configured, *wrong = mistake
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "benchkit.toml").write_text(configured, encoding="utf-8")
    for name in ("a.md", "a.xml", "a.json"):
        (folder / name).write_text("Passed", encoding="utf-8")
    done = benchkit(
        "check", flat, *wrong, "--markdown", "a.md", "--junit=a.xml", "--json", "a.json"
    )
    assert done.status == 2
    assert (folder / "a.md").read_text("utf-8").startswith("**Trouble.**")
    assert "<error" in (folder / "a.xml").read_text("utf-8")
    assert json.loads((folder / "a.json").read_text("utf-8"))["status"] == 2


def test_a_check_that_cannot_begin_keeps_what_it_would_read_without_paths(
    flat: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = next(path for path in sorted(flat.rglob("*")) if path.is_file())
    before = file.read_bytes()
    monkeypatch.chdir(flat)
    name = file.relative_to(flat)
    assert benchkit("check", "--markdown", name, "--fail-on", "eror").status == 2
    assert benchkit("check", "--bogus", "--json", name).status == 2
    assert file.read_bytes() == before


def test_one_output_that_cannot_be_written_leaves_no_earlier_answer_in_the_others(
    flat: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    answer = tmp_path / "a.json"
    for wrong in (("--markdown", tmp_path / "none" / "a.md"), ("--junit", answer)):
        answer.write_text("Passed", encoding="utf-8")
        assert benchkit("check", flat, "--json", answer, *wrong).status == 2
        assert "Passed" not in answer.read_text("utf-8")


def test_standard_output_has_the_trouble_too(flat: Path, benchkit: Benchkit) -> None:
    assert json.loads(benchkit("check", flat, "--bogus", "--json", "-").out)["status"] == 2


def test_trouble_writes_over_nothing_that_may_be_an_input(flat: Path, benchkit: Benchkit) -> None:
    file = next(path for path in sorted(flat.rglob("*")) if path.is_file())
    before = file.read_bytes()
    assert benchkit("check", flat, "--require", "p50<5", "--markdown", file).status == 2
    assert file.read_bytes() == before


def test_nothing_passed_where_nothing_was_decided(flat: Path, benchkit: Benchkit) -> None:
    done = benchkit("check", flat, "--require", "p99.9<1h", "--format", "json")
    record = json.loads(done.out)
    outcomes = {rule["verdict"] for rule in record["rules"]}
    assert ("inconclusive" in outcomes) == (record["verdict"] == "no verdict")


def test_one_call_writes_every_file(flat: Path, benchkit: Benchkit, tmp_path: Path) -> None:
    names = {"--markdown": "a.md", "--junit": "a.xml", "--json": "a.json", "--report": "a.html"}
    files = [part for option, name in names.items() for part in (option, tmp_path / name)]
    rules = ("--require", "p99<1ms", "--title", "My gates")
    done = benchkit("check", flat, *rules, *files)
    assert done.status == 1
    texts = {name: (tmp_path / name).read_text("utf-8") for name in names.values()}
    for name in ("a.md", "a.xml", "a.html"):
        assert "My gates" in texts[name]
        assert "failed" in texts[name] or "<failure" in texts[name]
    assert json.loads(texts["a.json"])["status"] == 1
    command = re.search(r"<pre[^>]*>(benchkit check .*?)</pre>", texts["a.html"])
    assert command
    again = benchkit(*shlex.split(unescape(command[1]))[1:])
    assert (again.status, (tmp_path / "a.html").read_text("utf-8")) == (1, texts["a.html"])
    assert json.loads(benchkit("check", flat, *rules, "--format", "json").out) == json.loads(
        texts["a.json"]
    )


def test_a_file_that_cannot_be_written_costs_no_work(
    flat: Path, benchkit: Benchkit, tmp_path: Path
) -> None:
    for path in (tmp_path, tmp_path / "none" / "a.xml"):
        done = benchkit("check", flat, "--junit", path)
        assert (done.status, done.out) == (2, "")
    done = benchkit("check", flat, "--junit", tmp_path / "a", "--json", tmp_path / "a")
    assert (done.status, done.out) == (2, "")
    assert "named for two outputs" in done.err
    source = next(flat.iterdir())
    before = source.read_bytes()
    assert benchkit("check", flat, "--json", source).status == 2
    assert source.read_bytes() == before


def test_the_summary_of_a_step_is_added_to(
    flat: Path, benchkit: Benchkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("# before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert benchkit("check", flat, "--require", "p99<1s").status == 0
    text = summary.read_text("utf-8")
    assert text.startswith("# before\n")
    assert "**Passed.**" in text
    room = 1024 * 1024
    summary.write_bytes(b"x" * (room - 300))
    assert benchkit("check", flat, "--require", "p99<1s").status == 0
    assert room - 300 < summary.stat().st_size <= room
    assert summary.read_text("utf-8").endswith("has room for no more.*\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    assert benchkit("check", flat).status == 2


def test_annotations_are_printed_where_they_are_asked_for(
    flat: Path, benchkit: Benchkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("check", flat, "--require", "p99<1ms")
    assert "::error" not in benchkit(*asked).out
    assert "::error title=failed%3A p99<1ms::" in benchkit(*asked, "--annotations").out
    hostile = flat.parent / "hostile"
    hostile.mkdir()
    (hostile / "::error::x_1.txt").write_bytes((flat / "blocking_1.txt").read_bytes())
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    done = benchkit("check", hostile, "--require", "p99<1ms", "--require", "y: p99<1ms")
    assert not [line for line in done.out.splitlines() if line.lstrip().startswith("::")]


def test_what_is_configured_holds_and_options_go_before_it(
    flat: Path, benchkit: Benchkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.benchkit]\nbaseline = "blocking"\nrules = ["p50<+5%"]\n'
        'ignored = {TOO_SHORT = "a smoke test"}\n',
        encoding="utf-8",
    )
    done = benchkit("check", flat)
    assert done.status == 0
    assert "ignored: a smoke test" in " ".join(done.out.split())
    assert benchkit("check", flat, "--baseline", "threads").status == 1
    monkeypatch.setenv("BENCHKIT_BASELINE", "threads")
    assert benchkit("check", flat).status == 1
    assert benchkit("check", flat, "--baseline", "blocking").status == 0
    assert benchkit("check", flat, "--require", "p50<1s").status == 0
    shown = json.loads(benchkit("config", "--format", "json").out)
    by_key = {record["key"]: (record["value"], record["origin"]) for record in shown}
    assert by_key["baseline"] == ("threads", "BENCHKIT_BASELINE")
    assert by_key["rules"] == (["p50<+5%"], "pyproject.toml: tool.benchkit")
    assert by_key["margin"] == ("3%", None)
    for form in ("table", "markdown"):
        out = benchkit("config", "--format", form).out
        assert re.search(r"baseline .*threads .*BENCHKIT", out)
    (tmp_path / "pyproject.toml").write_text("[tool.benchkit]\nrulez = 1\n", encoding="utf-8")
    for command in (("check", flat), ("show", flat), ("config",)):
        failed = benchkit(*command)
        assert failed.status == 2
        assert "did you mean 'rules'?" in failed.err


def test_a_folder_of_results_configures_how_it_is_read_and_no_more(
    flat: Path, benchkit: Benchkit
) -> None:
    path = flat / "benchkit.toml"
    path.write_text('rules = ["p99<1ms"]\n', encoding="utf-8")
    try:
        done = benchkit("check", flat)
    finally:
        path.unlink()
    assert done.status == 2
    assert "'rules' holds in the benchkit.toml of the working folder" in done.err


@pytest.mark.parametrize("command", ["check", "config"])
def test_the_schemas_are_printed(command: str, benchkit: Benchkit) -> None:
    done = benchkit(command, "--schema")
    assert done.status == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(done.out))


def test_a_title_hides_secrets_in_every_file(benchkit: Benchkit, tmp_path: Path) -> None:
    title = "run of https://me:hunter2secret@example.org/"
    names = ("a.md", "a.xml", "a.html")
    options = ("--markdown", "--junit", "--report")
    files = [word for pair in zip(options, names, strict=True) for word in pair]
    for more, is_shown in (([], False), (["--show-secrets"], True)):
        where = [word if word in options else str(tmp_path / word) for word in files]
        done = benchkit(
            "check", QUICKSTART, "--title", title, "--format", "markdown", *where, *more
        )
        texts = [done.out, *((tmp_path / name).read_text(encoding="utf-8") for name in names)]
        assert [("hunter2secret" in text) for text in texts] == [is_shown] * 4
        assert all("example" in text for text in texts)


def test_a_baseline_of_no_store_says_what_a_store_is(benchkit: Benchkit, tmp_path: Path) -> None:
    for baseline in (f"{tmp_path}@main", "nowhere@main", "@main", "main@"):
        done = benchkit("check", QUICKSTART, "--baseline", baseline, "--require", "p50<+5%")
        assert done.status == 2
        assert "to be the baseline" in done.err
        assert done.err.endswith("needs a store that `benchkit save` has written to\n")
    done = benchkit("check", QUICKSTART, "--baseline", "main", "--require", "p50<+5%")
    assert "STORE@NAME" not in done.err


def test_saved_runs_are_no_baseline_of_themselves(benchkit: Benchkit, tmp_path: Path) -> None:
    store = tmp_path / "store"
    benchkit("save", QUICKSTART, "--to", store, "--commit", "a", "--branch", "main")
    done = benchkit("check", QUICKSTART, "--baseline", f"{store}@main", "--require", "p50<+5%")
    assert done.status == 2
    assert "has no runs but these: check before `benchkit save`" in done.err
