"""JMeter's results as XML (`jmeter.save.saveservice.output_format=xml`): an element per sample.

    <httpSample t="94" lt="70" ct="20" ts="1795378282011" s="true" lb="GET /" rc="200" rm="OK" …>
      <httpSample … lb="GET /-0" rc="301" …/>
      <java.net.URL>http://127.0.0.1:8931/ok</java.net.URL>
    </httpSample>

Parts of a followed redirect, or of a page, stand within their sum, which is the request; so do
requests within a transaction that is their parent, where they are what counts. Nothing is
expanded: a document type is refused.

Source: Apache JMeter 5.6.3 `save/converters/SampleResultConverter.java`,
`HTTPResultConverter.java`, `samplers/SampleSaveConfiguration.java`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from xml.parsers import expat

import numpy as np

from benchkit.errors import InputError, Where
from benchkit.parsing import RequestBatch, RowsParser, Source

from ._jmeter_rows import ROWS, TEXTS, TRANSACTION, Samples, with_remarks
from ._rows_columns import MS
from ._texts import TextCodes

_ROOT: Final = re.compile(rb"<testResults[\s>]")
_CHUNK: Final = 2**20
_TOGETHER: Final = 2**16
#: Characters of a URL, or of a failure, that are kept.
_LONGEST: Final = 4000
_NUMBERS: Final = {
    "ts": ("started_ns", MS, True),
    "t": ("latency_ns", MS, True),
    "by": ("received_bytes", 1, False),
    "sby": ("sent_bytes", 1, False),
    "lt": ("first_byte_ns", MS, False),
    "ct": ("connect_ns", MS, False),
}
_WORDS: Final = {"lb": "label", "rc": "code", "rm": "message", "tn": "thread", "s": "success"}
_INNER: Final = {"java.net.URL": "url", "failureMessage": "error"}
_LARGEST: Final = 2**63 - 1
_WHOLE: Final = re.compile(r"-?[0-9]{1,15}")
#: Elements within each other; JMeter writes a handful.
_DEEPEST: Final = 60


def sniff(source: Source) -> bool:
    """Whether a file begins as JMeter's XML."""
    return _ROOT.search(source.head[:4096]) is not None


class _SampleReader:
    """Collects the samples of a document as they come.

    Attributes:
        rows: What they have by field: numbers, and codes of texts.
    """

    def __init__(self) -> None:
        self.names = {name: TextCodes() for name in TEXTS}
        self.samples = Samples()
        self.rows: list[dict[str, int]] = []
        self._open: list[str] = []
        self._current: dict[str, int] | None = None
        self._within = 0
        self._words: list[str] | None = None
        self._length = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, data: bytes, *, last: bool) -> None:
        """Read a piece of the document.

        Raises:
            InputError: it is broken, or no document of JMeter.
        """
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            raise InputError(
                "XML as JMeter writes it",
                actual=expat.ErrorString(error.code),
                where=Where(line=error.lineno),
                hint="the file is cut off here, or was edited; the samples before it were read",
            ) from None

    def _refuse(self, *_: object) -> None:
        raise self._error("XML without a document type", "one")

    def _error(self, expected: str, actual: str) -> InputError:
        return InputError(
            expected, actual=actual[:60], where=Where(line=self._parser.CurrentLineNumber)
        )

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self._open and name != "testResults":
            raise self._error("the element testResults", name)
        if len(self._open) > _DEEPEST:
            raise self._error(f"at most {_DEEPEST} elements within each other", "more")
        self._open.append(name)
        if name in {"httpSample", "sample"}:
            self._sample(attributes)
        elif name in _INNER and self._current is not None and self._within == 0:
            self._words, self._length = [], 0

    def _sample(self, attributes: Mapping[str, str]) -> None:
        if self._current is not None:
            self._within += 1
            self.samples.parts += 1
        elif attributes.get("rm", "").startswith(TRANSACTION):
            self.samples.transactions += 1
            self._open[-1] = "transaction"
        else:
            self._current = self._row(attributes)

    def _row(self, attributes: Mapping[str, str]) -> dict[str, int]:
        if attributes.get("sc", "1") != "1":
            raise self._error("an element per sample", f"one of {attributes['sc']} samples (sc)")
        row = {}
        for key, (field, factor, needed) in _NUMBERS.items():
            text = attributes.get(key)
            if text is None and not needed:
                continue
            if text is None or not _WHOLE.fullmatch(text):
                raise self._error(f"a whole number as {key} of a sample", repr(text))
            # What is no instant is left out with what else cannot be.
            row[field] = min(int(text) * factor, _LARGEST)
        for key, field in _WORDS.items():
            if attributes.get(key):
                row[field] = self.names[field].code(attributes[key].encode("utf-8", "replace"))
        return row

    def _end(self, _: str) -> None:
        name = self._open.pop()
        if self._words is not None and name in _INNER:
            text = "".join(self._words).strip()[:_LONGEST]
            if self._current is not None and text:
                field = _INNER[name]
                self._current.setdefault(
                    field, self.names[field].code(text.encode("utf-8", "replace"))
                )
            self._words = None
        elif name in {"httpSample", "sample"}:
            if self._within:
                self._within -= 1
            elif self._current is not None:
                self.rows.append(self._current)
                self._current = None

    def _text(self, text: str) -> None:
        if self._words is not None and self._length < _LONGEST:
            self._words.append(text)
            self._length += len(text)

    def batch(self) -> RequestBatch | None:
        """Return the requests among the samples so far, None without any, and forget them."""
        rows, self.rows = self.rows, []
        if not rows:
            return None
        arrays = {}
        for field, _, _ in _NUMBERS.values():
            if any(field in row for row in rows):
                arrays[field] = np.array([row.get(field, 0) for row in rows], np.int64)
        for field in TEXTS:
            if any(field in row for row in rows) and field not in {"label", "thread"}:
                arrays[field] = np.array([row.get(field, -1) for row in rows], np.int32)
        known = self.samples.requests_of(arrays, self.names)
        given: dict[str, Any] = {
            name: array
            for name, array in known.items()
            if name not in {"code", "message", "success"}
        }
        if "status" in given:
            given["status"] = given["status"].astype(np.int32)
        errors, urls = self.names["error"].texts, self.names["url"].texts
        batch = RequestBatch(**given, errors=errors, urls=urls)
        return batch if len(batch) else None


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the requests in file order.

    Raises:
        InputError: the document breaks off, all before it have been yielded; no request.
    """
    reader = _SampleReader()
    yield from with_remarks(_batches(source, reader), reader.samples)


def _batches(source: Source, reader: _SampleReader) -> Iterator[RequestBatch]:
    at, failure, last = 0, None, False
    while failure is None and not last:
        data = source.content.read(at, _CHUNK)
        at, last = at + len(data), len(data) < _CHUNK
        try:
            reader.feed(data, last=last)
        except InputError as error:
            failure = error
        if (failure or last or len(reader.rows) >= _TOGETHER) and (batch := reader.batch()):
            yield batch
    if failure is not None:
        raise failure


PARSERS: Final = (
    RowsParser(
        name="jmeter-xml",
        reads="results as XML (-l with output_format=xml, JTL)",
        versions="2.13 on",
        detail=5,
        sniff=sniff,
        rows=rows,
        **ROWS,
    ),
)
