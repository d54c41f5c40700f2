"""`benchkit check`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from benchkit.cli import options, reading
from benchkit.cli.configured import checked
from benchkit.cli.console import destination, is_stdout, say, styled, width
from benchkit.cli.stored import stored
from benchkit.config import settings
from benchkit.errors import BenchkitError, UsageError
from benchkit.format import clean, json_text
from benchkit.output import is_input, spare, target_of, writable
from benchkit.redaction import redact

if TYPE_CHECKING:
    from benchkit.api import Results
    from benchkit.gates import Conditions
    from benchkit.gates.ruling import Gate

FailOn = StrEnum("FailOn", "ERROR WARNING")
#: Names the file that a pipeline shows as the summary of a step, and what that may hold.
_SUMMARY: Final = "GITHUB_STEP_SUMMARY"
_MOST_SUMMARY: Final = 1024 * 1024
#: The forms that files have, and the options that name outputs.
_FILES: Final = ("markdown", "junit", "json", "report")
_NAMING: Final = frozenset({*(f"--{name}" for name in _FILES), "--format"})
#: Set where lines that are printed can be commands.
_PIPELINE: Final = "GITHUB_ACTIONS"


def _file(option: str, what: str) -> Any:  # noqa: ANN401 - as typer has it
    return typer.Option(
        option, metavar="FILE", help=f"Write {what} to this file too, or s3://BUCKET/… ."
    )


def check(
    paths: options.Paths = None,
    *,
    require: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="What must hold, such as 'p99<250ms', 'errors<1%', 'gin-panic/nolog: p50<5ms', "
            "or against the baseline 'p99<+5%', 'throughput>-3%'; repeatable.",
        ),
    ] = None,
    baseline: options.GateBaseline = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="From which severity on a finding fails.")
    ] = FailOn.ERROR,
    require_verdict: Annotated[
        bool, typer.Option("--require-verdict", help="Status 3 where a rule is inconclusive.")
    ] = False,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the files.")] = None,
    form: Annotated[
        options.ListFormat, typer.Option("--format", help="json is in base units.")
    ] = options.ListFormat.TABLE,
    markdown: Annotated[str | None, _file("--markdown", "Markdown")] = None,
    junit: Annotated[str | None, _file("--junit", "JUnit XML")] = None,
    json_file: Annotated[str | None, _file("--json", "JSON")] = None,
    report: Annotated[str | None, _file("--report", "the page")] = None,
    annotations: Annotated[
        bool,
        typer.Option(
            "--annotations",
            help="Print GitHub's workflow commands, shown as annotations of a pull request.",
        ),
    ] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Write the JSON Schema of --format json.")
    ] = False,
    asked: options.Asked,
) -> int:
    """Say whether results can be trusted and keep to rules.

    Exit status: 0 every rule passed or is inconclusive, and no finding is an error; 1 a rule
    failed, or a finding is an error; 2 a metric, scope or side of a comparison is missing, a
    named file could not be read, or a usage error; 3 with --require-verdict, a rule is
    inconclusive. 2 goes before 1.
    """
    if schema:
        from importlib.resources import files as resources

        say(resources("benchkit").joinpath("schemas/check.schema.json").read_text("utf-8"))
        return 0
    listed = zip(_FILES, (markdown, junit, json_file, report), strict=True)
    files = {form: path for form, path in listed if path is not None}
    words = {
        "require": require,
        "baseline": baseline,
        "fail-on": None if fail_on is FailOn.ERROR else fail_on.value,
        "title": title,
        **asked.of_runs,
        "report": report,
    }
    printing = _Printing(files, form, annotations=annotations)
    try:
        _apart(files.values())
        conditions = _conditions(
            require or (),
            baseline,
            fail_on=fail_on,
            require_verdict=require_verdict,
            show_secrets=asked.show_secrets,
        )
        results = reading.read(paths, asked)
        made = _gate(results, conditions)
        inputs = (*results.inputs, *(conditions.stored.inputs if conditions.stored else ()))
        for path in files.values():
            spare(inputs, path)
        _spare_summary(inputs)
    except BenchkitError as error:
        nothing = _undecided(str(error) if asked.show_secrets else redact(str(error)))
        outputs = _Outputs(nothing, None, paths or [], words)
        named = [*reading.paths_of(paths), *([baseline] if baseline else [])]
        with suppress(BenchkitError):  # which is not what went wrong first
            printing.write_trouble(outputs, named)
        raise
    outputs = _Outputs(
        made, results, paths or [], words, conditions.baseline, show_secrets=asked.show_secrets
    )
    printing.write(outputs)
    reading.explain(results, asked)
    return reading.strictly(results, asked) or made.status


def write_unbegun(arguments: Sequence[str], why: str) -> None:
    """Write why nothing was looked at, where the arguments or the configuration make no sense.

    As they cannot be parsed, the files are those behind the options' names.
    """
    given, rest = _split(arguments)
    named = ((name, given.get(f"--{name}", "")) for name in _FILES)
    files = {name: path for name, path in named if path == "-" or path[:1] not in {"", "-"}}
    asked = given.get("--format", "")
    form = next((form for form in options.ListFormat if form == asked), options.ListFormat.TABLE)
    outputs = _Outputs(_undecided(why), None, [], {"title": None})
    with suppress(BenchkitError):
        rest += [str(setting.value)] if (setting := settings().get("baseline")) else []
    printing = _Printing(files, form, annotations="--annotations" in rest)
    with suppress(BenchkitError):
        printing.write_trouble(outputs, [*rest, *_default_paths(rest)])


def _default_paths(arguments: Sequence[str]) -> list[str]:
    """Return what a check without paths reads: nothing where a word can only be a path."""
    pairs = pairwise(["", *arguments])
    named = any(not before.startswith("-") and word[:1] != "-" for before, word in pairs)
    return [] if named else reading.paths_of(None)


def _split(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the values of the options that name outputs, and the other arguments."""
    given: dict[str, str] = {}
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if option in _NAMING:
            given[option] = value if equals else next(words, "")
        else:
            rest.append(word)
    return given, rest


