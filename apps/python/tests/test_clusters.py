"""Work on clusters of processes: the same bytes as one machine, whatever happens to a worker."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import gpuzoo
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(scope="module")
def examples() -> Iterator[dict[str, ModuleType]]:
    """The examples as modules, which workers can import, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        patch.syspath_prepend(str(Path(__file__).parent))
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        patch.setenv("RAYON_NUM_THREADS", "1")
        # Ray speaks of its costs to nobody here.
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        yield {name: importlib.import_module(name) for name in ("clusters", "vertices", "animation")}


@pytest.fixture(scope="module", params=["dask", "ray"])
def on(request: pytest.FixtureRequest, examples: dict[str, ModuleType]) -> Iterator[Any]:
    """A cluster of two processes."""
    pytest.importorskip({"dask": "distributed", "ray": "ray"}[request.param])
    cluster = examples["clusters"].cluster(request.param)
    yield cluster
    cluster.close()


def test_an_animation_has_the_same_bytes(on: Any, examples: dict[str, ModuleType], root: Path) -> None:
    scene = gpuzoo.Scene(root / "examples/dreambox/spin.toml", size=(64, 48))
    frames = examples["animation"].render(scene, on, parts=5)
    assert frames.shape == (scene.frames, 48, 64, 4)
    assert frames.tobytes() == scene.encode("raw").data


@pytest.mark.parametrize("form", ["npy", "parquet"])
def test_vertices_have_the_same_bytes(on: Any, form: str, examples: dict[str, ModuleType], tmp_path: Path) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    vertices, clusters = examples["vertices"], examples["clusters"]
    vertices.make(tmp_path / "in", 50_000, 7, form)
    assert len(vertices.run(tmp_path / "in", tmp_path / "out", on)) == 7
    # A part that is there is not done again, and one that was lost is.
    lost = sorted((tmp_path / "out").iterdir())[3]
    lost.unlink()
    assert vertices.run(tmp_path / "in", tmp_path / "out", on) == [lost.name]
    vertices.run(tmp_path / "in", tmp_path / "here", clusters.Here())
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert files == [f"{number:05}.{form}" for number in range(7)]
    for name in files:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


def test_parts_together_are_the_whole(examples: dict[str, ModuleType], tmp_path: Path) -> None:
    vertices = examples["vertices"]
    vertices.make(tmp_path / "in", 1_000, 3, "npy")
    vertices.run(tmp_path / "in", tmp_path / "out", examples["clusters"].Here())
    parts = [np.load(path) for path in sorted((tmp_path / "out").iterdir())]
    whole = gpuzoo.nv2a.assemble(vertices.PROGRAM).run({"v0": vertices.points(0, 1_000)}, vertices.CONSTANTS)
    assert np.concatenate(parts).tobytes() == np.hstack([whole["oPos"], whole["oD0"]]).tobytes()


def lose(program: gpuzoo.Program, first: int, marks: str) -> tuple[bytes, int]:
    """A part that ends its process the first time that somebody tries it, if it is the fourth. Returns the process, too."""
    mark = Path(marks) / str(first)
    if first == 3_000 and not mark.exists():
        mark.touch()
        os._exit(1)
    rows = np.arange(first * 4, (first + 1_000) * 4, dtype=np.float32).reshape(-1, 4)
    return program.run({"v0": rows})["oPos"].tobytes(), os.getpid()


def test_the_part_of_a_lost_worker_is_done_again(on: Any, tmp_path: Path) -> None:
    import test_clusters  # As workers import it.

    program = gpuzoo.nv2a.assemble("mul oPos, v0, v0")
    parts = [(program, first, str(tmp_path)) for first in range(0, 8_000, 1_000)]
    done = on.map(test_clusters.lose, parts)
    assert (tmp_path / "3000").exists()
    rows = np.arange(32_000, dtype=np.float32).reshape(-1, 4)
    assert b"".join(part for part, _ in done) == program.run({"v0": rows})["oPos"].tobytes()
    assert os.getpid() not in {process for _, process in done}
