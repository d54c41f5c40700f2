"""The tables of some runs as attributes, shaped for who works with pandas."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from benchkit import schema
from benchkit.errors import UsageError, nearest
from benchkit.model.run import Run
from benchkit.model.tables import frame_of
from benchkit.schema import QUANTILES, REQUESTS, RUNS

if TYPE_CHECKING:
    import pandas as pd

#: Columns of one object; runs that all have names of their own would make a table of runs by runs.
_MOST_COLUMNS: Final = 256


class Tables:
    """Some runs as tables; every attribute of it is a dataframe, made when first asked for."""

    def __init__(
        self,
        runs: Iterable[Run],
        files: Iterable[Mapping[str, Any]] = (),
        naming: Iterable[str] = (),
        inputs: Iterable[str] = (),
    ) -> None:
        self._runs = tuple(runs)
        self._files = tuple(files)
        self._naming = tuple(naming)
        self._inputs = tuple(inputs)
        self._frames: dict[str, pd.DataFrame] = {}

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def runs(self) -> pd.DataFrame:
        """A row per run: the columns of the schema, then `param_…` and `environment_…`.

        These have what is in the JSON objects `params` and `environment`, each of its kind:
        `param_concurrency` is a number where all levels are; of nested objects the names are
        joined by a point. Of either there are at most 256, those that most runs have.
        """
        return self._frame("runs")

    @property
    def quantiles(self) -> pd.DataFrame:
        """A row per run and quantile: as printed, or else as computed of the requests.

        `table("quantiles")` has both where both are known.
        """
        return self._frame("quantiles")

    @property
    def figures(self) -> pd.DataFrame:
        """A row per printed figure that has no column of its own."""
        return self._frame("figures")

    @property
    def latencies(self) -> pd.DataFrame:
        """A row per fine latency bin of one outcome of one run."""
        return self._frame("latencies")

    @property
    def histogram(self) -> pd.DataFrame:
        """A row per latency bin of one time slice of one endpoint and outcome of one run."""
        return self._frame("histogram")

    @property
    def timeline(self) -> pd.DataFrame:
        """A row per second of one run."""
        return self._frame("timeline")

    @property
    def statuses(self) -> pd.DataFrame:
        """A row per status code of one run."""
        return self._frame("statuses")

    @property
    def errors(self) -> pd.DataFrame:
        """A row per distinct error of one run."""
        return self._frame("errors")

    @property
    def resources(self) -> pd.DataFrame:
        """A row per sample of one process during one run."""
        return self._frame("resources")

    @property
    def files(self) -> pd.DataFrame:
        """A row per file that was looked at, with what became of it."""
        return self._frame("files")

    @property
    def notes(self) -> pd.DataFrame:
        """A row per remark about how a run was read."""
        return self._frame("notes")

    @property
    def sources(self) -> tuple[Mapping[str, Any], ...]:
        """Rows of the table `files`."""
        return self._files

    @property
    def naming(self) -> tuple[str, ...]:
        """How names were understood, a line each; none where metadata name every run."""
        return self._naming

    @property
    def inputs(self) -> tuple[str, ...]:
        """Paths of the outputs, and where files that describe them may lie; `-` for stdin."""
        return self._inputs

    def table(self, name: str) -> pd.DataFrame:
        """Return a table exactly as its schema has it, as `benchkit export` writes it.

        Other than the attributes, `runs` then has no columns `param_…` and `environment_…`, and
        `quantiles` has a row for what was printed and one for what was computed.

        Raises:
            UsageError: there is no such table.
        """
        if schema.table(str(name)) is REQUESTS:
            return self.requests()
        return frame_of(name, self._runs, self._files)

    def requests(self, run_id: str | None = None) -> pd.DataFrame:
        """Return the table `requests`, of one run or of all that have it.

        Raises:
            UsageError: there is no such run, or it has no row per request.
        """
        import pandas as pd

        parts = [part for run in self._with_requests(run_id) for part in _request_parts(run)]
        return pd.concat(parts, ignore_index=True) if parts else REQUESTS.frame()

    def request_parts(self) -> Iterator[pd.DataFrame]:
        """Yield the table `requests` piece by piece, in the order of the runs."""
        for run in self._with_requests(None):
            yield from _request_parts(run)

    @property
    def has_requests(self) -> bool:
        """Whether any run has a row per request."""
        return any(run.requests is not None for run in self)

    def _with_requests(self, name: str | None) -> list[Run]:
        if name is None:
            return [run for run in self if run.requests is not None]
        run = self._run(name)
        if run.requests is None:
            raise UsageError(f"run '{name}' has no row per request")
        return [run]

    def _run(self, name: str) -> Run:
        named = [run for run in self if name in (run.run_id, run.label)]
        if not named:
            raise _unknown_run(name, self)
        return named[0]

    def _frame(self, name: str) -> pd.DataFrame:
        if name not in self._frames:
            make = _VIEWS.get(name)
            self._frames[name] = (
                make(self._runs) if make else frame_of(name, self._runs, self._files)
            )
        return self._frames[name]


def _runs(runs: Sequence[Run]) -> pd.DataFrame:
    import pandas as pd

    frame = frame_of(RUNS.name, runs, ())
    objects = {
        "param": [_flat(run.params) for run in runs],
        "environment": [_flat(run.environment) for run in runs],
    }
    by_key = {
        f"{prefix}_{name}": pd.Series(
            [values.get(name) for values in listed], dtype=object
        ).convert_dtypes()
        for prefix, listed in objects.items()
        for name in _names(listed)
    }
    return pd.concat([frame, pd.DataFrame(by_key, index=frame.index)], axis="columns")


def _names(objects: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names in the objects in order of appearance; of very many the most frequent."""
    counts = Counter(name for values in objects for name in values)
    kept = {name for name, _ in counts.most_common(_MOST_COLUMNS)}
    return [name for name in counts if name in kept]


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object without objects in it; what is a list becomes JSON.

    Texts are such as every encoder takes, which JSON's need not be.
    """
    flat: dict[str, Any] = {}
    waiting = [("", values)]
    while waiting:
        before, part = waiting.pop()
        for name, value in part.items():
            if isinstance(value, dict):
                waiting.append((f"{before}{name}.", value))
            else:
                text = json.dumps(value) if isinstance(value, list) else value
                flat[_encodable(before + name)] = (
                    _encodable(text) if isinstance(text, str) else text
                )
    return flat


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _quantiles(runs: Sequence[Run]) -> pd.DataFrame:
    return QUANTILES.frame(
        {"run_id": run.run_id, **quantile._asdict()}
        for run in runs
        for quantile in run.known_quantiles
    )


def _unknown_run(name: str, runs: Iterable[Run]) -> UsageError:
    near = nearest(str(name), (run.label for run in runs))
    return UsageError(f"no run '{name}'" + (near and f"; {near}"))


def _request_parts(run: Run) -> Iterator[pd.DataFrame]:
    return iter(()) if run.requests is None else run.requests()


_VIEWS: Final = {"runs": _runs, "quantiles": _quantiles}
