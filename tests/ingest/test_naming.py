"""Folders as people bring them: which runs are repetitions of what."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import benchkit
from benchkit.ingest.naming.levels import arrange
from benchkit.ingest.naming.path_names import Name
from benchkit.ingest.naming.sets import read_together
from benchkit.ingest.naming.tokens import split, stem_of
from benchkit.model.run import day_of
from tests.ingest.outputs import ab, autocannon, vegeta, write_outputs, wrk
from tests.timing import growth, processor_s

#: Scenario, variant, params and repeat.
Identity = tuple[str | None, str, dict[str, Any], int | None]
ROOT = Path(__file__).parent.parent.parent


def named(folder: Path, outputs: Mapping[str, str]) -> dict[str, Identity]:
    """Lay outputs into a folder; return who is who in it, by path."""
    top = folder / "results"
    write_outputs(top, outputs)
    return {
        Path(run.get("source")).relative_to(top).as_posix(): (
            run.scenario,
            run.variant,
            dict(run.params),
            run.get("repeat"),
        )
        for run in benchkit.load(top)
    }


LAYOUTS = (
    *("{v}_c{c}_{r}.txt", "{v}-c{c}-{r}.txt", "{v}.c{c}.{r}.txt", "{v} c{c} ({r}).txt"),
    *("run{r}/{v}_c{c}.txt", "run{r}/{v}/c{c}.txt", "{v}/c{c}/{r}/wrk.txt", "{v}/c{c}/{r}.txt"),
    *("c{c}/{v}_{r}.txt", "c{c}/{v}/{r}", "2026-11-2{r}/{v}_c{c}.log", "{v}-{c}-{r}.txt"),
    *("2026-11-2{r}/{v}/c{c}/wrk.txt", "{v}_{c}_{r}", "{v}/{c}/{r}/out.txt", "{r}/{v}/{c}.txt"),
    *("wrk_{v}_{c}conns_run{r}.log", "{c}c_{v}_rep{r}.txt", "{v}_c-{c}_r{r}.txt", "{v}-c{c}.{r}"),
    *("results/{v}/connections-{c}/rep-{r}/report.txt", "bench_{v}_t2_c{c}_30s_#{r}.out"),
    *("{v}-conn{c}-r{r}", "{v}_concurrency={c}_{r}of3.txt", "c{c}_{v}_{r}.txt.log", "{v}_c{c}/{r}"),
    *("{r}_{v}_c{c}.txt", "{v}{r}_c{c}.txt", "{c}/{v}{r}.txt", "{v}/{r}/c{c}.txt", "{r}/c{c}/{v}"),
    *("2026-11-20T10-0{r}/{v}-{c}.txt", "{v}/wrk_c{c}_{r}.txt", "{v}_conns_{c}_{r}.json.log"),
    *("{v}_c{c}_20261120T10150{r}.txt", "{v}_c{c}_17636340{r}0.txt", "{v}-c{c}-14h3{r}.txt"),
)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("variants", [("serverA", "serverB"), ("net-http", "fasthttp")])
def test_a_sweep_of_two_servers(tmp_path: Path, layout: str, variants: tuple[str, ...]) -> None:
    outputs, wanted = {}, {}
    for variant, level, repeat in itertools.product(variants, (10, 50, 100), (1, 2)):
        path = layout.format(v=variant, c=level, r=repeat)
        outputs[path] = wrk(c=level)
        wanted[path] = (None, variant, {"connections": level}, repeat)
    assert named(tmp_path, outputs) == wanted


@pytest.mark.parametrize(
    "layout",
    [
        "{v}_{c}rps_{r}.bin",
        "{v}/rate-{c}/{r}.txt",
        "{v}/target-rate-{c}/{r}.txt",
        "{v}-r{c}-{r}.txt",
        "{v}-{c}-{r}.txt",
        "{c}/{v}/{r}",
    ],
)
def test_a_sweep_of_rates_that_outputs_print_as_measured(tmp_path: Path, layout: str) -> None:
    paths = {
        layout.format(v=v, c=c, r=r): (v, c, r)
        for v, c, r in itertools.product("AB", (50, 100, 200), (1, 2))
    }
    got = named(tmp_path, {path: vegeta(rate=c) for path, (_, c, _) in paths.items()})
    assert got == {path: (None, v, {"rate": c}, r) for path, (v, c, r) in paths.items()}


@pytest.mark.parametrize(
    "heading", ["error rate: {}", "hit-rate={}", "sample rate: {} Hz", "er rate: {} [Kbytes/sec]"]
)
def test_a_rate_of_something_else_is_no_load(heading: str, tmp_path: Path) -> None:
    report = wrk()
    for number in (50, 98):
        (tmp_path / f"{number % 7}.txt").write_text(f"{heading.format(number)}\n\n{report}")
    assert {run.get("offered_rate_rps") for run in benchkit.load(tmp_path)} == {None}


def test_a_rate_that_the_output_leaves_open_fills_its_column(tmp_path: Path) -> None:
    write_outputs(tmp_path, {f"{v}_{c}rps.txt": vegeta(rate=c) for v in "AB" for c in (50, 100)})
    rates = {run.label: run.get("offered_rate_rps") for run in benchkit.load(tmp_path)}
    assert rates == {f"{v}_{c}rps.txt": c for v in "AB" for c in (50, 100)}


#: Names in one folder, with what is left of each: variant, params and repeat.
GROUPS: dict[str, dict[str, tuple[str, dict[str, Any], int | None]]] = {
    "a constant word between": {
        "wrk_go_fast_run3.log": ("fast", {}, 3),
        "wrk_go_slow_run3.log": ("slow", {}, 3),
    },
    "two conditions": {"ab-with.txt": ("with", {}, None), "ab-without.txt": ("without", {}, None)},
    "before and after": {
        "before/out.txt": ("before", {}, None),
        "after/out.txt": ("after", {}, None),
    },
    "repeats in folders' names": {
        f"{v}-rep{r}/wrk.txt": (v, {}, r) for v in ("nginx", "zuul") for r in (1, 2)
    },
    "one word that others lack": {
        **{f"A_{r}.txt": ("A", {}, r) for r in (1, 2)},
        **{f"A_nolog_{r}.txt": ("A_nolog", {}, r) for r in (1, 2)},
    },
    "keep-alive that others lack": {
        **{f"A_{r}.txt": ("A", {}, r) for r in (1, 2)},
        **{f"A_keepalive_{r}.txt": ("A", {"keepalive": True}, r) for r in (1, 2)},
    },
    "a word and its level": {
        f"{v}_sleep-{ms}_{r}.txt": (v, {"sleep": ms}, r)
        for v, ms, r in itertools.product(("nginx", "zuul"), (0, 100), (1, 2))
    },
    "a level with a unit": {
        f"{v}-size_{size}-{r}.txt": (v, {"size": size}, r)
        for v, size, r in itertools.product(("nginx", "zuul"), ("1k", "10k"), (1, 2))
    },
    "a level of the only variant": {
        f"nginx_payload={size}_{r}.txt": ("nginx", {"payload": size}, r)
        for size, r in itertools.product((64, 128), (1, 2))
    },
    "a level of nothing else": {
        f"pool={size}/run-{r}.txt": ("results", {"pool": size}, r)
        for size, r in itertools.product((5, 10, 20), (1, 2))
    },
    "versions": {f"v{v}_{r}.txt": (f"v{v}", {}, r) for v in ("1.12.0", "1.6.3") for r in (1, 2)},
    "versions of one word": {
        f"{v}-{r}.txt": (v, {}, r)
        for v in ("nginx-1.24", "nginx-1.26", "haproxy-2.8")
        for r in (1, 2)
    },
    "versions that differ in their last part": {
        f"{v}-{r}.txt": (v, {}, r) for v in ("v1.2", "v1.3") for r in (1, 2)
    },
    "versions of a language": {
        f"{v}_{r}.txt": (v, {}, r) for v in ("python3.11", "python3.12") for r in (1, 2)
    },
    "versions in folders": {
        f"{v}/{r}.txt": (v, {}, r) for v in ("1.24", "1.25", "go1.21") for r in (1, 2)
    },
    "versions, not counted": {f"{v}.txt": (v, {}, None) for v in ("v1.2", "v1.3", "v2.0")},
    "versions, counted behind a dot": {
        f"{v}.{r}": (v, {}, r) for v in ("v1.9", "v1.10") for r in (1, 2, 3)
    },
    "a server's number, counted behind a dot": {
        f"serverA{n}.{r}": (f"serverA{n}", {}, r) for n in (1, 2) for r in (1, 2)
    },
    "changes by number": {
        f"{v}_{r}.txt": (v, {}, r) for v in ("main", "pr-41", "pr-42") for r in (1, 2)
    },
    "builds by number": {
        f"{build}/wrk_{r}.txt": (str(build), {}, r) for build in (1412, 1413) for r in (1, 2)
    },
    "numbered servers with a hyphen": {
        f"server-{n}_{r}.txt": (f"server-{n}", {}, r) for n in (1, 2) for r in (1, 2)
    },
    "letters that may state a load": {
        f"{v}{r}.txt": (v, {}, r) for v in "ABCT" for r in (1, 2, 3, 4, 5)
    },
    "loads that no output prints": {
        f"{v}-{cores}c-run{r}.txt": (v, {"connections in the name": cores}, r)
        for v, cores, r in itertools.product(("nginx", "haproxy"), (2, 4), (1, 2))
    },
    "days, counted anew": {
        f"{day}_{r}.txt": (day, {}, r) for day in ("2026-11-20", "2026-11-21") for r in (1, 2, 3)
    },
    "words that seem to say nothing, beside others": {
        f"{v}_{r}.txt": (v, {}, r)
        for v in ("report-service", "results-service", "user-service")
        for r in (1, 2)
    },
    "formats beside other words": {
        f"{v}/{r}.txt": (v, {}, r) for v in ("json", "xml", "db") for r in (1, 2)
    },
    "times that are memory": {
        f"app-{m}_{r}.txt": (f"app-{m}", {}, r) for m in ("256m", "512m") for r in (1, 2)
    },
    "kinds of threads": {
        f"{v}-threads_{r}.txt": (f"{v}-threads", {}, r)
        for v in ("virtual", "platform")
        for r in (1, 2, 3)
    },
    "a release that is no number's": {
        f"{v}_{r}.txt": (v, {}, r) for v in ("Debug", "Release") for r in (1, 2)
    },
    "pods, each of its own": {
        f"{v}-{version}-x{pod}k9p.txt": (v, {}, r)
        for v, version in (("stable", "7d9c8b6f5d"), ("canary", "5f4b9c77c8"))
        for r, pod in ((1, 2), (2, 4), (3, 5))
    },
    "copies by hand": {
        "wrk.txt": ("results", {}, 1),
        "wrk - Copy.txt": ("results", {}, 2),
        "wrk - Copy (2).txt": ("results", {}, 3),
    },
    "machines": {
        f"{v}_{r}.txt": (v, {}, r)
        for v in ("c5.large", "t3.micro", "n2-standard-4", "Standard_D4s_v3")
        for r in (1, 2)
    },
    "many days, counted anew": {
        f"2026-11-{day}/run{r}.txt": (f"2026-11-{day}", {}, r)
        for day in range(10, 18)
        for r in (1, 2)
    },
    "a count through all, and one of each": {
        f"{n:02}_{v}_{r}.txt": (v, {}, r)
        for n, (v, r) in enumerate((("a", 1), ("b", 1), ("b", 2), ("a", 2), ("a", 3), ("b", 3)), 1)
    },
    "two identifiers in a name": {
        f"pr-41_build-{build}.txt": (f"build-{build}", {}, None) for build in (101, 102)
    },
    "hashes beside words of five letters": {
        f"{v}-{end}.txt": (f"{v}-{end}", {}, None)
        for v, end in itertools.product(("a1b2c3d4", "e5f6a7b8"), ("nginx", "caddy"))
    },
    "copies that are what is compared": {
        f"{v}_{r}.txt": (v, {}, r) for v in ("zero", "zero-copy") for r in (1, 2)
    },
    "generations": {
        f"{v}-gen_{r}.txt": (f"{v}-gen", {}, r) for v in ("1st", "2nd") for r in (1, 2)
    },
    "a variant called standard": {
        f"{v}_run{r}.txt": (v, {}, r) for v in ("standard", "tuned") for r in (1, 2)
    },
    "seeds that count": {
        f"{v}_seed={r}.txt": (v, {}, r) for v in ("first", "second") for r in (1, 2, 3)
    },
    "letters beside a constant load": {
        f"{v}{r}_c10_t2.txt": (v, {}, r) for v in "ABCD" for r in (1, 2, 3)
    },
    "a size and a repetition behind a dot": {
        f"{v}-size{size}.{r}": (v, {"size": size}, r)
        for v, size, r in itertools.product(("go", "rust"), (64, 1024), (1, 2))
    },
    "numbers that belong to words": {
        f"{v}_{r}.txt": (v, {}, r) for v in ("node18", "node20", "http2") for r in (1, 2)
    },
    "numbered servers": {
        f"server{n}_{r}.txt": (f"server{n}", {}, r) for n in (1, 2) for r in (1, 2)
    },
    "compounds in folders": {
        f"{v}/{r}.txt": (v, {}, r) for v in ("log-none", "log-full") for r in (1, 2)
    },
    "compounds in files": {
        f"{v}_{r}.txt": (v, {}, r) for v in ("spring-cloud-gateway", "zuul") for r in (1, 2)
    },
    "a folder that repeats its name": {
        f"{v}/{v}_{r}.txt": (v, {}, r) for v in ("nginx", "zuul") for r in (1, 2)
    },
    "a repeat that is missing": {
        **{f"A-{r}.txt": ("A", {}, r) for r in (1, 2, 3)},
        **{f"B-{r}.txt": ("B", {}, r) for r in (1, 3)},
    },
    "copies": {"A.txt": ("A", {}, 1), "A (1).txt": ("A", {}, 2), "A (2).txt": ("A", {}, 3)},
    "versions in brackets": {
        f"node ({v})/out{r}.txt": (f"node ({v})", {}, r) for v in (20, 22) for r in (1, 2)
    },
    "counted units in brackets": {
        f"{v} ({c} workers) {r}.txt": (v, {"workers": c}, r)
        for v, c, r in itertools.product(("node", "bun"), (4, 8), (1, 2))
    },
    "decimal versions in brackets": {
        f"go ({v})/out{r}.txt": (f"go ({v})", {}, r) for v in ("1.22", "1.23") for r in (1, 2)
    },
    "states in brackets": {
        f"A [{v}]/run {r}.txt": (f"A [{v}]", {}, r) for v in ("new", "old") for r in (1, 2)
    },
    "a variant called like a load": {
        f"{v}_{r}.txt": (v, {}, r) for v in ("threads", "asyncio") for r in (1, 2)
    },
    "dates alone": {f"2026-11-2{day}.txt": ("results", {}, day + 1) for day in (0, 1, 2)},
    "ordinals": {
        f"{n}_{v}.txt": (v, {}, int(n[0]))
        for v, n in itertools.product(("変更前", "変更後"), ("1回目", "2回目", "3回目"))
    },
    "numbers alone": {f"{r}.txt": ("results", {}, r) for r in (1, 2, 3)},
    "the tool, counted": {f"wrk{r}.txt": ("results", {}, r) for r in (1, 2, 3)},
}


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_names_of_one_folder(
    tmp_path: Path, group: Mapping[str, tuple[str, dict[str, Any], int | None]]
) -> None:
    wanted = {path: (None, *identity) for path, identity in group.items()}
    assert named(tmp_path, {path: wrk() for path in group}) == wanted


#: Names that people set beside each other.
PAIRS = (
    *("nginx-1.25.3 nginx-1.25.4", "openjdk-17.0.2 openjdk-21.0.1", "python-3.11 python-3.12"),
    *("node-v18.19 node-v20.11", "v18.19.0 v20.11.1", "go1.22rc1 go1.22rc2", "2024.1 2024.2"),
    *("php8.2-fpm php8.3-fpm", "1.0.0-beta.1 1.0.0-beta.2", "rc1 rc2", "0.9.0 0.10.0", "O2 O3"),
    *("test1 test2", "exp01 exp02", "phase1 phase2", "patch1 patch2", "q1 q2", "opt0 opt3"),
    *("gcc12 gcc13", "h1 h2", "db1 db2", "cfg-a cfg-b", "w4 w8", "cpu2 cpu4", "1core 2core"),
    *("gomaxprocs-2 gomaxprocs-4", "limit-100 limit-200", "size10 size100", "8k 16k", "64b 1kb"),
    *("no-tls tls", "m5.large m6i.large", "t2.micro t3.micro", "r5 r6", "c5 c6", "i386 x64"),
    *("kernel-5.15 kernel-6.1", "ubuntu-20.04 ubuntu-22.04", "jdk-21+35 jdk-21+36", "p1 p2"),
    *("x@abc1234 x@def5678", "1a2b3c4 5d6e7f8", "1234567 7654321", "build-1412 build-1413"),
    *("postgres-14 postgres-15", "us-east-1 us-east-2", "app#1 app#2", "jdk-11 jdk-17"),
    *("5.15.0-91-generic 6.5.0-14-generic", "sprint-12 sprint-13", "redis-6 redis-7"),
    *("threads epoll", "conn-pool no-conn-pool", "log4j2 logback", "zstd3 zstd19", "v2 v2-fix"),
)
REPEATED = (
    *("{v}_{r}.txt", "{v}-run{r}.txt", "{v}/{r}.txt", "run{r}/{v}.txt", "{v} ({r}).txt"),
    *("{r}_{v}.txt", "{v}-{r}.log", "bench_{v}_{r}.txt", "wrk-{v}-rep{r}.txt"),
)


@pytest.mark.parametrize("layout", REPEATED)
@pytest.mark.parametrize("pair", PAIRS)
def test_two_names_repeated_are_two_variants(pair: str, layout: str) -> None:
    variants = [variant for variant in pair.split() for _ in range(3)]
    paths = [layout.format(v=v, r=r % 3 + 1).split("/") for r, v in enumerate(variants)]
    printed = {"connections": 64, "threads": 4, "duration": 30, "rate": 50_123.4}
    names = [Name.from_parts([*folders, stem_of(file)], printed) for *folders, file in paths]
    read_together(names)
    levels = arrange([name.levels for name in names])
    groups = defaultdict(list)
    for variant, name, level in zip(variants, names, levels, strict=True):
        groups[level, json.dumps(name.params)].append((variant, name.repeats))
    assert sorted(groups.values()) == sorted(
        [[(variant, [r]) for r in (1, 2, 3)] for variant in pair.split()]
    )


#: Repetitions, however they are numbered: each layout is of one variant, by session and run.
ONE_VARIANT = (
    *("run{s}/nginx_{r}.txt", "nginx/{s}/{r}.txt", "nginx_run{s}_{r}.txt", "{s}/nginx_{r}.txt"),
    *("nginx/session{s}/run{r}.txt", "2026-11-2{s}T10-0{r}_nginx.txt", "nginx_{r}of3_{s}.txt"),
)


@pytest.mark.parametrize("layout", ONE_VARIANT)
def test_repetitions_of_repetitions_are_one_variant(layout: str) -> None:
    paths = [layout.format(s=s, r=r).split("/") for s in (1, 2) for r in (1, 2, 3)]
    names = [Name.from_parts([*folders, stem_of(file)], {}) for *folders, file in paths]
    read_together(names)
    assert len({level.variant for level in arrange([name.levels for name in names])}) == 1
    assert {json.dumps(name.params) for name in names} == {"{}"}


def test_runs_counted_on_from_one_name_to_the_next(tmp_path: Path) -> None:
    paths = {
        f"postgres-{v}_{r}.txt": f"postgres-{v}"
        for v, r in zip((14,) * 3 + (15,) * 3, range(1, 7), strict=True)
    }
    got = named(tmp_path, {path: wrk() for path in paths})
    assert {path: variant for path, (_, variant, _, _) in got.items()} == paths


def test_scenarios_may_have_other_variants(tmp_path: Path) -> None:
    variants = [("gin-panic", "default"), ("gin-panic", "nolog"), ("gateways", "none")]
    wanted: dict[str, Identity] = {
        f"results/{scenario}/{variant}/{repeat}/report.txt": (scenario, variant, {}, repeat)
        for scenario, variant in variants
        for repeat in (1, 2)
    }
    assert named(tmp_path, {path: wrk() for path in wanted}) == wanted


def test_before_and_after_are_compared_for_each_of_what_they_hold(tmp_path: Path) -> None:
    paths = [f"{state}/{name}.txt" for state in ("before", "after") for name in ("get", "post")]
    got = named(tmp_path, {path: wrk() for path in paths})
    assert {(scenario, variant) for scenario, variant, _, _ in got.values()} == {
        (name, state) for state in ("before", "after") for name in ("get", "post")
    }


def test_tools_are_no_variants(tmp_path: Path) -> None:
    make: dict[str, Callable[[], str]] = {"wrk": wrk, "ab": ab, "vegeta": vegeta}
    outputs = {f"{v}/{t}_{r}.txt": make[t]() for v in ("A", "B") for t in make for r in (1, 2)}
    got = named(tmp_path, outputs)
    assert got == {path: (None, path[0], {}, int(path[-5])) for path in outputs}


def test_a_title_goes_before_a_name_without_words(tmp_path: Path) -> None:
    titles = {f"out{n}.json": "A" if n < 3 else "B" for n in range(1, 5)}
    got = named(tmp_path, {path: autocannon(title=title) for path, title in titles.items()})
    assert {path: variant for path, (_, variant, _, _) in got.items()} == titles


def test_words_that_are_the_paths_of_the_outputs_are_no_variants(tmp_path: Path) -> None:
    paths = {f"{v}_{p}_{r}.txt": (v, p, r) for v in ("main", "pr") for p in "ab" for r in (1, 2)}
    got = named(tmp_path, {name: wrk(path=f"/api/{p}") for name, (_, p, _) in paths.items()})
    wanted = {name: (None, v, {"path": f"/api/{p}"}, r) for name, (v, p, r) in paths.items()}
    assert got == wanted


def test_an_endpoint_may_be_called_like_a_format(tmp_path: Path) -> None:
    paths = {f"{v}/{p}/{r}.txt": (v, p, r) for v in "AB" for p in ("json", "db") for r in (1, 2)}
    got = named(tmp_path, {name: wrk(path=f"/{p}") for name, (_, p, _) in paths.items()})
    assert got == {name: (None, v, {"path": f"/{p}"}, r) for name, (v, p, r) in paths.items()}


def test_paths_that_are_all_that_differs_are_compared(tmp_path: Path) -> None:
    got = named(
        tmp_path, {f"{p}_{r}.txt": wrk(path=f"/{p}") for p in ("json", "text") for r in (1, 2)}
    )
    assert {variant for _, variant, _, _ in got.values()} == {"json", "text"}


def test_a_copy_does_not_displace_what_it_is_of(tmp_path: Path) -> None:
    outputs = {f"{v}{r}.txt": wrk() for v in ("new", "old") for r in (1, 2)}
    copies = {"new2 - Kopie.txt": outputs["new2.txt"], "old1 (1).txt": outputs["old1.txt"]}
    got = named(tmp_path, {**outputs, **copies})
    assert got == {f"{v}{r}.txt": (None, v, {}, r) for v in ("new", "old") for r in (1, 2)}


def test_a_run_number_in_a_heading_is_a_repetition(tmp_path: Path) -> None:
    parts = "".join(
        f"\n## Run {n}\n" + "".join(f"\n### {v}\n\n```\n{wrk()}```\n" for v in ("a", "b"))
        for n in (1, 2)
    )
    write_outputs(tmp_path, {"page.md": f"# Page\n{parts}"})
    got = [(run.variant, dict(run.params), run.get("repeat")) for run in benchkit.load(tmp_path)]
    assert got == [(v, {}, n) for n in (1, 2) for v in "ab"]


def test_who_stands_beside_a_name_of_two_sections_is_in_one_too(tmp_path: Path) -> None:
    """`after` stands below one heading only: it is PUT's nevertheless."""
    parts = {"## PUT": ("before", "after"), "## GET": ("before", "after, inlined")}
    page = "".join(
        f"\n{section}\n" + "".join(f"\n### {name}\n\n```\n{wrk()}```\n" for name in names)
        for section, names in parts.items()
    )
    write_outputs(tmp_path, {"page.md": f"# Page\n{page}"})
    got = [(run.params["section"], run.variant) for run in benchkit.load(tmp_path)]
    assert got == [
        *(("PUT", "before"), ("PUT", "after")),
        *(("GET", "before"), ("GET", "after, inlined")),
    ]


