"""What the page's script works with: its code, the figures, and what a reader may choose."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from benchkit.figures import Chart
from benchkit.figures.interactive import CONFIG, TOKENS, plotly_figure, template
from benchkit.report.views import AnswerView, Choice, PageView, SectionView

_PARTS: Final = ("eyebrow", "words", "main", "limits")


def content(page: PageView, charts: Sequence[Chart], *, code: str, templates: Any) -> str:  # noqa: ANN401 - of jinja2
    """Return everything as JSON; what is alike stands together, so that it packs small.

    Args:
        page: What the page shows.
        charts: Its figures in the order of their numbers.
        code: The script.
        templates: The environment of the templates.
    """
    stills = [""] * len(charts)
    module = templates.get_template("answer.html.j2").make_module({"stills": stills})
    return json.dumps(
        {
            "code": code,
            "config": dict(CONFIG),
            "sections": [_section(section, charts, module) for section in page.sections],
            "template": template(TOKENS),
        },
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
        ensure_ascii=False,
    )


def _section(section: SectionView, charts: Sequence[Chart], module: Any) -> dict[str, Any]:  # noqa: ANN401
    own = _parts(section.answer, module)
    return {
        "anchor": section.anchor,
        "baseline": section.baseline,
        "choices": [_choice(choice, own, module) for choice in section.choices],
        "figures": [
            [number, _interned(plotly_figure(charts[number], theme=None))]
            for number in _numbers(section)
        ],
        "missing": section.missing,
        "printed": str(module.printed(section)).strip(),
    }


def _choice(choice: Choice, own: dict[str, str], module: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a choice; a part of the section that stays as it is is left out."""
    made = _parts(choice.answer, module)
    return {
        "group": choice.group,
        "label": choice.label,
        "note": choice.note,
        "parts": {name: text for name, text in made.items() if text != own[name]},
    }


def _parts(answer: AnswerView, module: Any) -> dict[str, str]:  # noqa: ANN401 - of jinja2
    return {name: str(getattr(module, name)(answer)).strip() for name in _PARTS}


def _numbers(section: SectionView) -> list[int]:
    """Return the numbers of the figures of a section and its choices, ascending."""
    answers = (section.answer, *(choice.answer for choice in section.choices))
    figures = [figure for answer in answers for figure in (answer.main, *answer.figures)]
    return sorted({figure.number for figure in figures if figure})


def _interned(figure: dict[str, Any]) -> dict[str, Any]:
    """Return the figure with each hover text once: variants share the text of a percentile."""
    texts: dict[str, int] = {}

    def number(text: str | list[str]) -> int | list[int]:
        if isinstance(text, str):
            return texts.setdefault(text, len(texts))
        return [texts.setdefault(line, len(texts)) for line in text]

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
