"""Several folders named together: what is in them is told apart by the folders' own names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from benchkit.errors import InputError
from benchkit.ingest.paths import Input


def told_apart(inputs: Sequence[Input | InputError]) -> list[Input | InputError]:
    """Put what tells the named folders apart before the folders below them.

    `before/ after/` are two variants, `results/a results/b` the scenarios a and b,
    as if the folder that holds them had been named. A folder with a label, and one
    that is named alone, stay as they are.
    """
    tops = {_top(entry) for entry in inputs if isinstance(entry, Input) and _counts(entry)}
    if len(tops) < 2:
        return list(inputs)
    try:
        common = Path(os.path.commonpath(tops))
    except ValueError:  # on different drives
        return list(inputs)
    return [
        _below(entry, common) if isinstance(entry, Input) and _counts(entry) else entry
        for entry in inputs
    ]


def _counts(file: Input) -> bool:
    return not file.named and file.label is None


def _top(file: Input) -> str:
    return str(Path(file.path).parents[len(file.parts)].absolute())


def _below(file: Input, common: Path) -> Input:
    parts = (*Path(_top(file)).relative_to(common).parts, *file.parts)
    return replace(file, parts=parts, short=PurePath(*parts, Path(file.path).name).as_posix())
