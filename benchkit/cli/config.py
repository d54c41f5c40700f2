"""`benchkit config`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from benchkit.cli import options
from benchkit.cli.configured import checked
from benchkit.cli.console import aligned, say
from benchkit.format import clean, json_text

_UNSET = "—"
#: What holds where nobody says anything.
_DEFAULTS: Mapping[str, Any] = {
    "margin": options.MARGIN,
    "fail-on": "error",
    "require-verdict": False,
}


def config(
    *,
    form: Annotated[
        options.ListFormat, typer.Option("--format", help="How to write it.")
    ] = options.ListFormat.TABLE,
    schema: Annotated[
        bool, typer.Option("--schema", help="Write the JSON Schema of the file, for editors.")
    ] = False,
) -> int:
    """Show what is configured here, and where each value comes from.

    A benchkit.toml, or [tool.benchkit] of pyproject.toml, in this folder or the nearest above it;
    a variable BENCHKIT_… goes before it, an option of a command before both.
    """
    from benchkit.config import schema as file_schema

    if schema:
        say(json_text(file_schema(), indent=2) + "\n")
        return 0
    records = _records()
    if form is options.ListFormat.JSON:
        say(json_text(records, indent=2) + "\n")
        return 0
    rows = [
        (str(record["key"]), _words(record["value"]), clean(str(record["origin"] or "default")))
        for record in records
    ]
    if form is options.ListFormat.MARKDOWN:
        from benchkit.report.markdown import escaped, table

        cells = [[*map(escaped, row)] for row in rows]
        say(table(("key", "value", "from"), cells, right=()) + "\n")
        return 0
    say(aligned(rows))
    return 0


def _records() -> list[dict[str, Any]]:
    from benchkit.config import KEYS, settings

    known = settings()
    for name, setting in known.items():
        checked(name, setting)
    return [
        {
            "key": name,
            "value": _plain(known[name].value) if name in known else _DEFAULTS.get(name),
            "origin": known[name].origin if name in known else None,
            "variable": key.variable if key.written else None,
            "about": key.about,
        }
        for name, key in KEYS.items()
    ]


def _plain(value: object) -> Any:  # noqa: ANN401 - a value of JSON
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value


def _words(value: object) -> str:
    if value is None:
        return _UNSET
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "; ".join(f"{clean(str(name))} = {_words(each)}" for name, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "; ".join(map(_words, value))
    return clean(str(value))
