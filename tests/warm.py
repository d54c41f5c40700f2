"""Commands in processes of their own that need not import benchkit: forks of one that has.

To begin is most of what a small command costs. What tests that `python -m benchkit` begins well
starts it as users do; what runs dozens of commands to see how each ends uses these.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

#: Forks for each line it reads, and answers with the status. A fork knows as little of plug-ins as
#: a new process, and takes what would have been in its PYTHONPATH for its own.
_SERVER: Final = """
import gc, importlib, json, os, pkgutil, sys, warnings
warnings.simplefilter("ignore")  # of threads of libraries, which take no part
from benchkit.cli.reading import without_idle_threads
with without_idle_threads():
    import pandas, pyarrow.parquet
import benchkit.cli, benchkit.cli.guard, benchkit.api, benchkit.export, benchkit.parsers
import benchkit.datasets.storage, benchkit.history.saves, benchkit.report.document
for package in (benchkit.cli, benchkit.parsers):
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)

def become(asked):
    os.chdir(asked["folder"])
    os.environ.update(asked["variables"])
    for number, path in ((0, os.devnull), (1, asked["out"]), (2, asked["err"])):
        opened = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY)
        os.dup2(opened, number)
        os.close(opened)
    above = os.environ.get("PYTHONPATH", "")
    sys.path[:0] = [above] if above else []
    importlib.invalidate_caches()
    hook = os.path.join(above, "sitecustomize.py")
    if above and os.path.exists(hook):
        exec(compile(open(hook).read(), hook, "exec"), {"__name__": "sitecustomize"})
    sys.argv = [asked["code"] and "-c" or "benchkit", *asked["arguments"]]
    if asked["code"]:
        exec(compile(asked["code"], "<string>", "exec"), {"__name__": "__main__"})
        sys.stdout.flush()
        os._exit(0)
    benchkit.cli.main()

gc.freeze()
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        become(json.loads(line))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    atexit.register(server.communicate)  # which tells it that no line follows
    return server


def run(
    *arguments: str, folder: Path, variables: Mapping[str, str], code: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """Run a command of benchkit, or some code, in a folder; variables are set beside ours."""
    if not hasattr(os, "fork"):
        return subprocess.run(
            [sys.executable, *(("-c", code) if code else ("-m", "benchkit")), *arguments],
            cwd=folder,
            env={**os.environ, **variables},
            capture_output=True,
            check=False,
        )
    with tempfile.TemporaryDirectory() as aside:
        out, err = (Path(aside) / name for name in ("out", "err"))
        for path in (out, err):
            path.touch()
        asked: dict[str, Any] = {
            "arguments": arguments,
            "folder": str(folder),
            "variables": {**os.environ, **variables},
            "code": code,
            "out": str(out),
            "err": str(err),
        }
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(
            list(arguments), status, out.read_bytes(), err.read_bytes()
        )
