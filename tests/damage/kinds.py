"""What logs, pages, chats and editors do to a printed report, each kind a function of its text.

Nothing here takes anything away that a reader would need: whoever looks at a damaged
report can still tell every figure.
"""

from __future__ import annotations

import html
import json
import re
import textwrap
from collections.abc import Callable
from itertools import zip_longest
from typing import Final

Kind = Callable[[str], str]

_FIGURE: Final = r"[0-9][0-9.]*(?:[a-zµ]{1,2}|kB|[kKMGT]i?B?|%)?"
#: A figure that stands alone: no part of a URL, of a version, or of a pair like `200:300`.
_ALONE: Final = re.compile(rf"(?<=[ \t])({_FIGURE})(?=,?(?:[ \t]|$))", re.MULTILINE)
_LABEL: Final = re.compile(
    r"^(\W*)([A-Z][A-Za-z0-9]*(?:[ /][A-Za-z0-9]+)*:?)(?=\s{2,}|\s[│\[0-9]|: |$)", re.MULTILINE
)
_LARGE: Final = re.compile(
    r"(?<=[ \t])([0-9]{4,})(?=(?:\.[0-9]+)?[a-z]{0,2},?(?:[ \t]|$))", re.MULTILINE
)
_UNIT: Final = re.compile(
    r"(?<=[ \t])([0-9.]+)(us|µs|ms|s|[kKMG]?B|k|M|%)(?=,?(?:[ \t]|$))", re.MULTILINE
)
_FRAME: Final = frozenset("┌├└╔╠╚+")


def _each(line: str) -> Kind:
    """Return a kind that puts every line into a form with {} for it, and {n} for its number."""

    def damaged(text: str) -> str:
        shown = (line.format(old, n=n, s=n % 60) for n, old in enumerate(text.split("\n"), 1))
        return "\n".join(shown)

    return damaged


def _table(row: str, *, head: str = "", rule: str = "", end: str = "") -> Kind:
    """Return a kind that makes a row of two cells of every line: what it is, and its figures."""

    def damaged(text: str) -> str:
        cells = [re.split(r"(?<=:)\s+|\s{2,}", line.strip()) for line in text.split("\n")]
        rows = [row.format(*split) for split in map(_of_two, cells) if any(split)]
        return "\n".join([*filter(None, [head]), rows[0], *filter(None, [rule]), *rows[1:], end])

    return damaged


def _of_two(cells: list[str]) -> tuple[str, str]:
    return cells[0], "  ".join(cells[1:])


def _behind(remark: str) -> Kind:
    """Return a kind that puts a remark behind every line that ends in a figure."""

    def damaged(text: str) -> str:
        return "\n".join(
            f"{line}{remark}" if re.search(rf"[ \t]{_FIGURE}$", line) else line
            for line in text.split("\n")
        )

    return damaged


def beside(left: str, right: str, bar: str) -> str:
    """Return two reports side by side, as `paste` does with a tab, with any other bar in line."""
    lines = left.split("\n")
    width = max(map(len, lines)) if bar != "\t" else 0
    rows = zip_longest(lines, right.split("\n"), fillvalue="")
    return "\n".join(f"{line:{width}}{bar}{other}" for line, other in rows)


def _beside(bar: str) -> Kind:
    """Return a kind that shows a report twice, side by side."""
    return lambda text: beside(text, text, bar)


def _string(opened: str, closed: str, *, last: str) -> Kind:
    """Return a kind that makes a string of a program of every line."""

    def damaged(text: str) -> str:
        lines = [line.replace("\\", "\\\\").replace('"', '\\"') for line in text.split("\n")]
        return "\n".join(
            f"{opened}{line}{closed if n < len(lines) else last}" for n, line in enumerate(lines, 1)
        )

    return damaged


def _filled(width: int) -> Kind:
    def damaged(text: str) -> str:
        return textwrap.fill(
            " ".join(text.split()), width, break_long_words=False, break_on_hyphens=False
        )

    return damaged


def _html_rows(text: str) -> str:
    rows = (html.escape(line.strip()) for line in text.split("\n") if line.strip())
    cells = (re.sub(r"(?<=:)\s+|\s{2,}", "</td><td>", row) for row in rows)
    return "<table>\n" + "\n".join(f"<tr><td>{row}</td></tr>" for row in cells) + "\n</table>"


def _html_columns(text: str) -> str:
    cell = html.escape(text).replace("\n", "<br>")
    return f"<table><tr><td>{cell}</td><td>{cell}</td></tr></table>"


def _framed(text: str) -> str:
    lines = text.split("\n")
    width = max(map(len, lines))
    middle = [f"║ {line:{width}} ║" for line in lines]
    return "\n".join([f"╔{'═' * (width + 2)}╗", *middle, f"╚{'═' * (width + 2)}╝"])


def _between_words(what: str) -> Kind:
    def damaged(text: str) -> str:
        return re.sub(r"(?<=[A-Za-z])(?= )|^(?=\S)", what, text, flags=re.MULTILINE)

    return damaged


def _substituted(pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str]) -> Kind:
    def damaged(text: str) -> str:
        return "\n".join(
            line if line[:1] in _FRAME else pattern.sub(by, line) for line in text.split("\n")
        )

    return damaged


