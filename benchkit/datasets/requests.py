"""The requests of one run as a Parquet file, written and read in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from benchkit.datasets.manifest import StoredFile
from benchkit.datasets.storage import open_stored
from benchkit.datasets.tables import cut, no_table, require_rows, typed
from benchkit.export import write_pieces
from benchkit.parsing import RequestBatch
from benchkit.schema import REQUESTS
from benchkit.stores import store_at
from benchkit.stores.parquet import BoundedParquet

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.model.run import Run


def write_requests(run: Run, to: IO[bytes]) -> int:
    """Write the requests of a run as Parquet, a row group per piece; return how many they are."""
    parts = run.requests() if run.requests is not None else ()
    return write_pieces(REQUESTS, (piece for part in parts for piece in cut(part)), to)


@dataclass(frozen=True)
class StoredRequests:
    """Yields the requests of one run of a dataset, piece by piece; it can be pickled.

    Attributes:
        run_id: What the run is called here.
    """

    run_id: str
    address: str
    stored: StoredFile

    def __call__(self) -> Iterator[pd.DataFrame]:
        """Yield rows of the table `requests`.

        Raises:
            InputError: the file is missing, or not what was written.
        """
        import pyarrow as pa

        with open_stored(store_at(self.address), self.stored) as file:
            try:
                opened = BoundedParquet(file, self.stored.size_bytes, in_pieces=True)
                require_rows(self.stored, opened.rows)
                for group in range(opened.groups):
                    yield self._named(typed(REQUESTS, opened.read([group])))
            except (pa.ArrowException, ValueError, OSError) as error:
                raise no_table(REQUESTS, self.address, self.stored, error) from error

    def _named(self, piece: pd.DataFrame) -> pd.DataFrame:
        if not bool((piece["run_id"] == self.stored.run_id).all()):
            raise ValueError("requests of another run")
        return piece if self.run_id == self.stored.run_id else self._renamed(piece)

    def _renamed(self, piece: pd.DataFrame) -> pd.DataFrame:
        import pandas as pd

        ids = pd.array([self.run_id] * len(piece), dtype=REQUESTS["run_id"].dtype)  # type: ignore[call-overload]
        return piece.assign(run_id=ids)

    @property
    def kept(self) -> None:
        """Nothing: what follows from when they were sent is in the dataset."""

    def batches(self) -> Iterator[RequestBatch]:
        """Yield the same as arrays.

        Raises:
            InputError: the file is missing, or not what was written.
        """
        for piece in self():
            yield _batch(piece)


def _batch(piece: pd.DataFrame) -> RequestBatch:
    import numpy as np

    def whole(name: str, factor: float | None = None) -> Any:  # noqa: ANN401 - an array or None
        column = piece[name]
        if bool(column.isna().any()):
            return None
        if factor is None:
            return column.to_numpy(np.int64)
        return np.rint(column.to_numpy(np.float64) * factor).astype(np.int64)

    def texts(name: str) -> tuple[Any, list[str]]:
        import pandas as pd

        codes, values = pd.factorize(piece[name])
        return codes.astype(np.int32), [str(value) for value in values]

    started, status = piece["started_at"], whole("status")
    error, errors = texts("error")
    method, methods = texts("method")
    url, urls = texts("url")
    return RequestBatch(
        latency_ns=whole("latency_s", 1e9),
        started_ns=None
        if bool(started.isna().any())
        else started.to_numpy("datetime64[ns]").astype(np.int64),
        status=None if status is None else status.astype(np.int32),
        received_bytes=whole("received_bytes"),
        sent_bytes=whole("sent_bytes"),
        seq=whole("seq"),
        connect_ns=whole("connect_s", 1e9),
        first_byte_ns=whole("first_byte_s", 1e9),
        error=error,
        errors=errors,
        method=method,
        methods=methods,
        url=url,
        urls=urls,
    )
