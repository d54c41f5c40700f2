"""What a run says of itself, apart from its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from benchkit.model.run import IN_NAME
from benchkit.parsing import Figure

#: Columns of `runs` that a name may state, by the param under which it does.
COLUMNS: Final[Mapping[str, str]] = {
    "connections": "connections",
    "threads": "threads",
    "rate": "offered_rate_rps",
    "pipelining": "pipelining",
    "keepalive": "keepalive",
}


@dataclass(frozen=True)
class Facts:
    """What a run's output, command and metadata say of how it was made.

    Attributes:
        columns: Columns of `runs`.
        figures: Value per metric and statistic, as far as the files give one.
        shell: The shell or machine at whose prompt it was started.
    """

    columns: Mapping[str, Any]
    figures: Mapping[tuple[str, str], float]
    shell: str | None = None

    def get(self, column: str) -> Any:  # noqa: ANN401 - a cell may hold any kind
        """Return a column, None where it is missing."""
        return self.columns.get(column)

    @property
    def printed(self) -> dict[str, float]:
        """The load as a name may state it: what was asked for, where that is known."""
        known = {
            "connections": self.figures.get(("connections", "value"), self.get("connections")),
            "threads": self.get("threads"),
            "rate": self.get("offered_rate_rps") or self.figures.get(("Requests", "rate")),
            "pipelining": self.get("pipelining"),
            "requests": self.get("requests"),
            "duration": self.figures.get(("Running", "value")),
        }
        return {name: value for name, value in known.items() if value is not None}

    @property
    def path(self) -> str | None:
        """Path and query of the URL."""
        url = self._url
        return url and (url.path or "/") + (f"?{url.query}" if url.query else "")

    @property
    def host(self) -> str | None:
        """Host and port of the URL."""
        return self._url and self._url.netloc.rpartition("@")[2]

    @property
    def _url(self) -> SplitResult | None:
        try:
            return urlsplit(self.get("url") or "") if self.get("url") else None
        except ValueError:
            return None

    def stated_too(self, stated: Mapping[str, Any]) -> Iterator[Figure]:
        """Yield what a name states of the load that the output prints as well."""
        for param, column in COLUMNS.items():
            value = stated.get(param)
            if isinstance(value, int | float) and self.get(column) is not None:
                yield Figure(IN_NAME, column, float(value))
