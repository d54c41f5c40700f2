"""Checks of a parser against what other programs wrote: it says no, and quickly."""

from __future__ import annotations

import base64
import gzip
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final, NamedTuple

from benchkit.parsing import HEAD_BYTES, FileParser, Parser, RowsParser, Source, TextParser
from benchkit.testing.reading import CheckError, read
from benchkit.text import Text, decode

SAMPLES: Final = "samples.json.gz"
#: So many times as long as finding the words of the same bytes may a parser look at them: about
#: 5 ms for a sniff of 64 KiB, and what reports that fill them take.
_SNIFF: Final = 5.0
_SCAN: Final = 250.0
_REPEATS: Final = 3
#: The share of other texts in which a marker may stand.
_MARKED: Final = 0.25
_WORD: Final = re.compile(rb"\w++")


class Excerpt(NamedTuple):
    """The beginning of a file: whose output it is and in which format; empty where it is none."""

    name: str
    tool: str
    format: str
    data: bytes


@cache
def samples() -> tuple[Excerpt, ...]:
    """Return beginnings of outputs of every bundled format, and of files of other kinds."""
    packed = files("benchkit.testing").joinpath(SAMPLES).read_bytes()
    rows = json.loads(gzip.decompress(packed))
    return tuple(
        Excerpt(name, tool, form, base64.b64decode(data)) for name, tool, form, data in rows
    )


def _says_no(parser: Parser) -> None:
    for sample in samples():
        if sample.tool == parser.tool:
            continue
        reading = read(parser, sample.data, sample.name)
        if reading.runs or reading.refusals:
            kind = f"a {sample.format} file" if sample.format else "no output of a load generator"
            raise CheckError(f"it takes {sample.name} for its own, which is {kind}")


def _is_marked(parser: Parser) -> None:
    """Check that texts without an output are told by their lack of markers."""
    if not isinstance(parser, TextParser):
        return
    texts = [decode(sample.data) for sample in samples() if sample.tool != parser.tool]
    known = [text for text in texts if text is not None]
    for marker in parser.markers:
        share = sum(marker in text for text in known) / len(known)
        if share > _MARKED:
            raise CheckError(
                f"the marker {marker!r} stands in {share:.0%} of the texts of others: choose words "
                f"that hardly another text than one of {parser.tool} has"
            )


def _is_quick(parser: Parser) -> None:
    for sample in samples():
        data = (sample.data * (HEAD_BYTES // max(len(sample.data), 1) + 1))[:HEAD_BYTES]
        look, most = _look(parser, data)
        # Other programs may have taken the processor: the best of a few counts.
        ratios = (_ratio(look, data) for _ in range(_REPEATS))
        if (slowest := min(_until(ratios, most))) > most:
            raise CheckError(
                f"it looks at 64 KiB like {sample.name} for {slowest:.1f} times as long as it "
                f"takes to find the words in it; {most:g} times are allowed"
            )


def _until(ratios: Iterable[float], most: float) -> Iterator[float]:
    """Yield ratios up to the first that is small enough."""
    for ratio in ratios:
        yield ratio
        if ratio <= most:
            return


def _look(parser: Parser, data: bytes) -> tuple[Callable[[], Any], float]:
    """Return what a parser does to see whether bytes are for it, and what that may cost."""
    if isinstance(parser, (RowsParser, FileParser)):
        return partial(parser.sniff, Source.from_bytes(data)), _SNIFF
    text = _text(data) if isinstance(parser, TextParser) else None
    if isinstance(parser, TextParser) and text is not None:
        return partial(_scan, parser, text), _SCAN
    return bool, _SNIFF


@cache
def _text(data: bytes) -> Text | None:
    """Return bytes as a text, repaired for all parsers at once."""
    content = decode(data)
    if content is None:
        return None
    text = Text.from_text(content)
    return text if text.shown else None


def _scan(parser: TextParser, text: Text) -> int:
    return sum(1 for _ in parser.scan(text.anew()))


def _ratio(look: Callable[[], Any], data: bytes) -> float:
    words = _seconds(lambda: _WORD.findall(data))
    return _seconds(look) / max(words, 1e-4)


def _seconds(work: Callable[[], Any]) -> float:
    """Return the processor time of some work, in s."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


ON_OTHERS: Final[Mapping[str, Callable[[Parser], None]]] = {
    "other-tools": _says_no,
    "markers": _is_marked,
    "quick": _is_quick,
}
