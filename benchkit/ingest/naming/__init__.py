"""Names of runs: scenario, variant, params and repeat, of all runs of a call together.

A name comes from, in this order: the command line; a pattern; `meta.json`; the page, where a
file holds several runs; and the folders and the file below the given path, read as a set. The
way there: split into tokens (`tokens`), decide what each is given all others (`sets`), which
level is the variant (`levels`), and set apart what was not measured alike (`conditions`).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from benchkit import format as show
from benchkit.errors import UsageError
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.meta import GENERATOR
from benchkit.ingest.naming.conditions import set_apart
from benchkit.ingest.naming.documents import SEPARATOR, Titles, page_names, titles_of
from benchkit.ingest.naming.levels import arrange
from benchkit.ingest.naming.names import (
    COLUMNS,
    Facts,
    Founded,
    Levels,
    Names,
    listed,
    short,
)
from benchkit.ingest.naming.order import order_by_names
from benchkit.ingest.naming.path_names import Name
from benchkit.ingest.naming.patterns import fitting_pattern
from benchkit.ingest.naming.repetitions import only_counts, warms_up
from benchkit.ingest.naming.sets import read_together
from benchkit.ingest.naming.tokens import Token, split, stem_of
from benchkit.ingest.paths import three
from benchkit.model.grouping import same_params
from benchkit.model.variant import WARM_UP
from benchkit.names import natural

__all__ = ["COLUMNS", "Facts", "Levels", "Names", "meta_of", "name_runs"]

_Member = tuple[FileRun, Names, Facts]
#: What metadata say of one generator, although all may say the same.
_OF_EACH = frozenset({"command", "connections", "threads", "offered_rate_rps"})
#: By what a name is founded on.
_SOURCES = (
    *("the names of folders and files", "the page", "meta.json", "the pattern"),
    "the command line",
)


def name_runs(
    runs: Sequence[FileRun],
    facts: Sequence[Facts],
    levels: Levels,
    *,
    scenario: str | None = None,
) -> tuple[list[Names], list[str]]:
    """Return the names of the runs, every label unique, repetitions numbered; and what was read.

    `levels` returns params as they may be shown, `scenario` is that of all runs, where no name
    tells one.

    Raises:
        UsageError: a pattern matches no name.
    """
    leading = [_leading(run) for run in runs]
    names = [_labelled(run) for run in leading]
    together = list(zip(leading, names, facts, strict=True))
    pages: defaultdict[int, list[_Member]] = defaultdict(list)
    for member in together:
        if _of_document(member[0]):
            pages[id(member[0].file)].append(member)
    by_path = _named_by_path(pages, Counter(id(run.file) for run in leading))
    named = {run for file in pages.keys() - by_path for run in _name_by_page(pages[file])}
    _name_by_path([member for member in together if member[0] not in named])
    _name_by_pattern(leading, names)
    labelled: defaultdict[str | None, set[str]] = defaultdict(set)
    for run, name in zip(leading, names, strict=True):
        labelled[run.file.input.label].add(name.variant)
    for run, name in zip(leading, names, strict=True):
        _override(run, name, several=len(labelled[run.file.input.label]) > 1)
    if scenario and not any(name.scenario for name in names):
        for name in names:
            name.scenario = scenario
    _type_alike(names)
    split_by = list(dict.fromkeys(set_apart(names, facts)))
    _make_unique(names)
    order_by_names(names)
    _number_repeats(names)
    guessed = any(name.founded != Founded.META for name in names)
    return names, [_understood(names, levels), *split_by] if guessed else split_by


def meta_of(run: FileRun) -> dict[str, Any]:
    """Return the metadata beside a run's files, that of the most detailed first.

    Of several generators it is what all of theirs say alike, but for the command of each.
    """
    if run.parts:
        first, *rest = (meta_of(part) for part in run.parts)
        same = {key: v for key, v in first.items() if all(m.get(key) == v for m in rest)}
        return {key: value for key, value in same.items() if key not in _OF_EACH}
    meta: dict[str, Any] = {}
    for record in (run, *run.others):
        meta = {**record.file.meta.columns, **meta}
    return meta


# --- one by one ---


def _leading(run: FileRun) -> FileRun:
    """Return that of the records of one run whose file names it best."""
    if not run.others:
        return run
    # What several files were put together into is named like none of them.
    return min(
        (run, *run.others), key=lambda record: (-_founded(record), record.many, _length(record))
    )


def _founded(run: FileRun) -> Founded:
    if run.file.input.label is not None:
        return Founded.COMMAND_LINE
    if run.file.meta.columns.keys() & {"scenario", "variant", "label", "repeat"}:
        return Founded.META
    return Founded.PAGE if _of_document(run) else Founded.PATH


def _length(run: FileRun) -> tuple[bool, int]:
    """Return what is smaller for names that say something, and shortly."""
    file = run.file.input
    tokens = [t for part in (*file.parts, stem_of(_file(run))) for t in split(part)]
    return (not any(t.kind == "word" for t in tokens), len(tokens))


def _of_document(run: FileRun) -> bool:
    """Whether what stands around a run, or its own name, tells it from others of its file."""
    if not run.many:
        return False
    titles = titles_of(run)
    return (titles.caption or titles.heading) is not None


def _file(run: FileRun) -> str:
    return run.file.input.file


def _labelled(run: FileRun) -> Names:
    """Return the name of a run with what its place alone gives: label and order."""
    file = run.file.input
    position = (natural(stem_of(file.short)), run.number)
    own = run.record.name if run.many else None
    label = "/".join(file.parts) if file.parts and not file.named else file.short
    if run.parts:
        label = f"{label} and {len(run.parts) - 1} more"
    further = [own, _file(run)] if file.parts and not file.named else []
    if own and not further:
        label = f"{label}{SEPARATOR}{own}"
    names = Names(run.parser.tool, label, further=[text for text in further if text])
    names.founded, names.position, names.folder = _founded(run), position, file.parts
    return names


# --- as a set ---


def _name_by_path(members: Sequence[_Member]) -> None:
    titles = _own_titles([run for run, _, _ in members])
    read = [
        Name.from_parts((*run.file.input.parts, stem_of(_file(run))), known.printed, known.path)
        for run, _, known in members
    ]
    for words, title in zip(read, titles, strict=True):
        if title:
            stem = [token for token in words.parts[-1] if token.kind not in {"word", "plain"}]
            tokens = list(split(title))
            worded = all(token.kind in {"word", "plain"} for token in tokens)
            words.parts[-1:] = [stem, [Token(title, "word")] if worded else tokens]
    read_together(read)
    arranged = arrange([words.levels for words in read])
    alone = len(members) == 1 or any(level.variant for level in arranged)
    several = len({level.variant for level in arranged}) > 1
    for (run, name, _), words, title, level in zip(members, read, titles, arranged, strict=True):
        page = titles_of(run)
        name.scenario = page.page if title and page.headings else level.scenario
        name.telling = several and not run.many
        name.variant = level.variant or _nameless(run, words, alone=alone)
        name.repeat = words.repeats[0] if len(words.repeats) == 1 else None
        name.stated, name.when, name.counts = words.stated, words.when, tuple(words.repeats)
        # What the output prints goes before what a name says.
        printed = ("connections", "threads", "duration")
        loads = {param: words.printed[param] for param in printed if param in words.printed}
        name.params = {p: short(loads.get(p, value)) for p, value in words.params.items()}
        if level.file:
            name.params["file"] = level.file
        if words.warm_up or (run.many and _calls_warm_up(page)):
            name.params[WARM_UP] = True


def _calls_warm_up(page: Titles) -> bool:
    """Whether a page says of a run that it warms up."""
    return any(map(warms_up, filter(None, (*page.headings, page.caption))))


def _own_titles(runs: Sequence[FileRun]) -> Sequence[str | None]:
    """Return what tools or pages call the runs, where that tells some of them apart.

    Headings and titles go before file names, lines above an output behind them; one that only
    counts tells nothing.
    """
    titles = [titles_of(run) for run in runs]
    headings = [title.heading or run.record.name for title, run in zip(titles, runs, strict=True)]
    captions = [title.caption for title in titles]
    worded = any(t.kind == "word" for run in runs for t in split(stem_of(_file(run))))
    for texts in (headings, [] if worded else captions):
        titled = [text for text in texts if text and not only_counts(text)]
        if len(titled) == len(texts) and (len(set(titled)) > 1 or len(titled) == 1):
            return titled
    return [None] * len(runs)


def _nameless(run: FileRun, name: Name, *, alone: bool) -> str:
    """Return the variant of a run in whose name no word says what it is."""
    file = run.file.input
    title = titles_of(run).heading or titles_of(run).caption
    if title and not run.many:
        return title
    top = "" if file.top in {"", "."} else PurePath(file.top).name
    if alone or file.named or not top:
        counted = bool(file.parts) and all(t.kind == "repeat" for t in name.parts[-1])
        return name.plain or (file.parts[-1] if counted else stem_of(_file(run)))
    return top


def _named_by_path(
    pages: Mapping[int, Sequence[_Member]], runs: Mapping[int, int]
) -> Collection[int]:
    """Return the pages that name no run but for what warms up, or each the same one.

    A script prints the same words above the runs of each file: these are called as their files,
    where words do.

    Args:
        pages: By page those of its runs that it names.
        runs: How many runs each page has.
    """
    titles = {file: [titles_of(run) for run, _, _ in page] for file, page in pages.items()}
    measured = {
        file: {(t.headings, t.caption) for t in own if not _calls_warm_up(t)}
        for file, own in titles.items()
    }
    unnamed = {f for f, names in measured.items() if not names and len(pages[f]) < runs[f]}
    single = [file for file, names in measured.items() if len(names) == 1]
    alike = len(single) > 1 == len(set[object]().union(*(measured[file] for file in single)))
    stems = (stem_of(_file(pages[file][0][0])) for file in single)
    worded = all(any(token.kind == "word" for token in split(stem)) for stem in stems)
    return {*unnamed, *single} if alike and worded else unnamed


def _name_by_page(members: Sequence[_Member]) -> Sequence[FileRun]:
    """Name the runs of one file, a page or attacks with names of their own, and return them.

    They are none where all that is said of them counts: then the file's name is that of all.
    """
    runs = [run for run, _, _ in members]
    titles = [titles_of(run) for run in runs]
    called = page_names(titles)
    if not any(page_name.variant for page_name in called):
        return ()
    stem = stem_of(_file(runs[0]))
    # Pages called README in several folders are not one scenario.
    page = titles[0].page or "/".join((*runs[0].file.input.parts, stem))
    paged = any(run.context is not None for run in runs)
    for (_, name, _), page_name in zip(members, called, strict=True):
        name.scenario, name.telling = (page if paged else None), False
        name.variant = page_name.variant or titles[0].page or stem
        name.label, name.further, name.founded = page_name.label, [page], Founded.PAGE
        name.counts = page_name.repeats
        name.repeat = page_name.repeats[0] if len(page_name.repeats) == 1 else None
        if page_name.section:
            name.params["section"] = page_name.section
        if page_name.warm_up:
            name.params[WARM_UP] = True
    return runs


def _name_by_pattern(runs: Sequence[FileRun], names: Sequence[Names]) -> None:
    paths: defaultdict[str, list[str]] = defaultdict(list)
    fitting: set[str] = set()
    for run, name in zip(runs, names, strict=True):
        file = run.file.input
        if file.label is not None:
            continue
        for text in file.patterns:
            paths[text].append(file.below)
        matched = fitting_pattern(file)
        if matched is None:
            continue
        text, values = matched
        fitting.add(text)
        fields = {field: value for field, value in values.items() if field != GENERATOR}
        name.scenario = fields.pop("scenario", None)
        name.variant = str(fields.pop("variant", name.variant))
        name.repeat = fields.pop("repeat", None)
        name.params, name.stated, name.founded = fields, dict(fields), Founded.PATTERN
    for text in paths.keys() - fitting:
        raise UsageError(f"names {text}: fits no name; there are {three(paths[text])}")


def _override(run: FileRun, name: Names, *, several: bool) -> None:
    """Take what the command line and `meta.json` say for what the name seems to say."""
    if name.founded is Founded.PATTERN:
        return
    file, meta = run.file.input, run.file.meta.columns
    if file.label is not None:
        below = bool(file.parts) and not file.named and several
        name.variant = f"{file.label}/{name.variant}" if below else file.label
        name.label = f"{file.label}/{name.label}" if file.parts and not file.named else file.label
        name.further = [stem_of(_file(run))]
        name.telling = True
    elif meta.keys() & {"scenario", "variant", "label", "repeat"}:
        name.variant = meta.get("variant", name.variant)
        if not run.many and {"scenario", "variant"} & meta.keys():
            scenario = meta.get("scenario", name.scenario)
            parts = (scenario, name.variant, meta.get("repeat", name.repeat))
            name.label = "/".join(str(part) for part in parts if part is not None)
            given = json.loads(meta.get("params") or "{}")
            words = [", ".join(show.params(given))] if given else []
            name.further = [*words, stem_of(_file(run)), *name.further]
        name.label = meta.get("label", name.label)
    name.scenario = meta.get("scenario", name.scenario)
    name.repeat = meta.get("repeat", name.repeat)
    if meta.keys() & {"variant", "params"}:
        name.stated = {}
        name.params = json.loads(meta.get("params") or "{}")
        name.telling = True


# --- all together ---


def _type_alike(names: Sequence[Names]) -> None:
    """Write a level as a number where others write it so: 5 and "5" are one level."""
    numbers = {
        (param, level)
        for name in names
        for param, level in name.params.items()
        if isinstance(level, int) and not isinstance(level, bool)
    }
    for name in names:
        for param, level in name.params.items():
            if isinstance(level, str | float) and (param, short(level)) in numbers:
                name.params[param] = short(level)


def _make_unique(names: Sequence[Names]) -> None:
    taken = Counter(name.label for name in names)
    for name in names:
        if taken[name.label] > 1 and name.founded < Founded.META and name.params:
            name.further.insert(0, ", ".join(show.params(name.params)))
    for _ in range(8):
        taken = Counter(name.label for name in names)
        plain = Counter(name.label for name in names if not name.params)
        again = [
            name
            for name in names
            if taken[name.label] > 1
            and name.further
            # The only run without params may keep its label: the others have words for theirs.
            and (name.params or plain[name.label] > 1)
        ]
        if not again:
            break
        for name in again:
            name.label += SEPARATOR + name.further.pop(0)
    seen: Counter[str] = Counter()
    taken = Counter(name.label for name in names)
    for name in names:
        if taken[name.label] > 1:
            label = name.label
            seen[label] += 1
            name.label = f"{label} #{seen[label]}"


def _number_repeats(names: Sequence[Names]) -> None:
    """Number the runs of one tool, variant and set of params, by their names where they can."""
    groups: defaultdict[tuple[Any, ...], list[Names]] = defaultdict(list)
    for name in names:
        params = same_params(name.params)
        groups[name.scenario, name.variant, name.tool, params].append(name)
    for group in groups.values():
        given = [name.repeat for name in group]
        known = None not in given and 0 not in given and len(set(given)) == len(given)
        if known or (len(group) < 2 and given != [0]):
            continue
        for number, name in enumerate(sorted(group, key=lambda name: name.position), 1):
            name.repeat = number


def _understood(names: Sequence[Names], shown: Levels) -> str:
    """Return in one line how the names were understood."""
    sources = dict.fromkeys(_SOURCES[founded] for founded in sorted({n.founded for n in names}))
    variants = listed({name.variant for name in names})
    parts = [f"variant {variants} from {' and '.join(sources)}"]
    scenarios = {name.scenario for name in names if name.scenario}
    if scenarios:
        parts.insert(0, f"scenario {listed(scenarios)}")
    levels: defaultdict[str, set[Any]] = defaultdict(set)
    for name in names:
        for param, value in shown(name.params).items():
            levels[param].add(value if isinstance(value, str | int | float) else str(value))
        if name.repeat is not None:
            levels["repeat"].add(name.repeat)
    repeats = levels.pop("repeat", None)
    parts += [_level(param, values) for param, values in levels.items()]
    if repeats:
        span = dict.fromkeys((min(repeats), max(repeats)))
        parts.append(f"repeat {' to '.join(map(str, span))}")
    return f"{show.plural(len(names), 'run')}: {'; '.join(parts)}"


def _level(param: str, values: set[Any]) -> str:
    if all(isinstance(value, bool) for value in values):
        return " or ".join(show.params({param: value})[0] for value in sorted(values))
    return f"{param} {listed(values)}"
