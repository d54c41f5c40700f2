"""Arguments and options that several commands take."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import wraps
from pathlib import PurePath
from typing import Annotated, Any, Final

import typer

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATHS]...",
        help="Files, folders, globs, datasets, URLs of them, 'label=path', or '-' for stdin.",
    ),
]
_NAMED: Final = "Compare with this variant, scenario/variant or label"
_SAVED: Final = "or with saved runs, STORE@NAME"
_ELSE: Final = "else with the one that meta.json names"
_GUESSED: Final = "else with one called main, before, old or the like, or the first"
Baseline = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=f"{_NAMED}, {_SAVED}; {_ELSE}; {_GUESSED}."),
]
#: Which variant comes first says nothing about what it must keep to.
GateBaseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"{_NAMED}, {_SAVED}; {_ELSE}. Without any, no rule on a change is decided.",
    ),
]
#: A plan is made from runs that were made together.
PilotBaseline = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=f"{_NAMED}; {_ELSE}; {_GUESSED}."),
]
#: The difference that counts as none, where nobody says otherwise.
MARGIN: Final = "3%"
Margin = Annotated[str, typer.Option(metavar="SHARE", help="The difference that counts as none.")]
Looks = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="How often you look at the runs while more are made, decided before the "
        "first look; more where the runs record more.",
    ),
]
KeepSecrets = Annotated[
    bool,
    typer.Option(
        "--keep-secrets",
        help="Write credentials down too, which are otherwise redacted; the file is then private.",
    ),
]


#: How figures side by side are written, and how lists.
Format = StrEnum("Format", "TABLE MARKDOWN CSV JSON")
ListFormat = StrEnum("ListFormat", "TABLE MARKDOWN JSON")
Form = Annotated[Format, typer.Option("--format", help="csv and json are in base units.")]
Percentile = Annotated[
    list[float] | None,
    typer.Option(
        metavar="P",
        help="Show this percentile, such as 99.9 (above 0, below 100), instead of the usual ones; "
        "repeatable.",
    ),
]
#: A text: a path would take the two slashes of `s3://` for one.
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write to this file, which may be s3://BUCKET/…"
    ),
]
#: Who reads files.
EngineName = StrEnum("EngineName", "SERIAL DASK")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What every command that reads results takes: which runs, and how their names are read."""

    scenario: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this scenario; may be repeated. Where names tell none, all runs get it.",
        ),
    ] = None
    variant: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this variant; may be repeated.")
    ] = None
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="RUN", help="Leave out this run, by label or id; may be repeated."),
    ] = None
    names: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="How files are named, such as '{variant}_c{connections}_{repeat}.txt'; "
            "repeatable.",
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Leave these files alone; may be repeated."),
    ] = None
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Exit with status 2 where a file was skipped or damaged."),
    ] = False
    show_secrets: Annotated[
        bool,
        typer.Option("--show-secrets", help="Keep credentials, which are otherwise redacted."),
    ] = False
    engine: Annotated[
        EngineName,
        typer.Option(help="Who reads the files: this process, or the workers of a Dask cluster."),
    ] = EngineName.SERIAL
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The Dask scheduler, such as tcp://host:8786; else a cluster starts here.",
        ),
    ] = None

    @property
    def only_scenario(self) -> str | None:
        """The scenario of runs whose names tell none."""
        return self.scenario[0] if self.scenario and len(self.scenario) == 1 else None

    @property
    def of_runs(self) -> Mapping[str, Sequence[str] | None]:
        """What says which runs, by the names of the options."""
        given = asdict(self)
        return {name: given[name] for name in ("scenario", "variant", "without", "names", "ignore")}


def spread(command: Callable[..., int]) -> Callable[..., int]:
    """Return a command whose parameter `asked`, if it has one, is an option per field of it."""
    own = inspect.signature(command, eval_str=True)
    if "asked" not in own.parameters:
        return command
    fields = inspect.signature(Asked, eval_str=True).parameters

    @wraps(command)
    def made(**given: Any) -> int:  # noqa: ANN401 - whatever the options are
        asked = Asked(**{name: given.pop(name) for name in fields})
        return command(**given, asked=asked)

    others = (each for name, each in own.parameters.items() if name != "asked")
    made.__signature__ = own.replace(  # type: ignore[attr-defined]
        parameters=[*others, *fields.values()]
    )
    return made


def suffix_of(output: str) -> str:
    """Return what the name of an output ends in, in small letters and without its point."""
    return PurePath(output).suffix.lower().removeprefix(".")


def amount(text: str, units: Mapping[str, float]) -> float | None:
    """Return a number times what its unit is worth; None where the text is no such thing."""
    match = re.fullmatch(r"\s*+((?:\d++(?:\.\d++)?|\.\d++))\s*+([a-z%]*+)\s*+", text)
    return float(match[1]) * units[match[2]] if match and match[2] in units else None


def share(option: str, text: str) -> float:
    """Return `3%` as 0.03.

    Raises:
        UsageError: it is no share above 0, or has no per cent sign: 5 may be meant as 5 %.
    """
    from benchkit.errors import UsageError

    value = amount(text, {"%": 0.01})
    if not value:
        raise UsageError(f"{option} {text}: no share in per cent; write for example 5%")
    return value
