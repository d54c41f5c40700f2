"""Which runs stand together, what they are called, and who is compared with whom."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from benchkit.compare.blocks import (
    Block,
    axis_of,
    baselines,
    blocks_of,
    default_baseline,
    has_baseline,
    paired,
    with_baseline,
)
from benchkit.errors import UsageError
from benchkit.model.grouping import variants_of
from tests.compare.runs import results, run

Params = dict[str, Any]


def blocks(*variants: tuple[str, Params], **columns: Any) -> list[Block]:  # noqa: ANN401 - cells of any kind
    """Blocks of a run for each variant with its params."""
    rows = (
        run(n, variant=name, params=json.dumps(params), **columns)
        for n, (name, params) in enumerate(variants)
    )
    return blocks_of(results(*rows))


def labels(block: Block) -> list[str]:
    return [variant.label for variant in block.variants]


def pairs(block: Block) -> dict[str, str | None]:
    """Each variant's label, and that of what it is compared with."""
    return {p.variant.label: p.baseline.label if p.baseline else None for p in block.pairs}


class TestBlocks:
    def test_a_block_has_one_scenario_and_one_tool(self) -> None:
        rows = [run(1), run(2, tool="ab"), run(3, scenario="t"), run(4, variant="b")]
        listed = blocks_of(results(*rows))
        assert [(b.scenario, b.tool, labels(b)) for b in listed] == [
            ("s", "wrk", ["a", "b"]),
            ("s", "ab", ["a"]),
            ("t", "wrk", ["a"]),
        ]
        assert listed[0].shared_params == {}
        assert (listed[0].setting, listed[0].axis, listed[0].stated_baseline) == ({}, "", None)

    def test_a_warm_up_is_a_block_of_its_own(self) -> None:
        measured, warm = blocks(("a", {"c": 1}), ("a", {"c": 1, "warm-up": True}), ("b", {"c": 1}))
        assert labels(measured) == ["a", "b"]
        assert (labels(warm), warm.scenario, warm.tool) == (["a"], "s", "wrk")
        assert warm.setting == warm.shared_params == {"c": 1, "warm-up": True}

    def test_warm_ups_alone_are_no_block_of_measured_runs(self) -> None:
        (warm,) = blocks(("a", {"warm-up": True}))
        assert warm.setting == {"warm-up": True}

    def test_the_baseline_that_metadata_name_unless_they_name_several(self) -> None:
        rows = [run(1), run(2, variant="b", baseline="b")]
        (block,) = blocks_of(results(*rows))
        assert block.stated_baseline == "b"
        (block,) = blocks_of(results(*rows, run(3, variant="c", baseline="a")))
        assert block.stated_baseline is None


class TestSettings:
    def test_each_setting_in_which_the_baseline_ran_is_a_block(self) -> None:
        first, second = blocks(
            *(("a", {"tls": False, "n": 7}), ("b", {"tls": False, "n": 7})),
            *(("a", {"tls": True, "n": 7}), ("b", {"tls": True, "n": 7})),
        )
        assert (first.setting, second.setting) == ({"tls": False}, {"tls": True})
        assert first.shared_params == {"tls": False, "n": 7}
        assert labels(first) == labels(second) == ["a", "b"]
        assert first.full("a") == "a, no tls"

    def test_where_the_baseline_did_not_run_all_stay_together(self) -> None:
        (block,) = blocks(("a", {"tls": False}), ("b", {"tls": False}), ("b", {"tls": True}))
        assert labels(block) == ["a", "b, no tls", "b, tls"]
        assert block.setting == {}

    def test_the_baseline_that_metadata_name_is_what_must_have_run(self) -> None:
        ran = ("a", {"tls": False}), ("b", {"tls": False}), ("b", {"tls": True})
        assert len(blocks(*ran, baseline="b")) == 2
        assert len(blocks(*ran, baseline="gone")) == 1

    def test_of_one_variant_alone_settings_are_what_is_compared(self) -> None:
        (block,) = blocks(("a", {"tls": False}), ("a", {"tls": True}))
        assert labels(block) == ["a, no tls", "a, tls"]

    def test_a_copy_stands_beside_what_it_is_a_copy_of(self) -> None:
        (block,) = blocks(("a", {"c": 1, "aa": True}), ("a", {"c": 1}), ("b", {"c": 1}))
        assert labels(block) == ["a, copy", "a", "b"]
        assert [v.label for v in block.real] == ["a", "b"]
        (copies,) = blocks(("a", {"aa": True}))
        assert [v.label for v in copies.real] == ["a"]