# --- what was not measured alike ---


def scripted(option: str) -> str:
    return f"$ wrk -t2 -c10 -d3s {option} http://127.0.0.1:8931/ok\n{wrk()}"


def test_loads_that_differ_are_never_pooled(tmp_path: Path) -> None:
    levels = {repeat: (10, 50, 100)[(repeat - 1) // 3] for repeat in range(1, 10)}
    wanted: dict[str, Identity] = {
        f"{v}/{repeat}/wrk.txt": (None, v, {"connections": level}, repeat)
        for v in ("serverA", "serverB")
        for repeat, level in levels.items()
    }
    outputs = {
        path: wrk(c=int(params["connections"])) for path, (_, _, params, _) in wanted.items()
    }
    assert named(tmp_path, outputs) == wanted


@pytest.mark.parametrize(
    ("param", "first", "second", "levels"),
    [
        ("threads", lambda: wrk(t=1), lambda: wrk(t=2), {1, 2}),
        ("path", lambda: wrk(path="/a"), lambda: wrk(path="/b?x=1"), {"/a", "/b?x=1"}),
        ("duration", lambda: wrk(d=10), lambda: wrk(d=30), {10, 30}),
        ("requests", lambda: ab(n=1000), lambda: ab(n=5000), {1000, 5000}),
        ("keepalive", ab, lambda: ab(keepalive=False), {True, False}),
        ("rate", vegeta, lambda: vegeta(rate=200), {100, 200}),
        ("pipelining", autocannon, lambda: autocannon(p=8), {1, 8}),
        ("script", lambda: scripted("-s a/x"), lambda: scripted("--script y.lua"), {"x", "y"}),
        ("host", wrk, lambda: wrk(host="10.0.0.9:80"), {"127.0.0.1:8931", "10.0.0.9:80"}),
    ],
)
def test_conditions_that_look_like_repeats(
    tmp_path: Path,
    param: str,
    first: Callable[[], str],
    second: Callable[[], str],
    levels: set[Any],
) -> None:
    made = {f"{n}.txt": (first if n in {1, 4} else second)() for n in range(1, 5)}
    write_outputs(tmp_path, made)
    results = benchkit.load(tmp_path)
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for run in results:
        groups[json.dumps(run.params)].add(run.label)
    assert sorted(map(sorted, groups.values())) == [["1.txt", "4.txt"], ["2.txt", "3.txt"]]
    assert {run.params[param] for run in results} == levels
    assert f"told apart by {param}, as the outputs have it" in results.naming[1]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ab -s 30", "ab -s 60"),
        ("wrk -s /home/me/post.lua", "wrk --script=post.lua"),
        ("wrk -s post.lua", r"wrk -H 'X: -s other' -s C:\bench\post.lua"),
        ("vegeta attack", "vegeta attack -session-tickets"),
    ],
)
def test_options_that_send_nothing_else(tmp_path: Path, first: str, second: str) -> None:
    tools: dict[str, Callable[[], str]] = {"ab": ab, "wrk": wrk, "vegeta": vegeta}
    made = tools[first.split(maxsplit=1)[0]]
    outputs = {f"{n}.txt": f"$ {c} http://h/\n{made()}" for n, c in enumerate((first, second))}
    write_outputs(tmp_path, outputs)
    assert all("script" not in run.params for run in benchkit.load(tmp_path))


