from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

import benchkit
from benchkit.model.grouping import variants_of
from benchkit.validity import Finding, examine, findings
from tests.validity.runs import One, forbidden, raised, results, run, state

MACHINE = {"cpu": "AMD EPYC", "cores": 4, "kernel": "Linux 6.1", "memory_bytes": 8_000_000_000}


def on(variant: str, **other: Any) -> One:  # noqa: ANN401 - values of JSON
    return run("wrk", variant, environment=json.dumps({**MACHINE, **other}))


@pytest.mark.parametrize(
    ("other", "severity"),
    [
        ({"cpu": "Intel Xeon"}, "error"),
        ({"cores": 8}, "error"),
        ({"kernel": "Linux 6.6"}, "warning"),
        ({"memory_bytes": 16_000_000_000}, "warning"),
        ({"sysctl": {"net.core.somaxconn": "4096"}}, None),  # known of one only
        ({"memory_bytes": 8_000_400_000}, None),
        ({"boot_id": "b"}, None),
        ({}, None),
    ],
)
def test_machines_that_differ(other: dict[str, Any], severity: str | None) -> None:
    findings = raised("ENVIRONMENT_DIFFERS", on("a"), on("b", **other))
    assert [finding.severity for finding in findings] == ([severity] if severity else [])


def test_another_processor_forbids_a_verdict() -> None:
    runs = results(on("a"), on("b", cpu="Intel Xeon"), on("c", kernel="Linux 6.6"))
    listed = findings(runs)
    a, b, c = variants_of(runs)
    assert forbidden(listed, a, b) == "the variants ran on different machines"
    assert forbidden(listed, a, c) == ""
    processor = next(finding for finding in listed if finding.severity == "error")
    assert "Processor: AMD EPYC in a and c; Intel Xeon in b." in processor.message


def test_settings_of_the_kernel_are_looked_at_one_by_one() -> None:
    first = on("a", sysctl={"net.core.somaxconn": "128", "x": 1})
    other = on("b", sysctl={"net.core.somaxconn": "4096", "x": 1})
    (differs,) = raised("ENVIRONMENT_DIFFERS", first, other)
    assert "Net.core.somaxconn: 128 in a; 4096 in b." in differs.message


def test_a_machine_that_the_names_declare_is_what_is_compared() -> None:
    assert not raised("ENVIRONMENT_DIFFERS", on("amd epyc"), on("intel xeon", cpu="Intel Xeon"))
    assert not raised("ENVIRONMENT_DIFFERS", on("4 cores"), on("8 cores", cores=8))


def test_runs_of_one_variant_on_two_machines() -> None:
    (finding,) = raised("ENVIRONMENT_DIFFERS", on("a"), on("a", cpu="Intel Xeon"))
    assert finding.severity == "warning"
    assert "The runs of a are no repetitions of one another. Processor: AMD EPYC" in finding.message
    assert not raised("ENVIRONMENT_DIFFERS", on("a"), on("a"))


def test_without_metadata_nothing_is_known() -> None:
    assert state("ENVIRONMENT_DIFFERS", run("wrk", "a"), run("wrk", "b")) == {"not applicable"}
    servers = [run("wrk", name, server=server) for name, server in (("a", "x"), ("b", "y"))]
    assert [finding.severity for finding in raised("ENVIRONMENT_DIFFERS", *servers)] == ["warning"]


# --- SERVERS_DIFFER ---


def started(*commands: tuple[str, str]) -> list[Finding]:
    """What is found of runs whose server was started so, by their variants."""
    runs = results(*(run("wrk", variant) for variant, _ in commands))
    started = [
        replace(r, commands={"server": command, "wrk": f"wrk -c {number}"})
        for number, (r, (_, command)) in enumerate(zip(runs, commands, strict=True))
    ]
    return [finding for finding in examine(started).findings if finding.check == "SERVERS_DIFFER"]


def test_servers_that_were_started_with_other_options() -> None:
    (finding,) = started(
        ("a", "/opt/srv --port 24001 --workers 4"),
        ("b", "/opt/srv --port 30002 --workers 8 --debug"),
    )
    assert (
        "Options of server differ: --workers 4 in a; --workers 8 --debug in b." in finding.message
    )
    assert (finding.severity, finding.forbids) == ("warning", "")


@pytest.mark.parametrize(
    ("name", "command", "severities"),
    [
        ("b", "/opt/srv --workers 8", ["info"]),  # perhaps what is compared
        ("8 workers", "/opt/srv --workers 8", []),
        ("b", "/opt/other --workers 8", []),  # another program is what is compared
        ("b", "/build/2/srv --workers 4", []),
    ],
)
def test_a_single_option_or_another_program(name: str, command: str, severities: list[str]) -> None:
    findings = started(("4 workers", "/opt/srv --workers 4"), (name, command))
    assert [finding.severity for finding in findings] == severities


def test_what_varies_from_run_to_run_is_no_option() -> None:
    runs = [(name, f"srv -data d{name}{n} -log {n}") for name in "ab" for n in range(3)]
    assert not started(*runs)


def test_the_runner_writes_what_it_started(data: Path, tmp_path: Path) -> None:
    for name, workers, output in (("a", 4, "latency"), ("b", 8, "all-late")):
        (tmp_path / name).mkdir()
        copyfile(data / "wrk" / f"{output}.txt", tmp_path / name / "wrk.txt")
        rows = [{"name": "server", "command": f"srv -w {workers} -token=hunter2-{name}"}, "?", {}]
        (tmp_path / name / "meta.json").write_text(json.dumps({"commands": rows}))
    (finding,) = [f for f in findings(benchkit.load(tmp_path)) if f.check == "SERVERS_DIFFER"]
    assert "-w 4" in finding.message
    assert "hunter2" not in finding.message
