"""Results to one HTML file that needs no network and allows none."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchkit.errors import UsageError
from benchkit.figures.inline_svg import inline_svg, symbols, unquoted
from benchkit.report import assets
from benchkit.report.build import page_view
from benchkit.report.content import content

if TYPE_CHECKING:
    from benchkit.results import Results


def render(
    results: Results, *, title: str | None = None, baseline: str | None = None, command: str = ""
) -> str:
    """Return the report as one page; the same results give the same characters.

    Args:
        results: The runs.
        title: Heading of the page; by default the scenarios' names.
        baseline: As for `benchkit.compare.compare`.
        command: The command line that makes this page, which then stands on it.

    Raises:
        UsageError: `baseline` matches nothing.
    """
    page, charts = page_view(results, title=title, baseline=baseline, command=command)
    boot, code = assets.script("boot.js"), assets.script("page.js", "report.js")
    library = assets.plotly_js() if charts else ""
    templates = _environment()
    cells = any(panel.cells for chart in charts for panel in chart.panels)
    own = [one.answer for one in page.sections]
    slots = [figure for one in own for figure in (one.main, *one.figures) if figure]
    return str(
        templates.get_template("report.html.j2").render(
            page=page,
            stills={one.number: unquoted(inline_svg(charts[one.number])) for one in slots},
            symbols=symbols(),
            style=assets.style(cells=cells),
            dark_style=assets.dark_style(cells=cells),
            boot=boot,
            content=assets.packed(content(page, charts, code=code, templates=templates)),
            library=assets.packed_plotly_js() if library else "",
            policy=_policy(boot, code, library),
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


def _policy(*scripts: str) -> str:
    allowed = " ".join(f"'{assets.source_hash(one)}'" for one in scripts if one)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
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