class TestSweep:
    def test_levels_are_in_order_and_the_baseline_first_at_each(self) -> None:
        levels = [(name, {"c": c, "x": 1}) for c in (100, 5, 20) for name in "ba"]
        (block,) = blocks(*levels, baseline="a")
        assert block.axis == "c"
        assert labels(block) == ["a, c 5", "b, c 5", "a, c 20", "b, c 20", "a, c 100", "b, c 100"]
        assert (block.shared_params, block.setting) == ({"x": 1}, {})

    def test_a_level_may_be_nothing_at_all(self) -> None:
        (block,) = blocks(*((name, {"wait": s}) for s in (0.5, 0, 2) for name in "ab"))
        assert [v.level("wait") for v in block.variants] == [0, 0, 0.5, 0.5, 2, 2]

    @staticmethod
    def axis(*variants: tuple[str, Params]) -> str:
        rows = (
            run(n, variant=name, params=json.dumps(params))
            for n, (name, params) in enumerate(variants)
        )
        return axis_of(variants_of(results(*rows)))

    def test_three_levels_are_a_sweep(self) -> None:
        assert self.axis(*(("a", {"c": c}) for c in (1, 2, 3))) == "c"
        assert self.axis(*(("a", {"c": c}) for c in (1, 2))) == ""

    def test_the_param_with_the_most_levels_is_swept(self) -> None:
        grid = [("a", {"c": c, "d": d, "e": d}) for c in (1, 2, 3) for d in (1, 2, 3, 4)]
        assert self.axis(*grid) == "d"

    def test_a_level_for_each_variant_belongs_to_the_variants(self) -> None:
        assert self.axis(("a", {"c": 1}), ("b", {"c": 2}), ("d", {"c": 3})) == ""
        settings = [("a", {"c": 1}), ("a", {"c": 2}), ("b", {"c": 3})]
        assert self.axis(*settings) == ""
        assert self.axis(*settings, ("b", {"c": 4})) == "c"
        assert self.axis(*settings, ("b", {"c": 4}), ("d", {"c": 1})) == "c"

    @pytest.mark.parametrize("level", ["many", True, None])
    def test_a_level_that_is_no_number_is_none(self, level: object) -> None:
        assert self.axis(*(("a", {"c": c}) for c in (1, 2, 3, level))) == ""
        assert self.axis(*(("a", {"c": c}) for c in (1, 2, 3)), ("a", {})) == ""


class TestLabels:
    def test_a_variant_alone_of_its_name_has_that(self) -> None:
        (block,) = blocks(("a", {"c": 1}), ("b", {"c": 2, "d": 3}))
        assert labels(block) == ["a", "b"]

    def test_params_that_differ_are_named_in_order(self) -> None:
        (block,) = blocks(("a", {"n": 1, "d": 1, "m": 0}), ("a", {"n": 1, "d": 2, "m": 5}))
        assert labels(block) == ["a, d 1, m 0", "a, d 2, m 5"]
        assert block.shared_params == {"n": 1}

    def test_the_swept_one_stands_first(self) -> None:
        swept = [("a", {"z": z, "b": 9 - z}) for z in (1, 2, 3)]
        (block,) = blocks(*swept, ("a", {"z": 4, "b": 8}))
        assert labels(block)[0] == "a, z 1, b 8"

    def test_equal_ones_are_counted(self) -> None:
        (block,) = blocks(*(("a", {"aa": copy}) for copy in (True, "x", "y")), ("b", {}))
        assert labels(block) == ["a, copy", "a, copy (2)", "a, copy (3)", "b"]


