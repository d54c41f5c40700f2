"""One file to the runs in it."""

from __future__ import annotations

import html
import re
import shlex
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from benchkit import registry
from benchkit.counting.sends import Sends
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError, Where
from benchkit.ingest.defects import blaming
from benchkit.ingest.failed import failure_of, words_of
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.jsonvalues import BrokenJson, JsonValue, json_values, nested, nesting
from benchkit.ingest.layout import LaidOut, page_of_json, page_of_log
from benchkit.ingest.marked import comments
from benchkit.ingest.naming.documents import leave_out_loads
from benchkit.ingest.pages import Load, Page
from benchkit.ingest.parts import Listener
from benchkit.ingest.paths import Input
from benchkit.ingest.perrequest import read_rows
from benchkit.ingest.soundness import require_lines, require_sound
from benchkit.ingest.sources import STDIN, NoFileError, Opened, open_source
from benchkit.parsing import (
    FileParser,
    JsonParser,
    Parser,
    RowsParser,
    RunOrError,
    RunRecord,
    TextParser,
)
from benchkit.text import MOST_REPORTS, Text, decode
from benchkit.text.markup import breaks
from benchkit.text.pieces import MANY_LINES, are_thin, weight

if TYPE_CHECKING:
    from benchkit.ingest.engines.workers import Answer

_THIN: Final = f"more than {MANY_LINES:,} lines too short for a report: they are not looked into"
_MAX_TEXT: Final = 64 * 2**20  # what lies beyond in a larger text is not looked at
#: So much that is missing of a file is listed; the notes of its runs have it all.
_MOST_LOST: Final = 8
#: A text in whose parts nothing was found is read as it stands if it has no more characters.
_MOST_READ_TWICE: Final = 2**18
_NOT_TWICE: Final = f"more than {_MOST_READ_TWICE:,} characters, which are read once"
_MAX_DEPTH: Final = 16
_TELLING_KEYS: Final = 3
_CUT: Final = "a gzip stream that ends early"
#: What pages put between the letters of a word, and blanks for which they have other ones.
_WITHIN_WORDS: Final = re.compile(
    # A set comes first, as a search passes over what is not in it at once.
    r"[<*_`\\\xad\u200b-\u200f\u202a-\u202e\u2060\ufe0f\ufeff](?:(?<!<)|(?<=<)[^<>\n]{1,80}>)"
)
#: Too many digits for a character, and from 4,300 on for a number of Python's.
_NO_CHARACTER: Final = re.compile(r"&#[0-9]{10,}+")
_BLANK: Final = re.compile(r"[^\S\n ]")
_T = TypeVar("_T")
#: A run as found, with its parser and, for rows, what was kept of them.
Item = tuple[Parser, RunOrError, RequestSummary | None]


class Reading(NamedTuple):
    """What parsers read of a file.

    Attributes:
        text: The file, if it is one.
        sends: When the requests of its one run were sent, where they are few.
        order: What of the file the lines of `text` are, where they are others.
    """

    items: list[Item]
    text: Text | None = None
    sends: Sends | None = None
    order: str = ""


