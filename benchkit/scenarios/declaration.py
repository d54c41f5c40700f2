"""What a scenario declares: `scenario.toml` read, checked, and found by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from benchkit import toml
from benchkit.errors import InputError, UsageError
from benchkit.scenarios.checked import Value, read_table

HERE: Final = Path(__file__).parent
FILE: Final = "scenario.toml"
HARNESS: Final = "harness.sh"
PROFILES: Final = ("quick", "full")

Build = Literal["none", "once", "variant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How much is run.

    Attributes:
        repeats: Runs of each cell.
        run_s: Seconds that one run takes, all included; for the estimate.
        settings: What this profile sets otherwise than the scenario.
        params: Levels that this profile uses instead of the scenario's.
        exclude: Combinations that this profile leaves out besides those of the scenario.
    """

    repeats: int
    run_s: float
    settings: Mapping[str, Value] = field(default_factory=dict)
    params: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    exclude: Sequence[Mapping[str, Value]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One scenario.

    Attributes:
        name: Name of its folder.
        folder: Where its harness lies.
        reproduces: The published benchmark that it reruns.
        tools: Load generators, any of which will do, such as `wrk >= 4.1`; the first that is
            installed is used.
        variants: What each one is, by name.
        baseline: The variant that others are compared with.
        params: Levels of each further factor; all combinations are run.
        exclude: Combinations of variant and params that are left out.
        settings: What all cells have in common, with the defaults.
        meanings: What a param or setting means, by name.
        needs: What must be installed, such as `go >= 1.25`.
        variant_needs: What only one variant needs.
        server: Name of the process under test, where the harness starts others too.
        build: Whether the harness builds something: for all variants at once, or for each.
        build_s: Seconds that a build takes where nothing is cached.
    """

    name: str
    folder: Path
    title: str
    question: str
    reproduces: str
    tools: Sequence[str]
    variants: Mapping[str, str]
    baseline: str
    params: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    exclude: Sequence[Mapping[str, Value]] = ()
    settings: Mapping[str, Value] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    needs: Sequence[str] = ()
    variant_needs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    server: str = ""
    build: Build
    build_s: float = 0.0
    profiles: Mapping[str, Profile]

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The load generators without the versions that they need."""
        return tuple(tool.partition(">=")[0].strip() for tool in self.tools)

    def profile(self, name: str) -> Profile:
        """Return a profile.

        Raises:
            UsageError: there is none of that name.
        """
        if name not in self.profiles:
            raise UsageError(f"no profile '{name}'; there are {', '.join(self.profiles)}")
        return self.profiles[name]


def read_scenario(folder: Path) -> Scenario:
    """Return the scenario that a folder declares.

    Raises:
        InputError: what the declaration lacks or has too much.
    """
    source = (folder / FILE).as_posix()
    try:
        content = toml.parse((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError("a scenario in TOML", actual=str(error), source=source) from error
    profiles = content.pop("profiles", None)
    parts = profiles if isinstance(profiles, dict) else {}
    scenario = read_table(
        Scenario,
        content,
        source,
        name=folder.resolve().name,
        folder=folder.resolve(),
        profiles={
            name: read_table(Profile, parts.get(name), source, f"profiles.{name}.")
            for name in PROFILES
        },
    )
    _check(scenario, source)
    return scenario


def _check(scenario: Scenario, source: str) -> None:
    def wrong(expected: str, actual: object) -> InputError:
        return InputError(expected, actual=str(actual), source=source)

    if not scenario.tools:
        raise wrong("a load generator or several in 'tools'", "none")
    if scenario.baseline not in scenario.variants:
        raise wrong("the baseline to be a variant", scenario.baseline)
    names = [*scenario.params, *scenario.settings]
    taken = {*RESERVED} & {name.upper().replace("-", "_") for name in names}
    if taken or len({*names}) < len(names):
        raise wrong("params and settings with names of their own", sorted(taken) or names)
    odd = [name for name in names if not _NAME.fullmatch(name)]
    if odd:
        raise wrong("names of params and settings of letters, digits, _ and -", odd)
    if any("\0" in text for text in _texts(scenario)):
        raise wrong("text that an environment can hold", "a NUL character")
    for profile in scenario.profiles.values():
        unknown = {*profile.settings} - {*scenario.settings} | {*profile.params} - {
            *scenario.params
        }
        if unknown:
            raise wrong("profiles that set what the scenario has", sorted(unknown))
    if not (scenario.folder / HARNESS).is_file():
        raise wrong(f"{HARNESS} beside it", "none")


def _texts(scenario: Scenario) -> Iterator[str]:
    """Yield what becomes a variable of a harness."""
    params = [scenario.params, *(profile.params for profile in scenario.profiles.values())]
    settings = [scenario.settings, *(profile.settings for profile in scenario.profiles.values())]
    yield from scenario.variants
    yield from (str(value) for values in settings for value in values.values())
    yield from (str(level) for levels in params for each in levels.values() for level in each)


#: What is a name in an environment, and in a shell, once `-` is `_`.
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,60}")
#: Variables of the harness that no param or setting may take the place of.
RESERVED: Final = frozenset(
    (
        *("LIB", "SCENARIO", "PYTHON", "BUILD", "WORK", "OUT", "TOOL", "VARIANT"),
        *("SCRATCH", "FAILED", "TRY_AGAIN"),
    )
)


def bundled() -> list[Scenario]:
    """Return the scenarios that come with benchkit, the one for newcomers first."""
    scenarios = [read_scenario(path.parent) for path in sorted(HERE.glob(f"*/{FILE}"))]
    return sorted(scenarios, key=lambda scenario: (scenario.name != "quickstart", scenario.name))


def find(name: str) -> Scenario:
    """Return a scenario by its name, or by the path of its folder.

    Raises:
        UsageError: there is none; the message lists those there are.
    """
    if "/" not in name and "\\" not in name and (HERE / name / FILE).is_file():
        return read_scenario(HERE / name)
    if (Path(name) / FILE).is_file():
        return read_scenario(Path(name))
    names = ", ".join(path.parent.name for path in sorted(HERE.glob(f"*/{FILE}")))
    raise UsageError(f"no scenario '{name}'; there are {names}")


def text_of(value: Any) -> str:  # noqa: ANN401 - values of TOML
    """Return a value as the harness and the folders see it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
