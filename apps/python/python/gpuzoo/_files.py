"""Files that a text or a scene names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

Folder = str | os.PathLike[str]
"""A folder's path."""


class Files:
    """Gives the bytes of named files, and keeps them, so that they can travel to another machine.

    They come from a mapping, or from a folder: then only files that lie in it, or in one of the folders of ``allow``, wherever
    links lead.
    """

    def __init__(self, source: Mapping[str, bytes] | Folder | None, allow: tuple[Folder, ...] = ()) -> None:
        self.read: dict[str, bytes] = {}
        self._given = source if isinstance(source, Mapping) else None
        self._folder = None if source is None or isinstance(source, Mapping) else Path(source)
        self._allowed = tuple(Path(folder).resolve() for folder in allow)

    def __call__(self, name: str) -> bytes:
        if name not in self.read:
            self.read[name] = self._bytes(name)
        return self.read[name]

    def _bytes(self, name: str) -> bytes:
        if self._given is not None:
            if name not in self._given:
                raise FileNotFoundError(f"no file {name!r} was given")
            return self._given[name]
        if self._folder is None:
            raise FileNotFoundError("no files were given")
        path = (self._folder / name).resolve()
        folders = (self._folder.resolve(), *self._allowed)
        if not any(path.is_relative_to(folder) for folder in folders):
            raise PermissionError(f"it lies outside of the folder of the file that names it: allow={str(path.parent)!r}")
        return path.read_bytes()
