"""What the rows of JMeter's results mean: requests, parts of them, transactions, others.

A row is a sample: of a request, of a sampler without HTTP (a script), or of a transaction, which
is the sum of those within it. Only requests count. A request without an answer has words instead
of a status (`Non HTTP response code: java.net.SocketTimeoutException`), and the length of a stack
trace as its size. An answer whose assertion does not hold has its own status, and `false` for
`success`. `elapsed` goes from before the connection to the last byte, `Latency` to the
first one; both contain `Connect`.

Source: Apache JMeter 5.6.3 `http/.../HTTPHC4Impl.java` (sample), `HTTPSamplerBase.java`
(errorResult), `core/.../control/TransactionController.java`, `TransactionSampler.java`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.errors import InputError
from benchkit.parsing import InseparableError, RequestBatch, remarks_of

from ._jmeter_parts import Parts
from ._rows_columns import looked_up, status_of

if TYPE_CHECKING:
    from ._rows_columns import Arrays
    from ._texts import TextCodes

TRANSACTION: Final = "Number of samples in transaction : "
_NO_CODE: Final = "Non HTTP response code: "
_NO_MESSAGE: Final = "Non HTTP response message: "
#: Texts of a sample that are codes, by field.
TEXTS: Final = ("label", "code", "message", "thread", "success", "error", "url")

#: What the parsers of rows declare alike.
ROWS: Final[Mapping[str, Any]] = {
    "tool": "jmeter",
    "fills": (
        *("requests", "latency_min_s", "latency_mean_s", "latency_p50_s", "latency_p75_s"),
        *("latency_p90_s", "latency_p95_s", "latency_p99_s", "latency_p999_s", "latency_max_s"),
    ),
    "may_fill": (
        *("started_at", "duration_s", "wait_s", "errors", "non2xx", "success_ratio"),
        *("throughput_rps", "goodput_rps", "url", "method", "received_bytes", "sent_bytes"),
        "latency_std_s",
    ),
    # JMeter counts bytes of headers, too.
    "withholds": ("body_bytes",),
    "when": {
        "errors": "where statuses are saved",
        "non2xx": "where statuses are saved",
        "success_ratio": "where statuses are saved",
        "url": "where URLs are saved, and there is one",
    },
    "constants": {
        "load_model": "closed",
        "correction": "none",
        "resolution_s": 1e-3,
        "clock": "connect-to-last-byte",
    },
}


@dataclass
class _Marked:
    """Which texts of a growing list are of a kind: begin with a mark, in any case where it folds.

    Spreadsheets and data frames write `TRUE` and `True`.
    """

    mark: str
    folds: bool = False
    known: list[bool] = field(default_factory=list)

    def among(self, codes: Any, names: TextCodes) -> Any:  # noqa: ANN401
        """Return which codes are; -1 is none."""
        new = names.texts[len(self.known) :]
        self.known += [(text.lower() if self.folds else text).startswith(self.mark) for text in new]
        return looked_up(np.array([*self.known, False]), codes)


class Samples:
    """Makes requests of the samples of one file, and remembers what it left out.

    Args:
        alone: All samples come here. If not, one that may be a part of another has none to look at.
    """

    def __init__(self, *, alone: bool = True) -> None:
        self._alone = alone
        self._parts = Parts()
        self._transactions = _Marked(TRANSACTION)
        self._succeeded = _Marked("true", folds=True)
        self._statuses: list[int] = []
        self.parts = self.transactions = self.others = self.requests = 0

    def requests_of(self, arrays: Arrays, names: Mapping[str, TextCodes]) -> Arrays:
        """Return the arrays of requests among some samples, in the order of the file.

        Raises:
            InputError: a row stands for several samples.
            InseparableError: a sample may be a part of another, which may not be here.
        """
        if "count" in arrays and (arrays.pop("count") != 1).any():
            raise InputError(
                "a row per sample",
                actual="rows that stand for several (SampleCount above 1)",
                hint="save the results of a run in mode 'Standard'",
            )
        if "message" in arrays:
            is_sum = self._transactions.among(arrays["message"], names["message"])
            self.transactions += int(is_sum.sum())
            arrays = _where(arrays, ~is_sum)
        is_part = self._parts_among(arrays, names)
        if is_part is not None:
            self.parts += int(is_part.sum())
            arrays = _where(arrays, ~is_part)
        return self._answered(arrays, names)

    def _parts_among(self, arrays: Arrays, names: Mapping[str, TextCodes]) -> Any:  # noqa: ANN401
        if "label" not in arrays or "started_ns" not in arrays:
            return None
        if not self._alone:
            if self._parts.may_have(names["label"].texts):
                raise InseparableError
            return None
        labels = arrays["label"].astype(np.int64)
        threads = arrays.get("thread", np.zeros_like(labels)).astype(np.int64)
        started = arrays["started_ns"]
        ended = started + arrays["latency_ns"]
        return self._parts.among(labels, threads, started, ended, names["label"].texts)

    def _answered(self, arrays: Arrays, names: Mapping[str, TextCodes]) -> Arrays:
        """Return requests with their statuses and errors, without samples that are none."""
        if "code" in arrays:
            arrays["status"] = self._status_of(arrays["code"], names["code"])
            if "success" in arrays:
                good = self._succeeded.among(arrays["success"], names["success"])
                is_other = good & (arrays["status"] == 0)
                if is_other.any():
                    self.others += int(is_other.sum())
                    arrays = _where(arrays, ~is_other)
            self._add_errors(arrays, names)
        nowhere = [text == "null" for text in names["url"].texts] if "url" in arrays else []
        if any(nowhere):
            arrays["url"] = np.where(np.array([*nowhere, False])[arrays["url"]], -1, arrays["url"])
            arrays["url"] = arrays["url"].astype(np.int32)
        self.requests += len(arrays["latency_ns"])
        return arrays

    def _status_of(self, codes: Any, names: TextCodes) -> Any:  # noqa: ANN401
        self._statuses += [status_of(text) or 0 for text in names.texts[len(self._statuses) :]]
        return looked_up(np.array([*self._statuses, 0]), codes)

    def _add_errors(self, arrays: Arrays, names: Mapping[str, TextCodes]) -> None:
        """Name the error of what failed, by its assertion or else its status or exception."""
        status = arrays["status"]
        failed = (status == 0) | (status >= 400)
        if "success" in arrays:
            failed = ~self._succeeded.among(arrays["success"], names["success"])
        error = np.full(len(status), -1, np.int32)
        if "error" in arrays and failed.any():
            error = np.where(failed, arrays["error"], error).astype(np.int32)
        rejected = failed & (status >= 200) & (status < 400)
        if rejected.any():
            arrays["rejected"] = rejected
        rows = np.flatnonzero(failed & (error < 0))
        if len(rows):
            codes = arrays["code"][rows].astype(np.int64)
            messages = arrays.get("message", np.full(len(status), -1, np.int32))[rows]
            width = len(names["message"].texts) + 1
            pairs, firsts, at = np.unique(
                (codes + 1) * width + messages + 1, return_index=True, return_inverse=True
            )
            known = np.empty(len(pairs), np.int32)
            for number in np.argsort(firsts):  # as they appear, wherever the file is cut
                text = _error(*divmod(int(pairs[number]), width), names)
                known[number] = names["error"].code(text.encode())
            error[rows] = known[at]
        arrays["error"] = error
        if "received_bytes" in arrays and not status.all():
            arrays["received_bytes"] = np.where(status == 0, 0, arrays["received_bytes"])

    @property
    def left_out(self) -> Mapping[str, int]:
        """How many of what were left out."""
        return {
            "parts of followed redirects or of pages, whose sums count": self.parts,
            "rows of transactions, whose requests count": self.transactions,
            "samples without HTTP": self.others,
        }


def with_remarks(batches: Iterable[RequestBatch], samples: Samples) -> Iterator[RequestBatch]:
    """Yield the same, and at last what was left out; raises InputError where nothing is left."""
    last = failure = None
    remaining = iter(batches)
    while failure is None:
        try:
            batch = next(remaining, None)
        except InputError as error:
            failure = error
            continue
        if batch is None:
            break
        yield batch
        last = batch.since(len(batch))
    remarks = remarks_of(samples.left_out)
    if last is not None and remarks:
        yield replace(last, left_out=samples.left_out)
    if failure is not None and (last is not None or not remarks):
        raise failure
    if last is None:
        raise InputError(
            "requests in the results of JMeter",
            actual="; ".join(remarks) or "none",
            hint="the run sent nothing; see the log that JMeter wrote (-j)",
        )


def _where(arrays: Arrays, rows: Any) -> Arrays:  # noqa: ANN401
    return arrays if rows.all() else {name: array[rows] for name, array in arrays.items()}


def _error(code: int, message: int, names: Mapping[str, TextCodes]) -> str:
    words = [
        names[name].texts[at - 1].removeprefix(prefix)
        for name, at, prefix in (("code", code, _NO_CODE), ("message", message, _NO_MESSAGE))
        if at
    ]
    return (": " if not words[0][:3].isdecimal() else " ").join(words) if words else "failed"
