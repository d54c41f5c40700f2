"""Which lines of ours an execution reaches that none before it did, at little cost.

A function whose lines are all known is not followed any more, and one in which nothing new
was seen for a while only now and then: most calls then cost one look-up.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, Final

from studies.fuzz.defects import SOURCES

_OFTEN: Final = 64
_SELDOM: Final = 16


@dataclass(slots=True)
class _Known:
    """What is known of one function: its lines not seen yet, and how often it ran since."""

    missing: set[int]
    calls: int = 0


@dataclass
class LineCoverage:
    """Lines reached so far.

    Attributes:
        reached: How many.
    """

    reached: int = 0
    _functions: dict[CodeType, _Known | None] = field(default_factory=dict)

    @contextmanager
    def following(self) -> Iterator[None]:
        """Take in the lines that are reached inside."""
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(None)

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:  # noqa: ANN401 - as the hook is called
        code = frame.f_code
        try:
            known = self._functions[code]
        except KeyError:
            known = self._functions[code] = _known(code)
        if known is None:
            return None
        known.calls += 1
        if known.calls > _OFTEN and known.calls % _SELDOM:
            return None
        return self._reached

    def _reached(self, frame: FrameType, event: str, _argument: Any) -> Any:  # noqa: ANN401 - as the hook is called
        known = self._functions[frame.f_code]
        if known is None:
            return None
        if event == "line" and frame.f_lineno in known.missing:
            known.missing.remove(frame.f_lineno)
            known.calls = 0
            self.reached += 1
            if not known.missing:
                self._functions[frame.f_code] = None
        return self._reached


def _known(code: CodeType) -> _Known | None:
    if not code.co_filename.startswith(SOURCES):
        return None
    lines = {line for _, _, line in code.co_lines() if line} - {code.co_firstlineno}
    return _Known(lines) if lines else None
