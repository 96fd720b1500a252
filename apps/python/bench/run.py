"""`Program.run` against Rust's `Kernel::run`, over a million vertices, in alternation.

Times are those of processors, so that other processes do not count.

usage: run.py YARDSTICK, which is the program of `run.rs`; `cargo xtask python --bench` builds it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import gpuzoo
import numpy as np

ROOT = Path(__file__).parents[3]
VERTICES = 1_000_000
TURNS = 15
PROGRAMS = [
    ("dreambox", "examples/dreambox/transform.vu", "in0"),
    ("dreambox", "examples/dreambox/teapot.vu", "in0"),
    ("nv2a", "examples/nv2a/light.vsh", "v0"),
    ("servaru", "examples/servaru/lit.svs", "P0"),
]


def main() -> None:
    yardstick = sys.argv[1]
    print(f"{'program':36} {'Rust':>9} {'Python':>9} {'of its speed':>13} {'with out=':>10}")
    for machine, path, name in PROGRAMS:
        unit = gpuzoo.machine(machine)
        assert isinstance(unit, gpuzoo.ShaderUnit)
        program = unit.assemble(ROOT / path)
        inputs = {name: (np.arange(4 * VERTICES, dtype=np.float32) / np.float32(VERTICES)).reshape(VERTICES, 4)}
        out = dict(program.run(inputs, zeros=True))
        command = [yardstick, machine, str(ROOT / path), name]
        times: dict[str, list[float]] = {"Rust": [], "Python": [], "out": []}
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdin is not None
            assert other.stdout is not None
            for _ in range(TURNS):
                print(file=other.stdin, flush=True)
                times["Rust"].append(float(other.stdout.readline().split()[0]))
                start = time.process_time()
                program.run(inputs, zeros=True)
                times["Python"].append(time.process_time() - start)
                start = time.process_time()
                program.run(inputs, zeros=True, out=out)
                times["out"].append(time.process_time() - start)
            other.stdin.close()
        rust, python, given = (statistics.median(times[which]) for which in ("Rust", "Python", "out"))
        print(f"{path:36} {1000 * rust:6.1f} ms {1000 * python:6.1f} ms {rust / python:13.2f} {rust / given:10.2f}")


if __name__ == "__main__":
    main()
