"""Results to one HTML file that needs no network and allows none."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchkit.errors import UsageError
from benchkit.figures.inline_svg import inline_svg, symbols
from benchkit.figures.interactive import CONFIG, TOKENS, plotly_figure, template
from benchkit.report import assets
from benchkit.report.build import page_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchkit.figures import Chart
    from benchkit.results import Results


def render(results: Results, *, title: str | None = None, baseline: str | None = None) -> str:
    """Return the report as one page; the same results give the same characters.

    Args:
        results: The runs.
        title: Heading of the page; by default the scenarios' names.
        baseline: As for `benchkit.compare.compare`.

    Raises:
        UsageError: `baseline` matches nothing.
    """
    page, charts = page_view(results, title=title, baseline=baseline)
    loader = assets.template("report.js").strip()
    library = assets.plotly_js() if charts else ""
    return str(
        _environment()
        .get_template("report.html.j2")
        .render(
            page=page,
            stills=[inline_svg(one) for one in charts],
            symbols=symbols(),
            style=assets.style(),
            loader=loader,
            data=assets.packed(figure_data(charts)) if charts else "",
            library=assets.packed_plotly_js() if library else "",
            policy=_policy(loader, library),
        )
    )


def write(
    results: Results, path: str | Path, *, title: str | None = None, baseline: str | None = None
) -> Path:
    """Write the report; a failure leaves whatever was there before.

    Returns:
        The path of the report.

    Raises:
        UsageError: `baseline` matches nothing, or the file cannot be written.
    """
    target = Path(path)
    text = render(results, title=title, baseline=baseline)
    try:
        _replace(target, text.encode("utf-8"))
    except OSError as error:
        msg = f"cannot write {target}: {error.strerror or error}"
        raise UsageError(msg) from error
    return target


def _replace(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(_mode())
        Path(temporary).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _mode() -> int:
    """Return the mode of a new file: mkstemp's is for the owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def figure_data(charts: Sequence[Chart]) -> str:
    """Return the figures as JSON."""
    figures = [_interned(plotly_figure(chart, theme=None)) for chart in charts]
    return json.dumps(
        {"config": dict(CONFIG), "figures": figures, "template": template(TOKENS)},
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
        ensure_ascii=False,
    )


def _interned(figure: dict[str, Any]) -> dict[str, Any]:
    """Return the figure with each hover text once: variants share the text of a percentile."""
    texts: dict[str, int] = {}

    def number(text: str | list[str]) -> int | list[int]:
        if isinstance(text, str):
            return texts.setdefault(text, len(texts))
        return [texts.setdefault(one, len(texts)) for one in text]

    data = [
        trace
        | (
            {"hovertext": [number(text) for text in trace["hovertext"]]}
            if "hovertext" in trace
            else {}
        )
        for trace in figure["data"]
    ]
    return figure | {"data": data, "texts": list(texts)}


def _policy(loader: str, library: str) -> str:
    scripts = " ".join(f"'{assets.source_hash(s)}'" for s in (loader, library) if s)
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _environment() -> Any:  # noqa: ANN401 - jinja2 is imported late
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        autoescape=True,
        loader=FunctionLoader(assets.template),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
