"""What goes wrong with arrays that come from anywhere."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import gpuzoo
import numpy as np
import numpy.typing as npt
import pytest

COPY = gpuzoo.dreambox.assemble("ld r0 0  st pos r0")
DOUBLE = gpuzoo.dreambox.assemble("ld r0 0  add r0 r0  st pos r0")
ADD = gpuzoo.dreambox.assemble("ld r0 0  ld r1 1  add r0 r1  st pos r0")
ROWS = np.arange(24, dtype=np.float32).reshape(6, 4)


def unaligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy whose bytes begin behind a word's."""
    bytes_of = np.frombuffer(b"." + array.tobytes(), np.uint8)[1:]
    copy = bytes_of.view(array.dtype).reshape(array.shape)
    assert copy.flags.c_contiguous
    assert not copy.flags.aligned
    return copy


@pytest.mark.parametrize(
    "array",
    [
        ROWS,
        unaligned(ROWS),
        np.asfortranarray(ROWS),
        ROWS.astype(np.float64),
        ROWS.astype(np.float16),
        ROWS.astype(">f4"),
        ROWS.view(np.uint32),
        ROWS.view(np.uint32).astype(">u4"),
        np.repeat(ROWS, 2, axis=0)[::2],
        np.repeat(ROWS, 2, axis=1)[:, ::2],
        np.hstack([ROWS, ROWS])[:, :4],
        ROWS[::-1].copy()[::-1],
        ROWS[:, ::-1].copy()[:, ::-1],
        ROWS.tolist(),
        [[int(x) for x in row] for row in ROWS],
    ],
    ids=[
        "plain", "unaligned", "fortran", "float64", "float16", "big-endian", "bits", "big-endian bits", "every other row",
        "every other column", "part of a row", "rows backwards", "columns backwards", "list", "list of integers",
    ],
)  # fmt: skip
def test_any_layout_has_the_same_numbers(array: Any) -> None:
    assert np.array_equal(COPY.run({"in0": array})["pos"], ROWS)


@pytest.mark.parametrize("components", [1, 2, 3])
def test_missing_components_are_those_of_a_point(components: int) -> None:
    full = np.zeros((6, 4), np.float32)
    full[:, 3] = 1
    full[:, :components] = ROWS[:, :components]
    assert np.array_equal(COPY.run({"in0": ROWS[:, :components]})["pos"], full)


def test_one_value_is_that_of_all_vertices() -> None:
    expected = ROWS + np.array([1, 2, 3, 4], np.float32)
    for one in ([1, 2, 3, 4], np.array([[1, 2, 3, 4]], np.float32), np.broadcast_to(np.array([1, 2, 3, 4], np.float32), (6, 4))):
        assert np.array_equal(ADD.run({"in0": ROWS, "in1": one})["pos"], expected)
    assert ADD.run({"in0": [1.0], "in1": [1, 2, 3, 4]})["pos"].tolist() == [[2, 2, 3, 5]]


def test_nothing_is_a_run_over_nothing() -> None:
    assert COPY.run({"in0": np.empty((0, 4), np.float32)})["pos"].shape == (0, 4)


def test_bits_are_kept() -> None:
    bits = np.array([[0x7FC0_0001, 0xFFC0_0000, 0x0000_0001, 0x8000_0000]], np.uint32)
    assert np.array_equal(COPY.run({"in0": bits})["pos"].view(np.uint32), bits)


def test_rows_are_read_where_they_are() -> None:
    """Rows with something between them are not copied: a tenth of the memory that a copy takes is never needed."""
    tracemalloc = pytest.importorskip("tracemalloc")
    wide = np.zeros((100_000, 8), np.float32)
    out = {"pos": np.zeros((100_000, 4), np.float32)}
    DOUBLE.run({"in0": wide[:, :4]}, out=out)
    tracemalloc.start()
    DOUBLE.run({"in0": wide[:, :4]}, out=out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < wide[:, :4].nbytes // 10


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (ROWS.astype(np.int32), "astype('float32') or as .astype('uint32')"),
        (ROWS.astype(np.int64), "which may be numbers or bits"),
        (ROWS.astype(np.uint16), "which may be numbers or bits"),
        (ROWS > 3, "which may be numbers or bits"),
        (ROWS.astype(np.complex64), "complex64"),
        (np.array([["a", "b"]]), "numbers are float32"),
        (None, "object"),
    ],
)
def test_other_types_are_refused(array: Any, said: str) -> None:
    with pytest.raises(TypeError) as error:
        COPY.run({"in0": array})
    assert "the input 'in0' has elements of type" in str(error.value)
    assert said in str(error.value)


@pytest.mark.parametrize("shape", [(6, 5), (6, 0), (2, 3, 4), (5,), ()])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"has the shape .*; \(n, 1\) to \(n, 4\) are expected") as error:
        COPY.run({"in0": np.zeros(shape, np.float32)})
    assert ("reshape(-1, 1)" in str(error.value)) == (shape == (5,))


def test_different_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="'in0' has 6, 'in1' has 5"):
        ADD.run({"in0": ROWS, "in1": ROWS[:5]})


