"""`benchkit schema`."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from benchkit.cli.console import say

SchemaFormat = StrEnum("SchemaFormat", "MARKDOWN JSON")


def schema(
    *,
    form: Annotated[
        SchemaFormat, typer.Option("--format", help="How to write it.")
    ] = SchemaFormat.MARKDOWN,
) -> int:
    """Describe every table and column: type, unit, meaning."""
    from benchkit.schema import TABLES, markdown

    if form is SchemaFormat.MARKDOWN:
        say(markdown())
    else:
        described = [asdict(table) for table in TABLES.values()]
        say(json.dumps(described, indent=2) + "\n")
    return 0
