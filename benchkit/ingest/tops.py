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
    tops = {_top(one) for one in inputs if isinstance(one, Input) and _counts(one)}
    if len(tops) < 2:
        return list(inputs)
    try:
        common = Path(os.path.commonpath(tops))
    except ValueError:  # on different drives
        return list(inputs)
    return [
        _below(one, common) if isinstance(one, Input) and _counts(one) else one for one in inputs
    ]


def _counts(one: Input) -> bool:
    return not one.named and one.label is None


def _top(one: Input) -> str:
    return str(Path(one.path).parents[len(one.parts)].absolute())


def _below(one: Input, common: Path) -> Input:
    parts = (*Path(_top(one)).relative_to(common).parts, *one.parts)
    return replace(one, parts=parts, short=PurePath(*parts, Path(one.path).name).as_posix())
