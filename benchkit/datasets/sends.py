"""When the requests of runs were sent, kept until the shards are combined.

How late they were sent follows from the rate, which a file of another shard may tell; by then the
files may be gone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import numpy as np

from benchkit.counting.sends import Sends, sends_of
from benchkit.datasets.outcomes import name_of, read_kept, source_of, write_kept
from benchkit.errors import InputError
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.perrequest import PartsReader, RequestReader
from benchkit.ingest.portable import form_of
from benchkit.ingest.runs import reader_of
from benchkit.model.run import RequestsReader, Run
from benchkit.parsing import RequestBatch
from benchkit.stores import Store
from benchkit.validity.rows import MOST_ROWS

_FORMAT: Final = 1
_KEY: Final = "benchkit_sends"
#: What is read where nothing was kept: requests without numbers.
_UNNUMBERED: Final = RequestBatch(np.empty(0, np.int64))


def keep_sends(store: Store, outcome: FileOutcome, kept_as: str) -> Iterator[tuple[int, str]]:
    """Keep the sends of the runs of a file; yield the number of each run, and the name.

    `kept_as` is the name of the outcome. Nothing is kept of runs of which `LATE_SENDS` is not
    examined: without numbers, or with more than `MOST_ROWS` requests.
    """
    for run in outcome.runs:
        if run.summary is None or run.summary.numbering is None:
            continue
        if (run.columns.get("requests") or 0) > MOST_ROWS:
            continue
        name = name_of(f"{kept_as} {run.number}".encode())
        if _is_kept(store, name):
            yield run.number, name
        elif (sends := _sends(run)) is not None:
            text = json.dumps({_KEY: _FORMAT, **form_of(Sends).written(sends)})
            write_kept(store, name, text.encode())
            yield run.number, name


def _sends(run: FileRun) -> Sends | None:
    requests = reader_of(run, "", str)
    sends = None if requests is None else requests.kept or sends_of(requests.batches())
    return sends if sends is not None and len(sends.seq) else None


def _is_kept(store: Store, name: str) -> bool:
    with suppress(InputError):
        kept_sends(store, name)
        return True
    return False


def kept_sends(store: Store, name: str) -> Sends:
    """Return sends by their name.

    Raises:
        InputError: there are none.
    """
    data, source = read_kept(store, name), source_of(store, name)
    hint = "ingest the shard again that names it"
    try:
        content: dict[str, Any] = json.loads(data)
        version = content.pop(_KEY)
        sends: Sends = form_of(Sends).read(content, "sends")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        sends, version = Sends(*[_UNNUMBERED.latency_ns] * 3), None
    except InputError as error:
        error.hint = hint
        raise error.within(source) from None
    sizes = {len(sends.seq), len(sends.started_ns), len(sends.latency_ns)}
    if version != _FORMAT or len(sizes) > 1 or not 0 < max(sizes) <= MOST_ROWS:
        expected = f"when requests were sent, format {_FORMAT}"
        raise InputError(expected, actual="something else", source=source, hint=hint)
    return sends


def batches_of(
    run: Run, store: Store, names: Mapping[tuple[str | None, str], str]
) -> Iterator[RequestBatch]:
    """Yield what is kept of the requests of a run, by the path and the attack of each part.

    Raises:
        InputError: what is kept cannot be read.
    """
    for reader in _readers(run.requests):
        name = names.get((reader.path, reader.attack))
        if name is None:
            yield _UNNUMBERED
        else:
            sends = kept_sends(store, name)
            yield RequestBatch(sends.latency_ns, sends.started_ns, seq=sends.seq)


def _readers(requests: RequestsReader | None) -> Iterator[RequestReader]:
    if isinstance(requests, PartsReader):
        for part in requests.readers:
            yield from _readers(part)
    elif isinstance(requests, RequestReader):
        yield requests
