"""The report as one HTML page that needs no network and allows none."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from functools import cache
from importlib.resources import files as resources
from typing import Any, Final

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.inline_svg import inline_svg, symbols, unquoted
from benchkit.figures.interactive import CONFIG, TOKENS, plotly_figure, template
from benchkit.names import circled
from benchkit.report.answers import AnswerView
from benchkit.report.build import PageView, SectionView
from benchkit.report.tabular import message

_PARTS: Final = ("eyebrow", "words", "main", "limits")


def render(page: PageView) -> str:
    """Return the report as one page; the same runs give the same characters."""
    boot, code = _script("boot.js"), _script("page.js", "report.js")
    library = _plotly_js() if page.charts else ""
    templates = environment()
    cells = any(panel.cells for chart in page.charts for panel in chart.panels)
    slots = [figure for section in page.sections for figure in section.answer.drawn]
    return str(
        templates.get_template("report.html.j2").render(
            page=page,
            stills={slot.number: unquoted(inline_svg(slot.chart)) for slot in slots},
            symbols=symbols(),
            style=(
                f":root{{color-scheme:light dark;--font:{look.FONT};"
                f"{_variables('light', cells=cells)}}}\n{_file('report.css').strip()}"
            ),
            dark_style=f":root{{{_variables('dark', cells=cells)}}}",
            boot=boot,
            content=_packed(_content(page, code, templates)),
            library=_packed_plotly_js() if library else "",
            policy=_policy(boot, code, library),
        )
    )


def _policy(*scripts: str) -> str:
    digests = [hashlib.sha256(script.encode()).digest() for script in scripts if script]
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def environment() -> Any:  # noqa: ANN401 - jinja2 is imported late
    """Return the templates."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    templates = Environment(
        autoescape=True,
        loader=FunctionLoader(_file),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    templates.filters |= {"circled": circled, "clean": show.clean, "message": message}
    return templates


# --- what the page's script works with ---


def _content(page: PageView, code: str, templates: Any) -> str:  # noqa: ANN401 - of jinja2
    """Return code, figures and choices as JSON; what is alike stands together, to pack small."""
    stills = [""] * len(page.charts)
    module = templates.get_template("answer.html.j2").make_module({"stills": stills})
    return json.dumps(
        {
            "code": code,
            "config": dict(CONFIG),
            "sections": [_section(section, module) for section in page.sections],
            "template": template(TOKENS),
        },
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
        ensure_ascii=False,
    )


def _section(section: SectionView, module: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a section; of its choices the parts that do not stay as they are."""
    own = _parts(section.answer, module)
    answers = (section.answer, *(choice.answer for choice in section.choices))
    drawn = {figure.number: figure.chart for answer in answers for figure in answer.drawn}
    return {
        "anchor": section.anchor,
        "baseline": section.baseline,
        "choices": [
            {
                "group": other.group,
                "label": other.label,
                "note": other.note,
                "parts": dict(_parts(answer, module).items() - own.items()),
            }
            for other, answer in section.choices
        ],
        "figures": [
            [number, _interned(plotly_figure(chart, theme=None))]
            for number, chart in sorted(drawn.items(), key=lambda item: item[0])
        ],
        "missing": section.missing,
        "printed": str(module.printed(section)).strip(),
    }


def _parts(answer: AnswerView, module: Any) -> dict[str, str]:  # noqa: ANN401 - of jinja2
    return {name: str(getattr(module, name)(answer)).strip() for name in _PARTS}


def _interned(figure: dict[str, Any]) -> dict[str, Any]:
    """Return the figure with each hover text once: variants share the text of a percentile."""
    texts: dict[str, int] = {}

    def number(text: str | list[str]) -> int | list[int]:
        if isinstance(text, str):
            return texts.setdefault(text, len(texts))
        return [texts.setdefault(line, len(texts)) for line in text]

    data = [
        trace | {"hovertext": [number(text) for text in trace["hovertext"]]}
        if "hovertext" in trace
        else trace
        for trace in figure["data"]
    ]
    return figure | {"data": data, "texts": list(texts)}


# --- what the page carries with it ---


def _file(name: str) -> str:
    return resources("benchkit.templates").joinpath(name).read_text("utf-8")


def _script(*names: str) -> str:
    lines = [line.strip() for name in names for line in _file(name).splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _variables(theme: look.Theme, *, cells: bool) -> str:
    """Return the colours of `look` as variables; those of cells only where a figure has any."""
    roles = set() if cells else {"ink", *(role for scale in look.SCALES.values() for role in scale)}
    colours = look.COLOURS[theme].items()
    return "".join(f"--{role}:{colour};" for role, colour in colours if role not in roles)


@cache
def _plotly_js() -> str:
    """Return the library from the installed plotly package."""
    from plotly.offline import get_plotlyjs

    # The HTML parser would turn these line ends into LF, and the hash would not match.
    return str(get_plotlyjs()).replace("\r\n", "\n").replace("\r", "\n")


@cache
def _packed_plotly_js() -> str:
    return _packed(_plotly_js())


def _packed(text: str) -> str:
    """Return a text as base64 of gzip, the same for the same text."""
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()
