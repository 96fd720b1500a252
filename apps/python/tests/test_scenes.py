"""Scenes and pictures."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import gpuzoo
import numpy as np
import pytest


@pytest.fixture(scope="module")
def spin(root: Path) -> gpuzoo.Scene:
    """An animation."""
    return gpuzoo.Scene(root / "examples/dreambox/spin.toml", size=(96, 64))


def test_files_are_those_of_the_command_line(spin: gpuzoo.Scene, cli: Callable[..., bytes], tmp_path: Path) -> None:
    for extension, own in [
        ("gif", ["examples/dreambox/spin.toml", "--size", "96x64"]),
        ("png", ["examples/dreambox/spin.toml", "--size", "96x64", "--frame", "2"]),
        ("png", ["examples/dreambox/spin.toml", "--size", "96x64", "--frame", "2", "--view", "depth"]),
    ]:
        file = tmp_path / f"own.{extension}"
        cli("render", *own, "-o", str(file))
        frame = 2 if "--frame" in own else None
        film = spin.encode(extension, frame=frame, view="depth" if "--view" in own else None)
        assert film.data == file.read_bytes()
        assert len(film.draws) == (spin.frames if frame is None else 1)


def test_frames_are_arrays(spin: gpuzoo.Scene) -> None:
    assert (spin.machine, spin.width, spin.height) == ("dreambox", 96, 64)
    assert spin.frames > 2
    frame = spin.frame(1)
    assert frame.shape == (64, 96, 4)
    assert frame.dtype == np.uint8
    assert frame.tobytes() == spin.encode("raw", frame=1).data
    assert frame.max() > 0
    assert len({picture.tobytes() for picture in spin}) > 2
    assert spin.frame(1, view="overdraw").tobytes() != frame.tobytes()
    assert spin.frame(1, samples=16).tobytes() != frame.tobytes()
    with pytest.raises(gpuzoo.Error, match="the scene has no frame"):
        spin.frame(spin.frames)
    with pytest.raises(ValueError, match="there is no view"):
        spin.frame(0, view="no")
    with pytest.raises(ValueError, match="it has 1, 4 or 16"):
        spin.frame(0, samples=2)


def test_notebooks_show_pictures(spin: gpuzoo.Scene) -> None:
    frame = spin.frame(0)
    png = frame._repr_png_()
    assert png == frame.encode("png") == spin.encode("png", frame=0).data
    assert png.startswith(b"\x89PNG")
    assert gpuzoo.Picture._repr_png_(frame[..., 0].view(gpuzoo.Picture)) is None
    assert spin._repr_png_() == png


def test_scenes_travel_with_their_files(root: Path) -> None:
    scene = gpuzoo.Scene(root / "examples/nv2a/light.toml")
    travelled = pickle.dumps(scene)
    assert str(root).encode() not in travelled
    assert pickle.loads(travelled).frame().tobytes() == scene.frame().tobytes()


def test_scenes_can_be_given_as_texts(root: Path) -> None:
    folder = root / "examples/nv2a"
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    scene = gpuzoo.Scene("light.toml", files=files)
    assert scene.frame().tobytes() == gpuzoo.render(folder / "light.toml").tobytes()


def test_what_is_wrong_with_a_scene_says_where(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text('gpu = "nv2a"\n[[draw]]\nprogram = "none.vsh"\n')
    with pytest.raises(gpuzoo.Error) as error:
        gpuzoo.Scene(tmp_path / "s.toml")
    assert any(problem.place and problem.place.line == 3 for problem in error.value.diagnostics)
    with pytest.raises(gpuzoo.Error):
        gpuzoo.Scene(tmp_path / "none.toml")


def test_scenes_read_only_where_they_may(root: Path, tmp_path: Path) -> None:
    text = (root / "examples/nv2a/light.toml").read_text()
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "s.toml").write_text(text.replace('"light.vsh"', '"../light.vsh"'))
    (tmp_path / "light.vsh").write_bytes((root / "examples/nv2a/light.vsh").read_bytes())
    with pytest.raises(gpuzoo.Error, match="outside of the folder"):
        gpuzoo.Scene(tmp_path / "own" / "s.toml")
    assert gpuzoo.Scene(tmp_path / "own" / "s.toml", allow=[tmp_path]).frame().any()
