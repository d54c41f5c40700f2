from __future__ import annotations

import json

import pytest

from benchkit.model.grouping import variants_of
from benchkit.validity import findings
from tests.validity.runs import One, forbidden, raised, results, run, state

SAME = {"connections": 10, "method": "GET", "keepalive": True, "url": "http://h/x"}


@pytest.mark.parametrize(
    ("change", "severity"),
    [
        ({"connections": 20}, "error"),
        ({"method": "POST"}, "error"),
        ({"keepalive": False}, "error"),
        ({"offered_rate_rps": 50.0}, None),  # known of one variant only
        ({"timeout_s": 2.0}, None),
        ({}, None),
    ],
)
def test_a_load_that_differs(change: dict[str, object], severity: str | None) -> None:
    findings = raised("CONFIG_DIFFERS", run("wrk", "a", **SAME), run("wrk", "b", **SAME | change))
    assert [finding.severity for finding in findings] == ([severity] if severity else [])


def test_the_values_and_who_had_them() -> None:
    (finding,) = raised(
        "CONFIG_DIFFERS", run("wrk", "a", **SAME), run("wrk", "b", **SAME | {"connections": 20})
    )
    assert "Connections: 10 in a; 20 in b." in finding.message


@pytest.mark.parametrize(
    ("first", "other"),
    [("10 connections", "20 connections"), ("c10", "c20"), ("10", "20"), ("pool", "few clients")],
)
def test_no_name_excuses_another_amount_of_load(first: str, other: str) -> None:
    """Below `## go` of a page, "100 connections" was faster than "10 connections"."""
    runs = results(run("wrk", first, **SAME), run("wrk", other, **SAME | {"connections": 20}))
    listed = findings(runs)
    assert [f.severity for f in listed if f.check == "CONFIG_DIFFERS"] == ["error"]
    assert forbidden(listed, *variants_of(runs)) == "the variants were loaded differently"


@pytest.mark.parametrize(
    ("names", "forbids"),
    [(("plain", "other"), "the variants were loaded differently"), (("post office", "plain"), "")],
)
def test_a_common_word_in_a_name_declares_no_value(names: tuple[str, str], forbids: str) -> None:
    """A post office excuses GET against PUT in these runs only."""
    methods = zip(names, ("GET", "PUT"), strict=True)
    runs = results(*(run("wrk", name, **SAME | {"method": method}) for name, method in methods))
    (finding,) = [f for f in findings(runs) if f.check == "CONFIG_DIFFERS"]
    assert finding.severity == "error"
    assert forbidden([finding], *variants_of(runs)) == forbids


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        ({"method": "POST"}, ("get", "post-form")),
        ({"method": "POST"}, ("plain", "post-form")),
        ({"keepalive": False}, ("keepalive", "no keepalive")),
    ],
)
def test_a_default_needs_no_name(setting: dict[str, object], names: tuple[str, str]) -> None:
    usual = SAME | {"method": "GET", "keepalive": True}
    runs = [run("wrk", names[0], **usual), run("wrk", names[1], **usual | setting)]
    assert not raised("CONFIG_DIFFERS", *runs)


def at(name: str, connections: int, **params: object) -> One:
    """Return a run with connections that params state, as a file name `a_c10` has them."""
    stated = json.dumps({"connections": connections, **params})
    return run("wrk", name, **SAME | {"connections": connections, "params": stated})


def test_levels_that_each_variant_has_for_itself_are_no_sweep() -> None:
    """`A_c10` and `B_c50` were compared as two variants, with a verdict."""
    runs = results(at("a", 10), at("b", 50), at("c", 10))
    (finding,) = [f for f in findings(runs) if f.check == "CONFIG_DIFFERS"]
    assert finding.severity == "error"
    assert "Connections: 10 in a and c; 50 in b." in finding.message
    a, b, c = variants_of(runs)
    assert forbidden([finding], a, b) == "the variants were loaded differently"
    assert forbidden([finding], a, c) == ""


def test_levels_that_variants_share_are_a_sweep() -> None:
    assert not raised("CONFIG_DIFFERS", at("a", 10), at("a", 50))
    assert not raised("CONFIG_DIFFERS", at("a", 10), at("a", 50), at("b", 50), at("b", 100))