def read_file(
    file: Input,
    *,
    hashed: bool = True,
    listener: Listener | None = None,
    ahead: Answer | None = None,
) -> FileOutcome:
    """Return what became of a file; nothing that is wrong with it is raised.

    `hashed`: its SHA-256 is wanted although it is large; `ahead`: what another process has read.
    """
    outcome = FileOutcome(file, "foreign")
    try:
        opened = open_source(file.path, name=file.name)
        outcome.size_bytes, outcome.large = opened.size_bytes, opened.large
        reading = read_items(
            opened, registry.parsers(), listener=listener, ahead=ahead, hashed=hashed
        )
    except InputError as error:
        if isinstance(error, NoFileError) and not file.named:
            return outcome
        outcome.state = "skipped"
        outcome.problems.append(error.within(file.name))
        return outcome
    items, text, outcome.sends, order = reading
    items, hidden = _shown(items, text)
    _take(outcome, items, text, order, is_cut=opened.cut)
    if outcome.runs or outcome.problems:
        _identify(outcome, opened, ahead, hashed=hashed)
        if file.path == STDIN and any(isinstance(run.parser, RowsParser) for run in outcome.runs):
            outcome.standard_input = opened.source.data
        for what in (*hidden, *_losses(opened, text, outcome)):
            outcome.lose(what)
        outcome.state = "read" if outcome.runs else "skipped"
        return outcome
    if opened.lost is not None:  # nobody knows what it would have been
        outcome.state = "skipped"
        outcome.problems.append(InputError("a whole file", actual=opened.lost, source=file.name))
        return outcome
    tool = next((tool.tool for tool in registry.unread() if tool.wrote(opened.source.head)), None)
    failure = failure_of(words_of(text), file.name)
    unread = opened.compressed or opened.cut or opened.followed
    if failure is not None or file.named or tool is not None or unread:
        outcome.state = "skipped"
        outcome.problems.append(failure or _unknown(file.name, opened, tool, text))
    return outcome


def _shown(items: list[Item], text: Text | None) -> tuple[list[Item], list[str]]:
    """Return what was read outside of comments, and what of others is told.

    Where that is nothing, what they hide is all that there is.
    """
    hidden = list(comments(text.lines)) if text is not None and len(items) > 1 else []
    inside = [_within(hidden, result) for _, result, _ in items]
    shown = [item for item, lines in zip(items, inside, strict=True) if lines is None]
    if not shown or not hidden:
        return items, []
    return shown, [
        f"a report in lines {first + 1} to {last + 1} is commented out and left out"
        for first, last in dict.fromkeys(filter(None, inside))
    ]


def _within(stretches: Sequence[tuple[int, int]], result: RunOrError) -> tuple[int, int] | None:
    """Return which of some stretches of lines, in order, a run stands in."""
    lines = None if isinstance(result, InputError) else result.lines
    if lines is None:
        return None
    before = bisect_right(stretches, lines[0], key=lambda stretch: stretch[0])
    first, last = stretches[before - 1] if before else (0, -1)
    return (first, last) if lines[1] <= last else None


def _losses(opened: Opened, text: Text | None, outcome: FileOutcome) -> Iterator[str]:
    """Yield what no parser has seen of a file."""
    if opened.grown():
        yield "its size changed while it was read"
    if opened.lost is not None:
        yield opened.lost
    if opened.followed:
        yield "what follows its gzip stream is not gzip, and is not read"
    if text is not None and opened.source.content.size > _MAX_TEXT:
        yield f"all behind its first {_MAX_TEXT >> 20} MB is not looked at"
    yield from text.unread if text is not None else ()
    yield from _rests(text, outcome) if text is not None else ()


def _rests(text: Text, outcome: FileOutcome) -> Iterator[str]:
    """Yield which lines read like a part of a report, and are in none, of whatever tool."""
    if not text.rests:
        return
    read = {run.record.lines for run in outcome.runs if run.record.lines is not None}
    known = {line for first, last in text.reported | read for line in range(first, last + 1)}
    rests = [rest for rest in text.rests if not known.issuperset(range(rest[0], rest[1] + 1))]
    for first, last in sorted(rests)[:_MOST_LOST]:
        lines = f"lines {first + 1} to {last + 1} are" if first < last else f"line {last + 1} is"
        yield f"{lines} like a part of a report, and in none: left out"
    if len(rests) > _MOST_LOST:
        yield f"and {len(rests) - _MOST_LOST} more such parts"


def _identify(outcome: FileOutcome, opened: Opened, ahead: Answer | None, *, hashed: bool) -> None:
    """Make the keys of the file, and its hash if that is wanted."""
    try:
        outcome.key = opened.key
        if outcome.runs:
            outcome.content_key = opened.content_key
        if opened.lost is not None:
            outcome.sha256 = None  # of what nobody has seen
        elif ahead is not None:
            outcome.sha256 = ahead.sha256
        elif not opened.large:
            outcome.sha256 = opened.key
        elif hashed:
            outcome.sha256 = opened.sha256()
    except OSError as error:
        outcome.unreadable(error)


