"""What users import: `load`, and the `Results` that it returns."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from benchkit.errors import NothingToReportError, UsageError, nearest, unknown
from benchkit.model.bounds import require_possible
from benchkit.model.run import RequestsReader, Run
from benchkit.model.saved import saved_runs
from benchkit.model.tables import runs_of, variants_apart
from benchkit.model.views import Tables
from benchkit.output import path_text, spare, writable
from benchkit.schema import FILES, Table
from benchkit.stats import MARGIN

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.figures.drawing import Drawing
    from benchkit.ingest.engines import Engine
    from benchkit.ingest.progress import Progress

_MOST_SHOWN: Final = 16  # runs in a notebook, half of them the last ones


def load(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    names: str | Sequence[str] = (),
    scenario: str | None = None,
    ignore: str | Sequence[str] = (),
    show_secrets: bool = False,
    hashes: bool = True,
    progress: Callable[[Progress], None] | None = None,
    engine: Literal["serial", "dask"] | Engine = "serial",
    scheduler: str | None = None,
) -> Results:
    """Read files and folders of load-generator outputs into one schema.

    Args:
        paths: A file, a folder, a glob, or several; `label=path` names what is in it,
            `-` is standard input.
        names: How files are named, such as `{variant}_c{connections}_{repeat}.txt`; of
            several the first that fits.
        scenario: The scenario of the runs, where names tell none.
        ignore: Globs of files to leave alone.
        show_secrets: Keep credentials in commands, URLs and messages.
        hashes: Tell the SHA-256 of files above 16 MB too, which may take as long as
            reading them; of smaller ones it is always told.
        progress: Called before each file, and several times a second while a large
            one is read.
        engine: Who reads the files: this process, or the workers of a Dask cluster, which need
            benchkit and the same paths; or one of `benchkit.ingest.engines`.
        scheduler: The address of the cluster's scheduler; without one a cluster is started here
            for this call, which like all of `multiprocessing` a script may do only below
            `if __name__ == "__main__":`.

    Returns:
        The results; what could not be read stands in `files` with the reason.

    Raises:
        NothingToReportError: not one run was found; the message says why.
        UsageError: `paths` are no paths, or name standard input twice; a pattern or a glob fits
            nothing.
        InputError: what is configured in `benchkit.toml` or `pyproject.toml` makes no sense.
    """
    from benchkit.datasets.arguments import named_in
    from benchkit.ingest import listed_paths, read
    from benchkit.ingest.config import Config
    from benchkit.ingest.engines import engine_named

    if progress is not None and not callable(progress):
        raise UsageError(f"progress: expected a function, not {progress!r:.40}")
    if isinstance(engine, str):
        engine = engine_named(engine, scheduler=_text(scheduler))
    elif not callable(getattr(engine, "outcomes", None)):
        raise UsageError(f"engine: expected 'serial', 'dask' or an engine, not {engine!r:.40}")
    scenario = _text(scenario)
    listed = listed_paths(paths)
    datasets = {at: named for at, path in enumerate(listed) if (named := named_in(path))}
    others = {at: path for at, path in enumerate(listed) if at not in datasets}
    config = Config(_texts(names), scenario, _texts(ignore))
    if others or not datasets:
        reading = read(
            list(others.values()),
            config=config,
            show_secrets=show_secrets,
            hashes=hashes,
            progress=progress,
            engine=engine,
        )
    if datasets:
        from benchkit.datasets.reading import read_beside

        parts = {min(others): reading} if others else {}
        reading = read_beside(datasets, parts, scenario=scenario)
    return Results(reading.runs, reading.files, reading.naming, reading.inputs)


def report(
    results: Results | str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    path: str | os.PathLike[str] = "report.html",
    *,
    title: str | None = None,
    baseline: str | None = None,
    format: Literal["html", "markdown"] | None = None,  # noqa: A002 - as the option is called
    margin: float = MARGIN,
    looks: int = 1,
    each_run: bool = False,
    show_secrets: bool = False,
) -> Path:
    """Write the page that compares runs, or Markdown, as `benchkit report` does.

    Args:
        results: What `load` returned, or the paths to load; of paths the report is the very one
            that the command writes, of results it lacks the command line.
        path: The file to write.
        title: The heading; by default the scenarios' names.
        baseline: A variant, `scenario/variant` or a label; by default the one that metadata name,
            that is called so (`before`, `main`), of the least level, or the first.
        format: By default what the name of the file ends in (`.md`, `.markdown`), or a page.
        margin: Differences up to it count as none, 0.03 for 3 %.
        looks: How often the runs are looked at, as planned before the first look.
        each_run: Offer to leave out each run of scenarios of any size; takes longer and makes a
            larger page. By default single runs are offered of up to 24.
        show_secrets: Keep credentials in commands, URLs and messages.

    Returns:
        The path of what was written.

    Raises:
        UsageError: no such baseline or format, or the file is an input or cannot be written.
        NothingToReportError: not one run was found.
    """
    from benchkit.compare.assess import Options
    from benchkit.report.document import command_of, document, form_of, write

    baseline, title = _text(baseline), _text(title)
    writable(path)
    form, command = format or form_of(path), ""
    if not isinstance(results, Results):
        named = [results] if isinstance(results, str | bytes | os.PathLike) else results
        if not isinstance(named, Iterable):
            raise UsageError(f"expected results, a path or several, not {results!r:.40}")
        paths = [path_text(name) for name in named]
        asked = {
            "title": title,
            "baseline": baseline,
            "margin": None if margin == MARGIN else f"{100 * margin:g}%",
            "looks": None if looks == 1 else str(looks),
            "each-run": each_run,
            "format": None if form == "html" else form,
        }
        results, command = load(paths, show_secrets=show_secrets), command_of(paths, asked)
    if not len(results):
        raise NothingToReportError("no run to report on")
    spare(results.inputs, path)
    text = document(
        results,
        form=form,
        title=title,
        baseline=baseline,
        options=Options(margin=margin, looks=looks),
        command=command,
        each_run=each_run,
        show_secrets=show_secrets,
    )
    write(text, path)
    return Path(path)


class Results(Tables):
    """Some runs, as tables; see `benchkit schema` for what is in them.

    Each table is an attribute with a pandas dataframe: `runs`, `quantiles`,
    `figures`, `latencies`, `histogram`, `timeline`, `statuses`, `errors`,
    `resources`, `files`, `notes`. Requests are read only when asked for.
    A loop over the results gives the runs in memory.
    """

    @classmethod
    def from_tables(
        cls,
        rows: Mapping[str, Iterable[Mapping[str, Any]]],
        readers: Mapping[str, RequestsReader] | None = None,
    ) -> Results:
        """Return validated results from rows per table; absent tables are empty."""
        listed = {name: list(part) for name, part in rows.items()}
        files = [FILES.record(row) for row in listed.pop("files", ())]
        return cls(runs_of(listed, readers), files)

    if not TYPE_CHECKING:  # to a type checker every name would be one

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - there is none
            near = "" if name.startswith("_") else nearest(name, _public(self))
            message = f"benchkit results have no attribute '{name}'"
            raise AttributeError(message + (near and f"; {near}"))

    def __repr__(self) -> str:
        tools = ", ".join(sorted({run.tool for run in self}))
        return f"<benchkit results: {len(self)} runs ({tools})>"

    def _repr_html_(self) -> str:
        shown = [
            *("requests", "throughput_rps", "latency_p50_s", "latency_p99_s"),
            *("latency_max_s", "success_ratio"),
        ]
        runs = self.runs.set_index("label")[shown].dropna(axis="columns", how="all")
        table = runs.to_html(max_rows=_MOST_SHOWN, float_format=_number)
        return f"<p>{escape(repr(self)[1:-1])}</p>{table}"

    def select(
        self,
        *,
        scenario: str | Sequence[str] | None = None,
        variant: str | Sequence[str] | None = None,
        run_ids: Iterable[str] | None = None,
        without: str | Iterable[str] | None = None,
    ) -> Results:
        """Return the results of some runs only; `files` stays whole.

        A variant is chosen with its declared copy, or the copy alone as `runs` calls it. Runs
        are left out by label or `run_id`.

        Raises:
            UsageError: a scenario, variant or run that is not there.
        """
        kept = self._runs
        if scenario is not None:
            names = _texts(scenario)
            _check_names(names, {run.scenario for run in kept}, "scenario")
            kept = tuple(run for run in kept if run.scenario in names)
        if variant is not None:
            names = _texts(variant)
            pairs = zip(kept, variants_apart(kept), strict=True)
            known = [{run.get("variant"), name} for run, name in pairs]
            _check_names(names, {name for each in known for name in each}, "variant")
            kept = tuple(run for run, each in zip(kept, known, strict=True) if each & {*names})
        if run_ids is not None:
            ids = {*_texts(run_ids)}
            _check_names(ids, {run.run_id for run in self._runs}, "run")
            kept = tuple(run for run in kept if run.run_id in ids)
        left = {self._run(name).run_id for name in _texts(() if without is None else without)}
        kept = tuple(run for run in kept if run.run_id not in left)
        return Results(kept, self._files, self._naming, self._inputs)

    def compare(
        self,
        *,
        baseline: str | None = None,
        metric: str | Sequence[str] = (),
        slo: str | Sequence[str] = (),
        trim_start: float | str = 0.0,
        effect: float = 0.05,
        margin: float = MARGIN,
        looks: int = 1,
    ) -> pd.DataFrame:
        """Return which variant is better, how sure that is, and what more runs would settle.

        Args:
            baseline: A variant, `scenario/variant` or a label; by default the one that
                metadata name, that is called so (`before`, `main`), of the least level, or the
                first.
            metric: A name such as `p95`, or several; each is tested. By default the primary
                ones are.
            slo: Bounds such as `p99<50ms`: the highest throughput within all is compared.
            trim_start: So much of the start of each run is left out: seconds, or a text such as
                `500ms`.
            effect: The difference that more runs should be able to find, 0.05 for 5 %.
            margin: Differences up to it count as none, 0.03 for 3 %.
            looks: How often the runs are looked at, as planned before the first look.

        Returns:
            A row per scenario, variant and metric, as `benchkit compare --format json` has it.

        Raises:
            UsageError: an unknown baseline, metric or bound, or nothing that can be trimmed.
        """
        from benchkit.compare.assess import Options, assess
        from benchkit.compare.slo import objective
        from benchkit.compare.trim import start_s
        from benchkit.report.records import effect_frame

        options = Options(
            metrics=_texts(metric),
            objectives=tuple(objective(text) for text in _texts(slo)),
            trim_start_s=start_s(trim_start),
            effect=effect,
            margin=margin,
            looks=looks,
        )
        return effect_frame(assess(self, baseline=_text(baseline), options=options))

    def check(
        self,
        rules: str | Sequence[str],
        *,
        baseline: str | Iterable[Run] | None = None,
    ) -> pd.DataFrame:
        """Return what comes of rules that must hold; see `docs/gates.md`.

        Args:
            rules: Such as `p99<250ms`, or against the baseline `p99<+5%`; all that are given
                together are one family.
            baseline: A variant, `scenario/variant` or a label; or runs of the same scenarios and
                variants made earlier, as `benchkit.history.baseline("STORE@main")` returns them.

        Returns:
            A row per rule and variant, as `benchkit check --format json` has it: `verdict` is
            passed, failed, inconclusive, missing or skipped, for the `reason`; `measured`,
            `ci_low` and `ci_high` are in the unit of `limit`, of a relative rule ratios.

        Raises:
            UsageError: what is no rule, an unknown baseline, or a relative rule without any.
        """
        from benchkit.gates import Conditions, gate
        from benchkit.gates.baseline import Stored
        from benchkit.gates.rule import rule
        from benchkit.report.gates import gate_frame

        asked = tuple(rule(text) for text in _texts(rules))
        if baseline is None or isinstance(baseline, str):
            return gate_frame(gate(self, Conditions(asked, baseline=baseline)))
        if not isinstance(baseline, Iterable):
            raise UsageError(f"expected a variant or runs as the baseline, not {baseline!r:.40}")
        runs = tuple(baseline)
        for run in runs:
            if not isinstance(run, Run):
                raise UsageError(f"expected a variant or runs as the baseline, not {run!r:.40}")
        stored = Stored("the baseline", runs)
        return gate_frame(gate(self, Conditions(asked, stored=stored)))

    def plot(
        self,
        kind: str,
        *,
        baseline: str | None = None,
        select: str | Sequence[str] = (),
        metric: str | None = None,
        panels: str | Sequence[str] = (),
        ratio: bool = True,
        title: str | None = None,
        subtitle: str | None = None,
        caption: bool | None = None,
        width: float | None = None,
        height: float | None = None,
        dpi: int | None = None,
        theme: Literal["light", "dark"] = "light",
        purpose: str = "readme",
    ) -> Drawing:
        """Return a figure, which a notebook shows; it has `save`, `matplotlib` and `plotly`.

        Args:
            kind: As `benchkit plot --kind` has it: percentiles, sweep, costs, matrix, throughput,
                runs, heatmap, ridges, endpoints, resources, ecdf or histogram.
            baseline: As for `compare`.
            select: Scenarios, variants or labels; only these are compared and drawn.
            metric: Of runs, matrix and sweep the one metric shown, such as `p95`; of costs
                `cpu_per_request` or `rss`.
            panels: The only panels drawn: latency, ratio, throughput, p99, …
            ratio: Whether the panel of ratios to the baseline is drawn.
            title: In place of the observation; empty for none.
            subtitle: A line below the title.
            caption: Whether what the runs and the marks are stands below; by default in images
                that bear their title.
            width: In inches.
            height: Of each figure, in inches.
            dpi: Pixels per inch of a PNG, 150 by default.
            theme: Light or dark.
            purpose: readme, paper or paper-double: size and text of an image.

        Raises:
            UsageError: no such kind, baseline, metric, panel or name, no such size, or no run has
                the data for it.
        """
        from benchkit.figures.drawing import drawing
        from benchkit.figures.options import FigureOptions

        options = FigureOptions(
            theme=theme,
            purpose=purpose,
            title=_text(title),
            subtitle=_text(subtitle),
            caption=None if caption is None else _flag(caption, "caption"),
            width=width,
            height=height,
            dpi=dpi,
            metric=_text(metric),
            panels=_texts(panels),
            ratio=_flag(ratio, "ratio"),
        )
        return drawing(
            self, *_texts(kind), baseline=_text(baseline), select=_texts(select), options=options
        )

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

        pair = [self._run(name) for name in (baseline, variant)]
        names = ("quantile", "baseline_s", "variant_s", "difference_s", "low_s", "high_s")
        rows = [[getattr(shift, name) for name in names] for shift in shift_function(*pair)]
        return pd.DataFrame(rows, columns=names).astype("Float64")

    def findings(self) -> pd.DataFrame:
        """Return what speaks against believing the figures, a row each; see `docs/checks.md`.

        Columns: check, severity (info, warning, error), title, scenario, tool, variant, run_id,
        label, run_ids, message, advice, values (a dict, in base units), touches (columns of
        `runs`), withheld (columns of `runs` not to be shown, with the reason), forbids (why no
        verdict may rest on it, empty where one may) and spans (by `run_id` from where to where,
        of what keeps variants apart).
        """
        from benchkit.validity import findings, frame

        return frame(findings(self))

    def ingest(self, dataset: str | os.PathLike[str], *, requests: bool = False) -> int:
        """Write a dataset, which `load` reads in place of the files: see `docs/datasets.md`.

        Args:
            dataset: A folder, which is made; if it is there, it is empty or a dataset, to which
                the runs are added.
            requests: Keep a row per request, too.

        Returns:
            How many runs were not there before.

        Raises:
            UsageError: the folder holds something else, or cannot be written to.
            InputError: the dataset that is there cannot be read.
        """
        from benchkit.datasets.writing import write
        from benchkit.ingest.combination import Reading

        reading = Reading(self._runs, self._files, self._naming)
        return write(reading, path_text(dataset), requests=requests)

    @classmethod
    def from_saved(cls, frames: Mapping[str, pd.DataFrame], where: str) -> Results:
        """Return results from saved tables, of this or another version.

        Absent tables and columns are empty, and columns that are not known are left out.

        Args:
            frames: By the name of the table; without `requests`.
            where: What an error says that they were read from.

        Raises:
            UsageError: they are no tables of the schema.
        """

        def known(table: Table) -> pd.DataFrame:
            saved = frames.get(table.name)
            if saved is None:
                return table.frame()
            typed = table.typed(saved)
            require_possible(table, typed)
            return typed

        return cls(*saved_runs(known, where))


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise UsageError(f"expected a text, not {value!r:.40}")


def _flag(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return value
    raise UsageError(f"{name}: expected True or False, not {value!r:.40}")


def _texts(value: object) -> tuple[str, ...]:
    texts: tuple[object, ...] = (value,)
    if isinstance(value, Iterable) and not isinstance(value, str):
        texts = tuple(value)
    for text in texts:
        if not isinstance(text, str):
            raise UsageError(f"expected a text or several, not {text!r:.40}")
    return cast("tuple[str, ...]", texts)


def _public(value: object) -> list[str]:
    return [name for name in dir(value) if not name.startswith("_")]


def _check_names(names: Iterable[str], known: Iterable[str | None], what: str) -> None:
    there = sorted({name for name in known if name is not None})
    for name in names:
        if name not in there:
            raise unknown(what, name, there)


def _number(value: float) -> str:
    if 0.9999 < value < 1:  # a share that is not all
        return f"{min(value, 0.999999):.6f}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
