"""The notebooks run from their first cell to their last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gpuzoo
import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"


@pytest.mark.parametrize("id", list(gpuzoo.machines))
def test_a_notebook_runs(id: str) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(FOLDER / f"{id}.ipynb", as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in code), "outputs are no sources"
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    # What the page promises: listings, traces and pictures show themselves.
    kinds: set[Any] = {kind for cell in code for output in cell.outputs for kind in output.get("data", {})}
    assert "image/png" in kinds
    assert id == "vera" or "text/html" in kinds
