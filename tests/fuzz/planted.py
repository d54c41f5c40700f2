"""A family with planted defects: whether the fuzzers find what they are to find."""

from __future__ import annotations

import re

from studies.fuzz.families import Family, Specimen
from studies.fuzz.mutations import BYTEWISE, TEXTUAL
from studies.fuzz.reading import Observation, Reading


def _raising(data: bytes, _kind: str) -> Observation:
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


def _family(name: str, seed: bytes, read: Reading) -> Family:
    seeds = (Specimen("txt", seed),)
    return Family(name, lambda: seeds, _WAYS, read=read, more=None, timed=read)


RAISES = _family("raises", b"{ a }", _raising)
ENDLESS = _family("endless", b"xaay", _endless)
SQUARE = _family("square", b"<a>\n<b\n", _square)
