"""Levels of factors: plain words are shown, secrets are hidden and still told apart."""

import json
import re
from pathlib import Path

import benchkit
from benchkit.redaction.factors import Factors
from benchkit.scenarios.finish import write_meta

REPORT = (Path(__file__).parents[1] / "data/wrk/lua-done.txt").read_text()


def test_a_factor_named_like_a_plain_word_keeps_its_levels() -> None:
    assert Factors().shown({"auth": "jwt", "key": "small"}) == {"auth": "jwt", "key": "small"}


def test_a_switch_hides_nothing_whatever_it_is_called() -> None:
    assert Factors().shown({"jwt": "off", "csrf": True}) == {"jwt": "off", "csrf": True}


def test_factors_that_are_named_almost_like_secrets_keep_their_levels() -> None:
    levels = {
        "pass-through": "nginx",
        "pass_through": "haproxy",
        "keyspace": "wide",
        "keys": "hot",
        "tokens_per_second": "fast",
        "max_tokens": "few",
        "tokens": "500",
        "bypass": "cache",
        "tokenizer": "bpe",
        "author": "me",
        "token_bucket": "small",
        "num_keys": "1k",
    }
    assert Factors().shown(levels) == levels


def test_a_level_of_a_plural_name_is_hidden() -> None:
    levels = {"DB_SECRETS": "s3cretA1", "tokens": "s3cretB2", "apiKeys": ["s3cretC3"]}
    assert "s3cret" not in json.dumps(Factors().shown(levels))


def test_hidden_levels_are_numbered() -> None:
    factors = Factors()
    assert [factors.shown({"token": t})["token"] for t in ("a1b2", "c3d4", "a1b2")] == [
        *("[redacted]", "[redacted] 2", "[redacted]"),
    ]


def test_a_level_that_tells_by_itself_is_hidden() -> None:
    level = {"auth": "Bearer abcdef123456"}
    assert "abcdef123456" not in json.dumps(Factors().shown(level))


def test_runs_of_two_hidden_levels_are_two_variants(tmp_path: Path) -> None:
    for number, token in enumerate(("s3cretA1", "s3cretB2"), 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "out.txt").write_text(re.sub(r"(Requests/sec: +)", rf"\g<1>{number}", REPORT))
        meta = {"variant": "server", "params": {"token": token}, "repeat": 1}
        (folder / "meta.json").write_text(json.dumps(meta))
    results = benchkit.load(tmp_path)
    assert len(set(results.runs["params"])) == 2
    assert "s3cret" not in results.runs.to_csv()


def test_a_short_hidden_level_changes_no_other_word_of_a_label(tmp_path: Path) -> None:
    for number, token in enumerate("ev", 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "out.txt").write_text(
            re.sub(r"(Requests/sec: +)", rf"\g<1>{number}", REPORT), encoding="utf-8"
        )
        meta = {"variant": "server", "params": {"token": token}, "repeat": 1}
        (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    assert all("server" in label for label in benchkit.load(tmp_path).runs["label"])


def test_the_line_about_names_shows_no_hidden_level(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text(REPORT, encoding="utf-8")
    meta = {"params": {"password": "SEKRETpass", "auth": "basic", "login": {"token": "SEKRETkey"}}}
    (tmp_path / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    (line,) = benchkit.load(tmp_path).naming
    assert "password [redacted]" in line
    assert "auth basic" in line
    assert "SEKRET" not in line
    (line,) = benchkit.load(tmp_path, show_secrets=True).naming
    assert "password SEKRETpass" in line


def test_what_is_recorded_keeps_the_levels(tmp_path: Path) -> None:
    write_meta(tmp_path, {"variant": "server", "params": {"auth": "basic", "token": "s3cretA1"}})
    written = json.loads((tmp_path / "meta.json").read_text())
    assert written["params"] == {"auth": "basic", "token": "[redacted]"}
