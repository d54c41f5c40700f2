"""The report as one HTML page that needs no network and allows none."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Unpack

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Cell
from benchkit.figures.hover import hover
from benchkit.figures.inline_svg import inline_svg, symbols, unquoted
from benchkit.names import circled
from benchkit.report import runs, templates
from benchkit.report.answers import AnswerView
from benchkit.report.build import SectionView, Words, page_view

if TYPE_CHECKING:
    from markupsafe import Markup

    from benchkit.compare.assess import Assessment
    from benchkit.report.gates import GateTable

_LONG: Final = "The runs, which are many, are listed under the report's own answer only."
#: A character at which a line may end, within a word.
_JOINED: Final = re.compile(r"\w[-–/]\w")
#: A longer word may not fit on a line.
_SHORT: Final = 30
_LETTER: Final = re.compile(r"[^\W\d_]")
_PARTS: Final = ("eyebrow", "words", "main", "limits")


class _Text(NamedTuple):
    """What a section shows at first, and what it holds packed; whether it has coloured cells."""

    shown: str
    packed: str
    cells: bool


def document(
    assessment: Assessment, files: Sequence[Mapping[str, Any]] = (), **words: Unpack[Words]
) -> str:
    """Return the report as one page; the same runs give the same characters.

    The arguments are those of `page_view`.
    """
    from markupsafe import Markup

    code = _script("page.js", "report.js")
    pages = environment()
    page = page_view(assessment, files, write=_writer(pages), **words)
    texts: Sequence[_Text] = page.texts
    style, dark_style = page_styles(cells=any(text.cells for text in texts))
    parts = pages.get_template("parts.html.j2").module
    return str(
        pages.get_template("report.html.j2").render(
            page=page,
            shown=[Markup(text.shown) for text in texts],  # noqa: S704 - of a template
            packed=[text.packed for text in texts],
            files=_packed(str(parts.files(page.provenance.files))),
            symbols=symbols(),
            style=style,
            dark_style=dark_style,
            code=code,
            policy=_policy(code),
        )
    )


def _writer(pages: Any) -> Callable[[SectionView], _Text]:  # noqa: ANN401 - of jinja2
    """Return what makes the texts of a section."""
    answers = pages.get_template("answer.html.j2")
    # What is unpacked by script takes its drawings from beside it.
    unpacked = answers.make_module({"drawings": defaultdict(str)})

    def write(section: SectionView) -> _Text:
        drawings = [unquoted(inline_svg(chart)) for chart in section.charts]
        shown = answers.make_module({"drawings": drawings}).section(section.answer)
        cells = any(panel.cells for chart in section.charts for panel in chart.panels)
        return _Text(str(shown), _packed(_section(section, unpacked, drawings)), cells)

    return write


def trouble(gate: GateTable, title: str) -> str:
    """Return the page of a check that could not be made."""
    style, dark_style = page_styles(cells=False)
    page = {"title": title or "check", "version": version("benchkit"), "gate": gate}
    template = environment().get_template("rules.html.j2")
    return str(template.render(page=page, style=style, dark_style=dark_style, policy=_policy("")))


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def environment() -> Any:  # noqa: ANN401 - of jinja2
    """Return the templates."""
    return templates.environment(
        circled=circled, clean=show.clean, texts=_texts, unbroken=_unbroken, values=_values
    )


def _texts(cells: Sequence[str]) -> Markup:
    """Return cells of a table: escaped together, as a page has tens of thousands."""
    from markupsafe import Markup

    return Markup("".join(f"<td>{text}" for text in _escaped(cells)))  # noqa: S704 - as it says


def _values(cells: Sequence[Cell]) -> Markup:
    """Return cells of the data of a figure, each with its number where it has one."""
    from markupsafe import Markup

    pairs = zip(_escaped([text for text, _ in cells]), cells, strict=True)
    entries = (
        f"<td><i>{text}</i>" if value is None else f'<td data-v="{_short(value)}">{text}'
        for text, (_, value) in pairs
    )
    return Markup("".join(entries))  # noqa: S704 - texts are escaped, values are numbers


def _short(value: float) -> str:
    """Return a number to sort by and to copy: a count whole, a measurement with seven digits."""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.7g}"


def _escaped(texts: Sequence[str]) -> list[str]:
    from markupsafe import escape

    together = "\0".join(texts)
    apart = str(escape(together)).split("\0")
    return apart if len(apart) == len(texts) else [str(escape(text)) for text in texts]


def _unbroken(text: str) -> Markup:
    """Return text in which no line ends at a hyphen, dash or slash of a word that fits on one.

    Where names may be too long for that, on a small screen, spans of numbers still are not.
    """
    from markupsafe import Markup, escape

    words = (
        f"<span class={'k' if _LETTER.search(word) else 'q'}>{escape(word)}</span>"
        if len(word) <= _SHORT and _JOINED.search(word)
        else str(escape(word))
        for word in text.split(" ")
    )
    return Markup(" ".join(words))  # noqa: S704 - each word is escaped


# --- what the page's script works with ---


def _section(section: SectionView, module: Any, drawings: Sequence[str]) -> dict[str, Any]:  # noqa: ANN401
    """Return what a section shows when it is asked for; of its choices what does not stay."""
    own = section.answer
    answers = (own, *(answer for _, answer in section.choices))
    figures = {figure.number: figure for each in answers for figure in each.drawn}
    alike = sorted(figures.values(), key=lambda figure: (figure.anchor, figure.number))
    texts = _Texts()
    parts, folds = _parts(own, module), texts.folds(own, own, module)
    printed = [
        (
            f"{own.anchor}.printed-{n}",
            f"As printed: {group.title}",
            _html(module.printed, group, own, f"{own.anchor}.printed-{n}"),
        )
        for n, group in enumerate(section.printed, 1)
    ]
    return {
        "baseline": show.quoted(section.baseline, limit=0) if section.baseline else "",
        "choices": [
            {
                "group": other.group,
                "label": show.quoted(other.label, limit=0) if other.has_all_runs else other.label,
                "left": runs.left_out(own.tabled.comparison, other.comparison),
                "link": other.link,
                "note": other.note,
                "options": list(other.options),
                "parts": {
                    name: texts.number(name, text)
                    for name, text in _parts(answer, module).items()
                    if text != parts[name]
                },
                "folds": texts.folds(answer, own, module),
            }
            for other, answer in section.choices
        ],
        "drawings": [drawings[figure.number] for figure in alike],
        "figures": [figure.key for figure in alike],
        "folds": folds,
        "hovers": [hover(figure.chart) for figure in alike],
        "asking": section.asking,
        "holdsBack": section.holds_back,
        "printed": printed,
        "texts": texts.by_name,
    }


def _parts(answer: AnswerView, module: Any) -> dict[str, str]:  # noqa: ANN401 - of jinja2
    return {name: _html(getattr(module, name), answer) for name in _PARTS}


class _Texts:
    """The texts of all answers of a section, equal ones once.

    Those of one part lie together: gzip looks back over 32 KB, and an answer alone may have more.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = defaultdict(dict)

    @property
    def by_name(self) -> dict[str, list[str]]:
        """The texts of each part in the order of their numbers."""
        return {name: list(numbers) for name, numbers in self._numbers.items()}

    def number(self, name: str, text: str) -> int:
        """Return the number of a text among those of its part."""
        numbers = self._numbers[name]
        return numbers.setdefault(text, len(numbers))

    def folds(
        self,
        answer: AnswerView,
        own: AnswerView,
        module: Any,  # noqa: ANN401 - of jinja2
    ) -> list[tuple[str, str, int]]:
        """Return the name and title of what is folded, and the number of its text."""
        return [
            (name, title, self.number(name, text))
            for name, title, text in _folds(answer, own, module)
        ]


