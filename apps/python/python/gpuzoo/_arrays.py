"""Arrays as the extension module wants them: words, in rows that lie behind each other.

Four things go wrong with arrays that come from anywhere, and are put right or refused here:

* Schedulers hand over arrays whose bytes are not aligned, and files have either order of bytes.
* An array in Fortran's order has its numbers elsewhere than their places say.
* A type or shape that does not fit is to be refused in words that say what does.
* An output may lie in the memory of an input, or of another output.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint32]
"""Rows of bits."""


def _words(what: str, value: Any) -> Words:
    """Numbers as 32-bit floats, or bits as they are, without a copy if they are there already."""
    array = np.asarray(value)
    kind = array.dtype.kind
    if kind == "f":
        floats = array if array.dtype == np.float32 else array.astype(np.float32)
        return floats.view(np.uint32) if floats.dtype.isnative else floats.astype(np.float32).view(np.uint32)
    if kind == "u" and array.dtype.itemsize == 4:
        return array.astype(np.uint32, copy=False)
    # Numbers that were written down are numbers; of an array nobody can say whether it holds numbers or bits.
    if kind in "iu" and not isinstance(value, (np.ndarray, np.generic)):
        return array.astype(np.float32).view(np.uint32)
    if kind in "iub":
        raise TypeError(
            f"{what} has elements of type {array.dtype}, which may be numbers or bits: "
            "give it as .astype('float32') or as .astype('uint32')"
        )
    raise TypeError(f"{what} has elements of type {array.dtype}; numbers are float32 (or another float), bits are uint32")


def _aligned(array: Words) -> Words:
    """Rows whose words lie behind each other, copied only if they do not."""
    row, word = array.strides
    packed = array.shape[1] == 1 or word == 4
    apart = array.shape[0] < 2 or (row >= 4 * array.shape[1] and row % 4 == 0)
    if packed and apart and array.flags.aligned:
        return array
    return np.require(array, np.uint32, ("C_CONTIGUOUS", "ALIGNED"))


def columns(inputs: Mapping[str, Any]) -> list[tuple[str, Words]]:
    """The rows of each input: as many of each as the longest has, of one to four components."""
    rows: list[tuple[str, Words]] = []
    for name, value in inputs.items():
        array = _words(f"the input {name!r}", value)
        if array.ndim == 1:
            # One vertex's value is every vertex's.
            array = array.reshape(1, -1)
        if array.ndim != 2 or not 1 <= array.shape[1] <= 4:
            hint = f"; {name}.reshape(-1, 1) has one component each" if np.ndim(value) == 1 else ""
            raise ValueError(
                f"the input {name!r} has the shape {np.shape(value)}; (n, 1) to (n, 4) are expected, or one value of 1 to 4 "
                f"components for all vertices{hint}"
            )
        rows.append((name, array))
    counts = {array.shape[0] for _, array in rows}
    several = counts - {1}
    if len(several) > 1:
        counted = ", ".join(f"{name!r} has {array.shape[0]}" for name, array in rows)
        raise ValueError(f"every input has a value for each vertex, or one for all: {counted}")
    count = several.pop() if several else 1
    return [(name, _aligned(np.broadcast_to(array, (count, array.shape[1])))) for name, array in rows]


def constants(given: Mapping[str, Any] | None) -> list[tuple[str, list[list[int]]]]:
    """The registers of each constant: one value of one to four components, or rows of them."""
    registers: list[tuple[str, list[list[int]]]] = []
    for name, value in (given or {}).items():
        array = _words(f"the constant {name!r}", value)
        array = array.reshape((1,) * (2 - array.ndim) + array.shape) if array.ndim < 2 else array
        if array.ndim != 2 or not 1 <= array.shape[1] <= 4:
            raise ValueError(
                f"the constant {name!r} has the shape {np.shape(value)}; 1 to 4 components are expected, or rows of them for "
                "the registers behind each other"
            )
        filled = np.zeros((array.shape[0], 4), np.uint32)
        filled[:, 3] = 0x3F80_0000
        filled[:, : array.shape[1]] = array
        registers.append((name, filled.tolist()))
    return registers


class Results:
    """Where the outputs of a run go: new arrays, or those of the caller."""

    def __init__(self, names: list[str], count: int, out: Mapping[str, Any] | None, inputs: list[tuple[str, Words]]) -> None:
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self.words: list[tuple[str, Words]] = []
        self._copied: list[tuple[npt.NDArray[Any], Words]] = []
        for name in names:
            own = None if out is None else out[name]
            array = np.empty((count, 4), np.float32) if own is None else _checked(name, own, count)
            for other, taken in (*inputs, *self.arrays.items()):
                if np.shares_memory(array, taken):
                    raise ValueError(f"the output {name!r} lies in the memory of {other!r}; give it an array of its own")
            beside = any(np.may_share_memory(array, taken) for _, taken in (*inputs, *self.arrays.items()))
            direct = array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative and not beside
            words = array.view(np.uint32) if direct else np.empty((count, 4), np.uint32)
            if not direct:
                self._copied.append((array, words))
            self.arrays[name] = array
            self.words.append((name, words))

    def finish(self) -> None:
        """Puts results where they could not be written at once."""
        for array, words in self._copied:
            array[...] = words if array.dtype.kind == "u" else words.view(np.float32)


def _checked(name: str, array: Any, count: int) -> npt.NDArray[Any]:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"the output {name!r} is a {type(array).__name__}; an array is expected")
    if array.dtype.kind not in "fu" or array.dtype.itemsize != 4:
        raise TypeError(f"the output {name!r} has elements of type {array.dtype}; float32 or uint32 are expected")
    if array.shape != (count, 4):
        raise ValueError(f"the output {name!r} has the shape {array.shape}; ({count}, 4) is expected")
    if not array.flags.writeable:
        raise ValueError(f"the output {name!r} cannot be written to")
    return array