def _unknown(name: str, opened: Opened, tool: str | None, text: Text | None) -> InputError:
    hint: str | None = "`benchkit formats` lists what is read"
    where: Where | None = None
    if opened.packing is not None:
        content = f"a file packed with {opened.packing[0]}"
        hint = f"unpack it: {_unpacking(opened.packing[1], name)}"
    elif tool is not None:
        content, hint = f"an output of {tool}", "benchkit does not read it yet"
    elif opened.cut or not opened.size_bytes:
        content, hint = _CUT if opened.cut else "an empty file", None
    elif opened.followed:
        content, hint = "a gzip stream and something else behind it", "take them apart"
    elif text is not None and text.unread:
        content, _, why = text.unread[0].partition(": ")
        hint = why or None
    else:
        content = "none of their formats"
        depth, line = (0, 0) if text is None else nesting(text)
        if depth > _MAX_DEPTH:
            content, where = f"JSON that is nested {depth:,} deep", Where(line=line)
            hint = f"an output is looked for {_MAX_DEPTH} deep"
    tools = sorted({parser.tool for parser in registry.parsers()})
    expected = f"an output of {', '.join(tools[:-1])} or {tools[-1]}"
    return InputError(expected, actual=content, where=where, hint=hint, source=name)


def _unpacking(command: str, name: str) -> str:
    """Return a command for a file that a shell takes as it is, whatever the file is called."""
    return f"{command} {shlex.quote(f'./{name}' if name.startswith('-') else name)}"


def _take(
    outcome: FileOutcome, items: list[Item], text: Text | None, order: str, *, is_cut: bool
) -> None:
    named = f"{outcome.input.name}, {order}" if order else outcome.input.name
    for parser, result, summary in items:
        if isinstance(result, InputError):
            outcome.problems.append(result.within(named))
            continue
        number = len(outcome.runs) + 1
        outcome.runs.append(FileRun(parser, result, outcome, number, summary=summary))
    for run in outcome.runs:
        run.many = len(outcome.runs) > 1
    formats = sorted({run.parser.name for run in outcome.runs} | {i[0].name for i in items})
    outcome.format = ", ".join(formats) or None
    lost = dict.fromkeys(note for run in outcome.runs for note in run.record.lost)
    if outcome.runs and is_cut:
        lost[_CUT] = None
    if lost:
        more = [f"and {len(lost) - _MOST_LOST} more"] if len(lost) > _MOST_LOST else []
        listed = "; ".join([*list(lost)[:_MOST_LOST], *more])
        outcome.message = f"{named}: {listed}"
    if text is not None and outcome.runs:
        _add_contexts(outcome, text)


def _add_contexts(outcome: FileOutcome, text: Text) -> None:
    placed = [run for run in outcome.runs if run.record.lines is not None]
    spans = [run.record.lines for run in placed if run.record.lines is not None]
    positions = [problem.where for problem in outcome.problems if problem.where is not None]
    ends = (position.last or position.line for position in positions)
    loads = map(_load, placed)
    page = Page(text, spans, [end - 1 for end in ends if end is not None], [*loads])
    for run, context in zip(placed, page.contexts(), strict=True):
        run.context = context
    leave_out_loads(placed)


def _load(run: FileRun) -> Load:
    row = run.record.columns
    known = {(each.metric, each.statistic): each.value for each in run.record.figures}
    requests, rate = row.get("requests"), known.get(("Requests", "rate"))
    # vegeta's is over the time from the first request to the last, one less than all of them.
    sent = rate * (requests - 1) / requests if rate and requests else None
    return Load(run.parser.tool, row.get("url"), row.get("connections"), sent)


