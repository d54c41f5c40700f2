"""What no table has of each run, as a file of a dataset, which may be a stranger's."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from benchkit.datasets.manifest import INGEST_AGAIN, StoredFile
from benchkit.datasets.storage import read_stored
from benchkit.errors import InputError
from benchkit.ingest.portable import DiskForm, fault, form_of, keyed
from benchkit.model.run import Run
from benchkit.model.supplement import supplement
from benchkit.stores import Store
from benchkit.stores.addresses import within


@dataclass(frozen=True)
class ExactLatencies:
    """Whole numbers of the latencies with one outcome, of which bins know the neighbourhood."""

    total_ns: int
    squares_ns2: int
    min_ns: int | None
    max_ns: int | None


#: What may stand there of a run.
_FORMS: Final[Mapping[str, DiskForm]] = {
    "variant": form_of(str | None),
    "steps": keyed(form_of(float)),
    "commands": keyed(form_of(str)),
    "outcomes": keyed(form_of(ExactLatencies)),
    "endpoints": form_of(list[str | None]),
    "numbering": form_of(tuple[int, int, int]),
    "lateness": form_of(tuple[float, float, float, float]),
}


def supplement_text(runs: Iterable[Run]) -> bytes:
    """Return what no table has of each run, by `run_id`, as JSON."""
    supplements = {run.run_id: supplement(replace(run, counts=replace(run.counts))) for run in runs}
    return json.dumps(supplements, indent=0, sort_keys=True).encode()


def read_supplements(store: Store, stored: StoredFile) -> Mapping[str, Mapping[str, Any]]:
    """Return what no table has of each run, by `run_id`.

    Raises:
        InputError: the file is missing, or holds something else.
    """
    source = within(store.address, stored.file)
    try:
        content = json.loads(read_stored(store, stored), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InputError(
            "what no table has of each run, as JSON",
            actual="no JSON",
            source=source,
            hint=INGEST_AGAIN,
        ) from None
    try:
        runs = _runs(content)
        if len(runs) != stored.rows:
            raise fault(f"{stored.rows} runs, as the manifest says", f"{len(runs)}", "supplement")
    except InputError as error:
        error.hint = INGEST_AGAIN
        raise error.within(source) from None
    return runs


def _no_number(name: str) -> None:
    raise ValueError(name)


def _runs(content: object) -> dict[str, dict[str, Any]]:
    if not isinstance(content, dict):
        raise fault("an object of runs", content, "supplement")
    return {run_id: _run(given, f"supplement.{run_id}") for run_id, given in content.items()}


def _run(given: object, path: str) -> dict[str, Any]:
    if not isinstance(given, dict) or not given.keys() <= _FORMS.keys():
        keys = sorted(given) if isinstance(given, dict) else given
        raise fault(f"an object of {', '.join(_FORMS)}", keys, path)
    for name, value in given.items():
        if name != "lateness" or not isinstance(value, str):
            _FORMS[name].read(value, f"{path}.{name}")
    return given
