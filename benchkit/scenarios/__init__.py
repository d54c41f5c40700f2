"""Published benchmarks as things that anyone can rerun, and the runner for them.

A scenario is a folder with a declaration (`scenario.toml`), a shell harness, the sources of its
servers and a README; `README.md` beside this module says how to write one.
"""
