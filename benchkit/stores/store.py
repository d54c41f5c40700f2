"""What a store is: named bytes, each of them there as a whole or not at all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchkit.errors import InputError, UsageError

#: Lies in a folder that is a dataset, or is to be one.
DATASET_MARK: Final = "benchkit-dataset.json"


class ThereAlreadyError(UsageError):
    """What was to be created is there."""


class ForbiddenError(InputError):
    """What may not be read; who may not list a bucket is told so of what is not there, too."""


class Listed(NamedTuple):
    """A name in a store, and how many bytes it has."""

    name: str
    size_bytes: int


class Store(ABC):
    """Named bytes; a name is parts joined by `/`.

    Attributes:
        address: Where it is, as a person writes it; no secret stands in it.
    """

    address: str

    @abstractmethod
    def put(self, name: str, data: bytes) -> None:
        """Create an object, whole or not at all; of several writers one succeeds.

        Raises:
            ThereAlreadyError: there is one of that name.
            UsageError: it cannot be written.
        """

    @abstractmethod
    def replace(self, name: str, data: bytes | Path) -> None:
        """Write an object, or a file of any size as one, in the place of what was there.

        Readers see the old or the new one, whole.

        Raises:
            UsageError: it cannot be written.
        """

    @abstractmethod
    def list(self, prefix: str) -> list[str]:
        """Return the names that begin so, in order, without those in folders below.

        Raises:
            InputError: the store cannot be read.
        """

    @abstractmethod
    def walk(self, folder: str = "") -> Sequence[Listed]:
        """Return all that lies in a folder and below it, in the order of the names.

        What is in the making, and any other hidden name, is left out.

        Raises:
            InputError: the store cannot be read.
        """

    @abstractmethod
    def read(self, name: str, *, start: int = 0, count: int | None = None) -> bytes:
        """Return an object, or `count` bytes from `start` on; fewer only at the end.

        Raises:
            FileNotFoundError: there is none of that name.
            InputError: it cannot be read.
        """

    @abstractmethod
    def size_of(self, name: str) -> int | None:
        """Return how many bytes an object has, None where there is none.

        Raises:
            InputError: the store cannot be read.
        """

    @abstractmethod
    def age_s(self, name: str) -> float:
        """Return how long ago an object was created; 0 where there is none."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Remove an object, which need not be there.

        Raises:
            UsageError: it cannot be removed.
        """
