"""Reads the requests of a run again, when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchkit import registry
from benchkit.errors import InputError
from benchkit.ingest.sources import open_source
from benchkit.parsing import RequestBatch, RowsParser, Source
from benchkit.schema import REQUESTS

if TYPE_CHECKING:
    import pandas as pd

#: Makes a text of an input fit to be shown.
Clean = Callable[[str], str]


@dataclass(frozen=True)
class RequestReader:
    """Yields the table `requests` of one run, piece by piece; it can be pickled.

    Attributes:
        path: The file; for standard input None, and `data` has what was read.
        parser: Name of the parser.
        attack: The attack whose rows are meant; empty for rows without one.
        clean: What is done to each text.
    """

    run_id: str
    path: str | None
    data: bytes
    parser: str
    attack: str
    clean: Clean

    def __call__(self) -> Iterator[pd.DataFrame]:
        """Yield the rows; a broken end is passed over in silence, as it was told before."""
        for batch in self.batches():
            yield _frame(self.run_id, batch, self.clean)

    def batches(self) -> Iterator[RequestBatch]:
        """Yield the rows as arrays, likewise."""
        try:
            yield from self._batches()
        except InputError:
            return

    def _batches(self) -> Iterator[RequestBatch]:
        parser = registry.parser(self.parser)
        if not isinstance(parser, RowsParser):  # pragma: no cover - the ingest makes no other
            raise TypeError(parser.name)
        parts = (part for batch in parser.rows(self._source()) for part in batch.expanded())
        for batch in parts:
            if batch.attack is None:
                yield batch
                continue
            names = list(batch.attacks)
            code = names.index(self.attack) if self.attack in names else -1
            part = batch.where(batch.attack == code)
            if len(part):
                yield part

    def _source(self) -> Source:
        if self.path is None:
            return Source.of(self.data)
        return open_source(self.path, name=self.path).source


def _frame(run_id: str, batch: RequestBatch, clean: Clean) -> pd.DataFrame:
    import numpy as np
    import pandas as pd

    size = len(batch)
    data: dict[str, Any] = {"run_id": [run_id] * size, "latency_s": batch.latency_ns / 1e9}
    if batch.started_ns is not None:
        data["started_at"] = pd.to_datetime(batch.started_ns, unit="ns", utc=True)
    for name in ("status", "seq", "received_bytes", "sent_bytes"):
        data[name] = getattr(batch, name)
    for name, ns in (("connect_s", batch.connect_ns), ("first_byte_s", batch.first_byte_ns)):
        data[name] = None if ns is None else ns / 1e9
    strings = ((batch.error, batch.errors), (batch.method, batch.methods), (batch.url, batch.urls))
    for name, (codes, texts) in zip(("error", "method", "url"), strings, strict=True):
        shown = [clean(text) for text in texts]
        # Redacted names may coincide, which rules out a categorical; -1 takes the last, None.
        data[name] = None if codes is None else np.array([*shown, None], object)[codes]
    frame = pd.DataFrame({name: data.get(name) for name in REQUESTS.names}, index=range(size))
    return frame.astype({column.name: column.dtype for column in REQUESTS.columns})
