"""Arrow tables, through the PyCapsule interface: those of pyarrow, Polars, DuckDB and others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _native

_TYPES = {"e": "f2", "f": "f4", "g": "f8", "c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8"}


def inputs(given: Any) -> Mapping[str, Any]:
    """Inputs by name, of a mapping or of a table."""
    if not hasattr(given, "__arrow_c_stream__"):
        return dict(given)
    arrays: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for name, format, width, data in _native.table(given.__arrow_c_stream__(None)):
        array = data.view(_TYPES[format]).reshape(-1, width)
        register, _, component = name.rpartition(".")
        if width == 1 and register and component in "xyzw":
            parts.setdefault(register, {})[component] = array
        else:
            arrays[name] = array
    for register, of in parts.items():
        components = "xyzw"[: len(of)]
        if sorted(of) != sorted(components) or register in arrays:
            raise ValueError(f"the columns of {register!r} are {', '.join(sorted(of))}; x, y, z and w are expected, from x on")
        arrays[register] = np.hstack([of[component] for component in components])
    return arrays


def stream(arrays: Mapping[str, Any]) -> object:
    """Outputs as a stream with one batch: a column for each, of lists of four."""
    columns = []
    for name, array in arrays.items():
        words = np.require(array, np.uint32 if array.dtype.kind == "u" else np.float32, ("C_CONTIGUOUS", "ALIGNED"))
        columns.append((name, array.dtype.kind != "u", words.view(np.uint32)))
    return _native.stream(columns)