class TestBaselines:
    SWEPT = (
        *(("a", {"tls": False}), ("b", {"tls": False})),
        *(("a", {"tls": True}), ("b", {"tls": True})),
    )

    def test_by_default_what_metadata_name_or_the_first_that_is_no_copy(self) -> None:
        assert baselines(blocks(("a", {"aa": True}), ("b", {}), ("c", {})), None) == ["b"]
        assert baselines(blocks(("a", {}), ("b", {}), baseline="b"), None) == ["b"]
        (block,) = blocks(("a", {}), ("b", {}), baseline="gone")
        assert default_baseline(block) == "a"

    @pytest.mark.parametrize("wanted", ["b", "s/b", "run 1", "run 3"])
    def test_in_every_block_that_has_one_of_that_name(self, wanted: str) -> None:
        everywhere = "run" not in wanted
        own = ["b", "b"] if everywhere else ["b", "a"] if wanted == "run 1" else ["a", "b"]
        assert baselines(blocks(*self.SWEPT), wanted) == own

    @pytest.mark.parametrize("wanted", ["b, tls", "s/b, tls"])
    def test_with_its_setting(self, wanted: str) -> None:
        assert baselines(blocks(*self.SWEPT), wanted) == ["a", "b"]

    def test_without_a_scenario(self) -> None:
        listed = blocks(("a", {}), ("b", {}), scenario=None)
        assert baselines(listed, "b") == ["b"]
        with pytest.raises(
            UsageError, match=r"^no variant 'c' to be the baseline; there are: a, b; "
        ):
            baselines(listed, "c")

    def test_a_copy_is_none(self) -> None:
        listed = blocks(("a", {}), ("b", {"aa": True}))
        assert has_baseline(listed, "a")
        assert has_baseline(listed, None)
        assert not has_baseline(listed, "b")

    def test_a_name_that_there_is_not_lists_the_choices(self) -> None:
        message = (
            "no variant 'c' to be the baseline; there are: s/a, s/b; "
            "or the label of a run: run 0, run 1, run 2, and 1 more"
        )
        with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
            baselines(blocks(*self.SWEPT), "c")

    def test_a_name_that_is_nearly_one_is_asked_about(self) -> None:
        message = (
            "no variant 'ngnix' to be the baseline; did you mean 'nginx'? "
            "There are: apache, nginx; or the label of a run: run 0, run 1"
        )
        with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
            baselines(blocks(("apache", {}), ("nginx", {}), scenario=None), "ngnix")

    def test_up_to_twelve_choices_are_listed(self) -> None:
        def message(variants: int) -> str:
            listed = blocks(*((f"v{n}", {}) for n in range(variants)), label="v0", scenario=None)
            with pytest.raises(UsageError) as caught:
                baselines(listed, "x" * 100)
            return str(caught.value)

        names = ", ".join(f"v{n}" for n in range(12))
        head = f"no variant '{'x' * 79}…' to be the baseline; there are: {names}"
        assert message(12) == head
        assert message(14) == f"{head}, and 2 more"

    def test_long_names_are_cut(self) -> None:
        with pytest.raises(UsageError, match=rf"there are: {'y' * 79}…$"):
            baselines(blocks(("y" * 100, {}), scenario=None, label="y" * 100), "x")


