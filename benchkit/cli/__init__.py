"""The command line: each command parses its arguments, calls one function, writes the answer."""

from __future__ import annotations

import sys


def main() -> None:
    """Run `benchkit` with the arguments of this process; its status is the exit status."""
    from benchkit.cli.guard import run

    sys.exit(run(sys.argv[1:]))