def read_items(
    opened: Opened,
    parsers: Sequence[Parser],
    *,
    listener: Listener | None = None,
    ahead: Answer | None = None,
    hashed: bool = False,
) -> Reading:
    """Return what some parsers read of a file, in its order.

    A parser that fails while it looks whether a file is for it is told of where none reads it.

    Raises:
        InputError: nothing of it can be read.
    """
    source = opened.source
    defects: list[Item] = []
    matching = [
        parser
        for parser in parsers
        if isinstance(parser, (RowsParser, FileParser))
        and _asked(parser, parser.sniff, source, defects)
    ]
    if len(matching) > 1:
        names = " or ".join(parser.name for parser in matching)
        raise InputError("content of one format", actual=f"what may be {names}")
    parser = matching[0] if matching else None
    if isinstance(parser, RowsParser):
        return _rows(parser, opened, listener, ahead, hashed=hashed)
    if parser is not None:
        return Reading([(parser, result, None) for result in _read(parser, parser.parse, source)])
    content = decode(source.content.read(0, _MAX_TEXT))
    if content is None:
        return Reading(defects)
    page = _page_of(content, parsers)
    if page is not None:
        laid_out = Text.from_text(page.text, page.sections, page.ends)
        items = _in_text(laid_out, page.text, parsers, defects)
        if not items and len(content) > _MOST_READ_TWICE:
            laid_out.unread.append(f"{_NOT_TWICE}: {page.order} hold no report")
        if items or laid_out.unread:  # what was too much once is not looked at twice
            return Reading(items or defects, laid_out, order=page.order)
    text = Text.from_text(content)
    return Reading(_in_text(text, content, parsers, defects) or defects, text)


def _page_of(content: str, parsers: Sequence[Parser]) -> LaidOut | None:
    """Return what a text is laid out as, None where its lines follow one another as they are."""
    printed = (parser for parser in parsers if isinstance(parser, TextParser))
    marks = {mark for parser in printed for mark in parser.markers}

    def has_report(text: str) -> bool:
        return any(map(text.__contains__, marks))

    if not has_report(content):
        return None
    page = page_of_json(content, has_report)
    if page is not None:
        objects = _in_json(
            Text.from_text(content), [p for p in parsers if isinstance(p, JsonParser)], []
        )
        page = None if any(True for _ in objects) else page  # which are no texts of JSON
    return page or page_of_log(content, has_report)


def _rows(
    parser: RowsParser,
    opened: Opened,
    listener: Listener | None,
    ahead: Answer | None,
    *,
    hashed: bool,
) -> Reading:
    if hashed and ahead is None:
        opened.hash_ahead()
    with blaming(parser):
        rows = read_rows(parser, opened, listener) if ahead is None else ahead.rows
        header = {} if parser.header is None else parser.header(opened.source)
        items: list[Item] = []
        for record, summary in rows.runs:
            record.columns = {**header, **record.columns}
            items.append((parser, _sound(parser, record), summary))
    problems: list[Item] = [] if rows.problem is None else [(parser, rows.problem, None)]
    return Reading([*problems, *items], sends=rows.sends)


def _asked(
    parser: Parser, question: Callable[[_T], bool], subject: _T, defects: list[Item]
) -> bool:
    """Whether a parser takes something for its own; where it fails, no, and a defect more."""
    try:
        return bool(question(subject))
    except (Exception, SystemExit):  # noqa: BLE001 - `blaming` costs more, and tells them apart
        try:
            with blaming(parser):
                raise
        except InputError as error:
            if all(parser is not known for known, _, _ in defects):
                defects.append((parser, error, None))
        return False


def _read(
    parser: Parser, read: Callable[[_T], Iterator[RunOrError]], subject: _T
) -> Iterator[RunOrError]:
    """Yield what a parser finds; a defect of it ends only this file."""
    try:
        with blaming(parser):
            for result in read(subject):
                if isinstance(subject, Text):
                    require_lines(result, among=len(subject.lines))
                yield _sound(parser, result)
    except InputError as error:
        yield error.without_frames()


