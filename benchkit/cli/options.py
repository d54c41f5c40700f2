"""Arguments and options that several commands take."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATHS]...",
        help="Files, folders or globs, 'label=path', or '-' for standard input.",
    ),
]
Scenario = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Only this scenario; may be repeated. Where names tell none, the scenario of all.",
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--names",
        metavar="PATTERN",
        help="How files are named, such as '{variant}_c{connections}_{repeat}.txt'; repeatable.",
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(metavar="GLOB", help="Leave these files alone; may be repeated."),
]
Variant = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Only this variant; may be repeated.")
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare with this variant, scenario/variant or label; else with the first.",
    ),
]
#: The difference that counts as none, where nobody says otherwise.
MARGIN: Final = "3%"
Margin = Annotated[str, typer.Option(metavar="SHARE", help="The difference that counts as none.")]
Looks = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="Looks at the runs while they are made, as announced before the first.",
    ),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Exit with status 2 where a file was skipped or damaged."),
]
ShowSecrets = Annotated[
    bool,
    typer.Option("--show-secrets", help="Keep credentials, which are otherwise redacted."),
]

KeepSecrets = Annotated[
    bool,
    typer.Option(
        "--keep-secrets",
        help="Write credentials down too, which are otherwise redacted; the file is then private.",
    ),
]


class Format(StrEnum):
    """How figures side by side are written."""

    TABLE = "table"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"


Form = Annotated[Format, typer.Option("--format", help="csv and json are in base units.")]
Percentile = Annotated[
    list[float] | None,
    typer.Option(
        metavar="P",
        help="Show this percentile, such as 99.9 (above 0, below 100), for the usual; repeatable.",
    ),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")
]


def share(option: str, text: str) -> float:
    """Return `3%` as 0.03.

    Raises:
        UsageError: it is no share above 0.
    """
    from benchkit.errors import UsageError

    match = re.fullmatch(r"\s*+((?:\d++(?:\.\d++)?|\.\d++))\s*+(%?)\s*+", text)
    value = float(match[1]) * (0.01 if match[2] else 1.0) if match else 0.0
    if value <= 0:
        raise UsageError(f"{option} {text}: not a difference; write for example 5%")
    return value
