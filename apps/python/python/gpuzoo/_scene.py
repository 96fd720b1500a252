"""Scenes, and their pictures."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _native
from ._diagnostics import Diagnostic, diagnostics
from ._files import Files, Folder
from ._picture import Picture


@dataclass(frozen=True)
class Film:
    """Frames as a file."""

    data: bytes
    """What the file holds: the bytes that ``gpuzoo render`` writes."""
    draws: list[list[dict[str, Any]]]
    """What the draws of each frame did."""
    remarks: list[Diagnostic]
    """What there is to say about them."""


class Scene:
    """A scene that was read, with all its files: programs, meshes, textures. It can be pickled: the files travel with it."""

    machine: str
    """The id of its machine."""
    frames: int
    """How many frames it has."""
    width: int
    height: int
    rate: int
    """Frames a second."""
    remarks: list[Diagnostic]
    """Warnings of reading it."""

    def __init__(
        self,
        source: str | os.PathLike[str],
        *,
        files: Mapping[str, bytes] | None = None,
        allow: Sequence[Folder] = (),
        defines: Sequence[str] = (),
        size: tuple[int, int] | None = None,
        trusted: bool = False,
    ) -> None:
        """Reads a scene from a file, or from ``files``, of which ``source`` is one.

        A scene may name files in its folder and in those of ``allow``. ``size`` is another one for the picture. What a scene may
        draw is limited, as on the command line; not if it is ``trusted``.
        """
        path = os.fspath(source)
        folder, base = os.path.split(path)
        name = path if files is not None else base
        given = Files(files) if files is not None else Files(folder or ".", tuple(allow))
        self._own = _native.load(name, given, list(defines), size, trusted)
        self.machine, self.frames, self.width, self.height, self.rate = self._own.facts
        self.remarks = diagnostics(json.loads(self._own.remarks))
        self._how = (name, given.read, list(defines), size, trusted)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, self._how

    def __repr__(self) -> str:
        return f"<gpuzoo.Scene {self._how[0]!r} for {self.machine}: {self.frames} frames of {self.width}x{self.height}>"

    def frame(self, index: int = 0, *, view: str | None = None, samples: int = 1) -> Picture:
        """A frame, from 0; or a view of it: ``"depth"``, ``"overdraw"``, ``"triangle"`` … With 4 or 16 ``samples`` a pixel is the mean of
        so many, and smoother than the machine draws it."""
        return self._own.frame(index, view, samples)[0].view(Picture)

    def __iter__(self) -> Iterator[Picture]:
        return (self.frame(index) for index in range(self.frames))

    def encode(self, format: str = "png", *, frame: int | None = None, view: str | None = None, samples: int = 1) -> Film:
        """All frames, or one, as a file: ``"png"`` (animated, if there are several), ``"gif"`` or ``"raw"``."""
        data, facts = self._own.encode(format, frame, view, samples)
        known = json.loads(facts)
        return Film(data, known["draws"], diagnostics(known["remarks"]))

    def _repr_png_(self) -> bytes:
        return self.frame().encode()


def _again(name: str, files: dict[str, bytes], defines: list[str], size: tuple[int, int] | None, trusted: bool) -> Scene:
    """A scene that was pickled."""
    return Scene(name, files=files, defines=defines, size=size, trusted=trusted)


def render(scene: Scene | str | os.PathLike[str], frame: int = 0, *, view: str | None = None, samples: int = 1) -> Picture:
    """A frame of a scene, which may be the path of its file, as uint8 of the shape (height, width, 4)."""
    own = scene if isinstance(scene, Scene) else Scene(scene)
    return own.frame(frame, view=view, samples=samples)
