"""Whether what a parser returned can be: known columns, values of their kinds, possible rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import InputError, Where
from benchkit.frames import ColumnKind
from benchkit.model.bounds import LONGEST_S, MOST, most_of
from benchkit.parsing import Figure, Parser, Part, RequestBatch, RowsParser, RunRecord, Source
from benchkit.schema import QUANTILE_COLUMNS, RUNS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_LAST_STATUS: Final = 999
_FIRST_YEAR, _LAST_YEAR = 1970, 2261
#: What a column of few words takes.
_WORDS: Final = {column.name: column.values for column in RUNS.columns if column.values}
#: More than any size, or number of a result.
_MOST_BYTES: Final = 2**62
#: A file with more impossible rows than one in so many is no file of results.
_TOLERATED: Final = 1000


class ImpossibleError(InputError):
    """Values or rows that cannot be: of an undamaged file the parser's mistake."""


def require_sound(result: object, parser: Parser) -> None:
    """Check that a parser returned a run as `benchkit.parsing` has it, or an InputError.

    Raises:
        TypeError: it did not; the text says what is wrong.
        ImpossibleError: it did, and gives a value that cannot be.
    """
    if isinstance(result, InputError):
        texts = (result.expected, result.actual, result.hint)
        if not all(text is None or isinstance(text, str) for text in texts):
            raise TypeError("an InputError of something else than texts")
        return
    if not isinstance(result, RunRecord):
        raise TypeError(f"a {type(result).__name__} where a RunRecord or an InputError belongs")
    wrong = next(_faults(result), None)
    if wrong is not None:
        raise TypeError(wrong)
    beyond = next(_impossible(result), None)
    if beyond is not None:
        raise ImpossibleError(
            "values that can be",
            actual=beyond,
            where=None if result.lines is None else Where(line=result.lines[0] + 1),
            hint=f"the file was changed, or the parser {parser.name} misreads it",
        )


def require_lines(result: object, *, among: int) -> None:
    """Check that a run lies within a text of so many lines.

    Columns of a page that stood side by side may make its last line lie above its first.

    Raises:
        TypeError: it does not.
    """
    lines = result.lines if isinstance(result, RunRecord) else None
    if lines is not None and _are_lines(lines) and max(lines) > among:
        raise TypeError(f"{lines!r} are no lines of a text of {among}")


def _impossible(record: RunRecord) -> Iterator[str]:
    """Yield values that no run can have, and no table could hold."""
    for name, value in record.columns.items():
        most = most_of(RUNS, name)
        if most is not None and value is not None and value >= most:
            yield f"{name} of {value:.3g}"
        if value is not None and RUNS.kinds[name] == "instant" and not _is_of_table(value):
            yield f"{name} of {value}"
    for quantile, latency in record.quantiles:
        if latency >= LONGEST_S:
            yield f"a latency of {latency:.3g} s at {quantile:g}"
    for figure in record.figures:
        if abs(figure.value) >= MOST:
            yield f"a figure '{figure.metric}' of {figure.value:.3g}"
    ratio = record.columns.get("success_ratio")
    if ratio is not None and ratio > 1:
        yield f"a share of successes of {ratio:g}"
    yield from (f"the status {code}" for code in record.statuses if code > _LAST_STATUS)
    counts = (*record.statuses.values(), *record.errors.values())
    yield from (f"a count of {n:.3g}" for n in counts if n is not None and n >= MOST)


def _faults(record: RunRecord) -> Iterator[str]:
    yield from _column_faults(record.columns)
    yield from _quantile_faults(record)
    yield from (f"{figure!r} is no figure" for figure in record.figures if not _is_figure(figure))
    if record.lines is not None and not _are_lines(record.lines):
        yield f"{record.lines!r} are no first and last line"
    for code, count in record.statuses.items():
        if not (is_of("int", code) and is_of("int", count) and code >= 0 and count >= 0):
            yield f"{code!r}: {count!r} is no count of a status"
    for text, times in record.errors.items():
        counted = times is None or (is_of("int", times) and times >= 0)
        if not (is_of("string", text) and counted):
            yield f"{text!r}: {times!r} is no count of an error"
    notes = (*record.notes, *record.lost)
    yield from (f"{note!r} is no note" for note in notes if not is_of("string", note))


def _is_figure(figure: Figure) -> bool:
    texts = (figure.metric, figure.statistic, figure.unit, figure.printed or "")
    return is_of("float", figure.value) and all(isinstance(text, str) for text in texts)


def _quantile_faults(record: RunRecord) -> Iterator[str]:
    for pair in record.quantiles:
        if not all(is_of("float", number) for number in pair) or not 0 <= pair[0] <= 1:
            yield f"{pair!r} is no quantile with a latency"
        elif pair[1] < 0:
            yield f"the latency at {pair[0]:g} is {pair[1]:g} s, below 0"
    printed = {QUANTILE_COLUMNS[q]: s for q, s in record.quantiles if q in QUANTILE_COLUMNS}
    for column, latency in printed.items():
        value = record.columns.get(column)
        if value is not None and value != latency:
            yield f"{column} is {value!r}, its quantile {latency!r}: use record.quantile"


