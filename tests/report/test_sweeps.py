import json

import pytest

from benchkit.api import Results
from benchkit.compare.assess import Options, assess
from benchkit.model.comparison import Comparison
from benchkit.report.markdown import markdown
from benchkit.report.records import variant_records
from benchkit.report.sections import closing
from benchkit.report.sentences import headline
from benchkit.report.terminal import render

from .samples import identity

NOISE = (1.0, 1.001, 0.999, 1.002, 0.998, 1.0005, 0.9995, 1.0015)


def sweep(ratios: dict[int, float], *, repeats: int = 8, wobble: float = 1.0) -> str:
    """Return the sentence about `new`, whose throughput is so many times that of `old`."""
    return headline(swept(ratios, repeats=repeats, wobble=wobble)).replace("\u00a0", " ")


def swept(
    ratios: dict[int, float],
    *,
    repeats: int = 8,
    wobble: float = 1.0,
    medians: dict[int, float] | None = None,
    param: str = "c",
) -> Comparison:
    """Return the comparison of the two over all levels, `medians` by those of `old`, if known."""
    runs = [
        {
            "run_id": f"{variant}-{level}-{n}",
            "label": f"{variant}-{level}-{n}",
            "scenario": "proxy",
            "variant": variant,
            "baseline": "old",
            "params": json.dumps({param: level}),
            "repeat": n,
            "tool": "wrk",
            "format": "wrk-text",
            "source": "x",
            "sha256": "0",
            "load_model": "closed",
            "throughput_rps": 1000 * level * (1 + wobble * (NOISE[n - variant_at] - 1)) * times,
        }
        | (
            {"latency_p50_s": 0.01 * NOISE[n] * (medians[level] if variant == "new" else 1.0)}
            if medians
            else {}
        )
        for variant_at, variant in enumerate(("old", "new"))
        for level, ratio in ratios.items()
        for times in [ratio if variant == "new" else 1.0]
        for n in range(repeats)
    ]
    (comparison,) = assess(Results.from_tables({"runs": runs})).comparisons
    return comparison


def test_each_level_has_its_own_baseline() -> None:
    """Once the lowest level's was named for all, beside the ratio to another."""
    comparison = swept({5: 1.5, 20: 2.0, 100: 3.0})
    records = {record["label"]: record for record in variant_records([comparison])}
    for level, ratio in {5: 1.5, 20: 2.0, 100: 3.0}.items():
        new, old = (records[f"{name}, c {level}"] for name in ("new", "old"))
        assert (new["baseline"], new["is_baseline"]) == (old["label"], False)
        assert (old["baseline"], old["is_baseline"]) == (old["label"], True)
        assert new["throughput_rps_ratio"] == pytest.approx(ratio, rel=0.01)
        assert old["throughput_rps_ratio"] == 1
    terminal = render([comparison], width=120)
    assert terminal.count("(base)") == markdown([comparison]).count("(base") == 3


def test_one_direction_at_every_level() -> None:
    assert sweep({5: 1.5, 20: 2.0, 100: 3.0}) == (
        "new is faster than old at each of 3 levels of c, 5 to 100: throughput 1.500× to 3.00×."
    )
    named = headline(swept({5: 1.5, 20: 2.0, 100: 3.0}, param="level"))
    assert "at each of 3 levels, 5 to 100" in named


def test_what_is_the_same_is_told_from_what_is_not_shown_to_differ() -> None:
    assert sweep({5: 1.0, 20: 2.0, 100: 0.5}) == (
        "new is faster than old at c 20: throughput 2.00×; slower at c 100: 0.500×; "
        "the same within ±3 % at c 5."
    )
    assert sweep({5: 1.0, 20: 9.0, 100: 9.0}, wobble=100) == (
        "new is faster than old at c 20 and 100: throughput 9.0×; not shown to differ at c 5."
    )


def test_what_another_metric_decided_against_it_is_told_too() -> None:
    """Throughput gained at the highest level alone, and at the lowest the median lost."""
    medians = {5: 1.1, 20: 1.0, 100: 0.5}
    sentence = headline(swept({5: 1.0, 20: 1.0, 100: 2.0}, medians=medians)).replace("\u00a0", " ")
    assert sentence.startswith("new is faster than old at c 100: throughput 2.00×; ")
    assert sentence.endswith("; but slower in p50 at c 5, 1.100×.")
    medians = {5: 1.0, 20: 1.0, 100: 0.5}  # the same way
    assert ", but" not in headline(swept({5: 1.0, 20: 1.0, 100: 2.0}, medians=medians))


