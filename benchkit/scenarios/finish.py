"""What a harness left in its scratch folder, made into `meta.json` and `resources.csv`."""

from __future__ import annotations

import gzip
import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchkit.output import whole_file
from benchkit.redaction import redact_json
from benchkit.redaction.factors import Factors
from benchkit.scenarios import samples

META: Final = "meta.json"
_PACK_FROM: Final = 32 * 1024
_UNPACKED: Final = frozenset({META, samples.FILE})


#: What `bk_warm_up` calls its command.
_WARM_UP: Final = "warm-up"


@dataclass(frozen=True, slots=True)
class Measurement:
    """The measured part of a run, in seconds since 1970, and what people call its command.

    Attributes:
        loaded_until_s: When the last warm-up before it ended; None without one.
    """

    command: str
    start_s: float
    end_s: float
    loaded_until_s: float | None = None


def reason_of(work: Path) -> str:
    """Return the reason why a harness gave up; empty where it gave none."""
    return _text(work / "reason")


def step_of(work: Path) -> str:
    """Return the step that a harness is at."""
    return _text(work / "step")


def measured(work: Path, names: Mapping[str, str]) -> Measurement | None:
    """Return the measured part of a run, its paths by their names; None without one."""
    # The load itself may begin later than its program, which then says when.
    start = _text(work / "load.start") or _text(work / "measured.start")
    end = _text(work / "load.end") or _text(work / "measured.end")
    if not start or not end:
        return None
    named = _words(work / "as")
    record = Path(_text(work / "measured"))
    argv = named or _inner(_words(Path(f"{record}.argv")))
    start_s = float(start)
    every = ((_words(path)[:1], path) for path in (work / "commands").glob("*.argv"))
    warm_ups = (path.with_suffix(".end") for name, path in every if name == [_WARM_UP])
    ends = (_text(path).partition(" ")[0] for path in warm_ups)
    before = [end_s for end_s in map(float, filter(None, ends)) if end_s <= start_s]
    return Measurement(_shown(argv, names), start_s, float(end), max(before, default=None))


def commands(work: Path, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return every command line of a run, in the order of their start."""
    rows = []
    for path in sorted((work / "commands").glob("*.argv")):
        name, *argv = _words(path)
        if name == "sampler":
            continue
        row: dict[str, Any] = {"name": name, "command": _shown(_inner([name, *argv]), names)}
        row["started_at"] = instant(float(_text(path.with_suffix(".start"))))
        end, _, status = _text(path.with_suffix(".end")).partition(" ")
        if end:
            row |= {"ended_at": instant(float(end)), "exit_status": int(status)}
        rows.append(row)
    return rows


def facts(work: Path) -> dict[str, Any]:
    """Return the facts that the harness noted; whole numbers as such."""
    words = _words(work / "facts")
    return {
        key: int(v) if v.isdigit() else v for key, v in zip(words[::2], words[1::2], strict=False)
    }


def flag(noted: Mapping[str, Any], key: str) -> bool | None:
    """Return a fact that is yes or no; None where it was not noted."""
    return {"yes": True, "no": False}.get(str(noted.get(key)))


def instant(epoch_s: float) -> str:
    """Return seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(epoch_s, UTC).isoformat(timespec="milliseconds")


def write_meta(folder: Path, content: Mapping[str, Any], *, keep_secrets: bool = False) -> None:
    """Write `meta.json` without what is not known; with credentials, for its owner alone."""
    known = {key: value for key, value in content.items() if value not in (None, {}, [])}
    text = json.dumps(known if keep_secrets else _redacted(known), indent=1, ensure_ascii=False)
    with whole_file(folder / META, private=keep_secrets) as file:
        # Words of a command line may hold bytes that are not UTF-8.
        file.write(f"{text}\n".encode("utf-8", "backslashreplace"))


def _redacted(known: Mapping[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = redact_json(dict(known))
    # `auth: jwt` and `auth: basic` name what is compared.
    return shown | ({"params": Factors().shown(known["params"])} if "params" in known else {})


def pack(folder: Path) -> None:
    """Compress large outputs; the same content gives the same bytes."""
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name in _UNPACKED or path.suffix == ".gz":
            continue
        if path.stat().st_size < _PACK_FROM:
            continue
        packed = path.with_name(path.name + ".gz")
        packed.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
        path.unlink()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _words(path: Path) -> list[str]:
    try:
        content = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return []
    return content.split("\0")[:-1]


def _inner(words: list[str]) -> list[str]:
    """Return a command without the name it runs under and the wrappers that bound it."""
    argv = words[1:]
    if argv[:2] == ["timeout", "-k"] and "--" in argv:
        argv = argv[argv.index("--") + 1 :]
    return argv


def _shown(argv: list[str], names: Mapping[str, str]) -> str:
    words = []
    for at, word in enumerate(argv):
        for path, name in sorted(names.items(), key=lambda pair: -len(pair[0])):
            word = word.replace(path, name)  # noqa: PLW2901 - step by step
        last = word.rsplit("/", 1)[-1]
        if at == 0 and not word.startswith("$"):
            words.append(last)
        elif word.startswith("/") and os.path.exists(word):  # noqa: PTH110 - which never raises
            words.append(f"…/{last}")  # where a tool lies here says nothing elsewhere
        else:
            words.append(word)
    return " ".join(w if w.startswith("$BK_") and " " not in w else shlex.quote(w) for w in words)
