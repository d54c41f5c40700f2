"""The same work on many things by all processors, where a process may be forked for it."""

from __future__ import annotations

import contextlib
import copyreg
import os
import pickle
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from tempfile import TemporaryFile
from typing import IO, Any, Final, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

#: So many small files are worth a fork.
WORTH_A_FORK: Final = 32
#: More processes wait for each other's memory rather than for a processor.
_MOST: Final = 4
_ENTRY_BYTES: Final = 4
#: What the smallest pipe holds on Linux before a writer has to wait (pipe(7): one page).
_MOST_ENTRIES: Final = 4096 // _ENTRY_BYTES
_PROTOCOL: Final = 5
_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h


def mapped(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    least: int = 1,
    shared: Sequence[object] = (),
    received: Callable[[Item], None] | None = None,
) -> Iterator[tuple[int, Result]]:
    """Yield the number of each item and what `function` makes of it, in any order.

    Where another process has failed, an item is done again here, so that its error is raised here.

    Args:
        function: Depends on its item alone; its results can be pickled. Where `is_fork`, it tells
            nobody how far it is.
        items: Any.
        least: So many items are worth a process.
        shared: Objects that results may hold and that stay the same ones.
        received: Called with each item that another process has done.
    """
    count = _processes(len(items), least)
    if count < 2:
        for number, item in enumerate(items):
            yield number, function(item)
        return
    left = dict(enumerate(items))
    queue = _Queue(len(items))
    forks: list[_Fork] = []
    try:
        with contextlib.suppress(OSError):  # no process or no file is to be had
            forks += (_Fork(function, items, queue, shared) for _ in range(count - 1))
        for number in queue:
            yield number, function(left.pop(number))
        for number, result in chain.from_iterable(fork.results().items() for fork in forks):
            item = left.pop(number)
            if received is not None:
                received(item)
            yield number, result
        for number, item in left.items():
            yield number, function(item)
    finally:
        queue.close()
        for fork in forks:
            fork.end()


def is_fork() -> bool:
    """Whether this process works for another, which tells how far both are."""
    return _Fork.is_here


def _processes(items: int, least: int) -> int:
    """Return how many processes work on so many items, this one among them.

    A fork has the thread that calls it and no other, so it takes a process with a single one.
    """
    if sys.platform != "linux":
        return 1
    try:
        threads = os.listdir("/proc/self/task")  # noqa: PTH208 - names are all that is asked for
    except OSError:
        return 1
    return min(_MOST, len(os.sched_getaffinity(0)), items // least) if len(threads) == 1 else 1


class _Queue:
    """Numbers from 0, of which each process takes the next few until there are none.

    It is a pipe, out of which only one of several readers gets what stands there.
    """

    def __init__(self, count: int) -> None:
        self._count, self._step = count, -(-count // _MOST_ENTRIES)
        self._read, write = os.pipe()
        starts = range(0, count, self._step)
        os.write(write, b"".join(start.to_bytes(_ENTRY_BYTES, "big") for start in starts))
        os.close(write)

    def __iter__(self) -> Iterator[int]:
        while taken := os.read(self._read, _ENTRY_BYTES):
            start = int.from_bytes(taken, "big")
            yield from range(start, min(start + self._step, self._count))

    def close(self) -> None:
        """Take no more."""
        os.close(self._read)


class _Fork:
    """A process that works off the queue."""

    is_here = False

    def __init__(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        queue: _Queue,
        shared: Sequence[object],
    ) -> None:
        self._shared = shared
        self._file = TemporaryFile()  # noqa: SIM115 - closed by `end`
        _flush()  # what stands there would be written twice
        self._process = os.fork()
        if not self._process:
            _Fork.is_here = True
            try:
                _end_with_parent()
                with warnings.catch_warnings(record=True) as caught:
                    results = {number: function(items[number]) for number in queue}
                messages = [(w.message, w.category, w.filename, w.lineno) for w in caught]
                _dump((results, messages), self._file, shared)
                _flush()
                os._exit(0)
            except Exception:  # noqa: BLE001 - raised again where the item is done again
                if os.environ.get("BENCHKIT_DEBUG"):
                    traceback.print_exc()
            finally:
                os._exit(1)

    def results(self) -> Mapping[int, Any]:
        """Wait for its end, and return what it has done: nothing if it failed."""
        process, self._process = self._process, 0
        with contextlib.suppress(ChildProcessError):  # where nobody wants to know how children end
            os.waitpid(process, 0)
        results: Mapping[int, Any]
        try:
            self._file.seek(0)
            results, caught = _Loader(self._file, self._shared).load()
        except Exception:  # noqa: BLE001 - of a file that ends early, or of somebody's class
            return {}
        for message, category, source, line in caught:
            warnings.warn_explicit(message, category, source, line, registry=_given)
        return results

    def end(self) -> None:
        """End it, if nobody has waited for it."""
        self._file.close()
        if self._process:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._process, signal.SIGKILL)
                os.waitpid(self._process, 0)


#: Warnings of forks that were given, for those that are given once.
_given: Final[dict[Any, Any]] = {}


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # none, or a closed one
            stream.flush()


def _end_with_parent() -> None:
    """Have this process killed when its parent ends: nobody waits for it any more (prctl(2))."""
    with contextlib.suppress(Exception):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _dump(value: object, file: IO[bytes], shared: Sequence[object]) -> None:
    """Write a value; of what every process has only its number."""
    numbers = {id(entry): number for number, entry in enumerate(shared)}

    def reduced(entry: object) -> Any:  # noqa: ANN401 - as `object.__reduce_ex__` has it
        number = numbers.get(id(entry))
        return entry.__reduce_ex__(_PROTOCOL) if number is None else (_entry, (number,))

    pickler = pickle.Pickler(file, _PROTOCOL)
    pickler.dispatch_table = copyreg.dispatch_table | dict.fromkeys(map(type, shared), reduced)
    pickler.dump(value)
    file.flush()


class _Loader(pickle.Unpickler):
    """Reads what `_dump` has written, with the objects of this process."""

    def __init__(self, file: IO[bytes], shared: Sequence[object]) -> None:
        super().__init__(file)
        self._shared = shared

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - as the method overridden
        """Return what a name stands for."""
        if (module, name) == (__name__, _entry.__name__):
            return self._shared.__getitem__
        return super().find_class(module, name)


def _entry(number: int) -> object:
    """Stand for an object that every process has; `_Loader` knows which."""
    raise LookupError(number)