def test_a_variant_at_a_level_of_its_own_beside_a_sweep() -> None:
    runs = results(*(at(name, level) for name in "ab" for level in (100, 20)), at("c", 50))
    (finding,) = [f for f in findings(runs) if f.check == "CONFIG_DIFFERS"]
    assert "Connections: 20 and 100 in a and b; 50 in c." in finding.message
    a, _, b, _, c = variants_of(runs)
    assert forbidden([finding], a, c) == "the variants were loaded differently"
    assert forbidden([finding], a, b) == ""


def test_a_warm_up_is_no_level_of_its_variant() -> None:
    warm = run("wrk", "a", **SAME | {"params": '{"connections": 50, "warm-up": true}'})
    (finding,) = raised("CONFIG_DIFFERS", warm, at("a", 10), at("b", 50))
    assert "Connections: 10 in a; 50 in b." in finding.message


def test_other_params_of_variants_excuse_no_other_load() -> None:
    assert not raised("CONFIG_DIFFERS", at("a", 10, pool=5), at("b", 10, pool=9))
    assert raised("CONFIG_DIFFERS", at("a", 10, pool=5), at("b", 20, pool=9))


def test_paths_differ_only_where_some_are_equal() -> None:
    """Where each variant has its own, the path is what is compared."""
    x, y = SAME, SAME | {"url": "http://h/y"}
    assert not raised("CONFIG_DIFFERS", run("wrk", "a", **x), run("wrk", "b", **y))
    (finding,) = raised(
        "CONFIG_DIFFERS", run("wrk", "a", **x), run("wrk", "b", **y), run("wrk", "c", **y)
    )
    assert finding.severity == "warning"


def test_a_path_that_the_names_say_is_what_is_compared() -> None:
    tea, coffee = SAME | {"url": "http://h/tea"}, SAME | {"url": "http://h/coffee"}
    named = [
        run("wrk", f"{n}: {what}", **at)
        for n, (what, at) in enumerate(
            [("tea GET", tea), ("tea POST", tea), ("coffee GET", coffee)]
        )
    ]
    assert not raised("CONFIG_DIFFERS", *named)


def test_headers_of_one_variant() -> None:
    plain, more = "wrk -c 10 http://h/x", "wrk -H 'Accept: text/html' -c 10 http://h/x"
    runs = [run("wrk", "a", command=plain, **SAME), run("wrk", "b", command=more, **SAME)]
    (finding,) = raised("CONFIG_DIFFERS", *runs)
    assert "b sends accept: text/html" in finding.message
    assert not raised("CONFIG_DIFFERS", runs[0], run("wrk", "b", command=plain, **SAME))


def test_params_may_be_numbers_or_texts() -> None:
    first = run("wrk", "a", **SAME, params='{"n": 5}')
    other = run("wrk", "b", **SAME | {"connections": 20}, params='{"n": "5"}')
    assert raised("CONFIG_DIFFERS", first, other)


def test_repeats_under_other_loads_are_none() -> None:
    assert state("CONFIG_DIFFERS", run("wrk", **SAME), run("wrk", **SAME)) == {"passed"}
    assert state("CONFIG_DIFFERS", run("wrk", **SAME)) == {"not applicable"}
    loads = [run("wrk", "a", **SAME | {"connections": count}) for count in (10, 50)]
    runs = results(*loads, run("wrk", "b", **SAME), run("wrk", "c", **SAME))
    finding = next(each for each in findings(runs) if each.check == "CONFIG_DIFFERS")
    assert finding.severity == "error"
    assert (
        "The runs of a are no repetitions of one another. Connections: 10 and 50."
        in finding.message
    )
    a, b, c = variants_of(runs)
    assert forbidden([finding], b, a) == "the runs of a were loaded differently"
    assert forbidden([finding], b, c) == ""


def test_a_grave_difference_forbids_a_verdict_between_those_that_differ() -> None:
    loads = {"a": 10, "b": 10, "c": 20}
    runs = results(*(run("wrk", n, **SAME | {"connections": c}) for n, c in loads.items()))
    listed = findings(runs)
    a, b, c = variants_of(runs)
    assert forbidden(listed, a, b) == ""
    assert forbidden(listed, b, c) == "the variants were loaded differently"


def test_a_slight_difference_forbids_nothing() -> None:
    runs = results(run("wrk", "a", **SAME, threads=1), run("wrk", "b", **SAME, threads=2))
    listed = findings(runs)
    assert "CONFIG_DIFFERS" in {finding.check for finding in listed}
    assert forbidden(listed, *variants_of(runs)) == ""