def test_a_port_says_nothing_where_names_tell_the_server(tmp_path: Path) -> None:
    outputs = {f"{v}_{n}.txt": wrk(host=f"127.0.0.1:{8000 + n}") for v in "AB" for n in (1, 2)}
    assert all(not params for _, _, params, _ in named(tmp_path, outputs).values())


def without_connections(text: str) -> str:
    """What autocannon prints, without the number of connections."""
    return re.sub(r'"connections": \d+, ', "", text)


def test_where_the_condition_is_not_known_a_run_stays_single(tmp_path: Path) -> None:
    outputs = {f"{n}.json": autocannon(c=c) for n, c in ((1, 10), (2, 50), (3, 50))}
    write_outputs(tmp_path, {**outputs, "4.json": without_connections(autocannon())})
    results = benchkit.load(tmp_path)
    alone = [run for run in results if run.get("source").endswith("4.json")]
    assert alone[0].params["connections"] == "not known (1)"
    assert any("1\N{NO-BREAK SPACE}run single" in line for line in results.naming)


def test_a_level_that_some_outputs_do_not_print_sets_nothing_apart(tmp_path: Path) -> None:
    unknown = without_connections(autocannon())
    got = named(tmp_path, {"A_1.json": autocannon(), "A_2.json": unknown})
    assert got == {f"A_{n}.json": (None, "A", {}, n) for n in (1, 2)}


