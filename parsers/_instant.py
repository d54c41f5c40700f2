"""Instants as Go's `time.RFC3339Nano` prints them, in nanoseconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any


def instant(text: str | None) -> Any:  # noqa: ANN401 - numpy's instant, in nanoseconds
    """Return an RFC 3339 instant, None where there is none or the text is none."""
    if text is None or text.startswith("0001-"):
        return None
    matched = re.fullmatch(r"([\d-]{10}T[\d:]{8})(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)", text, re.ASCII)
    try:
        whole = datetime.fromisoformat(matched[1] + matched[3]).astimezone(UTC) if matched else None
    except (ValueError, OverflowError):
        whole = None
    if matched is None or whole is None:
        return None
    import numpy as np

    nanoseconds = int((matched[2] or "0").ljust(9, "0"))
    seconds = np.datetime64(whole.replace(tzinfo=None), "ns")
    return seconds + np.timedelta64(nanoseconds, "ns")
