"""`benchkit scenarios`."""

from __future__ import annotations

import textwrap

from benchkit.cli.console import say, width


def scenarios() -> int:
    """List the benchmarks that come with benchkit and can be run."""
    from benchkit.scenarios.declaration import bundled

    say("\n".join(_entry(scenario) for scenario in bundled()))
    return 0


def _entry(scenario: object) -> str:
    from benchkit.scenarios.declaration import Scenario
    from benchkit.scenarios.estimate import estimate
    from benchkit.scenarios.matrix import Wishes, plan

    assert isinstance(scenario, Scenario)  # noqa: S101 - for the type checker
    times = [
        f"{name} {estimate(plan(scenario, Wishes(profile=name)))}" for name in scenario.profiles
    ]
    axes = [f"{name} {', '.join(map(str, levels))}" for name, levels in scenario.params.items()]
    lines = [
        f"{scenario.question}",
        f"Reruns {scenario.reproduces}" if scenario.reproduces else "",
        f"variants: {', '.join(scenario.variants)}",
        f"params: {'; '.join(axes)}" if axes else "",
        f"tool: {' or '.join(scenario.tool_names)}; time: {', '.join(times)}",
    ]
    wrapped = [
        textwrap.fill(line, width(), initial_indent="  ", subsequent_indent="    ")
        for line in lines
        if line
    ]
    return "\n".join([scenario.name, *wrapped, ""])
