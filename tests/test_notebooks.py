"""The notebooks run from top to bottom on the sample results, and are kept without outputs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PUBLIC = {"import benchkit"}

notebooks = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    matches = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in matches if cell["cell_type"] == kind]


def source(path: Path, kind: str) -> str:
    return "\n".join("".join(cell["source"]) for cell in cells(path, kind))


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 3


@notebooks
def test_no_outputs_are_kept(path: Path) -> None:
    for cell in cells(path, "code"):
        assert cell["outputs"] == []
        assert cell["execution_count"] is None


@notebooks
def test_only_the_public_interface_is_used(path: Path) -> None:
    code = source(path, "code")
    assert (
        set(re.findall(r"^.*import benchkit.*$|^.*from benchkit.*$", code, re.MULTILINE)) == PUBLIC
    )
    assert not re.search(r"\._[a-z]", code)


@notebooks
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", source(path, "markdown"))
    assert [link for link in links if not (path.parent / link).exists()] == []


@notebooks
@pytest.mark.filterwarnings("default")  # those of Jupyter are not ours
def test_it_runs(path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=where).execute()
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", [])]
    assert any("image/png" in each.get("data", {}) for each in outputs)
    assert not [each["text"] for each in outputs if each.get("name") == "stderr"]