def test_warm_ups_are_shown_and_not_compared(tmp_path: Path) -> None:
    outputs = {f"{v}/{r}/{n}.txt": wrk() for v in "AB" for r in (1, 2) for n in ("wrk", "warmup")}
    got = named(tmp_path, outputs)
    for path, (_, variant, params, repeat) in got.items():
        assert (variant, str(repeat)) == (path[0], path[2])
        assert params == ({"warm-up": True} if "warmup" in path else {})
    effects = benchkit.load(tmp_path / "results").compare()
    assert set(effects["runs"]) == {2}


def test_a_shorter_run_before_the_measurement_is_a_warm_up(tmp_path: Path) -> None:
    outputs = {f"{v}/{n}.txt": wrk(d=2 if n == 1 else 10) for v in "AB" for n in (1, 2, 3)}
    got = named(tmp_path, outputs)
    assert {path for path, (_, _, params, _) in got.items() if params} == {"A/1.txt", "B/1.txt"}


@pytest.mark.parametrize("lines", [0, 2])
def test_a_run_as_short_as_those_of_others_is_no_warm_up(tmp_path: Path, lines: int) -> None:
    """With the lines that print what was asked for, and without."""
    lasted = {"nginx-run1.txt": 10, "nginx-run2.txt": 30, "caddy-run1.txt": 10}
    outputs = {path: wrk(d=seconds).split("\n")[lines:] for path, seconds in lasted.items()}
    got = named(tmp_path, {path: "\n".join(output) for path, output in outputs.items()})
    assert {path: params for path, (_, _, params, _) in got.items()} == {
        path: {"duration": seconds} for path, seconds in lasted.items()
    }


