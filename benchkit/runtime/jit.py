"""Loops over arrays as machine code, kept between runs.

numba translates a loop; from then on llvmlite alone, the part of numba that holds
the compiler, loads what was kept: numba itself takes longer to import than a
million results take to read. Where there is neither, a caller has its slower way.

Each loop takes pointers to C-contiguous arrays and 64-bit integers, returns a
64-bit integer, raises nothing, and runs without Python's lock. A pointer is indexed
as a list is, by one number: nothing checks its bounds, and none below 0 counts from the end.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from benchkit.runtime import cachefiles

#: From this size on machine code pays: compiling it takes as long as plain Python
#: takes for about 70 MB, once per installation.
COMPILE_FROM: Final = 2**24

#: Where keeping is tried out; elsewhere numba's own cache does it, more slowly.
_KEEPS: Final = sys.platform == "linux"
#: What the objects name and never call: numba's ways to raise an exception.
_NEVER_CALLED: Final = ("numba_gil_ensure", "numba_gil_release", "NRT_MemInfo_call_dtor")

Call = Callable[..., int]
_lock: Final = threading.Lock()  # threads that come first wait for one translation


@dataclass(frozen=True)
class Code:
    """A loop as machine code.

    Attributes:
        address: Where it begins.
        arguments: As `Loop` has them.
    """

    address: int
    arguments: str

    def caller(self) -> Call:
        """Return a function that takes arrays for pointers, for a single user and thread."""
        given = self.arguments.split()
        types = [ctypes.c_void_p if kind.endswith("*") else ctypes.c_int64 for kind in given]
        entry = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(self.address)

        # Most arrays are those of the call before: kept alive, so their addresses still hold.
        last: list[Any] = [None] * len(given)
        addresses = [0] * len(given)

        def call(*arguments: Any) -> int:  # noqa: ANN401 - arrays and integers
            for at, (value, kind) in enumerate(zip(arguments, given, strict=True)):
                if value is not last[at]:
                    last[at] = None  # an interrupt leaves no address of another array
                    addresses[at] = _argument(value, kind)
                    last[at] = value
            return int(entry(*addresses))

        return call


@dataclass(frozen=True)
class Loop:
    """A function in the part of Python that numba compiles.

    Attributes:
        arguments: `u1*`, `i4*`, `i8*` or `i8` for each parameter.
        helpers: Functions that it calls.
        inlined: Those that are to be copied to where they are called.
        instead: Functions that it calls, and what is compiled, and inlined, in their place.
    """

    function: Callable[..., int]
    arguments: str
    helpers: Sequence[Callable[..., Any]] = ()
    inlined: Sequence[Callable[..., Any]] = ()
    instead: Mapping[Callable[..., Any], Callable[..., Any]] = field(default_factory=dict)

    @property
    def functions(self) -> Sequence[Callable[..., Any]]:
        """All whose text the machine code depends on."""
        return (self.function, *self.helpers, *self.inlined, *self.instead.values())


def prepare() -> None:
    """Begin to load the compiler's library, which runs beside Python, and takes a while."""

    def imported() -> None:
        with contextlib.suppress(Exception):  # who loads a loop has its own way without it
            import_module("llvmlite.binding")

    threading.Thread(target=imported, daemon=True).start()


def load(name: str, loop: Loop) -> Code | None:
    """Return a loop as machine code, kept under a name; None without compiler or if it fails."""
    with _lock:
        return _kept_or_translated(name, loop)


def _kept_or_translated(name: str, loop: Loop) -> Code | None:
    with contextlib.suppress(Exception):  # another version, a damaged file: compile anew
        for data in cachefiles.read(f"{name}-{_key(loop)}.code") if _KEEPS else ():
            symbol, _, code = data.partition(b"\0")
            return Code(_loaded(symbol.decode(), code), loop.arguments)
    with contextlib.suppress(Exception):  # no numba, or one that cannot compile this
        compiled = _translated(loop)
        with contextlib.suppress(Exception):  # not kept: the next run compiles again
            if _KEEPS:
                code = compiled._library._get_compiled_object()  # noqa: SLF001
                data = compiled.native_name.encode() + b"\0" + code
                cachefiles.write(f"{name}-{_key(loop)}.code", data)
        _alive.append(compiled)
        return Code(compiled.address, loop.arguments)
    return None


def _translated(loop: Loop) -> Any:  # noqa: ANN401 - numba's CFunc
    numba: Any = import_module("numba")
    types = numba.types
    for helper in loop.helpers:
        numba.extending.register_jitable(helper)
    inlined = {function: function for function in loop.inlined} | dict(loop.instead)
    for called, compiled in inlined.items():
        _inline(numba, called, compiled)
    numbers = {"u1": types.uint8, "i4": types.int32, "i8": types.int64}
    given = [
        types.CPointer(numbers[kind[:2]]) if kind.endswith("*") else numbers[kind]
        for kind in loop.arguments.split()
    ]
    for keep in (not _KEEPS, False):  # a cache folder that cannot be written is no error
        with contextlib.suppress(RuntimeError, OSError):
            signature = types.int64(*given)
            return numba.cfunc(signature, cache=keep, error_model="numpy")(loop.function)
    raise RuntimeError("numba gave no code")


def _inline(numba: Any, called: Callable[..., Any], compiled: Callable[..., Any]) -> None:  # noqa: ANN401
    @numba.extending.overload(called, jit_options={"forceinline": True}, strict=False)  # type: ignore[untyped-decorator]
    def chosen(*_: Any) -> Callable[..., Any]:  # noqa: ANN401 - numba's types
        return compiled


def _argument(value: Any, kind: str) -> int:  # noqa: ANN401 - an array or an integer
    if not kind.endswith("*"):
        return int(value)
    if value.dtype.str[1:] != kind[:2] or not value.flags.c_contiguous:
        raise TypeError(f"an array of {value.dtype} for {kind}")
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(value))  # a fifth of what `.ctypes` takes
    except (TypeError, ValueError):  # of what is read-only or empty
        return int(value.ctypes.data)


# --- keeping ---

_alive: Final[list[Any]] = []  # code that is freed cannot be called


def _key(loop: Loop) -> str:
    """Return a hash of all that the machine code depends on."""
    files = {str(sys.modules[f.__module__].__file__) for f in loop.functions} | {__file__}
    parts = [
        *(Path(file).read_bytes() for file in sorted(files)),
        json.dumps([_constants(f) for f in loop.functions]).encode(),
        _platform().encode(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]


def _constants(function: Callable[..., Any]) -> dict[str, int]:
    """Return the numbers that a function uses, wherever they are from: the code has them in it."""
    names = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    return {name: value for name, value in sorted(names.items()) if isinstance(value, int)}


@cache
def _platform() -> str:
    """Return the processor and the versions of all that makes the code."""
    llvm: Any = import_module("llvmlite.binding")
    features = llvm.get_host_cpu_features().flatten()
    versions = f"{version('numba')} {version('llvmlite')} {sys.version}"
    return f"{llvm.get_host_cpu_name()} {features} {versions}"


def _loaded(symbol: str, code: bytes) -> int:
    llvm: Any = import_module("llvmlite.binding")
    with contextlib.suppress(RuntimeError):  # newer versions do this by themselves
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    nothing = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value
    for name in _NEVER_CALLED:
        if not llvm.address_of_symbol(name):
            llvm.add_symbol(name, nothing)
    machine = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _alive.append(engine)
    address = int(engine.get_function_address(symbol))
    if not address:
        raise RuntimeError(symbol)
    return address
