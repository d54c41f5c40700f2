"""`--baseline STORE@NAME`: saved runs as what others are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchkit.cli.console import complain, is_stdout
from benchkit.errors import UsageError
from benchkit.output import spare

if TYPE_CHECKING:
    from benchkit.api import Results
    from benchkit.gates.baseline import Stored


def stored(baseline: str | None, *, show_secrets: bool) -> Stored | None:
    """Return the runs that `STORE@NAME` names, None for a variant.

    Runs beside them that do not say where they were made count as made here.

    Raises:
        UsageError: nothing in the store is called so.
        InputError: the store cannot be read.
    """
    if not baseline or "@" not in baseline:
        return None
    from benchkit.gates.baseline import Stored
    from benchkit.history.circumstances import remarks
    from benchkit.history.references import pooled, reference
    from benchkit.scenarios.environment import environment

    named = reference(baseline)
    if named is None:
        return None
    saves = named.saves()
    return Stored(
        baseline,
        pooled(named.store, saves, show_secrets=show_secrets),
        machine=environment(),
        remarks=remarks(baseline, saves),
        inputs=named.inputs,
    )


def beside(
    results: Results,
    baseline: str | None,
    variants: Sequence[str] | None,
    *,
    output: str | None = None,
    show_secrets: bool,
) -> tuple[Results, str | None]:
    """Return results with the saved runs that a baseline names, and the baseline of `assess`.

    Each variant then stands with what was saved of it; where a scenario has several, each pair
    is a scenario of its own. A baseline of the configuration that does not fit is left out.

    Args:
        results: What was read, of which only some may have been asked for.
        baseline: As it was given.
        variants: The variants that were asked for, None for all.
        output: What will be written.
        show_secrets: Keep credentials of saved runs.

    Raises:
        UsageError: nothing in the store is called so, or has the scenario and variant of a run;
            or the baseline is none of the variants that were asked for, or `output` lies in the
            store.
        InputError: the store cannot be read.
    """
    if not baseline or _is_variant(results, baseline):
        return results, baseline
    if "@" not in baseline:
        if variants and not _is_configured(baseline):
            names = ", ".join(variants)
            raise UsageError(
                f"--variant {names} leaves no variant '{baseline}' to be the baseline; name that "
                "with --variant too"
            )
        return results, baseline
    try:
        paired = _beside(results, baseline, show_secrets=show_secrets)
    except UsageError as error:
        if not _is_configured(baseline):
            raise
        complain(f"note {error}; the configured baseline is left out")
        return results, None
    if not is_stdout(output):
        spare(paired.inputs, output or "")
    return paired, None


def variant_alone(results: Results, baseline: str | None) -> str | None:
    """Return a baseline where it can be a variant only; a configured store is left out.

    Raises:
        UsageError: it names saved runs.
    """
    if not baseline or "@" not in baseline or _is_variant(results, baseline):
        return baseline
    if _is_configured(baseline):
        return None
    raise UsageError(
        f"--baseline {baseline}: a plan is made from runs that were made together; name one of "
        f"their variants, or plan from saved runs with `benchkit plan STORE@NAME`"
    )


def _is_variant(results: Results, baseline: str) -> bool:
    from benchkit.compare.blocks import blocks_of, has_baseline

    return has_baseline(blocks_of(results), baseline)


def _beside(results: Results, baseline: str, *, show_secrets: bool) -> Results:
    """Return each variant with what was saved of it.

    Raises:
        UsageError: nothing was, or there is no such store.
    """
    from benchkit.api import Results
    from benchkit.gates.baseline import side_by_side, without_partner

    known = stored(baseline, show_secrets=show_secrets)
    if known is None:
        raise UsageError(
            f"no variant '{baseline}' to be the baseline, and STORE@NAME needs a store that "
            "`benchkit save` has written to"
        )
    known = known.without(results)
    runs = side_by_side(results, known)
    if not runs:
        why = "no runs but these" if known.same else "none of these scenarios and variants"
        raise UsageError(f"{known.name} has {why}, and is no baseline of them")
    for remark in known.remarks:
        complain(f"note {remark}")
    for scenario, variant, is_stored in without_partner(results, known):
        if not is_stored:
            name = "/".join(filter(None, (scenario, variant)))
            complain(f"note {known.name} has no run of {name}, which is left out")
    return Results(runs, results.sources, results.naming, (*results.inputs, *known.inputs))


def _is_configured(baseline: str) -> bool:
    """Whether a baseline is that of the configuration, which is meant for other runs too."""
    from benchkit.config import settings

    configured = settings().get("baseline")
    return configured is not None and configured.value == baseline
