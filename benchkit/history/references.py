"""`STORE@NAME` to saves and their runs: a branch, a commit, a label, or a stretch of a branch."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchkit.errors import InputError, UsageError, nearest, printable
from benchkit.history.git import commit_of, order_of
from benchkit.history.saves import MANIFESTS, Save, inputs_of, runs_of_saves, saves_of
from benchkit.model.run import Run
from benchkit.redaction import redact
from benchkit.stores import Store, store_at

#: Of a branch so many saves, where nobody says how many.
LAST: Final = 5
#: The beginning of a commit or of the id of a save is at least so long.
_LEAST: Final = 6
_COUNTED: Final = re.compile(r"(.+):([1-9][0-9]{0,8})", re.DOTALL)


@dataclass(frozen=True)
class Reference:
    """Some saves of a store, as `STORE@NAME` names them.

    Attributes:
        label: What their runs are to be called, from `label=STORE@NAME`.
    """

    store: Store
    name: str
    label: str | None = None

    @property
    def inputs(self) -> tuple[str, ...]:
        """Where the store lies: no output may take the place of what is there."""
        return inputs_of(self.store.address)

    def saves(self) -> list[Save]:
        """Return what it names, in the order of the commits.

        Raises:
            UsageError: nothing is called so, or more than one thing.
            InputError: the store cannot be read.
        """
        known = in_order(saves_of(self.store))
        chosen = _chosen(self.name, known)
        if chosen:
            return chosen
        names = dict.fromkeys(name for save in known for name in _names(save))
        near = nearest(self.name, names)
        raise UsageError(
            f"{self.store.address}: no branch, commit or label {printable(self.name)}"
            + (near and f"; {near}")
        )


def reference(argument: str) -> Reference | None:
    """Return what `STORE@NAME` or `label=STORE@NAME` names, None for a path.

    Of several `@` the last one with a store before it counts.
    """
    label, equals, rest = argument.partition("=")
    if os.path.lexists(argument) or (equals and os.path.lexists(rest)):
        return None
    candidates: list[tuple[str | None, str]] = [(None, argument)]
    if equals and label and "@" in rest and "@" not in label and "/" not in label:
        candidates.insert(0, (label, rest))
    for called, text in candidates:
        at = text.rfind("@")
        while at > 0:
            if text[at + 1 :] and _is_store(text[:at]):
                return Reference(store_at(text[:at]), text[at + 1 :], called)
            at = text.rfind("@", 0, at)
    return None


def named_in(argument: str) -> Reference | None:
    """Return what `STORE@NAME` names as a path: a folder stands before the `@`, or it is none.

    Raises:
        UsageError: nothing was saved in that folder.
    """
    named = reference(argument)
    folder, _, name = argument.rpartition("@")
    folder = folder.rpartition("=")[2]
    is_path = os.path.lexists(argument) or os.path.lexists(argument.partition("=")[2])
    if named is None and name and os.path.isdir(folder) and not is_path:  # noqa: PTH112 - any text
        raise UsageError(f"{folder}: no save here, so that nothing is called {printable(name)}")
    return named


def newest(address: str) -> str | None:
    """Return what names the newest save of a store, `STORE@NAME`; None where nothing was saved."""
    try:
        if not _is_store(address):
            return None
    except InputError:  # nothing tells that it is a store
        return None
    save = in_order(saves_of(store_at(address)))[-1]
    return f"{address}@{save.branch or save.commit[:12]}"


def runs_of(spec: str) -> list[Run]:
    """Return the runs that `STORE@NAME` names, each once.

    Raises:
        UsageError: there is no such store, or nothing in it is called so.
        InputError: the store cannot be read.
    """
    named = reference(spec)
    if named is None:
        raise UsageError(
            f"{spec}: not a baseline in a store; write STORE@NAME, where STORE is a folder that "
            "`benchkit save` has written to"
        )
    return pooled(named.store, named.saves())


def in_order(saves: Iterable[Save]) -> list[Save]:
    """Return saves in the order of their commits.

    Those that git here knows follow git, parents first; they change places among themselves. All
    others stay where the time of saving puts them.
    """
    by_time = sorted(saves, key=lambda save: (save.saved_at, save.id))
    order = order_of(save.commit for save in by_time)
    known = [save for save in by_time if save.commit in order]
    sorted_known = iter(sorted(known, key=lambda save: order[save.commit]))
    return [next(sorted_known) if save.commit in order else save for save in by_time]


def pooled(
    store: Store,
    saves: Sequence[Save],
    *,
    keep: Callable[[Run], bool] = lambda _: True,
    show_secrets: bool = False,
) -> list[Run]:
    """Return the runs of saves, each once; of several saves their labels name the commit.

    Those that do not say where they were made count as made where they were saved.

    Raises:
        UsageError: what was saved are no tables of the schema.
        InputError: they cannot be read.
    """
    runs: dict[str, Run] = {}
    repeats = 0
    by_save = _read(saves, store, show_secrets=show_secrets)
    for save in saves:
        fresh = [run for run in by_save[save.id] if run.run_id not in runs]
        highest = max((run.get("repeat") or 0 for run in fresh), default=0)
        for run in filter(keep, fresh):
            changed: dict[str, Any] = {}
            if len(saves) > 1:
                changed["label"] = f"{run.label}, {save.commit[:12]} {save.id[:_LEAST]}"
            if run.get("repeat") is not None:
                changed["repeat"] = repeats + run.get("repeat")
            runs[run.run_id] = run.with_columns(**changed).made_on(save.machine)
        repeats += highest
    return list(runs.values())


def name_of(saves: Sequence[Save], branch: Sequence[Save]) -> str:
    """Return the `NAME` of saves of a branch, in its order: a stretch, or else a list."""
    first = branch.index(saves[0])
    if len(saves) > 1 and list(branch[first : first + len(saves)]) == list(saves):
        return f"{saves[0].id}..{saves[-1].id}"
    return ",".join(save.id for save in saves)


def _read(
    saves: Sequence[Save], store: Store, *, show_secrets: bool
) -> Mapping[str, Sequence[Run]]:
    try:
        return runs_of_saves(saves, store, show_secrets=show_secrets)
    except FileNotFoundError:  # compacted since: a manifest says where they are now
        now = {save.id: save for save in saves_of(store)}
        try:
            moved = [now[save.id] for save in saves]
            return runs_of_saves(moved, store, show_secrets=show_secrets)
        except (FileNotFoundError, KeyError) as error:
            raise UsageError(f"{store.address}: saved data are gone") from error


def _is_store(address: str) -> bool:
    try:
        store = store_at(address)
        return bool(store.list(MANIFESTS))
    except (UsageError, OSError, ValueError):
        return False


# --- names ---


def _chosen(name: str, known: Sequence[Save]) -> list[Save]:
    """Return the saves of a name, in the order of `known`; nothing where none is called so."""
    name = redact(name)  # as those of saves are read
    first, stretch, last = name.partition("..")
    if stretch and first and last:
        ends = _pinned(first, known), _pinned(last, known)
        if all(ends):
            return _stretch(ends[0][0], ends[1][-1], known)
    by_id: Mapping[str, Save] = {save.id: save for save in known}
    listed = name.split(",")
    if all(each in by_id for each in listed):
        return [save for save in known if save.id in listed]
    branch = [save for save in known if save.branch == name]
    if branch:
        return branch[-LAST:]
    counted = _COUNTED.fullmatch(name)
    if counted:
        branch = [save for save in known if save.branch == counted[1]]
        if branch:
            return branch[-int(counted[2]) :]
    return _pinned(name, known)


def _pinned(name: str, known: Sequence[Save]) -> list[Save]:
    """Return the saves of a commit, a label or an id."""
    for chosen in (
        [save for save in known if save.commit == name],
        [save for save in known if save.label == name],
        [save for save in known if save.id == name],
    ):
        if chosen:
            return chosen
    commit = commit_of(name)
    chosen = [save for save in known if commit and _same_commit(save.commit, commit)]
    if chosen or len(name) < _LEAST:
        return chosen
    chosen = [save for save in known if save.commit.startswith(name) or save.id.startswith(name)]
    commits = dict.fromkeys(save.commit for save in chosen)
    if len(commits) > 1:
        raise UsageError(
            f"{printable(name)} is the beginning of {len(commits)} commits; write more"
        )
    return chosen


def _same_commit(saved: str, commit: str) -> bool:
    return saved == commit or (len(saved) > _LEAST and commit.startswith(saved.lower()))


def _stretch(first: Save, last: Save, known: Sequence[Save]) -> list[Save]:
    if first.branch != last.branch:
        raise UsageError(
            f"{first.id}..{last.id}: one is on {printable(first.branch)}, "
            f"the other on {printable(last.branch)}"
        )
    branch = [save for save in known if save.branch == first.branch]
    low, high = sorted((branch.index(first), branch.index(last)))
    return branch[low : high + 1]


def _names(save: Save) -> Iterable[str]:
    return filter(None, (save.branch, save.label, save.commit, save.id))
