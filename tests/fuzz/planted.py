"""A family with planted defects: whether the fuzzers find what they are to find."""

from __future__ import annotations

import re

from studies.fuzz.families import Family, Specimen
from studies.fuzz.mutations import BYTEWISE, TEXTUAL
from studies.fuzz.reading import Observation


def _read(data: bytes, _kind: str) -> Observation:
    seen = Observation()
    with seen.stage("read"):
        seen.features.add(f"{data.count(b'{')} opened")
        if data.count(b"{") > 3 and data.endswith(b"}"):
            raise IndexError
    return seen


def _endless(data: bytes, _kind: str) -> Observation:
    if data.count(b"a") > 2:
        re.match(rb"(?:a|a|aa)+$", b"a" * 60 + b"b")
    return Observation()


def _square(data: bytes, _kind: str) -> Observation:
    return Observation({str(len(re.findall(rb"<[^>]*>", data)))})


_WAYS = {"": (*BYTEWISE, *TEXTUAL)}
RAISES = Family("raises", lambda: [Specimen("txt", b"{ a }")], _WAYS, read=_read, more=None)
ENDLESS = Family("endless", lambda: [Specimen("txt", b"xaay")], _WAYS, read=_endless, more=None)
SQUARE = Family(
    *("square", lambda: [Specimen("txt", b"<a>\n<b\n")], _WAYS),
    **{"read": _square, "more": None, "timed": _square},
)