@dataclass(frozen=True)
class _Printing:
    """Where what is said goes: files by form, the summary of the step, and standard output."""

    files: Mapping[str, str]
    form: options.ListFormat
    annotations: bool

    def write(self, outputs: _Outputs) -> None:
        """Write everything that is asked for."""
        self._write_files(outputs, self.files, summary=True)
        say(_printed(outputs, self.form))

    def write_trouble(self, outputs: _Outputs, named: Sequence[str]) -> None:
        """Write why nothing can be said, so that no earlier answer is taken for today's.

        What lies among the inputs may be one of them, and stays.
        """
        from benchkit.cli.overlaps import stays_clear

        free = {form: path for form, path in self.files.items() if stays_clear(path, named)}
        self._write_files(outputs, free, summary=stays_clear(_summary() or os.devnull, named))
        if self.form is not options.ListFormat.TABLE:
            say(_printed(outputs, self.form))

    def _write_files(self, outputs: _Outputs, files: Mapping[str, str], *, summary: bool) -> None:
        failures = []
        for name, path in files.items():
            try:
                with destination(path) as file:
                    file.write(outputs.text(name).encode())
            except BenchkitError as error:  # the others are not to keep an earlier answer
                failures.append(error)
        if summary:
            _summarise(outputs)
        for failure in failures:
            raise failure
        if self.annotations:
            from benchkit.report.annotations import commands

            say(commands(outputs.gate))


def _is_special(path: str) -> bool:
    """Whether a path is no file and none can be made there, such as `/dev/null`."""
    return Path(path).exists() and not Path(path).is_file()


def _apart(paths: Iterable[str]) -> None:
    """Make sure that each file can be written, and no two are one.

    Raises:
        UsageError: that is not so.
    """
    seen = set()
    for path in paths:
        if is_stdout(path):
            continue
        writable(path)
        target = target_of(path)
        if target in seen and not _is_special(target):
            raise UsageError(f"{path} is named for two outputs")
        seen.add(target)


