"""Who has other code is another reader: what it has kept or sends is not taken for ours."""

from pathlib import Path

from benchkit.ingest.engines.reader import code_hash, reader


def test_a_module_that_changes_makes_another_reader(tmp_path: Path) -> None:
    (tmp_path / "parsers").mkdir()
    (tmp_path / "parsers" / "a.py").write_text("A = 1\n")
    (tmp_path / "single.py").write_text("B = 1\n")
    paths = [tmp_path / "parsers", tmp_path / "single.py"]
    hashes = [code_hash(paths)]
    (tmp_path / "parsers" / "a.py").write_text("A = 2\n")
    hashes.append(code_hash(paths))
    (tmp_path / "parsers" / "a.py").rename(tmp_path / "parsers" / "b.py")
    hashes.append(code_hash(paths))
    (tmp_path / "single.py").write_text("B = 2\n")
    hashes.append(code_hash(paths))
    assert len({*hashes}) == len(hashes)
    (tmp_path / "notes.txt").write_text("no code")
    assert code_hash(paths) == hashes[-1]


def test_it_lies_anywhere(tmp_path: Path) -> None:
    hashes = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("A = 1\n")
        hashes.append(code_hash([tmp_path / name]))
    assert hashes[0] == hashes[1]


def test_a_reader_has_a_version_and_a_hash() -> None:
    name, version, code = reader().split()
    assert (name, len(code)) == ("benchkit", 12)
    assert version[0].isdigit()
