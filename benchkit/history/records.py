"""A history as JSON, in base units: every save, and each trend with its change points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchkit.history.circumstances import Break
from benchkit.history.saves import Save
from benchkit.history.trends import ChangePoint, History, SavedPoint, Trend


def records(history: History) -> dict[str, Any]:
    """Return keys store, branch, tests, saves and series; instants are ISO 8601, UTC."""
    return {
        "store": history.address,
        "branch": history.branch,
        "tests": history.tests,
        "saves": [_save(save) for save in history.saves],
        "series": [_series(trend) for trend in history.trends],
    }


def _save(save: Save) -> dict[str, Any]:
    return {
        "id": save.id,
        "commit": save.commit,
        "branch": save.branch,
        "label": save.label,
        "saved_at": save.saved_at,
        "runs": save.runs,
        "benchkit": save.benchkit,
        "machine": dict(save.machine),
    }


def _series(trend: Trend) -> dict[str, Any]:
    return {
        "scenario": trend.scenario,
        "variant": trend.variant,
        "tool": trend.tool,
        "metric": trend.metric.name,
        "points": [_point(point) for point in trend.points],
        "change_points": [_change(change) for change in trend.changes],
        "breaks": [_break(each) for each in trend.breaks],
    }


def _name(save: Save) -> Mapping[str, Any]:
    return {"save": save.id, "commit": save.commit, "saved_at": save.saved_at}


def _point(point: SavedPoint) -> dict[str, Any]:
    return {
        **_name(point.save),
        "value": point.value,
        "low": point.low,
        "high": point.high,
        "confidence": point.confidence,
        "runs": point.runs,
        "group": point.group,
    }


def _change(change: ChangePoint) -> dict[str, Any]:
    effect, interval = change.effect, change.effect.interval
    return {
        **_name(change.at),
        "after_commit": change.last.commit,
        "after_save": change.last.id,
        "ratio": effect.ratio,
        "ci_low": interval.low if interval else None,
        "ci_high": interval.high if interval else None,
        "before_value": effect.baseline_value,
        "value": effect.value,
        "before_runs": effect.baseline_runs,
        "runs": effect.runs,
        "worse": change.worse,
        "before_saves": [save.id for save in change.before],
        "after_saves": [save.id for save in change.after],
        "command": change.command,
        "circumstances": list(change.circumstances),
    }


def _break(each: Break) -> dict[str, Any]:
    return {**_name(each.at), "differences": list(each.differences)}
