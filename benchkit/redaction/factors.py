"""Which levels of a benchmark's factors are secrets, told apart without being shown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from benchkit.redaction import MARK, redact_json
from benchkit.redaction.names import is_count, is_secret

#: Levels of a factor, whatever its name: `jwt=off` hides nothing.
_SWITCHES: Final = frozenset(
    {"", "on", "off", "yes", "no", "true", "false", "none", "enabled", "disabled"}
)
#: What stands for a level that was hidden before, of which the number must stay.
_HIDDEN: Final = re.compile(rf"{re.escape(MARK)}(?: [0-9]{{1,9}})?")


def relabelled(label: str, levels: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    """Return the label of a run with its levels as they are shown."""
    for level, other in zip(levels.values(), shown.values(), strict=True):
        if other != level:
            whole = rf"(?<![^\W_]){re.escape(str(level))}(?![^\W_])"
            label = re.sub(whole, str(other).replace("\\", r"\\"), label)
    return label


class Factors:
    """The params of the runs that are read together, as they may be shown.

    What is hidden is numbered by its first appearance: runs of two tokens are not repeats.
    """

    def __init__(self) -> None:
        """Know of no hidden level."""
        self._hidden: dict[str, dict[str, int]] = {}

    def shown(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return params without secrets; `auth` and `key` are plain words here."""
        return {redact_json(key): self._level(key, value) for key, value in params.items()}

    def _level(self, key: str, value: Any) -> Any:  # noqa: ANN401 - a level of any kind
        if isinstance(value, str) and _HIDDEN.fullmatch(value):
            return value
        plain = not isinstance(value, str | dict | list) or str(value).lower() in _SWITCHES
        hides = is_secret(key, weak=False) and not (plain or is_count(key, str(value)))
        shown = redact_json(value, secret=hides)
        if shown == value:
            return value
        numbers = self._hidden.setdefault(key, {})
        number = numbers.setdefault(json.dumps(value, sort_keys=True), len(numbers) + 1)
        return shown if number == 1 else f"{shown} {number}"
