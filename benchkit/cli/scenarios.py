"""`benchkit scenarios`."""

from __future__ import annotations

import textwrap

from benchkit.cli.console import say, width


def scenarios() -> int:
    """List the benchmarks that come with benchkit and can be run."""
    from benchkit.scenarios.declaration import bundled

    say("\n".join(_entry(one) for one in bundled()))
    return 0


def _entry(one: object) -> str:
    from benchkit.scenarios.declaration import Scenario
    from benchkit.scenarios.estimate import estimate
    from benchkit.scenarios.matrix import Wishes, plan

    assert isinstance(one, Scenario)  # noqa: S101 - for the type checker
    times = [f"{name} {estimate(plan(one, Wishes(profile=name)))}" for name in one.profiles]
    axes = [f"{name} {', '.join(map(str, levels))}" for name, levels in one.params.items()]
    lines = [
        f"{one.question}",
        f"Reruns {one.reproduces}" if one.reproduces else "",
        f"variants: {', '.join(one.variants)}",
        f"params: {'; '.join(axes)}" if axes else "",
        f"tool: {' or '.join(one.tool_names)}; time: {', '.join(times)}",
    ]
    wrapped = [
        textwrap.fill(line, width(), initial_indent="  ", subsequent_indent="    ")
        for line in lines
        if line
    ]
    return "\n".join([one.name, *wrapped, ""])