def test_the_name_of_a_file_does_not_tell_its_runs_apart(tmp_path: Path) -> None:
    write_outputs(
        tmp_path, {"paste.txt": "".join(wrk(host=f"10.0.0.{n}:80") for n in (1, 2, 1, 2))}
    )
    hosts = [run.params["host"] for run in benchkit.load(tmp_path)]
    assert hosts == ["10.0.0.1:80", "10.0.0.2:80"] * 2


@pytest.mark.parametrize(("turns", "estimate"), [("abbaabbaabba", "paired"), ("aaabbbaaabbb", "")])
def test_runs_that_came_in_turn_by_their_names_are_pairs(
    tmp_path: Path, turns: str, estimate: str
) -> None:
    write_outputs(tmp_path, {f"20261120T1015{n:02}_{v}.txt": wrk() for n, v in enumerate(turns)})
    effects = benchkit.load(tmp_path).compare(metric="throughput")
    assert set(effects["estimate"]) == {estimate}


def test_what_is_stated_is_not_guessed_anew(tmp_path: Path) -> None:
    turns = enumerate("ABBAAB", 1)
    write_outputs(tmp_path, {f"{n:02}_{v}_{(n + 1) // 2}.txt": wrk() for n, v in turns})
    results = benchkit.load(tmp_path, names="{repeat}_{variant}_{*}.txt")
    assert [run.get("repeat") for run in results] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "name", ["20261120_{v}_{n}.txt", "2026-11-20/{v}_{n}.txt", "{v}_14h30_{n}.txt"]
)
def test_a_date_that_all_have_is_no_order(tmp_path: Path, name: str) -> None:
    write_outputs(tmp_path, {name.format(v=v, n=n): wrk() for v in "AB" for n in range(1, 6)})
    checks = set(benchkit.load(tmp_path).findings()["check"])
    assert "ORDER_UNKNOWN" in checks
    assert not checks & {"BLOCKED_ORDER", "FIXED_ORDER"}


def test_days_that_begin_with_the_day_are_in_order(tmp_path: Path) -> None:
    days = {"A": "30-11-2026", "B": "01-12-2026"}
    write_outputs(
        tmp_path, {f"{day}_{v}_{n}.txt": wrk() for v, day in days.items() for n in range(1, 6)}
    )
    findings = benchkit.load(tmp_path).findings()
    (message,) = findings[findings["check"] == "BLOCKED_ORDER"]["message"]
    assert "All runs of A came before all runs of B, by their names" in message


def test_a_count_through_both_makes_pairs(tmp_path: Path) -> None:
    write_outputs(tmp_path, {f"{n:02}-{v}.txt": wrk() for n, v in enumerate("ABBAABBAABBA", 1)})
    effects = benchkit.load(tmp_path).compare(metric="throughput")
    assert set(effects["estimate"]) == {"paired"}


def test_cores_beside_connections_are_told_apart(tmp_path: Path) -> None:
    paths = {f"x-{n}c_c{c}_{r}.txt": c for n in (2, 4) for c in (10, 50) for r in (1, 2)}
    got = named(tmp_path, {path: wrk(c=c) for path, c in paths.items()})
    assert {(v, p["connections"]) for _, v, p, _ in got.values()} == {
        (f"x-{n}c", c) for n in (2, 4) for c in (10, 50)
    }


def test_the_output_goes_before_the_name(tmp_path: Path) -> None:
    outputs = {"A_c10.txt": wrk(c=10), "A_c50.txt": wrk(c=100)}
    assert named(tmp_path, outputs)["A_c50.txt"] == (None, "A", {"connections": 100}, None)
    findings = benchkit.load(tmp_path / "results").findings()
    (message,) = findings[findings["check"] == "NAME_DIFFERS"]["message"]
    assert message.startswith("A_c50.txt: the name says 50 connections, the output 100.")


def test_numbers_at_words_that_are_the_connections_of_the_outputs(tmp_path: Path) -> None:
    """`actix256` was faster than `actix16`, and no level of actix compared with one of axum."""
    levels = itertools.product(("actix", "axum"), (16, 256), (1, 2))
    printed = {f"{v}{c}_{n}.txt": wrk(c=c) for v, c, n in levels}
    identities = named(tmp_path, printed)
    assert identities["actix16_1.txt"] == (None, "actix", {"connections": 16}, 1)
    assert identities["axum256_2.txt"] == (None, "axum", {"connections": 256}, 2)


def test_one_number_in_all_names_that_every_output_prints_is_no_name(tmp_path: Path) -> None:
    """`go_8` was another variant than `go` beside it, measured by another tool."""
    outputs = {f"wrk-{v}-{c}conn.txt": wrk(c=c) for v in ("go", "node") for c in (8, 64)}
    outputs |= {f"{v}_8.log": wrk(c=8) for v in ("go", "node")}
    identities = named(tmp_path, outputs)
    assert identities["go_8.log"][1:3] == ("go", {"connections": 8})
    assert {identity[1] for identity in identities.values()} == {"go", "node"}


def test_one_small_number_in_all_names_counts_the_runs(tmp_path: Path) -> None:
    identities = named(tmp_path, {f"{v}_2.txt": wrk(c=2) for v in ("go", "node")})
    assert identities["go_2.txt"] == (None, "go", {}, 2)


def test_numbers_at_words_that_no_output_prints_are_names(tmp_path: Path) -> None:
    identities = named(tmp_path, {f"actix{c}_{n}.txt": wrk() for c in (16, 256) for n in (1, 2)})
    assert identities["actix16_1.txt"] == (None, "actix16", {}, 1)