def of_several(ratios: dict[str, dict[int, float]], *, repeats: int = 8) -> str:
    """Return the sentence about variants whose throughputs are so many times that of `old`."""
    levels = next(iter(ratios.values()))
    every = {"old": dict.fromkeys(levels, 1.0)} | ratios
    runs = [
        identity(f"{name}-{level}-{n}", "proxy", name, "wrk")
        | {"baseline": "old", "params": json.dumps({"c": level}), "repeat": n}
        | {"throughput_rps": 1000 * level * NOISE[(n + at) % len(NOISE)] * ratio}
        for at, (name, own) in enumerate(every.items())
        for level, ratio in own.items()
        for n in range(repeats)
    ]
    (comparison,) = assess(Results.from_tables({"runs": runs})).comparisons
    return headline(comparison).replace("\u00a0", " ")


def test_of_many_variants_the_first_is_named_and_the_others_are_counted() -> None:
    """Once the first three names stood there, and nothing said that there were more."""
    up, down, equal = (dict.fromkeys((5, 20, 100), ratio) for ratio in (1.5, 0.5, 1.0))
    several = {"a": equal, "b": down, "c": up, "d": up | {5: 1.6}, "e": down, "f": equal | {5: 1.5}}
    # Of fifteen pairs eight runs are too few to call any the same.
    assert of_several(several, repeats=10) == (
        "d is faster than old at each of 3 levels of c, 5 to 100: throughput 1.500× to 1.600×; "
        "5 variants behind it: 2 slower at each level, 1 the same within ±3 %, "
        "1 faster at each level and 1 faster at some levels."
    )
    described = of_several(several, repeats=2)
    assert described.startswith("d against old in throughput: 1.50× to 1.60× at each of 3 levels")
    assert described.endswith(
        "5 variants behind it: 2 lower throughput at each level, 1 about equal throughput, "
        "1 higher throughput at each level and 1 higher throughput at some levels."
    )
    assert "behind it" not in of_several(dict.fromkeys("abc", up))


def test_few_runs_are_described() -> None:
    assert sweep({5: 1.5, 20: 2.0, 100: 3.0}, repeats=2).startswith(
        "new against old in throughput: 1.50× to 3.0× at each of 3 levels"
    )


def knees(levels: tuple[int, ...]) -> list[str]:
    """Return the sentences about the knees of a sweep that saturates at 1,000 req/s."""
    runs = [
        {
            "run_id": f"{level} {repeat}",
            "label": f"{level} {repeat}",
            "scenario": "proxy",
            "variant": "a",
            "params": json.dumps({"concurrency": level}),
            "repeat": repeat,
            "tool": "ab",
            "format": "ab-text",
            "source": "x",
            "sha256": "0",
            "throughput_rps": min(1000.0, 125.0 * level) + repeat,
        }
        for level in levels
        for repeat in (1, 2, 3)
    ]
    sentences = closing(assess(Results.from_tables({"runs": runs})).comparisons)
    return [sentence.replace("\u00a0", " ") for sentence in sentences]


def test_the_knee_of_a_sweep_is_a_sentence() -> None:
    (sentence,) = knees((1, 2, 4, 8, 16))
    assert sentence == (
        "proxy: a: throughput reaches 95 % of its highest, 1.00 k req/s, at concurrency 8 "
        "(in each of 3 repetitions)."
    )
    (growing,) = knees((1, 2, 4))
    assert "still grew at the last concurrency" in growing


def test_the_metric_that_is_asked_for_is_the_one_that_is_told() -> None:
    both = swept({1: 1.2, 2: 1.2, 4: 1.2}, medians={1: 0.9, 2: 0.9, 4: 0.9})
    assert "throughput +20" in headline(both).replace("\u00a0", " ")
    runs = [run for variant in both.variants for run in variant.runs]
    (asked,) = assess(runs, options=Options(metrics=("p50",))).comparisons
    assert "p50 −10.0 %" in headline(asked).replace("\u00a0", " ")
    assert "throughput" not in headline(asked)
