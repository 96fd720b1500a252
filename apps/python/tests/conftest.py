"""What the tests share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
"""The repository."""


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def cli() -> Callable[..., bytes]:
    """Runs the command line in the repository's root; returns what it prints."""
    program = os.environ.get("GPUZOO")
    if program is None:
        pytest.skip("GPUZOO does not say where the command line's program is; `cargo xtask python` does")

    def run(*arguments: str) -> bytes:
        return subprocess.run([program, *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout

    return run
