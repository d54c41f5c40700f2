"""Documents of JSON whose texts hold reports, and notebooks.

Source: jupyter/nbformat 5.10.4 `nbformat/v4/nbformat.v4.schema.json` (cells and outputs).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from typing import Any, Final

from benchkit.ingest import fences
from benchkit.ingest.commands import read_command
from benchkit.ingest.layout.logs import parts_of_log
from benchkit.ingest.layout.page import LaidOut, Named, Part, Quote
from benchkit.ingest.naming.tokens import words_of
from benchkit.redaction import once_each, redact_json

#: A longer text beside a report is no name.
_LONGEST: Final = 80
#: So many keys are looked at of objects within each other, and so many texts in them.
_MOST_KEYS, _MOST_BESIDE = 12, 50
_MOST_NAMES, _MOST_COMMANDS = 8, 2
_LONGEST_LINE: Final = 2000
#: Keys of what was measured.
_NAMES: Final = words_of(
    "name title label server framework variant target implementation impl library lib service app "
    "application backend engine gateway proxy runtime candidate contender project"
)
#: Keys of what became of it, or is said of it.
_OUTCOMES: Final = words_of(
    "status state result outcome conclusion success successful succeeded passed failed failure ok "
    "valid level severity error errors reason message note notes remark comment exit exit_code "
    "rating verdict grade timeout timed_out killed aborted interrupted finished done skipped flaky "
    "retried warmup warm_up"
)
#: Keys of objects that have what was set.
_SETTINGS: Final = words_of(
    "config configuration settings options params parameters args setup env environment meta "
    "metadata test case scenario benchmark build"
)
#: Keys of numbers that are set, and not measured.
_FACTORS: Final = words_of(
    "workers worker_processes threads connections concurrency clients users vus cores "
    "cpus gomaxprocs replicas instances shards pool pool_size poolsize payload payload_size "
    "body_size batch batch_size depth pipelining"
)
#: Keys of what may read like a number, and is a name.
_VERSIONS: Final = words_of("version tag release commit revision")
_FIGURE: Final = re.compile(r"[0-9]++\Z")
_DIGITS: Final = re.compile("[0-9]++")
#: Dates, addresses, paths, hashes and figures: they tell runs apart, and not what was measured.
_NO_NAME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[~.]{0,2}/.*|[A-Za-z]:\\.*|[0-9a-fA-F-]{16,}|[\W\d_]*"
    r"|[0-9][0-9.,]*\s?(?:[A-Za-z\u00b5\u03bc]{1,3}|%)(?:/[A-Za-z]{1,3})?"
)


@dataclass(frozen=True)
class _Block:
    """A text of several lines in a document.

    Attributes:
        keys: Those above it, without the numbers of lists.
        beside: The short texts of the objects around it and what was set, by their keys.
    """

    keys: tuple[str, ...]
    beside: Mapping[str, str]
    text: str


def page_of_json(content: str, has_report: Callable[[str], bool]) -> LaidOut | None:
    """Return the page of a document, or of one per line; None where it has no such text.

    Args:
        content: The file's.
        has_report: Whether a text may hold a report.
    """
    if content.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        documents = _documents(content)
        if len(documents) == 1 and _is_notebook(documents[0]):
            return LaidOut.from_parts([*_cells(documents[0], has_report)], "its cells")
        blocks = [block for document in documents for block in _blocks(document, (), {})]
    except (ValueError, RecursionError):  # it is none
        return None
    reporting = [has_report(block.text) for block in blocks]
    if not any(reporting):
        return None
    parts = _parts(blocks, reporting, has_report)
    return LaidOut.from_parts([*parts], "its texts one below the other")


def _documents(content: str) -> Sequence[Any]:
    try:
        return [json.loads(content, object_pairs_hook=once_each)]
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise
    lines = filter(str.strip, content.split("\n"))
    return [json.loads(line, object_pairs_hook=once_each) for line in lines]


def _is_notebook(document: Any) -> bool:  # noqa: ANN401 - JSON
    return isinstance(document, dict) and document.keys() >= {"cells", "nbformat"}


def _cells(notebook: Mapping[str, Any], has_report: Callable[[str], bool]) -> Iterator[Part]:
    for cell in _objects(notebook["cells"]):
        source = _joined(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            yield source
        elif source:
            yield Quote(f"{source}\n")
        for output in _objects(cell.get("outputs")):
            data = output.get("data")
            plain = data.get("text/plain") if isinstance(data, dict) else output.get("text")
            if text := _joined(plain):
                yield from _shown(text, has_report)


def _shown(text: str, has_report: Callable[[str], bool]) -> Sequence[Part]:
    """Return a text, or the logs in it service by service."""
    log = parts_of_log(text, has_report) if has_report(text) else None
    if log is None and not fences.has_any(text):
        return [Quote(text)]
    return [Named((), log or [Quote(text)])]  # a page, with headings of its own


def _joined(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return the text of a notebook, which may be in pieces."""
    pieces = value if isinstance(value, list) else [value]
    return "".join(piece for piece in pieces if isinstance(piece, str))


