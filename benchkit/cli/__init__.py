"""The command line: each command parses its arguments, calls one function, writes the answer."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings

#: New objects before a search for cycles: imports make many objects and hardly a cycle.
_RARELY = 1_000_000


def main() -> None:
    """Run `benchkit` with the arguments of this process; its status is the exit status."""
    gc.set_threshold(_RARELY)
    interrupted = signal.getsignal(signal.SIGINT)
    is_usual = interrupted is signal.default_int_handler
    if is_usual:  # what is only imported leaves nothing behind, and has nothing to say
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from benchkit.cli.guard import run

    if is_usual:
        signal.signal(signal.SIGINT, interrupted)
    if not sys.warnoptions:
        # A library's warnings are for who develops, and `python -W` still shows them.
        warnings.simplefilter("ignore")
    status = run(sys.argv[1:])
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):  # full, or closed when its reader had gone
        sys.exit(status)
    # Taking the interpreter apart, object by object, would take a tenth of a second.
    os._exit(status)
