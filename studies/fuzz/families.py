"""The families of formats: their seeds, how inputs of them are changed, how they are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Final

from studies.fuzz import gob, reading
from studies.fuzz.defects import ROOT
from studies.fuzz.mutations import (
    BYTEWISE,
    TEXTUAL,
    Mutation,
    Shortening,
    as_it_is,
    fewer_lines,
    other_cell,
    other_json,
    other_table,
    reencoded,
    smaller_json,
)
from tests.damage.kinds import KINDS

DATA: Final = ROOT / "tests" / "data"
#: Small files of formats that no fixture has, by family and kind.
SEEDS: Final = ROOT / "tests" / "fuzz" / "seeds"
#: What was found, by family and kind.
FOUND: Final = ROOT / "tests" / "fuzz" / "found"
_MOST: Final = 3000
_JSONS: Final = ("json", "jsonl", "report.json", "buckets.json")
_SHORTER: Final = {
    "": fewer_lines,
    "gob": gob.fewer_messages,
    **dict.fromkeys(_JSONS, smaller_json),
}
_ENDINGS: Final = ("csv", "tsv", "json", "jsonl", "txt")


@dataclass(frozen=True)
class Specimen:
    """An input.

    Attributes:
        kind: Its format, or the name of its file where that matters.
    """

    kind: str
    data: bytes


@dataclass(frozen=True)
class Family:
    """Formats that are searched together.

    Attributes:
        seeds: Makes the inputs to begin with.
        mutations: Ways to change one, by kind; "" for any kind.
        read: Reads an input.
        more: Reads one that showed something new, more thoroughly.
        timed: Reads one whose time is looked at.
        shortenings: Makes one smaller, by kind; "" for any kind.
    """

    name: str
    seeds: Callable[[], Sequence[Specimen]]
    mutations: Mapping[str, Sequence[Mutation]]
    read: reading.Reading = reading.as_file
    more: reading.Reading | None = reading.everything
    timed: reading.Reading = reading.loaded
    shortenings: Mapping[str, Shortening] = field(default_factory=lambda: _SHORTER)

    def shorter(self, data: bytes, kind: str, most: int, drawn: Random) -> bytes:
        """Return an input with parts left out, of at most so many bytes."""
        if len(data) <= most:
            return data
        return self.shortenings.get(kind, self.shortenings[""])(data, most, drawn)

    def ways(self, kind: str) -> Sequence[Mutation]:
        """Return the ways to change an input of a kind."""
        return self.mutations.get(kind, self.mutations[""])

    def all_seeds(self) -> list[Specimen]:
        """Return these and all that was found before."""
        return list(
            dict.fromkeys([*self.seeds(), *_kept(SEEDS, self.name), *_kept(FOUND, self.name)])
        )


def family(name: str) -> Family:
    """Return a family by its name, or one of another module as `module:ATTRIBUTE`."""
    if ":" not in name:
        return FAMILIES[name]
    from importlib import import_module

    module, _, attribute = name.partition(":")
    chosen: Family = getattr(import_module(module), attribute)
    return chosen


# --- seeds ---


def _fixtures(*globs: str) -> Callable[[], Sequence[Specimen]]:
    """Return what makes seeds of fixtures, large ones cut."""

    def seeds() -> Sequence[Specimen]:
        paths = [path for pattern in globs for path in sorted(DATA.glob(pattern))]
        made = (Specimen(_kind(path), _head(path)) for path in paths)
        return [specimen for specimen in dict.fromkeys(made) if specimen.data]

    return seeds


def _kind(path: Path) -> str:
    """Return the last parts of a name: `json`, `report.json`, `hdrplot.txt`."""
    return path.name.partition(".")[2]


def _head(path: Path) -> bytes:
    data = path.read_bytes()
    if len(data) <= _MOST:
        return data
    if path.suffix == ".gob":
        listed, _ = gob.messages(data[:_MOST])
        return gob.joined(listed)
    if path.suffix in {".csv", ".tsv", ".json", ".jsonl"} and b"\n" in data[:_MOST]:
        return data[: data.rindex(b"\n", 0, _MOST) + 1]
    return data if len(data) < 3 * _MOST and path.suffix in {".txt", ".json"} else b""


def _pages() -> Iterator[Specimen]:
    """Yield pages with reports within: documents, logs, source code, tables."""
    yield from _fixtures("pages/*")()
    printed = [
        *("wrk/latency.txt", "wrk2/plain.txt", "ab/few.txt", "vegeta/ok.report.txt"),
        *("autocannon/table.txt", "autocannon/plain.json", "vegeta/ok.report.json"),
    ]
    head, between = "# Results\n\n$ wrk -t2 -c10 http://h/\n", "\n\n## Second, c=20\n```\n"
    texts = [(DATA / name).read_text("utf-8") for name in printed]
    for number, kind in enumerate(KINDS):
        page = head + KINDS[kind](texts[number % len(texts)])
        if not number % 4:
            page += f"{between}{texts[(number + 3) % len(texts)]}```\n"
        yield Specimen("md", page.encode())
    for kind, text in _laid_out().items():
        yield Specimen(kind, text.encode())


def _laid_out() -> Mapping[str, str]:
    """Return files whose reports stand otherwise than below their names."""
    texts = {name: (DATA / f"{name}.txt").read_text("utf-8") for name in ("wrk/plain", "ab/few")}
    objects = [
        {"config": {"server": name, "workers": 4}, "run": 1, "stdout": text}
        for name, text in texts.items()
    ]
    cells = [
        {"cell_type": "code", "source": "!ab http://h/", "outputs": [{"text": text}]}
        for text in texts.values()
    ]
    lines = [text.splitlines() for text in texts.values()]
    pairs = zip_longest(*lines, fillvalue="")
    log = "".join(
        f"{name}  | {line}\n" for pair in pairs for name, line in zip("ab", pair, strict=True)
    )
    job = "".join(f"job\trun\t2026-01-02T10:00:00Z {line}\n" for line in log.splitlines())
    return {
        "json": json.dumps(objects),
        "jsonl": "\n".join(map(json.dumps, objects)),
        "ipynb": json.dumps({"cells": cells, "nbformat": 4}),
        "log": log,
        "md": f"# Results\n\n```\n{log}```\n",
        "txt": job,
        "report.json": json.dumps({"log": log}),
    }


#: What lies beside our own files, and what is saved as tables.
_OUTPUTS: Final = (DATA / "vegeta" / "ok.report.json",)
_SAVED: Final = (DATA / "vegeta" / "one.gob", DATA / "wrk" / "latency.txt")


def _tables() -> Iterator[Specimen]:
    for name, data in reading.tables(_SAVED).items():
        yield Specimen(name, data)


def _kept(folder: Path, name: str) -> Iterator[Specimen]:
    """Yield the small files that are kept for a family, in a folder for each kind."""
    for path in sorted((folder / name).glob("*/*")):
        yield Specimen(path.parent.name, path.read_bytes())


# --- the families ---

_TEXTS: Final = (*TEXTUAL, *BYTEWISE)
_JSON: Final = (*(other_json,) * 6, *TEXTUAL, *BYTEWISE, reencoded)
_ROWS: Final = (*(other_cell,) * 5, *TEXTUAL, *BYTEWISE, reencoded)
_GOB: Final = (*(gob.other_messages,) * 6, gob.other_number, *BYTEWISE, gob.stream, reencoded)
_BY_ENDING: Final = {
    "": _TEXTS,
    **dict.fromkeys(("csv", "tsv"), _ROWS),
    **dict.fromkeys(_JSONS, _JSON),
}
_PAGES: Final = (*TEXTUAL, *TEXTUAL, *BYTEWISE, other_json, other_cell, reencoded)


def _tools() -> Mapping[str, Sequence[str]]:
    """Return the folders of fixtures by the name of a family: a tool and its imitations."""
    folders = {path.name for path in DATA.iterdir() if path.is_dir()} - {"pages"}
    listed = {name: [name] for name in sorted(folders - {"wrk2"})}
    listed["wrk"].append("wrk2")
    return {name: where for name, where in listed.items() if _fixtures(*_globs(where))()}


def _globs(folders: Sequence[str]) -> list[str]:
    return [f"{folder}/**/*.{ending}" for folder in folders for ending in _ENDINGS]


def _by_kind(
    specimen: Mapping[str, reading.Reading], other: reading.Reading
) -> Callable[[bytes, str], reading.Observation]:
    def read(data: bytes, kind: str) -> reading.Observation:
        return specimen.get(kind, other)(data, kind)

    return read


_OWN: Final = _by_kind(
    {"benchkit.toml": reading.configuration, "run-set.json": reading.run_set},
    reading.beside(_OUTPUTS),
)

FAMILIES: Final[Mapping[str, Family]] = {
    listed.name: listed
    for listed in (
        Family("gob", _fixtures("vegeta/*.gob"), {"": _GOB}, read=reading.gob),
        *(
            Family(name, _fixtures(*_globs(folders)), _BY_ENDING)
            for name, folders in _tools().items()
        ),
        Family("pages", lambda: list(_pages()), {"": _PAGES}),
        Family(
            "own",
            tuple,
            {"": _JSON, "resources.csv": _ROWS, "benchkit.toml": _TEXTS},
            read=_OWN,
            more=None,
            timed=_OWN,
        ),
        Family(
            "saved",
            lambda: list(_tables()),
            {"": (other_table, other_table, other_table, *BYTEWISE)},
            read=reading.saved_tables(_SAVED),
            more=None,
            timed=reading.saved_tables(_SAVED),
            shortenings={"": as_it_is},
        ),
    )
}