def _in_text(
    text: Text, content: str, parsers: Sequence[Parser], defects: list[Item]
) -> list[Item]:
    items: list[Item] = []
    scanning = [parser for parser in parsers if isinstance(parser, TextParser)]
    shown = _as_shown(text)
    every = {mark for parser in scanning for mark in parser.markers}
    marks = {mark for mark in every if mark in content or mark in shown}
    scanning = [parser for parser in scanning if not marks.isdisjoint(parser.markers)]
    if scanning and _is_thin(text, content):
        text.unread.append(_THIN)
        scanning = []
    for parser in scanning:
        results = _read(parser, parser.scan, text)
        items += [(parser, result, None) for result in islice(results, MOST_REPORTS + 1)]
    if len(items) > MOST_REPORTS:
        items = sorted(items, key=_first_line)[:MOST_REPORTS]
        text.note_more(_line(items[-1][1], end=True))
    if "{" in content:
        items += _in_json(text, [p for p in parsers if isinstance(p, JsonParser)], defects)
    return sorted(items, key=_first_line)


def _first_line(item: Item) -> int:
    return _line(item[1])


def _is_thin(text: Text, content: str) -> bool:
    """Whether a text has too many lines for its length.

    Those of the file are counted, then those that are there once it has been repaired.
    """
    lines = weight(text.lines) + content.count(r"\n")
    if lines + content.count("<") + content.count("&") > MANY_LINES:
        lines += breaks(content)
    if are_thin(lines, content):
        return True
    return are_thin(weight([piece.text for piece in text.repaired]), "\n".join(text.lines))


def _as_shown(text: Text) -> str:
    """Return the words of a text without what a page puts within them, nothing if that is all."""
    written = "\n".join(text.lines)
    shown = _WITHIN_WORDS.sub("", html.unescape(_NO_CHARACTER.sub("", written)))
    shown = shown if shown.isascii() else _BLANK.sub(" ", shown)
    return "" if shown == written else shown


def _in_json(text: Text, parsers: Sequence[JsonParser], defects: list[Item]) -> Iterator[Item]:
    results: list[tuple[JsonParser, Mapping[str, Any], JsonValue]] = []
    beginnings = [(parser, re.compile(parser.begins)) for parser in parsers if parser.begins]
    by_marker = _ByMarker(parsers)
    every_key = tuple(sorted({key for parser in parsers for key in parser.keys}))
    for piece in json_values(text):
        if isinstance(piece, BrokenJson):
            parser = _nearest(_keys_in(piece.text, every_key), parsers)
            if parser is None:
                begun = (known for known, begins in beginnings if begins.match(piece.text))
                parser = next(begun, None)
            if parser is not None:
                yield parser, _broken(piece.error, parser.tool), None
            continue
        matched = list(_matching(piece.value, by_marker, defects))
        results += [(parser, value, piece) for parser, value in matched]
        if not matched:
            yield from _lacking(piece, parsers)
    # autocannon prints a warm-up, and then a result that has the warm-up within it.
    parts = {
        repr(inner)
        for parser, value, _ in results
        for inner in nested(value)
        if parser in by_marker.candidates(inner) and _asked(parser, parser.matches, inner, defects)
    }
    together: dict[str, list[tuple[JsonParser, Mapping[str, Any], JsonValue]]] = {}
    for parser, value, whole in results:
        if parser.parse_all is not None:
            together.setdefault(parser.name, []).append((parser, value, whole))
        elif not parts or repr(value) not in parts:
            yield parser, _parsed(parser, value, whole), None
    for group in together.values():
        yield from _parsed_together(group)


def _broken(error: InputError, tool: str) -> InputError:
    """Return why JSON is none, with whose it would have been."""
    expected = f"{'a whole' if error.hint else 'JSON in a'} report of {tool}"
    return InputError(expected, actual=error.actual, where=error.where, hint=error.hint)


