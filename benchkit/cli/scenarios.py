"""`benchkit scenarios`."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from benchkit.cli.console import say, width

if TYPE_CHECKING:
    from benchkit.scenarios.declaration import Scenario


def scenarios() -> int:
    """List the benchmarks that come with benchkit and can be run."""
    from benchkit.scenarios.declaration import bundled

    say("\n".join(_entry(scenario) for scenario in bundled()))
    return 0


def _entry(scenario: Scenario) -> str:
    from benchkit.scenarios.matrix import Wishes, about, plan

    times = [
        f"{name} {about(plan(scenario, Wishes(profile=name)).duration_s)}"
        for name in scenario.profiles
    ]
    axes = [f"{name} {', '.join(map(str, levels))}" for name, levels in scenario.params.items()]
    lines = [
        f"{scenario.question}",
        f"Reruns {scenario.reproduces}" if scenario.reproduces else "",
        f"variants: {', '.join(scenario.variants)}",
        f"params: {'; '.join(axes)}" if axes else "",
        f"tool: {' or '.join(scenario.tool_names)}; time: {', '.join(times)}",
        *(f"--set {name}: {meaning}" for name, meaning in scenario.meanings.items()),
    ]
    wrapped = [
        textwrap.fill(line, width(), initial_indent="  ", subsequent_indent="    ")
        for line in lines
        if line
    ]
    return "\n".join([scenario.name, *wrapped, ""])
