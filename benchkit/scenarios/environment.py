"""What a run's figures may depend on: machine, system, limits, and what else ran."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_SYSCTLS: Final = (
    *("net/core/somaxconn", "net/ipv4/tcp_max_syn_backlog", "net/ipv4/tcp_tw_reuse"),
    *("net/ipv4/tcp_fin_timeout", "net/ipv4/ip_local_port_range", "net/ipv4/tcp_syncookies"),
    "net/ipv4/tcp_congestion_control",
)
_CPU: Final = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
_CLOCK: Final = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
_CGROUP: Final = Path("/sys/fs/cgroup")


def environment() -> dict[str, Any]:
    """Return the facts that stay the same during a run; those unknown are left out."""
    flags = _cpuinfo("flags")
    facts: dict[str, Any] = {
        "os": _os(),
        "kernel": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "cpu": _cpuinfo("model name") or platform.processor() or None,
        "cores": os.cpu_count(),
        "hypervisor": None if flags is None else "hypervisor" in flags.split(),
        "governor": _line(_CPU),
        "clock_source": _line(_CLOCK),
        "memory_bytes": _memory(),
        "cgroup": {name: _line(_CGROUP / name) for name in ("cpu.max", "memory.max")},
        "descriptor_limit": _descriptors(),
        "sysctl": {name.replace("/", "."): _line(f"/proc/sys/{name}") for name in _SYSCTLS},
        "boot_id": _line("/proc/sys/kernel/random/boot_id"),
        "python": platform.python_version(),
    }
    return _known(facts)


def moment() -> dict[str, Any]:
    """Return the facts that change from run to run: load, sockets, stolen processor time."""
    facts: dict[str, Any] = {
        "load_average": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        "tcp_sockets": _sockets(),
        "stolen_s": _stolen(),
    }
    return _known(facts)


def revision(folder: Path) -> dict[str, Any] | None:
    """Return the git revision of a folder and whether it has changes; None where it has none."""
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    changes = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return {"git_revision": commit, "git_dirty": bool(changes)}


def _git(folder: Path, *arguments: str) -> str | None:
    process = ended("git", "-C", str(folder), *arguments)
    return process.stdout.strip() if process and process.returncode == 0 else None


def ended(*command: str) -> subprocess.CompletedProcess[str] | None:
    """Run a program that only answers a question; None where it cannot run or takes too long."""
    try:
        return subprocess.run(  # noqa: S603 - git, or what a scenario needs
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=30,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _known(facts: Mapping[str, Any]) -> dict[str, Any]:
    inner = {
        key: _known(value) if isinstance(value, dict) else value for key, value in facts.items()
    }
    return {key: value for key, value in inner.items() if value not in (None, {}, "")}


def _text(path: Path | str) -> str:
    """Return what a file of the system says, nothing where there is none."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _line(path: Path | str) -> str:
    return " ".join(_text(path).split())


def _os() -> str | None:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME")
    except OSError:
        return platform.platform(terse=True)


def _cpuinfo(key: str) -> str | None:
    line = re.search(rf"^{key}\s*: (.*)$", _text("/proc/cpuinfo"), re.MULTILINE)
    return line[1] if line else None


def _memory() -> int | None:
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _descriptors() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def _sockets() -> dict[str, int] | None:
    text = _line("/proc/net/sockstat")
    matched = re.search(r"TCP: inuse (\d+) orphan (\d+) tw (\d+)", text)
    if matched is None:
        return None
    return dict(zip(("in_use", "orphaned", "time_wait"), map(int, matched.groups()), strict=True))


def _stolen() -> float | None:
    fields = _text("/proc/stat").split()[:9]
    if len(fields) < 9 or fields[0] != "cpu":
        return None
    return int(fields[8]) / os.sysconf("SC_CLK_TCK")