def test_levels_are_one_whatever_their_type(tmp_path: Path) -> None:
    for number, level in ((1, 5), (2, "5")):
        meta = json.dumps({"variant": "v", "params": {"size": level}})
        write_outputs(tmp_path, {f"{number}/wrk.txt": wrk(), f"{number}/meta.json": meta})
    assert set(benchkit.load(tmp_path).runs["params"]) == {'{"size": 5}'}


# --- what is compared ---

STATES = (
    *(("before", "after"), ("main", "feature-123"), ("develop", "fix-17"), ("master", "dev")),
    *(("old", "new"), ("before-fix", "after-fix"), ("without-cache", "with-cache")),
)


@pytest.mark.parametrize("states", STATES)
@pytest.mark.parametrize(
    "layout", ["{p}/{v}/{r}.txt", "{v}/{p}/{r}.txt", "{v}/{p}-{r}.txt", "{p}_{v}_{r}.txt"]
)
def test_states_of_one_thing_are_the_variants_wherever_they_stand(
    layout: str, states: tuple[str, str], tmp_path: Path
) -> None:
    paths: dict[str, Identity] = {
        layout.format(v=v, p=p, r=r): (p, v, {}, r)
        for v in states
        for p in ("login", "search")
        for r in (1, 2, 3)
    }
    assert named(tmp_path, {path: wrk() for path in paths}) == paths


def test_runs_put_together_in_one_file_have_the_names_of_their_own_files(tmp_path: Path) -> None:
    outputs = {f"{v}_{r}.txt": wrk() for v in ("go", "rust") for r in (1, 2)}
    write_outputs(tmp_path, {**outputs, "all.txt": "".join(outputs.values())})
    got = {(run.variant, run.get("repeat")) for run in benchkit.load(tmp_path)}
    assert got == {(v, r) for v in ("go", "rust") for r in (1, 2)}


def test_a_word_that_all_share_tells_no_server(tmp_path: Path) -> None:
    hosts = ("alpha:80", "beta:80")
    outputs = {f"test{r}.txt": wrk(host=hosts[r % 2]) for r in range(1, 7)}
    got = named(tmp_path, outputs)
    assert [params for _, _, params, _ in got.values()] == [
        {"host": hosts[r % 2]} for r in range(1, 7)
    ]


@pytest.mark.parametrize("names", ["{v}{r}.txt", "{v}-{r}.txt"])
def test_languages_counted_alike_are_repeated(names: str, tmp_path: Path) -> None:
    paths: dict[str, Identity] = {
        names.format(v=v, r=r): (None, v, {}, r) for v in ("go", "node") for r in (1, 2, 3)
    }
    assert named(tmp_path, {path: wrk() for path in paths}) == paths


def test_a_port_that_each_run_has_for_itself_tells_no_server(tmp_path: Path) -> None:
    outputs = {f"test{r}.txt": wrk(host=f"127.0.0.1:{4000 + 7 * r}") for r in range(1, 5)}
    assert named(tmp_path, outputs) == {f"test{r}.txt": (None, "test", {}, r) for r in range(1, 5)}


# --- pages ---

#: How pages and logs head the runs of two variants, thrice each.
HEADINGS = (
    *("## {v} run {r}", "### {v} (run {r})", "## {v} #{r}", "## {v} {r}", "## Run {r}: {v}"),
    *("## {v} ({r}/3)", "## {v} run {r} of 3", "## {v}, {n} run", "{v}-{r}:"),
    *("=== {v} run {r} ===", "########## {v} run={r} ##########", ">>> {v} [{r}/3]", "[{r}/3] {v}"),
    *("--> {v}: iteration {r}/3", "Run {r}/3 of {v}", "[2026-11-26 10:0{r}:00] {v} run {r}"),
    *("==> results/{v}_{r}.txt <==", "==> results/{v}/run_{r}.txt <==", "$ ./bench.sh {v} {r}"),
    *("Thu Nov 26 10:0{r}:00 UTC 2026 {v} {r}", "<details><summary>{v} run {r}</summary>\n"),
    *("{v}\n------ run {r} ------", "## {v}\n\n### Run {r}", "## Run {r}\n\n### {v}"),
    *("## {v}\n\n#### #{r}", "{v}_c5_{r}.log:"),
)


@pytest.mark.parametrize("between", ["", "\n"])
@pytest.mark.parametrize("heading", HEADINGS)
def test_what_counts_in_a_heading_is_a_repetition(
    heading: str, between: str, tmp_path: Path
) -> None:
    ordinals = {1: "first", 2: "2nd", 3: "third"}
    page = "".join(
        f"{heading.format(v=v, r=r, n=ordinals[r])}\n{between}{wrk(c=5).strip()}\n{between}"
        for v in ("old", "new")
        for r in ordinals
    )
    write_outputs(tmp_path, {"page.md": page})
    runs = list(benchkit.load(tmp_path))
    variants = [re.sub(r"\W|bench|sh|results|_c5", "", run.variant) for run in runs]
    assert variants == ["old"] * 3 + ["new"] * 3
    assert [run.get("repeat") for run in runs] == [1, 2, 3] * 2
    assert {run.scenario for run in runs} == {"page"}


@pytest.mark.parametrize(
    "above",
    [
        "== {v} ==\nmeasuring...",
        "{v}\nThu Nov 26 10:{at}:00 UTC 2026",
        "Thu Nov 26 10:{at}:00 UTC 2026\n{v}",
        "{v}\nserver pid: 41{at}",
        "+ echo {v}\n+ sleep 2",
        "{v}\n10:{at}:07",
    ],
)
def test_a_line_that_tells_the_runs_apart_goes_before_others(above: str, tmp_path: Path) -> None:
    log = "".join(
        f"{above.format(v=v, at=10 + 2 * at + (v == 'new'))}\n{wrk(c=5)}"
        for at in range(3)
        for v in ("old", "new")
    )
    write_outputs(tmp_path, {"bench.log": f"Attaching to bench-1, server-1\n{log}"})
    got = [run.variant.removeprefix("+ echo ") for run in benchkit.load(tmp_path)]
    assert got == ["old", "new"] * 3


@pytest.mark.parametrize("above", ["{v}", "=== {v} ===", "--- {v}", "Testing {v}...", "## {v}"])
def test_the_runs_of_a_loop_have_the_line_above_the_first(above: str, tmp_path: Path) -> None:
    log = "".join(f"{above.format(v=v)}\n" + wrk(c=5) + wrk(c=5) for v in ("old", "new"))
    write_outputs(tmp_path, {"bench.log": log})
    runs = [
        (run.variant.removeprefix("Testing "), run.get("repeat")) for run in benchkit.load(tmp_path)
    ]
    assert runs == [("old", 1), ("old", 2), ("new", 1), ("new", 2)]


@pytest.mark.parametrize(
    "headings",
    [
        ("Test 1", "Test 2"),
        ("server 1", "server 2", "client 1", "client 2"),
        ("Java 17", "Java 21", "Node 18", "Node 20"),
        ("HTTP/1", "HTTP/2"),
        ("PR #41", "PR #42"),
        ("Go 1.21", "Go 1.22"),
        ("run 1 thread", "run 2 threads"),
        ("Run 1: baseline", "Run 2: with a cache"),
        ("GET /users/1", "GET /users/2", "GET /items/1", "GET /items/2"),
    ],
)
def test_numbers_that_tell_what_was_measured_stay(
    headings: tuple[str, ...], tmp_path: Path
) -> None:
    write_outputs(tmp_path, {"page.md": "".join(f"## {text}\n\n{wrk()}\n" for text in headings)})
    assert [run.variant for run in benchkit.load(tmp_path)] == list(headings)


