"""The rows of one run in a large table, read when somebody asks for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from benchkit.datasets.manifest import StoredFile
from benchkit.datasets.storage import open_stored, part_of_stored
from benchkit.datasets.tables import no_table, require_rows, typed
from benchkit.model.tables import check_counts
from benchkit.schema import Table
from benchkit.stores import store_at
from benchkit.stores.parquet import BoundedParquet, Expansion

if TYPE_CHECKING:
    import pandas as pd


class Stretch(NamedTuple):
    """Rows of a row group that are of one run."""

    file: int
    group: int
    start: int
    stop: int


@dataclass
class RunRows:
    """A large table of a dataset, of which one row group at a time is in memory.

    Attributes:
        run_ids: The runs that the dataset has.
    """

    table: Table
    address: str
    files: Sequence[StoredFile]
    run_ids: Container[str]
    _last: dict[tuple[int, int], Any] = field(default_factory=dict, repr=False)

    def frame(self, run_id: str) -> pd.DataFrame | None:
        """Return the rows of a run, validated; None where it has none.

        Raises:
            InputError: a file is missing, not what was written, or holds no such table.
        """
        import pyarrow as pa

        stretches = self._stretches.get(run_id)
        if stretches is None:
            return None
        expansion = Expansion()
        with self._refusing(self.files[stretches[0].file]):
            parts = [self._part(at, expansion) for at in stretches]
            frame = typed(self.table, pa.concat_tables(parts))
            if self.table.name == "histogram":
                check_counts(frame)
            return frame

    @cached_property
    def _stretches(self) -> dict[str, list[Stretch]]:
        """Where the rows of each run lie, by its `run_id`."""
        listed: defaultdict[str, list[Stretch]] = defaultdict(list)
        for number, stored in enumerate(self.files):
            with self._refusing(stored), open_stored(store_at(self.address), stored) as file:
                for run_id, stretch in _stretches(file, number, stored):
                    if run_id not in self.run_ids:
                        raise ValueError("rows of a run that the dataset does not have")
                    listed[run_id].append(stretch)
        return dict(listed)

    def _part(self, at: Stretch, expansion: Expansion) -> Any:  # noqa: ANN401 - of pyarrow
        part = self._group(at.file, at.group)[at.start : at.stop]
        expansion.add(self.files[at.file].file, self.files[at.file].size_bytes, part)
        return part

    def _group(self, number: int, group: int) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return a row group; those of neighbouring runs are mostly one."""
        stored = self.files[number]
        if (number, group) not in self._last:
            self._last.clear()
            # It was looked at as a whole when the runs in it were listed.
            with self._refusing(stored), part_of_stored(store_at(self.address), stored) as file:
                self._last[number, group] = BoundedParquet(file, stored.size_bytes).read([group])
        return self._last[number, group]

    @contextmanager
    def _refusing(self, stored: StoredFile) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, ValueError, OSError) as error:
            raise no_table(self.table, self.address, stored, error) from error

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is in memory only for the next one who asks."""
        return {**self.__dict__, "_last": {}}


def _stretches(file: Any, number: int, stored: StoredFile) -> Iterator[tuple[str, Stretch]]:  # noqa: ANN401
    import numpy as np

    opened = BoundedParquet(file, stored.size_bytes)
    require_rows(stored, opened.rows)
    for group in range(opened.groups):
        ids = opened.read([group], columns=["run_id"]).column("run_id").to_numpy()
        changes = np.flatnonzero(ids[1:] != ids[:-1]) + 1
        bounds = [0, *changes.tolist(), len(ids)] if len(ids) else []
        for start, stop in pairwise(bounds):
            yield str(ids[start]), Stretch(number, group, start, stop)
