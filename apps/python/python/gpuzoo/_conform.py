"""Conformance vectors."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _native


@dataclass(frozen=True)
class Conformance:
    """What became of vectors: how many passed, how many failed, how many could not be used, and a report of each file."""

    passed: int
    failed: int
    malformed: int
    files: list[dict[str, Any]]

    def __bool__(self) -> bool:
        return self.passed > 0 and self.failed == 0 and self.malformed == 0

    def __str__(self) -> str:
        return "".join(file["text"] for file in self.files)


def _candidates(paths: Sequence[str | os.PathLike[str]]) -> list[tuple[str, bytes, bool]]:
    files = []
    for path in map(Path, paths):
        found = sorted(own for own in path.rglob("*") if own.is_file()) if path.is_dir() else [path]
        files += [(str(own), own.read_bytes(), path.is_dir()) for own in found]
    return files


def checked(machine: str, paths: Sequence[str | os.PathLike[str]], profile: str | None, failures: int) -> Conformance:
    """Checks the vectors of files and folders."""
    reports: list[dict[str, Any]] = json.loads(
        _native.conform(machine, _candidates(paths), lambda name: Path(name).read_bytes(), profile or "", failures)
    )
    if not reports:
        raise ValueError(f"no file holds vectors of {machine}")
    passed, failed, malformed = (sum(report[what] for report in reports) for what in ("passed", "failed", "malformed"))
    return Conformance(passed, failed, malformed, reports)
