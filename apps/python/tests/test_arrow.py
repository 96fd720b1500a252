"""Arrow tables as inputs and outputs, with pyarrow where it is there."""

from __future__ import annotations

from typing import Any

import gpuzoo
import numpy as np
import pytest

pyarrow = pytest.importorskip("pyarrow")
ADD = gpuzoo.dreambox.assemble("ld r0 0  ld r1 1  add r0 r1  st pos r0")
ROWS = np.arange(40, dtype=np.float32).reshape(10, 4)


def lists(array: Any) -> Any:
    """A column of lists."""
    return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(array.ravel()), array.shape[1])


def test_tables_are_inputs() -> None:
    expected = ADD.run({"in0": ROWS, "in1": ROWS[:, :3]})["pos"]
    columns = {"in0": lists(ROWS), "in1.x": ROWS[:, 0].astype(np.float64), "in1.y": ROWS[:, 1], "in1.z": ROWS[:, 2]}
    table = pyarrow.table(columns)
    whole = pyarrow.concat_tables([table[:3], table[3:4], table[4:]])
    for given in (table, whole, pyarrow.RecordBatchReader.from_batches(table.schema, whole.to_batches())):
        assert np.array_equal(ADD.run(given)["pos"], expected)
    assert np.array_equal(ADD.run(table[2:7])["pos"], expected[2:7])


def test_outputs_are_tables() -> None:
    outputs = ADD.run({"in0": ROWS, "in1": ROWS})
    # `pyarrow.table` would take it for a dictionary of lists.
    table = pyarrow.RecordBatchReader.from_stream(outputs).read_all()
    assert table.column_names == list(outputs)
    assert table.schema.field("pos").type == pyarrow.list_(pyarrow.field("item", pyarrow.float32(), nullable=False), 4)
    assert np.array_equal(np.array(table["pos"].to_pylist(), np.float32), outputs["pos"])
    again = gpuzoo.dreambox.assemble("ld r0 0  st pos r0").run(table.select(["pos"]).rename_columns(["in0"]))
    assert np.array_equal(again["pos"], outputs["pos"])
    del outputs, table
    bits = ADD.run({"in0": ROWS, "in1": ROWS}, out={"pos": np.zeros((10, 4), np.uint32)})
    assert pyarrow.RecordBatchReader.from_stream(bits).read_all()["pos"].type.value_type == pyarrow.uint32()
    # A stream that nobody takes is released all the same.
    assert bits.__arrow_c_stream__() is not None


def test_a_stream_is_taken_once() -> None:
    class Once:
        def __init__(self) -> None:
            self.capsule = pyarrow.table({"in0": lists(ROWS), "in1": lists(ROWS)}).__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.capsule

    once = Once()
    ADD.run(once)
    with pytest.raises(ValueError, match="taken already"):
        ADD.run(once)


@pytest.mark.parametrize(
    ("columns", "error", "said"),
    [
        ({"in0": ["a"]}, TypeError, "neither of numbers nor of lists of a fixed length"),
        ({"in0": [[1.0, 2.0]]}, TypeError, "neither of numbers"),
        ({"in0": pyarrow.array([1.0, None])}, ValueError, "has nulls"),
        ({"in0": pyarrow.array([[1.0], None], pyarrow.list_(pyarrow.float32(), 1))}, ValueError, "has nulls"),
        ({"in0": pyarrow.array([[1.0], [None]], pyarrow.list_(pyarrow.float32(), 1))}, ValueError, "has nulls"),
        ({"in0.x": [1.0], "in0.z": [1.0]}, ValueError, "from x on"),
        ({"in0": pyarrow.array([["a"]], pyarrow.list_(pyarrow.string(), 1))}, TypeError, "are not of numbers"),
        ({"in0": [1, 2]}, TypeError, "may be numbers or bits"),
    ],
)
def test_other_columns_are_refused(columns: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        ADD.run(pyarrow.table(columns))
