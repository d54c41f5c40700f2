"""`benchkit formats`."""

from __future__ import annotations

import json
import textwrap
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from benchkit.cli.console import say, width

if TYPE_CHECKING:
    from benchkit.parsing import Parser


class Format(StrEnum):
    """How the list is written."""

    TABLE = "table"
    MARKDOWN = "markdown"
    JSON = "json"


def formats(
    *, form: Annotated[Format, typer.Option("--format", help="How to write it.")] = Format.TABLE
) -> int:
    """List what is read. Each format comes with its versions and the columns of runs it fills."""
    from benchkit.registry import parsers

    if form is Format.JSON:
        say(json.dumps([_record(one) for one in parsers()], indent=2, ensure_ascii=False) + "\n")
    elif form is Format.MARKDOWN:
        say(markdown())
    else:
        say("\n".join(_entry(one) for one in parsers()))
    return 0


def markdown() -> str:
    """Return the list as the page `docs/formats.md`."""
    from benchkit.registry import parsers

    parts = [
        "# What is read",
        "",
        "Formats are found by content. For each: the columns of `runs` that it always fills,",
        "and those it fills where the output has them. All other columns are NA.",
        "",
        "Written by `benchkit formats --format markdown`.",
        "",
    ]
    for one in parsers():
        told = _record(one)
        parts += [f"## {one.name}", "", f"{one.tool}, {one.versions}: {one.reads}.", ""]
        for heading, key in (("Always", "fills"), ("If there", "may_fill")):
            if told[key]:
                names = ", ".join(_columns(told, key, mark="`"))
                parts.append(f"- {heading}: {names}")
        parts.append("")
    return "\n".join(parts)


def _record(one: Parser) -> dict[str, Any]:
    return {
        "name": one.name,
        "tool": one.tool,
        "reads": one.reads,
        "versions": one.versions,
        "fills": sorted({*one.fills, *one.constants}),
        "may_fill": sorted({*one.may_fill} - {*one.fills, *one.constants}),
        "when": dict(one.when),
        "constants": dict(one.constants),
    }


def _entry(one: Parser) -> str:
    told = _record(one)
    lines = [one.name, *_field("reads", one.reads), *_field("versions", one.versions)]
    for heading, key in (("always", "fills"), ("if there", "may_fill")):
        lines += _field(heading, ", ".join(_columns(told, key))) if told[key] else []
    return "\n".join([*lines, ""])


def _columns(told: dict[str, Any], key: str, *, mark: str = "") -> list[str]:
    """Return the columns under a key, with the version or option that gives them."""
    when = told["when"]
    return [
        f"{mark}{name}{mark}" + (f" ({when[name]})" if name in when else "") for name in told[key]
    ]


def _field(heading: str, text: str) -> list[str]:
    head = f"  {heading:<9} "
    return textwrap.wrap(
        text, min(width(), 100), initial_indent=head, subsequent_indent=" " * len(head)
    )
