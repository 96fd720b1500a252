"""The description of the extension module says what the module has."""

from __future__ import annotations

import doctest
import subprocess
import sys

import gpuzoo
import pytest


def test_the_stub_is_that_of_the_module() -> None:
    pytest.importorskip("mypy")
    checked = subprocess.run([sys.executable, "-m", "mypy.stubtest", "gpuzoo._native"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_example_of_the_package_runs() -> None:
    result = doctest.testmod(gpuzoo)
    assert result.attempted > 1
    assert result.failed == 0


def test_everything_public_is_documented() -> None:
    for name in gpuzoo.__all__:
        assert getattr(gpuzoo, name).__doc__, name
        members = vars(getattr(gpuzoo, name)) if isinstance(getattr(gpuzoo, name), type) else {}
        for own, member in members.items():
            if not own.startswith("_") and (callable(member) or isinstance(member, property)):
                assert member.__doc__, f"{name}.{own}"