def _folds(answer: AnswerView, own: AnswerView, module: Any) -> list[tuple[str, str, str]]:  # noqa: ANN401
    """Return name, title and content of what is folded; a title without content is a sentence."""
    folds = [
        (figure.anchor, figure.chart.title, _html(module.figure, figure))
        for figure in answer.figures
    ]
    errors = (answer.no_errors, "")
    if answer.statuses:
        errors = "Errors and status codes", _html(module.errors, answer)
    folds.append((f"{answer.anchor}.statuses", *errors))
    if answer.run_table:
        folds.append((f"{answer.anchor}.all-runs", "Runs", _html(module.runs, answer)))
    elif own.run_table:
        folds.append((f"{answer.anchor}.all-runs", _LONG, ""))
    return folds


def _html(macro: Callable[..., object], *given: object) -> str:
    return str(macro(*given)).strip()


# --- what the page carries with it ---


def _script(*names: str) -> str:
    lines = [line.strip() for name in names for line in templates.text_of(name).splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def page_styles(*, cells: bool) -> tuple[str, str]:
    """Return the style sheet of a page, and what changes where it is dark.

    Args:
        cells: Whether a figure has coloured cells.
    """
    light = f"color-scheme:light dark;--font:{look.FONT};{_variables('light', cells=cells)}"
    style = f":root{{{light}}}\n{templates.text_of('report.css').strip()}"
    return style, f":root{{{_variables('dark', cells=cells)}}}"


def _variables(theme: look.Theme, *, cells: bool) -> str:
    """Return the colours of `look` as variables; those of cells only where a figure has any."""
    roles = set() if cells else {"ink", *(role for scale in look.SCALES.values() for role in scale)}
    colours = look.COLOURS[theme].items()
    named = "".join(f"--{role}:{colour};" for role, colour in colours if role not in roles)
    return f"{named}--bands:{look.BANDS[theme]:g};"


def _packed(content: object) -> str:
    """Return content as JSON, packed, in base64: the same for the same content."""
    text = json.dumps(
        content, sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False
    )
    # Three levels more take twice as long for a fiftieth of the size.
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=6, mtime=0)).decode()