def _objects(values: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - JSON
    if isinstance(values, list):
        yield from (value for value in values if isinstance(value, dict))


def _text(value: Any) -> str | None:  # noqa: ANN401 - JSON
    """Return a text, of lines in a list one text; None where it is no text."""
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        if any("\n" in line[:-1] for line in value):
            return None
        ended = all(line.endswith("\n") for line in value[:-1])
        return ("" if ended else "\n").join([*value, ""])
    return value if isinstance(value, str) else None


def _blocks(
    value: Any,  # noqa: ANN401 - JSON
    keys: tuple[str, ...],
    beside: Mapping[str, str],
) -> Iterator[_Block]:
    text = _text(value)
    if text is not None and "\n" in text.strip():
        yield _Block(keys, beside, text)
    elif isinstance(value, dict):
        known = dict([*beside.items(), *_settings(value), *_short(value)][-_MOST_BESIDE:])
        for key, below in value.items():
            yield from _blocks(below, (*keys, key)[-_MOST_KEYS:], known)
    elif isinstance(value, list):
        for below in value:
            yield from _blocks(below, keys, beside)


def _settings(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what objects in one say of a report beside them, by both keys: `server.name`."""
    for key, value in document.items():
        if isinstance(value, dict) and key.lower() in _SETTINGS | _NAMES:
            for below, text in _short(value):
                if below.lower() in _NAMES or _is_factor(below):
                    yield f"{key}.{below}", text


def _short(document: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    """Return the short texts of an object by their keys, but for secrets, and its factors."""
    texts = {
        key: value
        for key, value in document.items()
        if isinstance(value, str) and len(value) <= _LONGEST_LINE and "\n" not in value
    }
    clean = redact_json(texts)
    own = [(key, text) for key, text in texts.items() if clean.get(key) == text]
    switches = {key: str(each).lower() for key, each in document.items() if isinstance(each, bool)}
    numbers = {key: text for key, each in document.items() if (text := _number(key, each))}
    figures = {key: each for key, each in own if _is_factor(key) and _FIGURE.match(each)}
    versions = {key: each for key, each in own if key.lower() in _VERSIONS}
    labelled = {**switches, **numbers, **figures, **versions}
    labels = {key: f"{key}={value}" for key, value in labelled.items()}
    return [*((key, text) for key, text in own if key not in labels), *labels.items()]


def _number(key: str, value: Any) -> str:  # noqa: ANN401 - JSON
    """Return a number that was set or names a version, empty for others."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if key.lower() in _VERSIONS:
        return str(value)
    return str(int(value)) if _is_factor(key) and value == value // 1 else ""


def _is_factor(key: str) -> bool:
    return key.lower().rpartition(".")[2] in _FACTORS | _VERSIONS


def _parts(
    blocks: Sequence[_Block], reporting: Sequence[bool], has_report: Callable[[str], bool]
) -> Iterator[Part]:
    reports = [*compress(blocks, reporting)]
    names = _names([block.beside for block in reports])
    # A key above all of them is that of what was printed, as `stdout`, or of the list of them.
    common = set.intersection(*(set(block.keys) for block in reports))
    is_command = cache(lambda text: read_command(text) is not None)
    for block, reports_some in zip(blocks, reporting, strict=True):
        heading = _heading(block, names, common) if reports_some else ()
        commands = [*filter(is_command, block.beside.values())][-_MOST_COMMANDS:]
        typed = [Quote(f"{command}\n") for command in commands]
        yield Named(heading, [*typed, *_shown(block.text, has_report)])


def _heading(block: _Block, names: Sequence[str], common: Collection[str]) -> Sequence[str]:
    """Return what names a report: what was set, then the keys above it, then who was measured."""
    beside = {name: block.beside[name] for name in names if name in block.beside}
    factors = [text for name, text in beside.items() if _is_factor(name)]
    own = [text for name, text in beside.items() if not _is_factor(name)]
    keys = [key for key in block.keys if key not in common]
    return tuple(part for part in [*factors, *keys, *own] if part.strip())[-_MOST_NAMES:]


def _names(besides: Sequence[Mapping[str, str]]) -> Sequence[str]:
    """Return the keys whose short texts tell reports apart."""
    values: defaultdict[str, list[str]] = defaultdict(list)
    for beside in besides:
        for key, text in beside.items():
            values[key].append(text)
    telling = [key for key, texts in values.items() if _may_name(key, texts)]
    # What each report has for itself and is alike but for its digits counts the reports.
    counting = [key for key in telling if _counts(values[key], len(besides))]
    names = [key for key in telling if _is_factor(key) or key not in counting] or telling
    chief = [key for key in names if _is_chief(key)]
    rest = [key for key in names if key not in chief and _was_set(key, chief, besides)]
    if not chief:
        return rest
    return chief + [key for key in rest if _splits(key, chief, besides)]


def _was_set(key: str, chief: Sequence[str], besides: Sequence[Mapping[str, str]]) -> bool:
    """Whether a switch or a number was set, and not measured; others than these are texts.

    What was set is the same for several names, or as often each where there is one name.
    """
    texts = {beside.get(key, "") for beside in besides}
    is_switch = texts <= {f"{key}=true", f"{key}=false", ""}
    if not (is_switch or key.lower() in _FACTORS):
        return True
    by_name: defaultdict[tuple[str | None, ...], Counter[str]] = defaultdict(Counter)
    for beside in besides:
        by_name[tuple(map(beside.get, chief))][beside.get(key, "")] += 1
    if len(by_name) < 2:
        (counts,) = by_name.values()
        return len({*counts.values()}) == 1
    owners = Counter(text for counts in by_name.values() for text in counts)
    shared = sum(count > 1 for count in owners.values())
    return shared == len(owners) if is_switch else 2 * shared >= len(owners)


def _is_chief(key: str) -> bool:
    return not {*key.lower().split(".")}.isdisjoint(_NAMES)


def _may_name(key: str, texts: Sequence[str]) -> bool:
    if key.lower() in _OUTCOMES or len({*texts}) < 2 or max(map(len, texts)) > _LONGEST:
        return False
    others = (_NO_NAME.fullmatch(text) or "://" in text or "@" in text for text in texts)
    return _is_chief(key) or _is_factor(key) or not any(others)


def _counts(texts: Sequence[str], count: int) -> bool:
    return len({*texts}) == count and len({_DIGITS.sub("", text) for text in texts}) < count


def _splits(key: str, chief: Sequence[str], besides: Sequence[Mapping[str, str]]) -> bool:
    """Whether reports that are called the same differ in another text."""
    texts: dict[tuple[str | None, ...], str | None] = {}
    return any(
        texts.setdefault(tuple(map(beside.get, chief)), beside.get(key)) != beside.get(key)
        for beside in besides
    )
