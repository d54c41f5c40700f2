"""`benchkit doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli.console import say

if TYPE_CHECKING:
    from benchkit.scenarios.declaration import Scenario
    from benchkit.scenarios.needs import Need


def doctor(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SCENARIO]...", help="Only these; all of them without any."),
    ] = None,
) -> int:
    """Say what the scenarios lack, and what installs it.

    Exit status: 0 nothing is missing; 1 something is; 2 no such scenario.
    """
    from benchkit.scenarios.declaration import bundled, find
    from benchkit.scenarios.harness import supported

    supported()
    chosen = [find(name) for name in scenarios] if scenarios else bundled()
    examined = [_examined(scenario) for scenario in chosen]
    say("\n".join(text for text, _ in examined))
    return int(not all(good for _, good in examined))


def _examined(scenario: Scenario) -> tuple[str, bool]:
    from benchkit.scenarios.needs import needs_of

    needs = needs_of(scenario)
    good = all(need.good or need.name in scenario.tool_names for need in needs)
    tools = [need for need in needs if need.name in scenario.tool_names]
    if not any(need.good for need in tools):
        good = False
        if len(tools) > 1:
            needs = [need for need in needs if need not in tools]
    lines = [f"{scenario.name}: {'ready' if good else 'not ready'}", *map(_line, needs)]
    if len(tools) > 1 and not any(need.good for need in tools):
        lines += ["  one of these load generators:", *(f"  {_line(need)}" for need in tools)]
    for variant in scenario.variant_needs:
        lines += [
            f"{_line(need)}, for the variant {variant}"
            for need in needs_of(scenario, [variant])
            if need not in [*needs, *tools]
        ]
    return "\n".join(lines) + "\n", good


def _line(need: Need) -> str:
    if need.good:
        return f"  ok       {need.wanted}{f' (version {need.version})' if need.version else ''}"
    return f"  missing  {need.wanted}: {need.problem}; {' or '.join(need.install)}"
