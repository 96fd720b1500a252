"""The repository's conformance vectors, and what does not conform."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import gpuzoo
import pytest


@pytest.mark.parametrize("id", list(gpuzoo.machines))
def test_all_vectors_of_the_repository_pass(id: str, root: Path) -> None:
    machine = gpuzoo.machine(id)
    folder = root / "gpus" / id / "tests" / "vectors"
    assert folder.is_dir()
    own = [path for path in folder.rglob("*.json*") if "_sample" not in path.name and "hw_observed" not in path.name]
    assert machine.conform(*(own if id == "nv2a" else [folder]))


def test_vectors_of_a_profile_pass_in_it(root: Path) -> None:
    folder = root / "gpus/nv2a/tests/vectors"
    hw = [folder / name for name in ("ops_hw_sample.jsonl", "programs_sample.jsonl", "programs_hw_sample.jsonl", "hw_observed.jsonl")]
    assert gpuzoo.nv2a.conform(*hw, profile="hw")
    assert gpuzoo.nv2a.conform(folder / "ops_sample.jsonl", profile="cpu")
    failing = gpuzoo.nv2a.conform(folder / "ops_sample.jsonl", profile="hw", failures=2)
    assert not failing
    assert failing.failed > 0
    assert len(failing.files[0]["failures"]) == 2
    assert "expected" in str(failing)


def test_reports_are_those_of_the_command_line(root: Path, cli: Callable[..., bytes]) -> None:
    printed = cli("conform", "--gpu", "dreambox", "gpus/dreambox/tests/vectors").decode()
    report = gpuzoo.dreambox.conform(root / "gpus/dreambox/tests/vectors")
    said = str(report).replace(str(root) + "/", "")
    assert printed.startswith(said)
    assert f"{report.passed}/{report.passed} records" in printed


def test_what_is_no_vector_is_told(tmp_path: Path) -> None:
    (tmp_path / "n.jsonl").write_text('{"a": 1}\n')
    report = gpuzoo.nv2a.conform(tmp_path / "n.jsonl")
    assert (bool(report), report.malformed) == (False, 1)
    with pytest.raises(ValueError, match="no file holds vectors of nv2a"):
        gpuzoo.nv2a.conform(tmp_path)
    with pytest.raises(FileNotFoundError):
        gpuzoo.nv2a.conform(tmp_path / "none.jsonl")
