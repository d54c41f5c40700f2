"""A folder as people have it: a dozen results among a thousand other files."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import benchkit
from benchkit.api import Results
from tests.foreign import foreign_files

#: Recorded outputs, and where they lie in the folder; in path order the first of a run wins.
RESULTS: Mapping[str, tuple[str, ...]] = {
    "vegeta/ok.gob": ("a/vegeta/results.bin", "z-backup/results-copy.bin.gz"),
    "vegeta/errors.report.json": ("a/vegeta/metrics.json",),
    "vegeta/redirects.report.txt": ("a/report",),
    "ab/keepalive.txt": ("b/ab-keepalive.log", "b/copy of ab-keepalive.log"),
    "ab/non2xx.txt": ("b/non2xx.txt.gz",),
    "ab/length-failures.txt": ("logs/length.txt",),
    "wrk/latency.txt": ("c/latency.out", "z-backup/deep/latency.out"),
    "wrk/non2xx.txt": ("c/wrk.md",),
    "wrk/seconds.txt": ("c/1/2/3/seconds",),
    "autocannon/plain.json": ("d/autocannon.json.gz",),
    "autocannon/table-mixed.txt": ("d/table.txt",),
    "autocannon/slow.json": ("results/tmp/slow.json",),
}
#: Outputs that cannot be read, with the line that says so, after the name of the file.
BROKEN: Mapping[str, str] = {
    "broken/aborted.txt": r", line \d+: expected ab's report, found '.+'; .*repeat the run.*",
    "broken/cut.json": (
        r", line \d+: expected a whole report of autocannon, found '.+'; the file seems to be cut "
        r"off"
    ),
    "broken/powershell.bin": r", byte 0: expected vegeta's binary results, found '.+'; .*-output.*",
}
FOREIGN = 1000
#: Those of them that are of a load generator without a parser, and are called that.
UNREAD = re.compile(
    r".*-summary\.json: expected an output of .+, found 'an output of k6'; benchkit .+"
)
SAME = ["tool", "format", "requests", "throughput_rps", "latency_mean_s", "latency_max_s"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """Return the folder, made once."""
    top = tmp_path_factory.mktemp("messy")
    for name, content in foreign_files(FOREIGN):
        write(top / name, content)
    for source, places in RESULTS.items():
        for anchor in places:
            content = (data / source).read_bytes()
            write(top / anchor, gzip.compress(content) if anchor.endswith(".gz") else content)
    binary = (data / "vegeta" / "ok.gob").read_bytes()
    write(top / "broken" / "powershell.bin", binary.decode("cp437").encode("utf-16"))
    whole = (data / "autocannon" / "rate.json").read_bytes()
    write(top / "broken" / "cut.json", whole[: len(whole) // 2])
    shutil.copy(data / "ab" / "timeout-abort.txt", top / "broken" / "aborted.txt")
    return top


@pytest.fixture(scope="module")
def loaded(folder: Path) -> Results:
    """Return what is read from the folder."""
    return benchkit.load(folder)


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def places(files: pd.DataFrame, folder: Path, state: str) -> dict[str, Any]:
    """Return the messages of files in a state, by their place in the folder."""
    chosen = files[files["state"] == state]
    names = [Path(source).relative_to(folder).as_posix() for source in chosen["source"]]
    return dict(zip(names, chosen["message"], strict=True))


def test_exactly_the_results_are_read_each_once(loaded: Results, folder: Path, data: Path) -> None:
    runs = loaded.runs
    sources = [Path(source).relative_to(folder).as_posix() for source in runs["source"]]
    assert sorted(sources) == sorted(names[0] for names in RESULTS.values())
    alone = pd.concat([benchkit.load(data / source).runs for source in RESULTS])
    by = ["tool", "format", "throughput_rps"]
    pd.testing.assert_frame_equal(
        runs[SAME].sort_values(by, ignore_index=True),
        alone[SAME].sort_values(by, ignore_index=True),
    )


def test_copies_name_the_file_that_was_taken(loaded: Results, folder: Path) -> None:
    copies = places(loaded.files, folder, "duplicate")
    expected = {
        copy: f"the same content as {(folder / first).as_posix()}"
        for first, *more in RESULTS.values()
        for copy in more
    }
    assert copies == expected


def test_what_cannot_be_read_is_told_in_one_clear_line(loaded: Results, folder: Path) -> None:
    message = places(loaded.files, folder, "skipped")
    message = {name: line for name, line in message.items() if not UNREAD.fullmatch(line)}
    assert message.keys() == BROKEN.keys()
    for name, line in BROKEN.items():
        start = re.escape((folder / name).as_posix())
        assert re.fullmatch(start + line, message[name]), message[name]


def test_other_files_are_only_counted(loaded: Results, folder: Path) -> None:
    foreign = places(loaded.files, folder, "foreign")
    unread = filter(UNREAD.fullmatch, places(loaded.files, folder, "skipped").values())
    assert len(foreign) + len(list(unread)) == FOREIGN
    assert all(message is pd.NA for message in foreign.values())
