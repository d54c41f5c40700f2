"""The command line: each command parses its arguments, calls one function, writes the answer."""

from __future__ import annotations

import sys
import warnings


def main() -> None:
    """Run `benchkit` with the arguments of this process; its status is the exit status."""
    from benchkit.cli.guard import run

    if not sys.warnoptions:
        # A library's warnings are for who develops, and `python -W` still shows them.
        warnings.simplefilter("ignore")
    sys.exit(run(sys.argv[1:]))