def _column_faults(columns: Mapping[str, Any]) -> Iterator[str]:
    for name, value in columns.items():
        kind = RUNS.kinds.get(name)
        if kind is None:
            yield f"{name!r} is no column of runs"
        elif value is not None and not is_of(kind, value):
            yield f"{name} is {value!r}, which is no {kind}"
        elif value is not None and value not in _WORDS.get(name, (value,)):
            yield f"{name} is {value!r}, which is none of {', '.join(_WORDS[name])}"
        elif kind in {"int", "float"} and value is not None and value < 0:
            yield f"{name} is {value!r}, below 0"


def is_of(kind: ColumnKind, value: Any) -> bool:  # noqa: ANN401 - whatever a parser returned
    """Whether a value is one that a column of a kind takes."""
    if kind == "float":
        if type(value) is float:  # as nearly all are
            return math.isfinite(value)
        return _is_number(value) and math.isfinite(value)
    if kind == "int":
        return _is_number(value) and math.isfinite(value) and int(value) == value
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str)
    return isinstance(value, (str, datetime)) or _is_numpy_instant(value)


def _is_numpy_instant(value: Any) -> bool:  # noqa: ANN401 - whatever a parser returned
    return getattr(getattr(value, "dtype", None), "kind", "") == "M" and not value.ndim


def _are_lines(lines: object) -> bool:
    if not (
        isinstance(lines, tuple | list) and len(lines) == 2 and all(is_of("int", n) for n in lines)
    ):
        return False
    return bool(min(lines) >= 0)


def _is_of_table(instant: Any) -> bool:  # noqa: ANN401 - whatever a parser returned
    """Whether 64 bits of nanoseconds since 1970 hold an instant, or it is NaT.

    Go's zero time is none.
    """
    if instant != instant:  # noqa: PLR0124 - as NaT is
        return True
    if isinstance(instant, str):
        try:
            instant = datetime.fromisoformat(instant)
        except ValueError:
            return False
    if isinstance(instant, datetime):
        return _FIRST_YEAR <= instant.year <= _LAST_YEAR
    return _FIRST_YEAR <= int(instant.astype("datetime64[Y]").astype("int64")) + 1970 <= _LAST_YEAR


def _is_number(value: Any) -> bool:  # noqa: ANN401 - whatever a parser returned
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# --- rows ---


def sound_rows(
    parser: RowsParser, source: Source, part: Part | None = None
) -> Iterator[RequestBatch]:
    """Yield what a parser reads of a file, or of a part, without rows that cannot be.

    Such have a latency below 0, or no such status or time.

    Raises:
        InputError: as the parser.
        ImpossibleError: more than one row in a thousand is.
        InseparableError: the rows of the part are no others' business.
    """
    batches = parser.rows(source)
    if part is not None and parser.rows_of is not None:
        batches = parser.rows_of(source, part)
    total = odd = 0
    batch = failure = None
    remaining = iter(batches)
    while failure is None:
        try:
            batch = next(remaining)
        except StopIteration:
            break
        except InputError as error:
            failure = error
            continue
        total += len(batch)
        if not _all_possible(batch):
            good = _possible(batch)
            odd += len(batch) - int(good.sum())
            batch = batch.where(good)
        yield batch
    if batch is not None and odd:
        yield replace(batch.since(len(batch)), notes=[_note(odd)])
    if failure is not None:
        raise failure
    if odd * _TOLERATED > total:
        raise ImpossibleError(
            "latencies of 0 and more, status codes up to 999, times, sizes and numbers",
            actual=f"{odd:,} of {total:,} results without",
            hint=f"the file is damaged, or is none that the parser {parser.name} reads",
        )


def _note(count: int) -> str:
    what = "result was" if count == 1 else "results were"
    return (
        f"{count:,} {what} left out: latency below 0, or no possible status, time, size or number"
    )


def _all_possible(batch: RequestBatch) -> bool:
    """Whether no row needs a look of its own; as unsigned numbers those below 0 are the largest."""
    if not len(batch):
        return True
    slowest = int(batch.latency_ns.view("u8").max())
    latest = 0 if batch.started_ns is None else int(batch.started_ns.view("u8").max())
    if batch.started_ns is not None and int(batch.started_ns.min()) < _earliest(batch):
        return False  # a result without a time
    highest = 0 if batch.status is None else int(batch.status.view("u4").max())
    most = max((int(values.view("u8").max()) for values in _sizes(batch)), default=0)
    return (
        highest <= _LAST_STATUS
        and max(slowest, latest, slowest + latest) < 2**63
        and most < _MOST_BYTES
    )


def _possible(batch: RequestBatch) -> npt.NDArray[np.bool_]:
    good: npt.NDArray[np.bool_] = batch.latency_ns >= 0
    if batch.status is not None:
        good &= (batch.status >= 0) & (batch.status <= _LAST_STATUS)
    if batch.started_ns is not None:
        # The end of a request must be an instant too.
        latest = 2**63 - 1 - batch.latency_ns
        good &= (batch.started_ns >= _earliest(batch)) & (batch.started_ns <= latest)
    for values in _sizes(batch):
        good &= (values >= 0) & (values < _MOST_BYTES)
    return good


def _earliest(batch: RequestBatch) -> int:
    """Return the first instant that there is: 0 ns since 1970 is none."""
    return 0 if batch.started_relative else 1


def _sizes(batch: RequestBatch) -> list[npt.NDArray[np.int64]]:
    columns = (batch.received_bytes, batch.sent_bytes, batch.seq)
    return [values for values in columns if values is not None]
