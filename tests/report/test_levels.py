import json

from benchkit.assessment import assess
from benchkit.report.levels import swept
from benchkit.results import Results

NOISE = (1.0, 1.001, 0.999, 1.002, 0.998, 1.0005, 0.9995, 1.0015)


def sweep(ratios: dict[int, float], *, repeats: int = 8, wobble: float = 1.0) -> str:
    """Return the sentence about `new`, whose throughput is so many times that of `old`."""
    runs = [
        {
            "run_id": f"{variant}-{level}-{n}",
            "label": f"{variant}-{level}-{n}",
            "scenario": "proxy",
            "variant": variant,
            "baseline": "old",
            "params": json.dumps({"c": level}),
            "repeat": n,
            "tool": "wrk",
            "format": "wrk-text",
            "source": "x",
            "sha256": "0",
            "load_model": "closed",
            "throughput_rps": 1000 * level * (1 + wobble * (NOISE[n - variant_at] - 1)) * times,
        }
        for variant_at, variant in enumerate(("old", "new"))
        for level, ratio in ratios.items()
        for times in [ratio if variant == "new" else 1.0]
        for n in range(repeats)
    ]
    (one,) = assess(Results.of({"runs": runs}))
    return swept(one).replace("\u00a0", " ")


def test_one_direction_at_every_level() -> None:
    assert sweep({5: 1.5, 20: 2.0, 100: 3.0}) == (
        "new against old: throughput is 1.5× to 3.0× higher at each of 3 levels of c, 5 to 100."
    )


def test_what_is_the_same_is_told_from_what_is_not_shown_to_differ() -> None:
    assert sweep({5: 1.0, 20: 2.0, 100: 0.5}) == (
        "new against old: throughput is 2.0× higher at c 20; 2.0× lower at c 100; the same at c 5."
    )
    assert sweep({5: 1.0, 20: 9.0, 100: 9.0}, wobble=100) == (
        "new against old: throughput is 9.0× higher at c 20 and 100; not shown to differ at c 5."
    )


def test_few_runs_are_described() -> None:
    assert sweep({5: 1.5, 20: 2.0, 100: 3.0}, repeats=2).startswith(
        "new against old: throughput was 1.5× to 3.0× higher at each of 3 levels"
    )
