"""Runs a program over many vertices in parts, each of which is a file, and whose results are a file each.

    python vertices.py make inputs --count 100000000 --parts 100
    python vertices.py run inputs outputs --on dask --workers 8
    python vertices.py run inputs outputs --on ray --address auto

Parts are `.npy`, or with `--format parquet` tables that other programs read. A part whose result is there already is not done
again, so that what was stopped can be gone on with.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import gpuzoo
import numpy as np

from clusters import cluster

PROGRAM = """
#scale vector 96
#shift vector 97
mul r0, v0, #scale
mul r1, r0, r0
add oPos, r0, #shift
mov oD0, r1
"""
CONSTANTS = {"scale": [2.0, 3.0, 4.0, 1.0], "shift": [0.5, -0.5, 0.25, 0.0]}


def points(first: int, count: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Some of the vertices, which are the same however they are cut into parts."""
    numbers = np.arange(first, first + count, dtype=np.uint64)[:, None] * np.uint64(4) + np.arange(4, dtype=np.uint64)
    # Spread over -1 to 1 by a multiplicative hash.
    bits = (numbers * np.uint64(0x9E37_79B9_7F4A_7C15)) >> np.uint64(40)
    spread: np.ndarray[Any, np.dtype[np.float32]] = bits.astype(np.float32) / np.float32(1 << 23) - np.float32(1)
    return spread


def read(path: Path) -> Any:
    """The inputs of a part: an array that is read where the file lies, or a table."""
    if path.suffix == ".npy":
        return {"v0": np.load(path, mmap_mode="r")}
    import pyarrow.parquet as parquet

    return parquet.read_table(path)


def write(path: Path, arrays: Any) -> None:
    """Writes a part's results under another name first: a file that has its name is whole."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    if path.suffix == ".npy":
        with open(unfinished, "wb") as file:
            np.save(file, np.hstack(list(arrays.values())))
    else:
        import pyarrow
        import pyarrow.parquet as parquet

        # `pyarrow.table` would take it for a dictionary of lists.
        parquet.write_table(pyarrow.RecordBatchReader.from_stream(arrays).read_all(), unfinished)
    unfinished.replace(path)


def part(program: gpuzoo.Program, inputs: Path, outputs: Path) -> str:
    """Does a part."""
    results = program.run(read(inputs), CONSTANTS)
    wanted = gpuzoo.Outputs({name: results[name] for name in ("oPos", "oD0")})
    write(outputs, wanted)
    return outputs.name


def make(folder: Path, count: int, parts: int, form: str) -> None:
    """Writes inputs."""
    folder.mkdir(parents=True, exist_ok=True)
    ends = [count * number // parts for number in range(parts + 1)]
    for number in range(parts):
        own = points(ends[number], ends[number + 1] - ends[number])
        path = folder / f"{number:05}.{form}"
        if form == "npy":
            np.save(path, own)
        else:
            write(path, gpuzoo.Outputs({"v0": own}))


def run(inputs: Path, outputs: Path, on: Any) -> list[str]:
    """Does the parts that are not done."""
    outputs.mkdir(parents=True, exist_ok=True)
    program = gpuzoo.nv2a.assemble(PROGRAM, name="vertices.vsh")
    todo = [path for path in sorted(inputs.iterdir()) if not (outputs / path.name).exists()]
    done: list[str] = on.map(part, [(program, path, outputs / path.name) for path in todo])
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    making = verbs.add_parser("make")
    making.add_argument("folder", type=Path)
    making.add_argument("--count", type=int, default=100_000_000)
    making.add_argument("--parts", type=int, default=100)
    making.add_argument("--format", choices=["npy", "parquet"], default="npy")
    running = verbs.add_parser("run")
    running.add_argument("inputs", type=Path)
    running.add_argument("outputs", type=Path)
    running.add_argument("--on", choices=["here", "dask", "ray"], default="here")
    running.add_argument("--address")
    running.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    if given.verb == "make":
        make(given.folder, given.count, given.parts, given.format)
        return
    done = run(given.inputs, given.outputs, cluster(given.on, given.address, given.workers))
    print(f"{len(done)} parts were done")


if __name__ == "__main__":
    main()
