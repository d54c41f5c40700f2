"""What every test may ask for: recorded data, golden files, and tools that may be missing."""

import difflib
import gc
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import hypothesis
import pytest

import benchkit.ingest
from tests.webserver import WebServer

# As the command does: searches for cycles among all that the tests keep take a fifth of their time.
gc.set_threshold(100_000)

# No test asserts seconds: a machine may have more to do, also while examples are drawn. They are
# others in every run, so that half the usual number comes to as many soon.
hypothesis.settings.register_profile(
    "benchkit",
    deadline=None,
    max_examples=50,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("benchkit")

TESTS = Path(__file__).resolve().parent

Scrub = Iterable[tuple[str, str]]
Golden = Callable[..., None]

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what the tests got into tests/golden/ instead of comparing with it",
    )


@pytest.fixture(autouse=True)
def _parser_defects_end_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that raises what is no InputError fails a test, though it costs a user one file."""
    monkeypatch.setattr("benchkit.ingest.defects.ends_command", True)


@pytest.fixture(scope="session")
def data() -> Path:
    """The recorded outputs, a folder for each tool."""
    return TESTS / "data"


@pytest.fixture(scope="session")
def need() -> Callable[[str], str]:
    """`need("wrk")` is the path of wrk; where it is not installed the test is skipped."""

    def find(tool: str) -> str:
        path = shutil.which(tool)
        if path is None:
            pytest.skip(f"{tool} is not in PATH")
        return path

    return find


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium or one of its kin, or the test is skipped; $CHROMIUM wins."""
    candidates = [os.environ.get("CHROMIUM"), *map(shutil.which, CHROMIUM_NAMES), *CHROMIUM_PLACES]
    for path in candidates:
        if path and Path(path).is_file():
            return path
    pytest.skip("no Chromium found; install one or name it in CHROMIUM")


@pytest.fixture(scope="module")
def readings() -> dict[str, Any]:
    """What was read for `read_once`, by what was asked for."""
    return {}


@pytest.fixture
def read_once(readings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read once for all the commands of a module: most of their time goes into that.

    For tests of what commands show, of files that stay as they are.
    """
    read = benchkit.ingest.read

    def kept(paths: list[str], **options: Any) -> Any:  # noqa: ANN401 - handed on
        if options.get("engine") is not None:
            return read(paths, **options)
        settings = {name: value for name, value in options.items() if name != "progress"}
        asked = repr((paths, settings))
        if asked not in readings:
            readings[asked] = read(paths, **options)
        return readings[asked]

    monkeypatch.setattr(benchkit.ingest, "read", kept)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty bucket, on a server of this process; else the test is skipped."""
    moto = pytest.importorskip("moto.server")
    boto3 = pytest.importorskip("boto3")
    pytest.importorskip("obstore")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    name = f"bench-{secrets.token_hex(4)}"  # servers of one process share what they hold
    boto3.client("s3").create_bucket(Bucket=name)
    yield f"s3://{name}"
    server.stop()


@pytest.fixture
def web() -> Iterator[WebServer]:
    """A web server of this process that can misbehave, on 127.0.0.1."""
    server = WebServer()
    yield server
    server.close()


@pytest.fixture
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Golden:
    """`golden("page.md", text)` compares with tests/golden/page.md; `--update-golden` writes it.

    Text is scrubbed of what differs between machines (the temporary folder, the checkout, the
    version) and of `scrub`, pairs of pattern and replacement; bytes are compared as they are.
    """
    update = bool(request.config.getoption("--update-golden"))
    places = {str(tmp_path): "<tmp>", str(TESTS.parent): "<root>"}

    def check(name: str, got: str | bytes, *, scrub: Scrub = ()) -> None:
        path = TESTS / "golden" / name
        if isinstance(got, str):
            got = scrubbed(got, places=places, patterns=scrub).encode()
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(got)
            return
        if not path.is_file():
            pytest.fail(f"{path} does not exist; write it with --update-golden", pytrace=False)
        want = path.read_bytes()
        if got != want:
            pytest.fail(difference(name, want=want, got=got), pytrace=False)

    return check


def scrubbed(text: str, *, places: dict[str, str], patterns: Scrub) -> str:
    for anchor, name in places.items():
        text = text.replace(anchor, name).replace(anchor.replace("\\", "/"), name)
    text = re.sub(rf"(benchkit v?){re.escape(version('benchkit'))}", r"\1<version>", text)
    for pattern, replacement in patterns:
        text = re.sub(pattern, replacement, text)
    return text


def difference(name: str, *, want: bytes, got: bytes) -> str:
    head = f"{name} is not what it was; if that is right, run with --update-golden and look at it"
    try:
        lines = difflib.unified_diff(
            want.decode().splitlines(), got.decode().splitlines(), "golden", "now", lineterm=""
        )
    except UnicodeDecodeError:
        return f"{head}\n{len(want)} bytes before, {len(got)} bytes now"
    shown = list(lines)[:80] or ["only line ends or the end of the file differ"]
    return "\n".join([head, *shown])