def test_results_go_where_they_are_wanted() -> None:
    plain = np.zeros((6, 4), np.float32)
    bits = np.zeros((6, 4), np.uint32)
    inside = np.zeros((6, 8), np.float32)
    for out in (plain, bits, inside[:, 2:6], np.asfortranarray(plain), plain.astype(">f4"), unaligned(plain).copy("F")):
        given = DOUBLE.run({"in0": ROWS}, out={"pos": out})["pos"]
        assert given is out
        assert np.array_equal(out.view(np.float32) if out.dtype == np.uint32 else out, 2 * ROWS)
    assert not inside[:, :2].any()
    assert not inside[:, 6:].any()


def test_outputs_may_lie_between_inputs() -> None:
    both = np.hstack([ROWS, np.zeros_like(ROWS)])
    DOUBLE.run({"in0": both[:, :4]}, out={"pos": both[:, 4:]})
    assert np.array_equal(both[:, 4:], 2 * ROWS)


@pytest.mark.parametrize("slot", [slice(0, 6), slice(1, 7), slice(5, 11)])
def test_an_output_in_the_memory_of_an_input_is_refused(slot: slice) -> None:
    memory = np.zeros((12, 4), np.float32)
    with pytest.raises(ValueError, match="'pos' lies in the memory of 'in0'"):
        DOUBLE.run({"in0": memory[:6]}, out={"pos": memory[slot]})


def test_an_output_in_the_memory_of_another_is_refused() -> None:
    program = gpuzoo.dreambox.assemble("ld r0 0  st pos r0  st col r0")
    memory = np.zeros((6, 4), np.float32)
    with pytest.raises(ValueError, match="'col' lies in the memory of 'pos'"):
        program.run({"in0": ROWS}, out={"pos": memory, "col": memory})


@pytest.mark.parametrize(
    ("out", "error", "said"),
    [
        ({"nowhere": np.zeros((6, 4), np.float32)}, gpuzoo.Error, "no output `nowhere`"),
        ({"pos": np.zeros((6, 4))}, TypeError, "float64; float32 or uint32 are expected"),
        ({"pos": np.zeros((6, 3), np.float32)}, ValueError, r"\(6, 4\) is expected"),
        ({"pos": np.zeros((5, 4), np.float32)}, ValueError, r"\(6, 4\) is expected"),
        ({"pos": [[0.0] * 4] * 6}, TypeError, "an array is expected"),
        ({"pos": np.broadcast_to(np.float32(0), (6, 4))}, ValueError, "cannot be written to"),
    ],
)
def test_other_outputs_are_refused(out: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        COPY.run({"in0": ROWS}, out=out)


def test_constants_are_values_or_rows_of_them() -> None:
    program = gpuzoo.nv2a.assemble("#m matrix4 8\n%matmul4x4 oPos v0 #m\n")
    matrix = np.array([[2, 0, 0, 1], [0, 3, 0, 0], [0, 0, 4, 0], [0, 0, 0, 1]], np.float32)
    expected = np.array([[3, 6, 12, 1]], np.float32)
    rows = {f"c{8 + row}": matrix[row] for row in range(4)}
    for constants in ({"m": matrix}, {"c8": matrix.astype(np.float64)}, {"m": matrix.tolist()}, rows):
        assert np.array_equal(program.run({"v0": [1, 2, 3, 1]}, constants)["oPos"], expected)
    with pytest.raises(gpuzoo.Error, match="there is no constant 4 behind `m`"):
        program.run({"v0": [1, 2, 3, 1]}, {"m": np.zeros((5, 4), np.float32)})
    with pytest.raises(ValueError, match="the constant 'm' has the shape"):
        program.run({"v0": [1, 2, 3, 1]}, {"m": np.zeros((4, 5), np.float32)})
    with pytest.raises(TypeError, match="the constant 'm' has elements of type int64"):
        program.run({"v0": [1, 2, 3, 1]}, {"m": np.zeros((4, 4), np.int64)})


def test_files_of_arrays_are_read_and_written_in_place(tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", ROWS)
    inputs = np.load(tmp_path / "in.npy", mmap_mode="r")
    shape = (6, 4)
    outputs = np.lib.format.open_memmap(tmp_path / "out.npy", mode="w+", dtype=np.float32, shape=shape)
    DOUBLE.run({"in0": inputs}, out={"pos": outputs})
    outputs.flush()
    assert np.array_equal(np.load(tmp_path / "out.npy"), 2 * ROWS)


def test_other_threads_go_on() -> None:
    """While a thread runs a program, this one counts."""
    inputs = {"in0": np.zeros((2_000_000, 4), np.float32)}
    out = {"pos": np.zeros((2_000_000, 4), np.float32)}
    DOUBLE.run(inputs, out=out)
    counts = []
    for _ in range(20):
        done = threading.Event()
        turns = 0

        def work(done: threading.Event = done) -> None:
            DOUBLE.run(inputs, out=out)
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set():
            time.sleep(0)
            turns += 1
        thread.join()
        counts.append(turns)
    assert max(counts) > 10


def test_threads_share_a_program() -> None:
    program = gpuzoo.dreambox.assemble("ld r0 0  add r0 r0  st pos r0")
    results: list[Any] = [None] * 8

    def work(number: int) -> None:
        results[number] = program.run({"in0": ROWS + np.float32(number)})["pos"]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, result in enumerate(results):
        assert np.array_equal(result, 2 * (ROWS + np.float32(number)))
