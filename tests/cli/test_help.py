import re

import pytest
import typer

from benchkit.cli.app import program
from benchkit.figures import FORMATS, KINDS
from benchkit.schema import TABLES

from .conftest import Benchkit

COMMAND = typer.main.get_command(program())
COMMANDS = list(COMMAND.commands)  # type: ignore[attr-defined]


def test_the_commands_of_everyday_come_first() -> None:
    assert COMMANDS[:2] == ["report", "show"]
    assert {"export", "plot", "formats", "schema"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_every_option_has_help(name: str, benchkit: Benchkit) -> None:
    command = COMMAND.commands[name]  # type: ignore[attr-defined]
    assert command.help
    assert [param.name for param in command.params if not getattr(param, "help", "")] == []
    done = benchkit(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert re.search(r"-h, --help", done.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_overview_has_each_command_with_a_whole_sentence(name: str, benchkit: Benchkit) -> None:
    line = re.search(rf"^  {name} .*", benchkit("--help").out, re.MULTILINE)
    assert line
    assert not line[0].endswith("...")


def test_help_names_every_table_and_kind_of_figure(benchkit: Benchkit) -> None:
    tables, plots = benchkit("export", "--help").out, benchkit("plot", "--help").out
    assert [name for name in TABLES if name not in tables] == []
    assert [name for name in (*KINDS, *FORMATS) if name not in plots] == []


def test_without_a_command_the_help_goes_to_standard_error(benchkit: Benchkit) -> None:
    done = benchkit()
    assert (done.status, done.out) == (2, "")
    assert "Commands:" in done.err


def test_version(benchkit: Benchkit) -> None:
    assert re.fullmatch(r"benchkit \d+\.\d+\.\d+\n", benchkit("--version").out)
