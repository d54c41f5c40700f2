"""What became of a file as bytes: what other processes and machines send, and datasets keep.

It is JSON, made from what the classes declare, and read as what a stranger may have written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from benchkit import registry
from benchkit.counting.distribution import PRECISION, Distribution
from benchkit.counting.slices import ENDED, ENDPOINTS, MOST_DOUBLINGS, OUTCOMES, Slices, kind_of
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError, Where
from benchkit.ingest.beside import Beside
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.meta import KEYS, Meta
from benchkit.ingest.portable import DiskForm, fault, form_of, of_dataclass, several
from benchkit.ingest.soundness import is_of, require_sound
from benchkit.parsing import Parser
from benchkit.schema import RESOURCES, RUNS
from benchkit.stores.addresses import public

#: Rises whenever a class of which an outcome is made changes; other numbers are not read.
FORM: Final = 4
_KEY: Final = "benchkit_outcome"
_HINT: Final = "remove it, and ingest again"
_BITS: Final = 2**63
SHA256: Final = re.compile("[0-9a-f]{64}")


def packed(outcome: FileOutcome, *, clean: Callable[[str], str] | None = None) -> bytes:
    """Return an outcome as an engine made it, without what lies beside the file, as bytes.

    `clean` is done to every text of the input, for bytes that are kept.
    """
    content = _form().written(outcome)
    content["input"]["path"] = public(outcome.input.path)  # in the address a secret may stand
    if clean is not None:
        for name in ("input", "problems", "message"):
            content[name] = _cleaned(content[name], clean)
        for run in content["runs"]:
            run |= {name: _cleaned(run[name], clean) for name in ("record", "context")}
            counts = run["summary"] or {}
            texts = counts.keys() & {"name", "endpoints", "errors"}
            counts |= {name: _cleaned(counts[name], clean) for name in texts}
    return _text({_KEY: FORM, "outcome": content})


def _cleaned(content: Any, clean: Callable[[str], str]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(content, str):
        return clean(content)
    if isinstance(content, list):
        return [_cleaned(each, clean) for each in content]
    if isinstance(content, dict):
        return {name: _cleaned(each, clean) for name, each in content.items()}
    return content


def unpacked(data: bytes, *, source: str) -> FileOutcome:
    """Return the outcome in some bytes, which `source` names.

    Raises:
        InputError: they are none, or that of another benchkit.
    """
    try:
        return _outcome(_content(data, "outcome"))
    except (InputError, RecursionError) as error:
        raise _refused(error, source) from None


def packed_beside(beside: Beside, *, clean: Callable[[str], str] | None = None) -> bytes:
    """Return what lies beside outputs as bytes, likewise."""
    content = form_of(Beside).written(beside)
    return _text({_KEY: FORM, "beside": _cleaned(content, clean) if clean else content})


def unpacked_beside(data: bytes, *, source: str) -> Beside:
    """Return what lies beside outputs, from bytes.

    Raises:
        InputError: they are none, or that of another benchkit.
    """
    try:
        beside: Beside = form_of(Beside).read(_content(data, "beside"), "beside")
        _check_beside(beside)
    except (InputError, RecursionError) as error:
        raise _refused(error, source) from None
    return beside


def _refused(error: InputError | RecursionError, source: str) -> InputError:
    if isinstance(error, RecursionError):
        error = InputError("what benchkit wrote as JSON", actual="too much within each other")
    error.hint = error.hint or _HINT
    return error.within(source)


def _text(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()


def _content(data: bytes, key: str) -> object:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError("what benchkit wrote as JSON", actual="no JSON") from None
    if not isinstance(content, dict) or content.keys() != {_KEY, key}:
        raise InputError(f"'{_KEY}' and '{key}' in JSON", actual="something else")
    if content[_KEY] != FORM:
        written = f"that of another benchkit, {content[_KEY]!r:.20}"
        raise InputError(f"the form {FORM} of an {key}", actual=written)
    return content[key]


@cache
def _form() -> DiskForm:
    run = of_dataclass(
        FileRun,
        without=frozenset({"file", "others", "parts"}),
        parser=DiskForm(lambda parser: parser.name, _parser, "the name of a parser"),
    )
    return of_dataclass(
        FileOutcome,
        without=frozenset({"beside", "standard_input", "sends"}),
        runs=several(run, list),
    )


def _parser(name: object, path: str) -> Parser:
    try:
        return registry.parser(str(name))
    except KeyError:
        error = fault("a format that is read here", name, path)
        error.hint = "install the plug-in or the benchkit that wrote it"
        raise error from None


def _outcome(content: object) -> FileOutcome:
    values = _form().read(content, "outcome")
    runs = values.pop("runs")
    outcome = FileOutcome(**values)
    _check(outcome, named=bool(runs))
    outcome.runs = [FileRun(file=outcome, **each) for each in runs]
    for number, run in enumerate(outcome.runs, 1):
        path = f"outcome.runs[{number - 1}]"
        if run.number != number:
            raise fault("runs numbered from 1", run.number, path)
        words = [text for figure in run.record.figures for text in (figure.statistic, figure.unit)]
        if not all(map(str.isprintable, words)):
            raise InputError("statistics and units of figures", where=Where(path=path))
        try:
            require_sound(run.record, run.parser)
        except (TypeError, InputError) as error:
            raise InputError("a run", actual=str(error), where=Where(path=path)) from None
        if run.summary is not None:
            wrong = next(_faults(run.summary), None)
            if wrong is not None:
                raise InputError("counts of requests", actual=wrong, where=Where(path=path))
    return outcome


def _check(outcome: FileOutcome, *, named: bool) -> None:
    """Make sure of what tables show as ours: hashes, and formats that are known; see `runs`."""
    for name in ("key", "content_key", "sha256"):
        value = getattr(outcome, name)
        if not SHA256.fullmatch(value or "") and (value or (named and name != "sha256")):
            raise fault("a hash in hexadecimal digits", value, f"outcome.{name}")
    if not 0 <= (outcome.size_bytes or 0) < _BITS:
        raise fault("a size in bytes", outcome.size_bytes, "outcome.size_bytes")
    unknown = {*(outcome.format or "").split(", ")} - {p.name for p in registry.parsers()} - {""}
    if unknown:
        raise fault("formats that are read here", outcome.format, "outcome.format")


# --- what no counting gives ---


def _faults(summary: RequestSummary) -> Iterator[str]:
    for name, distribution in summary.outcomes.items():
        if name not in OUTCOMES:
            yield f"the outcome {name!r}"
        yield from _distribution_faults(distribution)
    yield from _slices_faults(summary.slices)
    numbers = list(summary.endpoints.values())
    if sorted(numbers) != list(range(len(numbers))) or len(numbers) > ENDPOINTS:
        yield "endpoints that are not numbered from 0"
    if summary.numbering is not None:
        starts, ends = summary.numbering.starts, summary.numbering.ends
        if len(starts) != len(ends) or (starts >= ends).any() or (ends[:-1] >= starts[1:]).any():
            yield "numbers of requests that are no stretches"
    instants = (summary.first_ns, summary.last_ns, summary.end_ns)
    if any(ns is not None and not -_BITS <= ns < _BITS for ns in instants):
        yield "an instant that 64 bits do not hold"
    if min(summary.started_step_ns, summary.latency_step_ns) < 1:
        yield "a step of less than 1 ns"


def _distribution_faults(distribution: Distribution) -> Iterator[str]:
    bins, counts = distribution.bins, distribution.counts
    if len(bins) != len(counts) or (bins[1:] <= bins[:-1]).any() or (counts < 1).any():
        yield "bins that do not ascend, or counts that are none"
    if len(bins) and not 0 <= bins[0] <= bins[-1] < 64 << PRECISION:
        yield "a bin of no latency"
    if distribution.precision != PRECISION:
        yield f"a precision of {distribution.precision}"
    extremes = (distribution.min_ns, distribution.max_ns)
    if (None in extremes) != (not len(bins)):
        yield "extremes without latencies, or none of them"
    if any(ns is not None and not -_BITS <= ns < _BITS for ns in extremes):
        yield "a latency that 64 bits do not hold"
    if sum(counts.tolist()) >= _BITS:
        yield "more requests than 64 bits count"


def _slices_faults(slices: Slices) -> Iterator[str]:
    keys, values = slices.keys, slices.values
    if len(keys) != len(values) or (keys[1:] <= keys[:-1]).any():
        yield "slices that do not ascend"
    elif not 0 <= slices.doublings <= MOST_DOUBLINGS:
        yield f"{slices.doublings} doublings of slices"
    elif (kind_of(keys) > ENDED + 2).any() or sum(values.clip(0).tolist()) >= _BITS:
        yield "slices of no kind, or with more than 64 bits count"


def _check_beside(beside: Beside) -> None:
    if isinstance(beside.meta, Meta):
        for name, value in beside.meta.columns.items():
            kind = RUNS.kinds.get(name) if name in KEYS else None
            if kind is None or not is_of(kind, value):
                raise fault("a column of metadata", value, f"beside.meta.columns.{name}")
    if beside.samples is None or isinstance(beside.samples, InputError):
        return
    for at, row in enumerate(beside.samples):
        try:
            RESOURCES.record(dict(row))
        except (ValueError, TypeError, OverflowError) as error:
            where = Where(path=f"beside.samples[{at}]")
            raise InputError("a sample of a process", actual=str(error), where=where) from None
