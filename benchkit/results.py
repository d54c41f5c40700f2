"""The bundle of tables that everything after reading works on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from benchkit.errors import UsageError
from benchkit.schema import REQUESTS, TABLES, Table

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.figures.drawing import Drawing

#: Yields dataframes of the table `requests` for one run.
RequestsReader = Callable[[], Iterator["pd.DataFrame"]]

_SHOWN: Final = 16  # runs in a notebook, half of them the last ones


@dataclass
class Results:
    """All tables of some runs; see `benchkit schema` for what is in them.

    Each table is an attribute with a pandas dataframe: `runs`, `quantiles`,
    `figures`, `latencies`, `histogram`, `timeline`, `statuses`, `errors`,
    `resources`, `files`, `notes`. Requests are read only when asked for.
    """

    tables: Mapping[str, pd.DataFrame]
    readers: Mapping[str, RequestsReader] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        rows: Mapping[str, Iterable[Mapping[str, Any]]],
        readers: Mapping[str, RequestsReader] | None = None,
        columns: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
    ) -> Results:
        """Return validated results from rows, or columns, per table; absent tables are empty."""
        given = columns or {}
        tables = {
            name: table.of_columns(given[name])
            if name in given
            else table.frame(rows.get(name, ()))
            for name, table in TABLES.items()
            if table is not REQUESTS
        }
        return cls(tables, readers or {})

    def __getattr__(self, name: str) -> pd.DataFrame:
        tables = self.__dict__.get("tables", {})
        if name in tables:
            return tables[name]  # type: ignore[no-any-return]
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(self.tables["runs"])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.tables]

    def __repr__(self) -> str:
        runs = self.tables["runs"]
        tools = ", ".join(sorted(runs["tool"].unique()))
        return f"<benchkit results: {len(runs)} runs ({tools})>"

    def _repr_html_(self) -> str:
        shown = [
            *("requests", "throughput_rps", "latency_p50_s", "latency_p99_s"),
            *("latency_max_s", "success_ratio"),
        ]
        runs = self.tables["runs"].set_index("label")[shown].dropna(axis="columns", how="all")
        table = runs.to_html(max_rows=_SHOWN, float_format=_figure)
        return f"<p>{escape(repr(self)[1:-1])}</p>{table}"

    def requests(self, run_id: str | None = None) -> pd.DataFrame:
        """Return the table `requests`, of one run or of all that have it.

        Raises:
            UsageError: there is no such run, or it has no row per request.
        """
        import pandas as pd

        parts = [frame for one in self._with_requests(run_id) for frame in self.readers[one]()]
        return pd.concat(parts, ignore_index=True) if parts else REQUESTS.frame()

    def request_parts(self) -> Iterator[pd.DataFrame]:
        """Yield the table `requests` piece by piece, in the order of the runs."""
        for run_id in self._with_requests(None):
            yield from self.readers[run_id]()

    def select(
        self,
        *,
        scenario: str | Sequence[str] | None = None,
        variant: str | Sequence[str] | None = None,
        run_ids: Iterable[str] | None = None,
    ) -> Results:
        """Return the results of some runs only; `files` stays whole.

        Raises:
            UsageError: a scenario or variant that no run has.
        """
        runs = self.tables["runs"]
        for column, wanted in (("scenario", scenario), ("variant", variant)):
            if wanted:
                names = [wanted] if isinstance(wanted, str) else list(wanted)
                _known(names, runs[column], column)
                runs = runs[runs[column].isin(names)]
        if run_ids is not None:
            runs = runs[runs["run_id"].isin(list(run_ids))]
        kept = set(runs["run_id"])
        tables = {"runs": runs.reset_index(drop=True)}
        for name, frame in self.tables.items():
            if name != "runs":
                inside = frame["run_id"].isin(kept) if "run_id" in frame else None
                tables[name] = frame if inside is None else frame[inside].reset_index(drop=True)
        return Results(tables, {k: v for k, v in self.readers.items() if k in kept})

    def compare(
        self,
        *,
        baseline: str | None = None,
        metrics: Sequence[str] = (),
        slo: str | Sequence[str] = (),
        trim_start_s: float = 0.0,
        effect: float = 0.05,
    ) -> pd.DataFrame:
        """Return which variant is better, how sure that is, and what more runs would settle.

        Args:
            baseline: A variant, `scenario/variant` or a label; by default the first variant.
            metrics: Names such as `p95`; each is tested. By default the primary ones are.
            slo: Bounds such as `p99<50ms`: the highest throughput within all is compared.
            trim_start_s: So much of the start of each run is left out.
            effect: The difference that more runs should be able to find, 0.05 for 5 %.

        Returns:
            A row per scenario, variant and metric, as `benchkit compare --format json` has it.

        Raises:
            UsageError: an unknown baseline, metric or bound, or nothing that can be trimmed.
        """
        from benchkit.compare.inference import Options, infer
        from benchkit.compare.rows import frame
        from benchkit.compare.slo import objective

        bounds = [slo] if isinstance(slo, str) else slo
        options = Options(
            metrics=tuple(metrics),
            objectives=tuple(objective(text) for text in bounds),
            trim_start_s=trim_start_s,
            effect=effect,
        )
        return frame(infer(self, baseline=baseline, options=options))

    def plot(
        self, kind: str, *, baseline: str | None = None, theme: Literal["light", "dark"] = "light"
    ) -> Drawing:
        """Return a figure, which a notebook shows.

        Args:
            kind: As `benchkit plot --kind` has it: percentiles, sweep, costs, matrix, throughput,
                runs, heatmap, ridges, endpoints, resources, ecdf or histogram.
            baseline: As for `compare`.
            theme: Light or dark.

        Raises:
            UsageError: no such kind or baseline, or no run has the data for it.
        """
        from benchkit.figures import charts
        from benchkit.figures.drawing import Drawing

        return Drawing(tuple(charts(self, kind, baseline=baseline)), theme)

    def shift(self, baseline: str, variant: str) -> pd.DataFrame:
        """Return how much slower one run is than another, at each decile and in the tail.

        It describes these two runs: two further ones of the same variants may differ more.

        Args:
            baseline: `run_id` or label of one run.
            variant: `run_id` or label of the other.

        Returns:
            A row per quantile: quantile, baseline_s, variant_s, difference_s, and low_s and
            high_s, a band of 95 % over all of them at once, NA where a run is too short for it.
            No row where a run has no row per request.

        Raises:
            UsageError: there is no such run.
        """
        import pandas as pd

        from benchkit.compare.shift import shift_function

        pair = [self._run_id(name) for name in (baseline, variant)]
        names = ("quantile", "baseline_s", "variant_s", "difference_s", "low_s", "high_s")
        rows = [[getattr(one, name) for name in names] for one in shift_function(self, *pair)]
        return pd.DataFrame(rows, columns=names).astype("Float64")

    def save(self, folder: str | Path) -> None:
        """Write every table as `<table>.parquet` into a folder; requests are left out."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name, frame in self.tables.items():
            frame.to_parquet(target / f"{name}.parquet", index=False)

    @classmethod
    def open(cls, folder: str | Path) -> Results:
        """Return results that `save` wrote.

        Raises:
            UsageError: a table is missing or not of this version's schema.
        """
        import pandas as pd

        tables = {}
        for name, table in TABLES.items():
            if table is REQUESTS:
                continue
            try:
                tables[name] = _typed(table, pd.read_parquet(Path(folder) / f"{name}.parquet"))
            except (OSError, ValueError, KeyError) as error:
                msg = f"{folder}: no saved table '{name}' of this version: {error}"
                raise UsageError(msg) from error
        return cls(tables)

    def params(self) -> list[dict[str, Any]]:
        """Return the further factors of each run, in the order of `runs`."""
        texts = self.tables["runs"]["params"]
        return [json.loads(text) if isinstance(text, str) else {} for text in texts]

    def findings(self) -> pd.DataFrame:
        """Return what speaks against believing the figures, a row each; see `docs/checks.md`.

        Columns: check, severity (info, warning, error), title, scenario, tool, variant, run_id,
        label, run_ids, message, advice, values (a dict, in base units), touches (columns of
        `runs`) and withheld (columns of `runs` not to be shown, with the reason).
        """
        from benchkit.validity import findings, frame

        return frame(findings(self))

    def _with_requests(self, run_id: str | None) -> list[str]:
        runs = self.tables["runs"]
        if run_id is None:
            return [one for one in runs["run_id"] if one in self.readers]
        known = self._run_id(run_id)
        if known not in self.readers:
            raise UsageError(f"run '{run_id}' has no row per request")
        return [known]

    def _run_id(self, name: str) -> str:
        runs = self.tables["runs"]
        known = runs[(runs["run_id"] == name) | (runs["label"] == name)]["run_id"].tolist()
        if not known:
            raise UsageError(f"no run '{name}'")
        return str(known[0])


def _known(names: Iterable[str], column: pd.Series[str], what: str) -> None:
    there = sorted(set(column.dropna()))
    for name in names:
        if name not in there:
            msg = f"no {what} '{name}'; there are: {', '.join(there) or 'none'}"
            raise UsageError(msg)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _typed(table: Table, frame: pd.DataFrame) -> pd.DataFrame:
    typed = frame[list(table.names)].astype({c.name: c.dtype for c in table.columns})
    table.validate(typed)
    return typed
