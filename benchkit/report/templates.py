"""The templates of a page, compiled once for all runs where that can be kept."""

from __future__ import annotations

import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchkit.runtime import cachefiles

if TYPE_CHECKING:
    from jinja2.bccache import Bucket

#: Where files can be known to be nobody else's.
_KEEPS: Final = sys.platform != "win32"


@cache
def text_of(name: str) -> str:
    """Return a file of the templates, a style sheet or script too."""
    return files("benchkit.templates").joinpath(name).read_text("utf-8")


def environment(**filters: Any) -> Any:  # noqa: ANN401 - jinja2 is imported late
    """Return the templates, with some filters."""
    from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined

    class Kept(BytecodeCache):
        """What was kept has the checksum of its template, and the version of Python."""

        def load_bytecode(self, bucket: Bucket) -> None:
            """Take what was kept, if that is of the same template."""
            for data in cachefiles.read(_name_of(bucket)):
                bucket.bytecode_from_string(data)
                if bucket.code is not None:
                    return

        def dump_bytecode(self, bucket: Bucket) -> None:
            """Keep it."""
            cachefiles.write(_name_of(bucket), bucket.bytecode_to_string())

    templates = Environment(
        autoescape=True,
        bytecode_cache=Kept() if _KEEPS else None,
        loader=FunctionLoader(text_of),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    templates.filters |= filters
    return templates


def _name_of(bucket: Bucket) -> str:
    options = Path(__file__).read_text("utf-8")  # which what is compiled depends on too
    made_by = f"{bucket.key} {version('jinja2')} {options}"
    return f"template-{sha256(made_by.encode()).hexdigest()[:24]}.code"
