from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tests.validity.runs import One, in_file, plain, raised, run


def cut(folder: Path, pieces: int, *, numbered_anew: bool = False) -> list[Path]:
    """Cut an attack of 600 requests at 100 a second into files, from 0 on where asked."""
    lines = [
        f"{1_700_000_000_000_000_000 + 10_000_000 * n},200,1000000,0,6,,,a,{{}},GET,http://h/,\n"
        for n in range(600)
    ]
    size = 600 // pieces
    paths = []
    for piece in range(pieces):
        part = range(piece * size, (piece + 1) * size)
        path = folder / f"{piece}.csv"
        path.write_text(
            "".join(lines[n].format(n - part[0] if numbered_anew else n) for n in part),
            encoding="utf-8",
        )
        paths.append(path)
    return paths


@pytest.mark.parametrize("numbered_anew", [False, True])
def test_an_attack_cut_into_pieces(tmp_path: Path, *, numbered_anew: bool) -> None:
    paths = cut(tmp_path, 6, numbered_anew=numbered_anew)
    findings = in_file("PIECES", *paths)
    if numbered_anew:
        assert not findings  # six attacks that each begin from 0
        return
    (finding,) = findings
    assert len(finding.run_ids) == 6
    assert "are 6 pieces of one run: their requests are numbered on" in plain(finding.message)
    assert finding.forbids == "its runs are pieces of one run"
    assert not in_file("SEQ_GAP", *paths)


def test_a_later_part_alone(tmp_path: Path) -> None:
    (finding,) = in_file("PIECES", cut(tmp_path, 3)[1])
    assert "its requests are numbered from 200 on" in plain(finding.message)


def test_repeated_attacks_are_no_pieces(data: Path) -> None:
    attacks = [data / "vegeta" / name for name in ("ok.gob", "named-a.gob", "named-b.gob")]
    assert not in_file("PIECES", *attacks)


def reports(*, pause_s: float) -> list[One]:
    starts = [
        pd.Timestamp("2026-01-01", tz="UTC") + n * pd.Timedelta(10 + pause_s, "s") for n in range(4)
    ]
    attack = {"duration_s": 9.995, "wait_s": 0.005, "requests": 1000}
    return [run("vegeta", started_at=start, **attack) for start in starts]


def test_reports_of_pieces_adjoin_in_time() -> None:
    assert raised("PIECES", *reports(pause_s=0.0))
    assert not raised("PIECES", *reports(pause_s=0.05))
