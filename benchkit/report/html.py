"""An assessment to one HTML page that needs no network and allows none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchkit.figures.inline_svg import inline_svg, symbols, unquoted
from benchkit.report import assets
from benchkit.report.build import page_view
from benchkit.report.content import content

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment


def render(
    assessment: Assessment,
    files: Sequence[Mapping[str, Any]] = (),
    *,
    title: str | None = None,
    command: str = "",
    naming: Sequence[str] = (),
) -> str:
    """Return the report as one page; the same runs give the same characters.

    Args:
        assessment: Of the runs.
        files: Rows of the table `files`.
        title: Heading of the page; by default the scenarios' names.
        command: The command line that makes this page, which then stands on it.
        naming: How names were understood.
    """
    page, charts = page_view(assessment, files, title=title, command=command, naming=naming)
    boot, code = assets.script("boot.js"), assets.script("page.js", "report.js")
    library = assets.plotly_js() if charts else ""
    templates = environment()
    cells = any(panel.cells for chart in charts for panel in chart.panels)
    own = [section.answer for section in page.sections]
    slots = [figure for answer in own for figure in (answer.main, *answer.figures) if figure]
    return str(
        templates.get_template("report.html.j2").render(
            page=page,
            stills={slot.number: unquoted(inline_svg(charts[slot.number])) for slot in slots},
            symbols=symbols(),
            style=assets.style(cells=cells),
            dark_style=assets.dark_style(cells=cells),
            boot=boot,
            content=assets.packed(content(page, charts, code=code, templates=templates)),
            library=assets.packed_plotly_js() if library else "",
            policy=_policy(boot, code, library),
        )
    )


def _policy(*scripts: str) -> str:
    allowed = " ".join(f"'{assets.source_hash(script)}'" for script in scripts if script)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def environment() -> Any:  # noqa: ANN401 - jinja2 is imported late
    """Return the templates."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        autoescape=True,
        loader=FunctionLoader(assets.template),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
