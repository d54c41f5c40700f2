"""Saved tables as they may be shown: what `--show-secrets` has let in is taken out again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from benchkit.redaction import redact
from benchkit.redaction.factors import Factors, relabelled

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.frames import Table

#: Texts that are ours, not those of an input.
_OURS: Final = frozenset({"run_id", "sha256", "tool", "format", "state", "params"})


def without_secrets(table: Table, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a saved table without secrets, itself where it has none."""
    changed: dict[str, Any] = {}
    if {"params", "label"} <= {*frame.columns}:
        changed = _levels_hidden(frame)
    for name in frame.columns:
        if table.kinds.get(name) != "string" or name in _OURS:
            continue
        texts = changed.get(name, frame[name])
        shown = {text: redact(text) for text in {*texts} if isinstance(text, str)}
        if any(text != hidden for text, hidden in shown.items()):
            changed[name] = [shown.get(text, text) for text in texts]
    return frame.assign(**changed) if changed else frame


def _levels_hidden(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Return the params of runs with their labels, which name levels; nothing without secrets."""
    factors = Factors()
    rows = [
        _shown(params, label, factors)
        for params, label in zip(frame["params"], frame["label"], strict=True)
    ]
    if rows == [*zip(frame["params"], frame["label"], strict=True)]:
        return {}
    return {"params": [params for params, _ in rows], "label": [label for _, label in rows]}


def _shown(params: Any, label: Any, factors: Factors) -> tuple[Any, Any]:  # noqa: ANN401 - cells
    if not isinstance(params, str):
        return params, label
    try:
        levels = json.loads(params)
    except (ValueError, RecursionError):
        return redact(params), label
    if not isinstance(levels, Mapping):
        return redact(params), label
    shown = factors.shown(levels)
    if shown == levels:
        return params, label
    text = json.dumps(shown, sort_keys=True, ensure_ascii=False)
    return text, relabelled(label, levels, shown) if isinstance(label, str) else label
