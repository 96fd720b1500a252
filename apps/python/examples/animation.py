"""Renders the frames of a scene in parts, and puts them together as one file.

    python animation.py ../../../examples/dreambox/spin.toml spin.npy --on dask --workers 8

The scene travels to the workers with all its files. What comes back are arrays, of which a `.npy` of the shape (frames, height, width,
4) is made, which `numpy.load(..., mmap_mode="r")` reads frame by frame.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from typing import Any

import gpuzoo
import numpy as np

from clusters import cluster


def part(scene: gpuzoo.Scene, first: int, end: int) -> Any:
    """Renders some of the frames."""
    return np.stack([np.asarray(scene.frame(index)) for index in range(first, end)])


def render(scene: gpuzoo.Scene, on: Any, parts: int) -> Any:
    """All frames."""
    ends = [scene.frames * number // parts for number in range(parts + 1)]
    ranges = [(scene, first, end) for first, end in pairwise(ends) if first < end]
    return np.concatenate(on.map(part, ranges))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--on", choices=["here", "dask", "ray"], default="here")
    parser.add_argument("--address")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    on = cluster(given.on, given.address, given.workers)
    np.save(given.output, render(gpuzoo.Scene(given.scene), on, given.parts))


if __name__ == "__main__":
    main()