class TestPairs:
    def test_each_variant_is_compared_with_the_baseline(self) -> None:
        (block,) = paired(blocks(("a", {}), ("b", {}), ("c", {})), "b")
        assert block.baseline == "b"
        assert pairs(block) == {"a": "b", "c": "b"}
        assert block.copies == ()

    def test_of_one_variant_all_params_are_compared_with_one(self) -> None:
        (block,) = paired(blocks(("a", {"c": 1}), ("a", {"c": 2}), ("a", {"c": 3})), "a, c 2")
        assert pairs(block) == {"a, c 1": "a, c 2", "a, c 3": "a, c 2"}

    def test_levels_of_a_sweep_are_compared_each_with_its_own(self) -> None:
        levels = [("a", 5), ("a", 20), ("b", 5), ("b", 20), ("b", 100)]
        (block,) = paired(blocks(*((name, {"c": c}) for name, c in levels)), None)
        assert block.baseline == "a, c 5"
        assert pairs(block) == {"b, c 5": "a, c 5", "b, c 20": "a, c 20", "b, c 100": None}

    def test_params_that_belong_to_the_variant_leave_it_comparable(self) -> None:
        (block,) = paired(blocks(("a", {"workers": 1}), ("b", {"workers": 4})), None)
        assert pairs(block) == {"b": "a"}

    def test_params_under_which_the_baseline_did_not_run_are_compared_with_nothing(self) -> None:
        ran = [("a", {"x": 1}), ("a", {"x": 2}), ("b", {"x": 1}), ("b", {"x": 3})]
        (block,) = paired(blocks(*ran), None)
        assert pairs(block) == {"b, x 1": "a, x 1", "b, x 3": None}

    def test_also_params_that_are_words(self) -> None:
        ran = [("a", "gzip"), ("a", "br"), ("b", "gzip"), ("b", "zstd")]
        (block,) = paired(blocks(*((name, {"coding": coding}) for name, coding in ran)), None)
        assert pairs(block) == {"b, coding gzip": "a, coding gzip", "b, coding zstd": None}

    def test_a_baseline_at_one_level_is_compared_there_only(self) -> None:
        levels = [("a", 5), *((name, c) for name in "bc" for c in (5, 20, 100))]
        (block,) = paired(blocks(*((name, {"c": c}) for name, c in levels)), None)
        compared = {variant for variant, base in pairs(block).items() if base}
        assert compared == {"b, c 5", "c, c 5"}

    def test_also_where_two_levels_are_no_sweep(self) -> None:
        """nginx with 10 connections was 15 % slower than caddy, which had 50."""
        (block,) = paired(blocks(("a", {"c": 50}), ("b", {"c": 10}), ("b", {"c": 50})), None)
        assert pairs(block) == {"b, c 10": None, "b, c 50": "a"}

    def test_a_level_is_that_of_the_baseline_by_what_was_measured(self) -> None:
        rows = [("a", {}, 50), ("b", {"c": 10}, 10), ("b", {"c": 50}, 50)]
        runs = [
            run(n, variant=name, params=json.dumps(params), connections=connections)
            for n, (name, params, connections) in enumerate(rows)
        ]
        (block,) = paired(blocks_of(results(*runs)), None)
        assert pairs(block) == {"b, c 10": None, "b, c 50": "a"}

    def test_of_copies_alone_each_is_compared_with_the_first(self) -> None:
        (block,) = paired(blocks(("a", {"aa": True}), ("b", {"aa": True})), None)
        assert pairs(block) == {"b": "a"}
        assert block.copies == ()

    def test_a_copy_is_compared_as_the_others_are(self) -> None:
        (block,) = paired(blocks(("a", {}), ("b", {}), ("a", {"aa": True})), "b")
        assert pairs(block) == {"a": "b"}
        ((copy, base),) = [(p.variant.label, p.baseline) for p in block.copies]
        assert copy == "a, copy"
        assert base is not None
        assert base.label == "b"

    def test_no_block_with_that_baseline(self) -> None:
        with pytest.raises(UsageError, match=r"^no variant 'z' to be the baseline"):
            paired(blocks(("a", {})), "z")


@pytest.mark.parametrize(
    "names", [("new", "old"), ("feature", "main"), ("App (new)", "Tool (old)")]
)
def test_the_baseline_may_be_measured_with_another_tool(names: tuple[str, str]) -> None:
    rows = [
        run(n, variant=name, tool=tool)
        for n, (name, tool) in enumerate(zip(names, ("wrk", "ab"), strict=True))
    ]
    assert with_baseline(paired(blocks_of(results(*rows)), None), None).baseline == names[1]
    assert with_baseline(paired(blocks_of(results(*rows)), None), names[0]).baseline == names[0]
