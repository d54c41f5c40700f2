"""Checks that a parser must pass, for those who write one.

With pytest, one test per check and fixture:

    @parametrize_checks(PARSER, Path(__file__).parent / "data")
    def test_parser(check):
        check()

Without it, `failures(PARSER, folder)` returns what is wrong by the name of the check. A check that
cannot hold is named with its reason in `expected_failures`; when it holds again, that is a failure.
docs/plugins.md says what each check looks at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchkit.errors import UsageError, unknown
from benchkit.parsing import Parser
from benchkit.testing.damage import ON_DAMAGE, Late, nothing_late
from benchkit.testing.others import ON_OTHERS
from benchkit.testing.reading import CheckError, Fixture
from benchkit.testing.records import ON_ALL, ON_RECORDS

if TYPE_CHECKING:
    import pytest

__all__ = ["CheckError", "Fixtures", "ParserCheck", "checks", "failures", "parametrize_checks"]

#: A file, a folder, or several.
Fixtures = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
#: What lies beside recorded outputs and is none.
_NO_OUTPUT: Final = frozenset({".cmd", ".md", ".py", ".pyc"})
#: The check that says what keeps an output from being read; the others of it are silent then.
READS: Final = "reads"


@dataclass(frozen=True)
class ParserCheck:
    """One check, called without arguments.

    Attributes:
        name: `truncations[two-runs.txt]`, or `other-tools` for one that needs no fixture.
        reason: Why it is expected to fail; empty where it is not.
    """

    name: str
    perform: Callable[[], None]
    reason: str = ""

    def __call__(self) -> None:
        """Perform it.

        Raises:
            CheckError: it does not hold; the text says where, and what was found.
        """
        self.perform()


def checks(
    parser: Parser,
    fixtures: Fixtures,
    *,
    expected_failures: Mapping[str, str] | None = None,
    late: Late = nothing_late,
) -> Iterator[ParserCheck]:
    """Yield every check of a parser, those of each recorded output last.

    Args:
        parser: The parser, of any kind.
        fixtures: Recorded outputs: files, or folders with them. Commands and READMEs
            beside them (`.cmd`, `.md`) are passed over.
        expected_failures: Why a check fails, by its name: of one fixture
            (`truncations[a.txt]`) or of all (`truncations`).
        late: From a part of an output and the whole to the names of values that a line behind
            the part puts in another light.

    Raises:
        UsageError: no fixture, or a name in `expected_failures` that no check has.
    """
    reasons = dict(expected_failures or {})
    listed = list(_listed(parser, _recorded(fixtures), late))
    names = {name for full, _ in listed for name in (full, full.partition("[")[0])}
    for name in reasons.keys() - names:
        raise unknown("check", name, sorted(names))
    for full, perform in listed:
        reason = reasons.get(full) or reasons.get(full.partition("[")[0], "")
        yield ParserCheck(full, perform, reason)


def failures(
    parser: Parser,
    fixtures: Fixtures,
    *,
    expected_failures: Mapping[str, str] | None = None,
    late: Late = nothing_late,
) -> dict[str, str]:
    """Perform every check; return what is wrong by name, a failure that stays out included."""
    wrong = {}
    for check in checks(parser, fixtures, expected_failures=expected_failures, late=late):
        try:
            check()
        except CheckError as error:
            if not check.reason:
                wrong[check.name] = str(error)
        else:
            if check.reason:
                wrong[check.name] = f"holds, and was expected to fail: {check.reason}"
    return wrong


def parametrize_checks(
    parser: Parser,
    fixtures: Fixtures,
    *,
    expected_failures: Mapping[str, str] | None = None,
    late: Late = nothing_late,
) -> pytest.MarkDecorator:
    """Return a decorator that gives a test each check as its argument `check`, named.

    An expected failure is an xfail, strictly.
    """
    import pytest

    listed = checks(parser, fixtures, expected_failures=expected_failures, late=late)
    return pytest.mark.parametrize(
        "check",
        [
            pytest.param(
                check,
                id=check.name,
                marks=[pytest.mark.xfail(reason=check.reason, strict=True, raises=CheckError)]
                if check.reason
                else [],
            )
            for check in listed
        ],
    )


def _listed(
    parser: Parser, recorded: Sequence[Fixture], late: Late
) -> Iterator[tuple[str, Callable[[], None]]]:
    for name, ask in ON_OTHERS.items():
        yield name, partial(ask, parser)
    for name, compare in ON_ALL.items():
        perform = partial(compare, parser, recorded)
        yield name, _if(lambda: all(each.is_read(parser) for each in recorded), perform)
    for fixture in recorded:
        readable = partial(fixture.is_read, parser)
        for name, look in ON_RECORDS.items():
            perform = partial(look, parser, fixture)
            yield f"{name}[{fixture.name}]", perform if name == READS else _if(readable, perform)
        for name, damage in ON_DAMAGE.items():
            perform = partial(damage, parser, fixture, late)
            yield f"{name}[{fixture.name}]", _if(readable, perform)


def _if(condition: Callable[[], bool], perform: Callable[[], None]) -> Callable[[], None]:
    """Return what is performed under a condition: one failure tells of an output once."""
    return lambda: perform() if condition() else None


def _recorded(fixtures: Fixtures) -> list[Fixture]:
    given = [fixtures] if isinstance(fixtures, (str, os.PathLike)) else list(fixtures)
    recorded = []
    for top in map(Path, given):
        folder = top.is_dir()
        recorded += [
            Fixture(path.relative_to(top).as_posix() if folder else path.name, path)
            for path in (sorted(top.rglob("*")) if folder else [top])
            if path.is_file() and path.suffix not in _NO_OUTPUT and not path.name.startswith(".")
        ]
    if not recorded:
        raise UsageError(f"no recorded output in {', '.join(map(str, given))}")
    return recorded
