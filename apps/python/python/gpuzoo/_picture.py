"""Pictures as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native


class Picture(np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]):
    """Rows, columns, and red, green, blue and alpha: an array of uint8 that notebooks show."""

    def encode(self, format: str = "png") -> bytes:
        """A file of it, ``"png"`` or ``"gif"``."""
        return _native.encode(np.ascontiguousarray(self), format)

    def _repr_png_(self) -> bytes | None:
        shows = self.ndim == 3 and self.shape[2] == 4 and self.dtype == np.uint8 and self.size > 0
        return self.encode() if shows else None
