"""`benchkit formats`."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from benchkit.cli.console import say, width
from benchkit.cli.options import ListFormat

if TYPE_CHECKING:
    from benchkit.parsing import Parser
    from benchkit.plugins import Plugin


def formats(
    *,
    form: Annotated[
        ListFormat, typer.Option("--format", help="How to write it.")
    ] = ListFormat.TABLE,
) -> int:
    """List what is read. Each format comes with its versions and the columns of runs it fills.

    Formats of plug-ins come last, with the distribution they are of; those that cannot be used
    say why. BENCHKIT_PLUGINS=off leaves plug-ins alone.
    """
    from benchkit.registry import bundled, plugins

    if form is ListFormat.MARKDOWN:
        say(markdown())
    elif form is ListFormat.JSON:
        records = [_record(parser) for parser in bundled()]
        records += [
            _record(parser, plugin.distribution)
            for plugin in plugins()
            for parser in plugin.parsers
        ]
        records += [_left_out(plugin) for plugin in plugins() if plugin.problem]
        say(json.dumps(records, indent=2, ensure_ascii=False) + "\n")
    else:
        entries = [_entry(parser) for parser in bundled()]
        entries += [_plugin(plugin) for plugin in plugins()]
        say("\n".join(entries))
    return 0


def markdown() -> str:
    """Return the list of what is bundled as the page `docs/formats.md`."""
    from benchkit.registry import bundled

    parts = [
        "# What is read",
        "",
        "Formats are found by content. For each: the columns of `runs` that it always fills,",
        "and those it fills where the output has them. All other columns are NA.",
        "",
        "Written by `benchkit formats --format markdown`.",
        "",
    ]
    for parser in bundled():
        record = _record(parser)
        parts += [f"## {parser.name}", "", f"{parser.tool}, {parser.versions}: {parser.reads}.", ""]
        for heading, key in (("Always", "fills"), ("If there", "may_fill")):
            if record[key]:
                names = ", ".join(_columns(record, key, mark="`"))
                parts.append(f"- {heading}: {names}")
        parts.append("")
    return "\n".join(parts)


def _record(parser: Parser, distribution: str | None = None) -> dict[str, Any]:
    return {
        "name": parser.name,
        "distribution": distribution,
        "tool": parser.tool,
        "reads": parser.reads,
        "versions": parser.versions,
        "fills": sorted({*parser.fills, *parser.constants}),
        "may_fill": sorted({*parser.may_fill} - {*parser.fills, *parser.constants}),
        "when": dict(parser.when),
        "constants": dict(parser.constants),
    }


def _left_out(plugin: Plugin) -> dict[str, Any]:
    return {"name": plugin.name, "distribution": plugin.distribution, "problem": plugin.problem}


def _plugin(plugin: Plugin) -> str:
    """Return the entries of a plug-in, or why it has none."""
    if plugin.problem:
        lines = [plugin.name, *_field("of", plugin.distribution)]
        return "\n".join([*lines, *_field("left out", plugin.problem), ""])
    return "\n".join(_entry(parser, plugin.distribution) for parser in plugin.parsers)


def _entry(parser: Parser, distribution: str = "") -> str:
    record = _record(parser)
    lines = [parser.name, *_field("reads", parser.reads), *_field("versions", parser.versions)]
    lines += _field("of", distribution) if distribution else []
    for heading, key in (("always", "fills"), ("if there", "may_fill")):
        lines += _field(heading, ", ".join(_columns(record, key))) if record[key] else []
    return "\n".join([*lines, ""])


def _columns(record: dict[str, Any], key: str, *, mark: str = "") -> list[str]:
    """Return the columns under a key, with the version or option that gives them."""
    when = record["when"]
    return [
        f"{mark}{name}{mark}" + (f" ({when[name]})" if name in when else "") for name in record[key]
    ]


def _field(heading: str, text: str) -> list[str]:
    head = f"  {heading:<9} "
    return textwrap.wrap(
        text, min(width(), 100), initial_indent=head, subsequent_indent=" " * len(head)
    )
