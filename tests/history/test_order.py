"""Commits that git knows stand in its order, others in that of their saving."""

from pathlib import Path

import pytest

from benchkit.errors import UsageError
from benchkit.history.git import order_of
from benchkit.history.references import in_order, reference
from benchkit.history.saves import Save, saves_of
from benchkit.stores.folder import Folder

from .conftest import Series
from .test_save import git


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A work tree with five commits, and us in it."""
    folder = tmp_path / "work"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for n in range(5):
        git(folder, "commit", "-q", "--allow-empty", "-m", str(n))
    git(folder, "tag", "v1.0", "HEAD~3")
    monkeypatch.chdir(folder)
    return folder


def commits(folder: Path) -> list[str]:
    return git(folder, "rev-list", "--reverse", "HEAD").split()


def names(saves: list[Save]) -> list[str]:
    return [save.commit for save in saves]


def test_git_orders_what_it_knows(repository: Path, series: Series) -> None:
    a, b, c, d, e = commits(repository)
    for name in (d, "x", b, "y", a, e, c):
        series.commit(name)
    assert names(in_order(saves_of(Folder(series.store)))) == [a, "x", b, "y", c, d, e]


def test_short_hashes_and_tags_are_known(repository: Path, series: Series) -> None:
    a, b, c, *_ = commits(repository)
    for name in (c[:9], "v1.0", a[:12]):
        series.commit(name)
    assert names(in_order(saves_of(Folder(series.store)))) == [a[:12], "v1.0", c[:9]]
    assert order_of(["v1.0", b, c]) == {"v1.0": 1, b: 1, c: 2}


@pytest.mark.parametrize(
    "name", ["HEAD", "main", "--all", "a\nb", "v1.0..", "main^{tree}", "", "@"]
)
def test_nothing_but_a_hash_or_a_tag_is_a_commit(repository: Path, name: str) -> None:
    assert len(commits(repository)) == 5
    assert order_of([name]) == {}


def test_without_git_the_time_of_saving_counts(
    series: Series, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("c" * 40, "a" * 40, "b" * 40):
        series.commit(name)
    assert [save.commit[0] for save in in_order(saves_of(Folder(series.store)))] == ["c", "a", "b"]


def test_a_tag_names_the_saves_of_its_commit(repository: Path, series: Series) -> None:
    for name in commits(repository):
        series.commit(name, runs=1)
    named = reference(f"{series.store}@v1.0")
    assert named is not None
    assert names(named.saves()) == [commits(repository)[1]]
    missing = reference(f"{series.store}@v2.0")
    assert missing is not None
    with pytest.raises(UsageError, match=r"no branch, commit or label 'v2\.0'"):
        missing.saves()