def _lacking(piece: JsonValue, parsers: Sequence[JsonParser]) -> Iterator[Item]:
    """Yield what is missing of JSON that is nearly an output of a load generator."""
    keys = {*piece.value, *(key for inner in nested(piece.value) for key in inner)}
    parser = _nearest(keys, parsers)
    if parser is None:
        return
    missing = [path for path in parser.needs if not _has(piece.value, path)]
    if missing and len(missing) < len(parser.needs):
        expected = f"'{missing[0]}' in JSON of {parser.tool}"
        yield parser, InputError(expected, actual="none", where=Where(line=piece.first + 1)), None


def _has(value: Mapping[str, Any], path: str) -> bool:
    name, _, below = path.partition(".")
    inner = value.get(name)
    return name in value and (not below or (isinstance(inner, Mapping) and _has(inner, below)))


def _nearest(keys: set[str], parsers: Sequence[JsonParser]) -> JsonParser | None:
    """Return the parser to whose outputs most keys belong, None where these are no sign of any."""
    if len(keys) < _TELLING_KEYS:
        return None
    parser = max(parsers, key=lambda p: len(keys.intersection(p.keys)), default=None)
    telling = parser is not None and len(keys.intersection(parser.keys)) >= _TELLING_KEYS
    return parser if telling else None


def _keys_in(text: str, keys: tuple[str, ...]) -> set[str]:
    return set(_keys_pattern(keys).findall(text)) if ":" in text else set()


@cache
def _keys_pattern(keys: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$])({'|'.join(map(re.escape, keys))})['\"]?\s*+:")


def _parsed_together(
    group: Sequence[tuple[JsonParser, Mapping[str, Any], JsonValue]],
) -> Iterator[Item]:
    parser = group[0][0]
    if parser.parse_all is None:
        return
    with blaming(parser):
        for number, result in parser.parse_all([value for _, value, _ in group]):
            yield parser, _placed(_sound(parser, result), group[number][2]), None


def _sound(parser: Parser, result: RunOrError) -> RunOrError:
    """Return a result, or what is impossible in it; other runs of the file are none the worse."""
    try:
        require_sound(result, parser)
    except InputError as error:
        return error.without_frames()
    return result


def _parsed(parser: JsonParser, value: Mapping[str, Any], piece: JsonValue) -> RunOrError:
    try:
        with blaming(parser):
            return _placed(_sound(parser, parser.parse(value)), piece)
    except InputError as error:
        return _placed(error, piece)


def _placed(result: RunOrError, piece: JsonValue) -> RunOrError:
    if isinstance(result, InputError):
        result.where = result.where or Where(line=piece.first + 1)
    else:
        result.lines = (piece.first, piece.last)
    return result


class _ByMarker:
    """The parsers that are asked whether a JSON object is theirs: few of any, mostly none."""

    def __init__(self, parsers: Sequence[JsonParser]) -> None:
        self._every = parsers
        self._markers = frozenset(key for parser in parsers for key in parser.markers)
        self._of_each = [parser for parser in parsers if not parser.markers]

    def candidates(self, value: Mapping[str, Any]) -> Sequence[JsonParser]:
        """Return those that want no marker, or one that the object has."""
        if self._markers.isdisjoint(value):
            return self._of_each
        every = self._every
        return [p for p in every if not p.markers or not value.keys().isdisjoint(p.markers)]


def _matching(
    value: Mapping[str, Any], by_marker: _ByMarker, defects: list[Item], *, depth: int = 0
) -> Iterator[tuple[JsonParser, Mapping[str, Any]]]:
    for parser in by_marker.candidates(value):
        if _asked(parser, parser.matches, value, defects):
            yield parser, value
            return
    if depth < _MAX_DEPTH:
        for inner in nested(value):
            yield from _matching(inner, by_marker, defects, depth=depth + 1)


def _line(result: RunOrError, *, end: bool = False) -> int:
    if isinstance(result, RunRecord):
        return result.lines[end] if result.lines else 0
    return (result.where.line or 1) - 1 if result.where else 0
