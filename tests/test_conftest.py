from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).parent / "conftest.py"
EXAMPLE = """
def test_page(golden, tmp_path):
    golden("page.md", f"from {tmp_path}, took %s", scrub=[(r"took \\d+", "took N")])
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    pytester.makepyfile(EXAMPLE % 12)
    return pytester


def test_a_golden_file_is_written_on_demand_and_then_compared(project: pytest.Pytester) -> None:
    project.runpytest("--update-golden").assert_outcomes(passed=1)
    assert (project.path / "golden" / "page.md").read_bytes() == b"from <tmp>, took N"
    project.makepyfile(EXAMPLE % 345)
    project.runpytest().assert_outcomes(passed=1)


def test_a_changed_text_fails_with_its_difference(project: pytest.Pytester) -> None:
    (project.path / "golden").mkdir()
    (project.path / "golden" / "page.md").write_bytes(b"from <tmp>, gave N")
    outcome = project.runpytest()
    outcome.assert_outcomes(failed=1)
    outcome.stdout.fnmatch_lines(["-from <tmp>, gave N", "+from <tmp>, took N"])


def test_a_missing_golden_file_fails(project: pytest.Pytester) -> None:
    outcome = project.runpytest()
    outcome.assert_outcomes(failed=1)
    outcome.stdout.fnmatch_lines(["*page.md does not exist; write it with --update-golden"])


def test_a_missing_tool_skips_with_its_name(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    pytester.makepyfile("def test_tool(need):\n    need('no-such-tool')\n")
    outcome = pytester.runpytest("-rs")
    outcome.assert_outcomes(skipped=1)
    outcome.stdout.fnmatch_lines(["*no-such-tool is not in PATH"])