def test_the_label_of_a_repetition_is_what_the_page_calls_it(tmp_path: Path) -> None:
    page = "".join(f"## {v}\n\n### Run {r}\n\n{wrk()}\n" for v in "AB" for r in (1, 2))
    write_outputs(tmp_path, {"page.md": page})
    labels = [run.label for run in benchkit.load(tmp_path)]
    assert labels == ["A · Run 1", "A · Run 2", "B · Run 1", "B · Run 2"]


def test_pages_that_only_count_are_named_by_their_files(tmp_path: Path) -> None:
    for page in ("nginx.md", "caddy.md"):
        write_outputs(tmp_path, {page: "".join(f"## Run {r}\n\n{wrk()}\n" for r in (1, 2, 3))})
    got = {(run.scenario, run.variant, run.get("repeat")) for run in benchkit.load(tmp_path)}
    assert got == {(None, v, r) for v in ("nginx", "caddy") for r in (1, 2, 3)}


@pytest.mark.parametrize("words", ["Running load test ...", ""])
def test_logs_of_a_script_that_warms_up_are_named_by_their_files(
    words: str, tmp_path: Path
) -> None:
    """What a script prints above each run told a warm-up from its measurement, and no servers."""
    rule = 20 * "="
    for server in ("node", "go"):
        parts = (
            *(f"{rule}WARM-UP{rule}", f"===So 1. Jan 19:38:33 CET 2017 Warming up {server}"),
            *("", wrk(), "", f"{rule}END WARM-UP{rule}", f"{rule}BENCHMARK{rule}"),
            *(f"===So 1. Jan 19:38:56 CET 2017 {words}", "", wrk(), ""),
        )
        write_outputs(tmp_path, {f"result_{server}.log": "\n".join(parts)})
    runs = benchkit.load(tmp_path)
    assert [*runs.runs["variant"]] == ["go", "go", "node", "node"]
    assert [run.params for run in runs] == [{"warm-up": True}, {}] * 2


def test_what_a_script_prints_in_every_file_names_no_server(tmp_path: Path) -> None:
    """Thirteen servers were one scenario each, in which `new-test` was the variant."""
    for server in ("nginx", "go-http"):
        parts = (f"---new test---\n\n{wrk(c=c)}\n" for c in (10, 100))
        write_outputs(tmp_path, {f"raw/{server}.txt": "".join(parts)})
    runs = benchkit.load(tmp_path)
    assert {run.variant for run in runs} == {"nginx", "go-http"}
    assert {run.scenario for run in runs} == {None}
    assert {run.params["connections"] for run in runs} == {10, 100}


def test_pages_of_one_heading_each_keep_those_that_differ(tmp_path: Path) -> None:
    for file, server in (("first", "nginx"), ("second", "caddy")):
        page = "".join(f"## {server}\n\n{wrk(c=c)}\n" for c in (10, 100))
        write_outputs(tmp_path, {f"{file}.md": page})
    assert {run.variant for run in benchkit.load(tmp_path)} == {"nginx", "caddy"}


def test_pages_that_warm_up_servers_of_several_names_keep_these(tmp_path: Path) -> None:
    for number, server in enumerate(("nginx", "nginx", "apache", "apache"), 1):
        page = f"## Warm-up\n\n{wrk()}\n## {server}\n\n{wrk()}\n"
        write_outputs(tmp_path, {f"run{number}.md": page})
    runs = benchkit.load(tmp_path)
    measured = {run.variant for run in runs if not run.params.get("warm-up")}
    assert measured == {"nginx", "apache"}


def test_a_warm_up_on_a_page_is_none_of_the_repetitions(tmp_path: Path) -> None:
    page = "".join(
        f"## {v} {which}\n\n{wrk()}\n" for v in "AB" for which in ("warmup", "run 1", "run 2")
    )
    write_outputs(tmp_path, {"page.md": page})
    got = [(run.variant, dict(run.params), run.get("repeat")) for run in benchkit.load(tmp_path)]
    kinds: list[tuple[dict[str, Any], int | None]] = [({"warm-up": True}, None), ({}, 1), ({}, 2)]
    assert got == [(v, *kind) for v in "AB" for kind in kinds]


def test_lines_of_tools_and_shells_name_no_run(tmp_path: Path) -> None:
    lines = (
        *("3 connections", "4 workers", "wrk 4.1.0 [epoll] Copyright (C) 2012 Will Glozer"),
        *("246 requests in 10.03 s, 174 kB read", "me@box:~$", "This is ApacheBench, Version 2.3"),
    )
    page = "# Page\n\n" + "".join(f"{line}\n{wrk()}\n" for line in lines)
    write_outputs(tmp_path, {"page.md": page})
    assert set(benchkit.load(tmp_path).runs["variant"]) == {"Page"}


def test_two_environments_in_one_document_are_a_param(tmp_path: Path) -> None:
    prompts = {"PowerShell": r"PS C:\x>", "WSL": "$"}
    page = "# Page\n" + "".join(
        f"\n## {name}\n"
        + "".join(
            f"\n### {v}\n\n```\n{prompt} wrk -d3s http://127.0.0.1:8931/ok\n{wrk()}```\n"
            for v in "AB"
        )
        for name, prompt in prompts.items()
    )
    write_outputs(tmp_path, {"page.md": page})
    got = [(run.variant, dict(run.params)) for run in benchkit.load(tmp_path)]
    assert got == [(v, {"section": name}) for name in prompts for v in "AB"]


def test_two_machines_without_headings_are_a_param(tmp_path: Path) -> None:
    parts = [
        f"me@{host}:~$ wrk -d3s http://127.0.0.1:8931/ok\n{wrk()}" for host in ("laptop", "server")
    ]
    write_outputs(tmp_path, {"page.md": "\n".join(parts)})
    assert [run.params["shell"] for run in benchkit.load(tmp_path)] == ["laptop", "server"]


def test_one_line_says_what_was_understood(tmp_path: Path) -> None:
    outputs = {f"{v}_c{c}_{r}.txt": wrk(c=c) for v in "AB" for c in (10, 100) for r in (1, 2)}
    write_outputs(tmp_path, outputs)
    (line,) = benchkit.load(tmp_path).naming
    assert line == (
        "8\N{NO-BREAK SPACE}runs: variant A, B from the names of folders and files; "
        "connections 10, 100; repeat 1 to 2"
    )


# --- the samples, without their metadata ---

MAIN = {"gin-panic": "attack.gob.gz", "logging-cost": "result.json"}


def words(params: Mapping[str, Any], equals: str, between: str) -> str:
    """Return params as people write them into names."""
    shown = {True: "{}", False: "no-{}"}
    parts = [
        shown[value].format(name) if isinstance(value, bool) else f"{name}{equals}{value}"
        for name, value in params.items()
    ]
    return "".join(between + part for part in parts)


