"""A file that lies elsewhere, read by ranges and ahead of who reads, in bounded memory."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Final

from benchkit.errors import InputError
from benchkit.stores.addresses import is_web, public
from benchkit.stores.clients import Trouble, located, trouble, troubles

if TYPE_CHECKING:
    from obstore import GetResult
    from obstore.store import ObjectStore

_BLOCK: Final = 2**23
_AHEAD: Final = 2  # blocks that are under way while one is read
_HEAD: Final = 2**16
_ENDED: Final = Trouble("a connection that ends early")
_TRIES: Final = 3  # in a row, without a byte; the client has tried several times in each


class RemoteFile:
    """The bytes of one object as it was when it was opened.

    A connection that ends is taken up again where it ended. Where that fails, and where the object
    has changed since, the file ends there, as one that is cut off does, and `lost` says why.

    Attributes:
        size: How many bytes it has.
        tag: What its store calls this version of it, if it has names for them.
        reached: How far it is read.
        lost: Why the rest could not be read, None while nothing is lost.
    """

    def __init__(self, client: ObjectStore, key: str, answer: GetResult) -> None:
        self._client, self._key = client, key
        self.tag, self.size = answer.meta["e_tag"], int(answer.meta["size"])
        self._answer: GetResult | None = answer
        self._blocks: dict[int, Future[bytearray]] = {}
        self._end = self.size
        self._last = 0
        self.reached = 0
        self.trouble: Trouble | None = None
        self._sum: _InOrder | None = None

    @property
    def lost(self) -> str | None:
        """Why the rest could not be read, None while nothing is lost."""
        if self.trouble is None:
            return None
        return f"{self.trouble.reason}, after {self._end:,} of {self.size:,} bytes"

    def whole(self) -> bytes:
        """Return all of it, by the connection that opened it."""
        answer, self._answer = self._answer, None
        return bytes(self._fetch(0, self.size, answer))

    def read(self, start: int, count: int) -> bytes:
        """Return `count` bytes from `start` on; fewer only at the end. Best in order."""
        self._answer = None
        end = min(start + count, self._end)
        if end <= _HEAD:
            return self._head[start:end]
        pieces: list[bytes] = []
        at = start
        while at < end:
            number, first = at // _BLOCK, at // _BLOCK * _BLOCK
            ahead = (
                start > 0 and 0 <= number - self._last <= 1
            )  # not where only one place is looked at
            self._last = number
            piece = memoryview(self._block(number, ahead=ahead))[at - first : end - first]
            if not piece:
                break
            pieces.append(bytes(piece))
            at += len(piece)
        self.reached = at
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def parts(self, starts: Sequence[int], count: int) -> list[bytes]:
        """Return `count` bytes from each of several places on.

        Raises:
            OSError: they cannot be read.
        """
        import obstore

        try:
            parts = obstore.get_ranges(
                self._client, self._key, starts=starts, lengths=[count] * len(starts)
            )
        except troubles() as error:
            raise OSError(trouble(error).reason) from None
        return [bytes(part) for part in parts]

    def hash_ahead(self) -> None:
        """Hash what is read while it is read."""
        if self._sum is None:
            self._sum = _InOrder()

    def sha256(self) -> str:
        """Return the SHA-256 of all bytes, after reading those that are not read yet.

        Raises:
            OSError: they cannot be read.
        """
        self.hash_ahead()
        while self._sum is not None and self._sum.blocks * _BLOCK < self._end:
            self._sum.add(self._threads.submit(self._fetch_block, self._sum.blocks))
        if self.trouble is not None or self._sum is None:
            raise OSError(self.lost)
        return self._sum.result()

    @cached_property
    def _head(self) -> bytes:
        return bytes(self._fetch(0, min(_HEAD, self.size)))

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(_AHEAD, thread_name_prefix="benchkit-read")

    def _block(self, number: int, *, ahead: bool) -> bytearray:
        last = number + (_AHEAD if ahead else 0)
        for wanted in range(number, last + 1):
            if wanted not in self._blocks and wanted * _BLOCK < self._end:
                self._blocks[wanted] = self._threads.submit(self._fetch_block, wanted)
                if self._sum is not None and wanted == self._sum.blocks:
                    self._sum.add(self._blocks[wanted])
        for known in list(self._blocks):
            if not number - 1 <= known <= last:
                del self._blocks[known]
        return self._blocks[number].result()

    def _fetch_block(self, number: int) -> bytearray:
        return self._fetch(number * _BLOCK, min((number + 1) * _BLOCK, self.size))

    def _fetch(self, start: int, end: int, answer: GetResult | None = None) -> bytearray:
        """Return the bytes from `start` to `end`, fewer where no more can be read."""
        import obstore

        data, failures = bytearray(), 0
        problem: Trouble | None = None
        while start + len(data) < end and failures < _TRIES:
            before, span = len(data), (start + len(data), end)
            try:
                answer = answer or obstore.get(self._client, self._key, options={"range": span})
                if (answer.meta["e_tag"], answer.meta["size"]) != (self.tag, self.size):
                    problem = Trouble("it changed while it was read")
                    break
                for chunk in answer.stream(min_chunk_size=1):  # what came counts if no more does
                    data += memoryview(chunk)
            except troubles() as error:
                # The client has tried to go on by a range; what ended first is the connection.
                problem = problem or (trouble(error) if answer is None else _ENDED)
            answer = None
            failures = 0 if len(data) > before else failures + 1
        if start + len(data) < end:
            self._end = min(self._end, start + len(data))
            self.trouble = problem or _ENDED
        return data


class _InOrder:
    """The SHA-256 of blocks that are still on their way, in a thread of its own."""

    def __init__(self) -> None:
        self.blocks = 0
        self._sum = hashlib.sha256()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="benchkit-hash")
        self._waiting: list[Future[None]] = []

    def add(self, block: Future[bytearray]) -> None:
        """Hash one more; wait where too many are on their way."""
        self.blocks += 1
        self._waiting.append(self._thread.submit(self._add, block))
        if len(self._waiting) > 2 * _AHEAD:
            self._waiting.pop(0).result()

    def result(self) -> str:
        """Return the hash of all that were added."""
        for each in self._waiting:
            each.result()
        return self._sum.hexdigest()

    def _add(self, block: Future[bytearray]) -> None:
        self._sum.update(block.result())


def open_remote(address: str) -> RemoteFile:
    """Return what lies at a URL.

    Raises:
        FileNotFoundError: nothing does.
        InputError: it cannot be read.
        UsageError: nothing of that kind can be read here.
    """
    client, key = located(address)
    import obstore

    try:
        answer = obstore.get(client, key)
    except FileNotFoundError:
        raise FileNotFoundError(public(address)) from None
    except troubles() as error:
        problem = trouble(error, web=is_web(address))
        raise InputError(
            "a readable file", actual=problem.reason, hint=problem.hint, source=public(address)
        ) from None
    return RemoteFile(client, key, answer)
