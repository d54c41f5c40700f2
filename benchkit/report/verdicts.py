"""Sentences about verdicts: who is faster or slower, by how much, how sure.

Only repeated runs give them, and only here is anything said to *be* faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from benchkit import format as show
from benchkit.assessment import Assessed
from benchkit.compare.evidence import by_variant, key_row
from benchkit.compare.params import is_copy
from benchkit.compare.rows import Row
from benchkit.versus import change_text, interval_text, metric_of, runs_text, sections

#: Grades of comparisons in which something was tested with enough runs.
DECIDED: Final = frozenset({"established", "limited", "unshown"})
_NAMED: Final = 3
_MIXED: Final = "mixed"


def verdict(comparison: Assessed) -> str:
    """Return what the tests of a comparison say in one sentence."""
    copies = {one.label for one in comparison.variants if is_copy(one)}
    every = by_variant(comparison.rows)
    # What a copy measures is noise: it is no answer where there are others.
    parts = [part for part in every if part[0].variant not in copies] or every
    if len(parts) == 1:
        sentence = sections(parts[0], tests=comparison.tests)[0].sentence
    elif len({part[0].baseline for part in parts}) == 1:
        sentence = _several(comparison, parts)
    else:
        sentence = _settings(comparison, parts)
    return f"In these runs {sentence}" if comparison.grade.key == "limited" else sentence


def verdicts_by_word(parts: Sequence[Sequence[Row]]) -> dict[str, list[Sequence[Row]]]:
    """Return the rows of each variant by what they say of it together."""
    found: dict[str, list[Sequence[Row]]] = {}
    for part in parts:
        found.setdefault(_word(part), []).append(part)
    return found


def _word(rows: Sequence[Row]) -> str:
    words = {row.verdict for row in rows}
    if {"faster", "slower"} <= words:
        return _MIXED
    return next((one for one in ("faster", "slower", "same") if one in words), "inconclusive")


def _several(comparison: Assessed, parts: Sequence[Sequence[Row]]) -> str:
    base = show.quoted(parts[0][0].baseline)
    place = {one.label: n for n, one in enumerate(comparison.variants)}
    ordered = sorted(parts, key=lambda part: place[part[0].variant])
    by_word = verdicts_by_word(ordered)
    clauses = _clauses(by_word, base, every=len(parts))
    leading = next((by_word[w][0] for w in ("faster", "slower", "same") if w in by_word), None)
    key = None if leading is None else key_row(leading)
    return f"{_first_up('; '.join(clauses))}{_detail(key, alone=len(parts) == 1)}."


def _clauses(by_word: Mapping[str, list[Sequence[Row]]], base: str, *, every: int) -> list[str]:
    found = []
    words = {"faster": "faster than", "slower": "slower than", "same": "the same as"}
    for word, than in words.items():
        names = _names(by_word.get(word, []), every)
        if names:
            found.append(f"{names[0]} {names[1]} {than} {base}")
    mixed = _names(by_word.get(_MIXED, []), every)
    if mixed:
        found.append(f"{mixed[0]} {mixed[1]} faster in one metric and slower in another")
    open_ = _names(by_word.get("inconclusive", []), every)
    if open_:
        to = f" from {base}" if not found else ""
        found.append(f"no difference of {open_[0]}{to} was shown")
    return found


def _names(parts: Sequence[Sequence[Row]], every: int) -> tuple[str, str] | None:
    """Return the names of variants and the verb that goes with them."""
    names = [show.quoted(part[0].variant) for part in parts]
    if not names:
        return None
    if len(names) == every and every > 2:
        return "every other variant", "is"
    if len(names) > _NAMED:
        return f"{len(names)} of the {every} other variants", "are"
    return show.listed(names), "is" if len(names) == 1 else "are"


def _detail(row: Row | None, *, alone: bool) -> str:
    if row is None:
        return ""
    of = "" if alone else f" of {show.quoted(row.variant)}"
    subject = f"{subject_of(row)}{of}"
    return f": {subject} is {change_text(row)} ({interval_text(row)}, {runs_text(row)})"


def subject_of(row: Row) -> str:
    """Return the metric of a row in the middle of a sentence."""
    title = metric_of(row).title
    return title if title[:1] == "p" else f"{title[:1].lower()}{title[1:]}"


def _settings(comparison: Assessed, parts: Sequence[Sequence[Row]]) -> str:
    """Return the answer where each variant is compared under several settings."""
    named = {one.label: one.variant for one in comparison.variants}
    by_name: dict[tuple[str, str], list[Sequence[Row]]] = {}
    for part in parts:
        pair = named[part[0].variant], named[part[0].baseline]
        by_name.setdefault(pair, []).append(part)
    told = [
        f"{show.quoted(name)} against {show.quoted(base)} is {_counted(of)}"
        for (name, base), of in list(by_name.items())[:_NAMED]
    ]
    return f"{'; '.join(told)}."


def _counted(parts: Sequence[Sequence[Row]]) -> str:
    words = {
        "faster": "faster in {}",
        "slower": "slower in {}",
        "same": "the same in {}",
        _MIXED: "faster in one metric and slower in another in {}",
        "inconclusive": "not shown to differ in {}",
    }
    by_word = verdicts_by_word(parts)
    told = [text.format(len(by_word[word])) for word, text in words.items() if word in by_word]
    return f"{show.listed(told)} of {len(parts)} settings"


def _first_up(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" if text.startswith(("every ", "no ")) else text
