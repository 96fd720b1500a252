"""The page of the book: what it shows runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("page", ["docs/python.md", "apps/python/README.md"])
def test_the_examples_of_a_page_run(page: str, root: Path) -> None:
    text = (root / page).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
