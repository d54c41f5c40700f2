"""The rows of one run that some checks need, in arrays of bounded size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.validity.model import NotApplicableError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from benchkit.results import Results

#: Runs with more requests are not read a second time for a check.
MOST_ROWS: Final = 500_000


@dataclass(frozen=True)
class Requests:
    """Requests in file order.

    Attributes:
        seq: Number of the request in its attack, None where the format has none.
        started_ns: When it was sent, ns since 1970 UTC, None where the format has none.
        latency_s: Its latency.
    """

    seq: npt.NDArray[np.int64] | None
    started_ns: npt.NDArray[np.int64] | None
    latency_s: npt.NDArray[np.float64]

    def need(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return numbers and times.

        Raises:
            NotApplicableError: the format lacks one of them.
        """
        if self.seq is None or self.started_ns is None:
            raise NotApplicableError("no number and time of each request")
        return self.seq, self.started_ns


def requests_of(results: Results, run_id: str, count: int | None) -> Requests:
    """Read the requests of a run.

    Raises:
        NotApplicableError: there is no row per request, or there are more than `MOST_ROWS`.
    """
    import numpy as np

    if run_id not in results.readers:
        raise NotApplicableError("no row per request")
    if count is not None and count > MOST_ROWS:
        raise NotApplicableError(
            f"{show.count(count)} requests; rows are read again up to {show.count(MOST_ROWS)}"
        )
    parts: dict[str, list[npt.NDArray[np.int64]]] = {"seq": [], "started_at": []}
    kinds = {"seq": "int64", "started_at": "datetime64[ns]"}
    latencies: list[npt.NDArray[np.float64]] = []
    for frame in results.readers[run_id]():
        latencies.append(frame["latency_s"].to_numpy(float))
        for name, into in parts.items():
            if not frame[name].isna().any():
                into.append(frame[name].to_numpy(kinds[name]).astype(np.int64))
    if not latencies:
        raise NotApplicableError("no row per request")
    whole = {
        name: np.concatenate(found) if len(found) == len(latencies) else None
        for name, found in parts.items()
    }
    return Requests(whole["seq"], whole["started_at"], np.concatenate(latencies))
