"""What is configured, as the defaults of the commands' options: one way for all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchkit.config import PREFIX, ConfigValue, settings, unknown_variables
from benchkit.errors import UsageError

#: Commands that read results.
READING: Final = frozenset(
    {"report", "show", "check", "compare", "files", "export", "plot", "plan", "save", "ingest"}
)
#: Per key the option that it is the default of, and the commands that obey.
_OPTIONS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    **{name: (name, READING) for name in ("names", "scenario", "ignore")},
    "title": ("title", frozenset({"report", "check"})),
    "baseline": ("baseline", frozenset({"report", "show", "check", "compare", "plot", "plan"})),
    "margin": ("margin", frozenset({"report", "show", "compare"})),
    "slo": ("slo", frozenset({"compare"})),
    "rules": ("require", frozenset({"check"})),
    "fail-on": ("fail_on", frozenset({"check"})),
    "require-verdict": ("require_verdict", frozenset({"check"})),
}
#: What reading itself takes from the files: a folder of results goes before the project.
_BY_READING: Final = frozenset({"names", "scenario", "ignore"})
_HELP: Final = frozenset({"-h", "--help"})
#: Options that take several values.
_LISTS: Final = frozenset({"names", "scenario", "ignore", "slo", "rules"})


def defaults(command: str, arguments: Sequence[str]) -> dict[str, Any]:
    """Return the defaults of the options of a command.

    Raises:
        InputError: a file of the project is no configuration.
        UsageError: a value makes no sense; the message says where it stands.
    """
    if command not in READING or not _HELP.isdisjoint(arguments):
        return {}
    options = {}
    for name, setting in settings().items():
        option, commands = _OPTIONS.get(name, ("", frozenset()))
        is_read = name in _BY_READING and not setting.origin.startswith(PREFIX)
        if command in commands and not is_read:
            checked(name, setting)
            value = _in_per_cent(setting.value) if name == "margin" else setting.value
            if name in _LISTS:
                value = [value] if isinstance(value, str) else list(value)
            options[option] = value
    return options


def remarks(command: str) -> list[str]:
    """Return what a command that obeys the configuration says of the variables, a line each."""
    obeys = command in READING or command == "config"
    return unknown_variables(os.environ) if obeys else []


def checked(name: str, setting: ConfigValue) -> None:
    """Make sure that a value can be understood.

    Raises:
        UsageError: it cannot; the message says where it stands.
    """
    try:
        _check(name, setting.value)
    except UsageError as error:
        raise UsageError(f"{setting.origin}: '{name}': {error}") from error


def _check(name: str, value: Any) -> None:  # noqa: ANN401 - of a file
    """Read a value as the command does that obeys it."""
    if name == "margin":
        from benchkit.cli.options import share

        share("--margin", _in_per_cent(value))
    elif name == "rules":
        from benchkit.gates.rule import rule

        for text in value:
            rule(text)
    elif name == "slo":
        from benchkit.compare.slo import objective

        for text in value:
            objective(text)
    elif name == "ignored":
        from benchkit.gates.ignored import exemptions

        exemptions(value)


def _in_per_cent(value: str) -> str:
    """Return a share as options have it; files may have it as a number, 0.03."""
    try:
        number = float(value)
    except ValueError:
        return value
    return f"{100 * number:g}%" if 0 < number < 1 else value