def _conditions(
    rules: Sequence[str],
    baseline: str | None,
    *,
    fail_on: FailOn,
    require_verdict: bool,
    show_secrets: bool,
) -> Conditions:
    """Return what is asked, with the findings that the configuration ignores."""
    with reading.without_idle_threads():
        from benchkit.gates import Conditions
        from benchkit.gates.ignored import exemptions
        from benchkit.gates.rule import rule

    known = stored(baseline, show_secrets=show_secrets)
    ignored = settings().get("ignored")
    if ignored is not None:
        checked("ignored", ignored)
    return Conditions(
        rules=tuple(rule(text) for text in rules),
        baseline=None if known else baseline,
        stored=known,
        exempt=exemptions(ignored.value) if ignored else (),
        fail_on="warning" if fail_on is FailOn.WARNING else "error",
        require_verdict=require_verdict,
    )


def _undecided(why: str) -> Gate:
    """Return what is said where nothing could be looked at."""
    from benchkit.gates.ruling import Gate
    from benchkit.validity import Examination

    return Gate(Examination(), troubles=(why,))


def _gate(results: Results, conditions: Conditions) -> Gate:
    """Return what is said; an output that could not be read is trouble: it is a run that lacks."""
    from benchkit.gates import gate

    read = {row["source"] for row in results.sources if row["state"] != "skipped"}
    troubles = [
        f"{'a part of ' * (row['source'] in read)}{row['source']} could not be read"
        for row in results.sources
        if row["state"] == "skipped"
    ]
    try:
        return gate(results, replace(conditions, troubles=troubles))
    except UsageError as error:
        if "@" not in (conditions.baseline or ""):
            raise
        raise UsageError(
            f"{error}; and STORE@NAME needs a store that `benchkit save` has written to"
        ) from error


@dataclass(frozen=True)
class _Outputs:
    """What is said, in every form."""

    gate: Gate
    results: Results | None
    paths: Sequence[str]
    asked: Mapping[str, Any]
    baseline: str | None = None
    show_secrets: bool = False

    @property
    def title(self) -> str:
        """The heading on one line, empty without any."""
        title = self.asked["title"] or ""
        return clean(title if self.show_secrets else redact(title), limit=200)

    def text(self, name: str) -> str:
        """Return it as the file that an option names."""
        if name == "junit":
            from benchkit.report.junit import junit

            return junit(self.gate, title=self.title)
        if name == "json":
            from benchkit.report.gates import gate_record

            return json_text(gate_record(self.gate), indent=2) + "\n"
        if name == "markdown":
            from benchkit.report.gate_text import markdown

            return markdown(self.gate, title=self.title)
        if self.results is None:
            from benchkit.report.gates import gate_table
            from benchkit.report.html import trouble

            return trouble(gate_table(self.gate), self.title)
        from benchkit.report.document import command_of, document

        return document(
            self.results,
            title=self.asked["title"],  # redacted there
            baseline=self.baseline,
            command=command_of(self.paths, self.asked, name="check"),
            gate=self.gate,
            show_secrets=self.show_secrets,
        )


def _printed(outputs: _Outputs, form: options.ListFormat) -> str:
    from benchkit.report.gate_text import render, without_commands

    if form is options.ListFormat.JSON:
        return outputs.text("json")
    if form is options.ListFormat.MARKDOWN:
        text = outputs.text("markdown")
    else:
        text = render(outputs.gate, width=width(), colour=styled())
    return without_commands(text) if os.environ.get(_PIPELINE) else text


def _summary() -> str | None:
    """Return the path of the summary of the step, None where there is none."""
    return os.environ.get(_SUMMARY) or None


def _spare_summary(inputs: Sequence[str]) -> None:
    """Make sure that the summary is none of the inputs.

    Raises:
        UsageError: it is one.
    """
    path = _summary()
    if path is not None and is_input(inputs, path):
        raise UsageError(
            f"the summary {path}, which {_SUMMARY} names, is one of the inputs, and would be "
            "added to; name another file there"
        )


def _summarise(outputs: _Outputs) -> None:
    """Add Markdown to the summary of the step, as far as there is room.

    Raises:
        UsageError: it cannot be written.
    """
    from benchkit.report.gate_text import shortened

    path = _summary()
    if path is None:
        return
    try:
        with Path(path).open("ab") as file:
            room = _MOST_SUMMARY - file.tell()
            file.write(shortened(outputs.text("markdown"), room).encode())
    except OSError as error:
        raise UsageError(
            f"cannot write the summary {path}, which {_SUMMARY} names: {error.strerror or error}"
        ) from error