def _grouped(mark: str) -> Kind:
    return _substituted(_LARGE, lambda digits: f"{int(digits[1]):,}".replace(",", mark))


KINDS: Final[dict[str, Kind]] = {
    # of the review
    "log prefix": _each("2026-11-22 10:00:{s:02} INFO bench: {}"),
    "arrow prefix": _each("-> {}"),
    "one paragraph": lambda text: " ".join(text.split()),
    "wrapped anew": _filled(72),
    "<br>": lambda text: f"<p>{'<br>'.join(html.escape(text).split(chr(10)))}</p>",
    "JSON string": lambda text: json.dumps({"name": "first", "output": text, "code": 0}),
    "two columns, bar": _beside(" | "),
    "blank lines between": lambda text: text.replace("\n", "\n\n"),
    "hard blanks": lambda text: text.replace(" ", "\xa0"),
    "zero-width": _between_words("\u200b"),
    "labels in bold": _substituted(_LABEL, r"\1**\2**"),
    "figures in bold": _substituted(_ALONE, r"**\1**"),
    "remark #": _behind("  # warm cache"),
    "thousands ,": _grouped(","),
    "Python lines": _string('    "', '\\n"', last='",'),
    # seen in pages, chats and logs
    "mail quote": _each("> > {}"),
    "Markdown quote": _each("> {}"),
    "docker compose": _each("bench_1  | {}"),
    "kubectl": _each("[pod/bench-7d9f-x2/bench] 2026-11-22T10:00:{s:02}.123456789Z {}"),
    "GitHub Actions": _each("2026-11-22T10:00:{s:02}.1234567Z {}"),
    "journald": _each("Nov 22 10:00:{s:02} host bench[4242]: {}"),
    "dmesg": _each("[  {n}.123456] {}"),
    "colours": _each("\x1b[1;32m{}\x1b[0m"),
    "colours without escape": _each("[32m{}[0m"),
    "diff": _each("+{}"),
    "REPL": _each(">>> {}"),
    "numbered": _each("{n}: {}"),
    "cat -n": _each("{n:6}\t{}"),
    "bullets": _each("- {}"),
    "comment //": _each("// {}"),
    "comment *": _each(" * {}"),
    "comment --": _each("-- {}"),
    "stdout:": _each("stdout: {}"),
    "echo": lambda text: "\n".join(f"echo '{line}'" for line in text.split("\n")),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "indented by hard blanks": _each("\xa0\xa0\xa0\xa0{}"),
    "&nbsp;": lambda text: html.escape(text).replace("  ", "&nbsp; "),
    "<p>": lambda text: "\n".join(f"<p>{html.escape(line)}</p>" for line in text.split("\n")),
    "<pre>": lambda text: f'<div><pre class="out">{html.escape(text)}</pre></div>',
    "<li>": lambda text: "\n".join(f"<li>{html.escape(line)}</li>" for line in text.split("\n")),
    "HTML rows": _html_rows,
    "HTML columns": _html_columns,
    "Markdown table": _table("| {} | {} |", rule="| --- | --- |"),
    "wiki table": _table("|-\n| {} || {}", head='{| class="wikitable"', end="|}"),
    "two columns, tab": _beside("\t"),
    "frame": _framed,
    "labels in italics": _substituted(_LABEL, r"\1_\2_"),
    "labels as code": _substituted(_LABEL, r"\1`\2`"),
    "figures as code": _substituted(_ALONE, r"`\1`"),
    "figures in italics": _substituted(_ALONE, r"_\1_"),
    "lines as code": _each("`{}`"),
    "lines in bold": lambda text: re.sub(r"(?m)^( *)(\S.*?) *$", r"\1**\2**", text),
    "remark //": _behind(" // warm cache"),
    "remark ()": _behind(" (warm cache)"),
    "remark <-": _behind("   <- here"),
    "remark ←": _behind(" ← here"),
    "thousands '": _grouped("'"),
    "thousands thin": _grouped("\u202f"),
    "units apart": _substituted(_UNIT, r"\1 \2"),
    "Go lines": _string('\t"', '\\n" +', last='"'),
    "Java lines": _string('    + "', '\\n"', last='";'),
    "array of lines": _string('  "', '",', last='"'),
    "shell string": lambda text: 'out="' + text.replace("\\", "\\\\").replace('"', '\\"') + '"',
    "triple quotes": lambda text: f'out = """{text}"""',
    "repr": lambda text: f"out = {text!r}",
    "line breaks \\": _each("{}\\"),
    "tabs": lambda text: re.sub(r"(?m)(?<=\S) {3,}(?=\S)", "\t", text),
    "trailing blanks": _each("{}   \t"),
}

#: What stands between two different reports side by side, by its name.
BARS: Final = {"tab": "\t", "bar": " | "}
#: Kinds after which there is the report twice.
TWICE: Final = frozenset(("two columns, bar", "two columns, tab", "HTML columns"))
#: Kinds that a text gets at its very end, whatever else becomes of it.
LAST: Final = frozenset(("CRLF", "trailing blanks"))