RENAMINGS = {
    "as they are": "{s}/{v}{plus}/{r}/{f}",
    "flat": "{s}/{v}{low}_{r}{e}",
    "without an ending": "{s}/{v}{low}_run{r}",
    "run first": "{s}/run{r}/{v}{low}{e}",
    "run on top": "run{r}/{s}/{v}{low}{e}",
    "date on top": "2026-11-2{r}/{s}/{v}{low}{e}",
    "date below": "{s}/2026-11-2{r}/{v}{low}{e}",
    "nested": "{s}/{v}{folders}/{r}/{f}",
    "nested to the file": "{s}/{v}{folders}/{r}{e}",
    "repeat with a word": "{s}/{v}{low}_rep{r}{e}",
    "tool in the name": "{s}/{t}_{v}{low}_{r}{e}",
    "tool and what it is": "{s}/{v}{low}_{t}-report_{r}{e}",
    "equals signs": "{s}/{v}{equal}_{r}{e}",
    "blanks": "{s}/{v}{blank} ({r}){e}",
    "repeat in a folder's name": "{s}/{v}{low}-rep{r}/{f}",
    "below results": "results/{s}/{v}{low}/{r}/{f}",
    "params first": "{s}{folders}/{v}_{r}{e}",
    "dots": "{s}/{v}{dot}.{r}{e}",
    "time stamps": "{s}/{v}{low}_20261120T10150{r}{e}",
    "repeat first": "{s}/{r}_{v}{low}{e}",
}


@pytest.fixture(scope="module")
def samples() -> list[tuple[dict[str, Any], Path]]:
    """Two repetitions of each measurement in the samples: metadata, and one output."""
    matches = []
    for path in sorted((ROOT / "examples" / "results").glob("*/*/[12]/meta.json")):
        meta = json.loads(path.read_text(encoding="utf-8"))
        if "aa" not in meta.get("params", {}):
            matches.append((meta, path.with_name(MAIN.get(meta["scenario"], "report.txt"))))
    return matches


@pytest.mark.parametrize("renaming", RENAMINGS.values(), ids=RENAMINGS)
@pytest.mark.parametrize("missing", [False, True], ids=["", "a repeat missing"])
def test_the_samples_renamed(
    tmp_path: Path, samples: list[tuple[dict[str, Any], Path]], renaming: str, *, missing: bool
) -> None:
    wanted = {}
    for meta, output in samples:
        if missing and meta["repeat"] == 2 and meta["variant"] in {"none", "nolog"}:
            continue
        params = meta.get("params", {})
        path = (
            tmp_path
            / "stuff"
            / renaming.format(
                s=meta["scenario"],
                v=meta["variant"],
                r=meta["repeat"],
                t=meta["tool"],
                f=output.name,
                e="".join(output.suffixes),
                plus=words(params, "-", "+"),
                low=words(params, "-", "_"),
                equal=words(params, "=", "_"),
                blank=words(params, "=", " "),
                dot=words(params, "-", "."),
                folders=words(params, "-", "/"),
            )
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(output, path)
        identity = (meta["scenario"], meta["variant"], json.dumps(params), meta["repeat"])
        wanted[str(path)] = identity
    groups: defaultdict[Any, set[Any]] = defaultdict(set)
    for run in benchkit.load(tmp_path / "stuff"):
        scenario, variant, params, repeat = wanted[run.get("source")]
        assert (run.scenario, run.variant) == (scenario, variant)
        # The only run of one date and no number is no repetition.
        assert run.get("repeat") in ({repeat, None} if "2026" in renaming else {repeat})
        groups[scenario, variant, params].add(run.get("params"))
    assert len(groups) == 48
    assert all(len(params) == 1 for params in groups.values())
    assert len({(key[:2], *params) for key, params in groups.items()}) == 48


def test_the_samples_say_what_their_metadata_say(
    samples: list[tuple[dict[str, Any], Path]],
) -> None:
    results = benchkit.load(ROOT / "examples" / "results" / "quickstart")
    assert {run.variant for run in results} == {"asyncio", "blocking", "threads"}
    assert results.naming == ()
    assert samples


# --- whatever the order of its parts ---

WORDS = ("nginx", "haproxy", "spring", "zuul", "serverA", "nolog", "fast")


@settings(max_examples=150)
@given(st.data())
def test_the_order_of_the_parts_of_a_name_does_not_matter(data: st.DataObject) -> None:
    variants = data.draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=4, unique=True))
    levels = data.draw(st.sampled_from([(10, 50), (1, 10, 100), (100, 200, 400)]))
    load = data.draw(st.sampled_from(["c{}", "{}conns", "connections={}", "{}rps", "t{}"]))
    repeat = data.draw(st.sampled_from(["{}", "run{}", "rep-{}", "r{}", "{}of9"]))
    order = data.draw(st.permutations([0, 1, 2]))
    separators = data.draw(st.lists(st.sampled_from("_-./ "), min_size=2, max_size=2))
    constant = data.draw(st.sampled_from(["", "wrk_", "2026-11-20_", "results/"]))
    names, wanted = [], []
    for variant, level, number in itertools.product(variants, levels, (1, 2, 3)):
        parts = [variant, load.format(level), repeat.format(number)]
        first, second, third = (parts[at] for at in order)
        path = f"{constant}{first}{separators[0]}{second}{separators[1]}{third}.txt"
        assume(not re.search(r"\d\.\d", path))  # 10.1 is one number
        *folders, file = path.split("/")
        names.append(Name.from_parts((*folders, stem_of(file)), {}))
        wanted.append((variant, level, [number]))
    read_together(names)
    arranged = arrange([name.levels for name in names])
    got = [
        (level.variant, *name.params.values(), name.repeats)
        for name, level in zip(names, arranged, strict=True)
    ]
    assert got == wanted
    assert all(level.scenario is None for level in arranged)


@given(st.text(max_size=60))
def test_any_name_is_split_without_losing_a_letter(name: str) -> None:
    text = "".join(token.before + token.text for token in split(name))
    assert name.startswith(text)
    assert not re.search(r"[^\W_]", name[len(text) :])


def test_many_names_take_their_share_of_time() -> None:
    def seconds(count: int) -> float:
        names = [
            Name.from_parts((f"2026-11-{10 + n % 20}", f"server{n % 5}", f"wrk_c{n % 7}0_{n}"), {})
            for n in range(count)
        ]
        return processor_s(lambda: read_together(names))

    assert growth(seconds, 1000, 5000, most=12) < 12


@pytest.mark.parametrize("ending", ["jtl", "xml", "db", "sqlite3", "hlog", "csv.gz"])
def test_the_ending_of_a_file_alone_in_its_folder_is_no_name(ending: str) -> None:
    assert stem_of(f"gin.{ending}") == "gin"


def test_what_locust_adds_to_a_name_is_no_part_of_it(tmp_path: Path) -> None:
    names = Path(__file__).parents[1] / "data"
    (tmp_path / "gin locust_stats.csv").write_bytes(
        (names / "locust" / "plain_stats.csv").read_bytes()
    )
    (tmp_path / "gin wrk.txt").write_bytes((names / "wrk" / "latency.txt").read_bytes())
    assert set(benchkit.load(tmp_path).runs["variant"]) == {"gin"}


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-11-20/{v}_{n}.txt", "2026-11-20"),
        ("{v}-21.11.2026-{n}.txt", "2026-11-21"),
        ("{v}_20261120T23593{n}.txt", "2026-11-20"),
        ("{v}_179517600{n}.txt", "2026-11-20"),
        ("2026-w47/{v}_{n}.txt", None),
        ("{v}_{n}.txt", None),
    ],
)
def test_the_day_that_a_name_says(tmp_path: Path, name: str, day: str | None) -> None:
    write_outputs(tmp_path, {name.format(v=v, n=n): wrk() for v in "ab" for n in (1, 2)})
    days = {day_of(run) for run in benchkit.load(tmp_path)}
    assert {d if d is None else str(date(1970, 1, 1) + timedelta(d)) for d in days} == {day}
