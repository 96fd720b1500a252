"""VERA: its programs, the device, and the machine around it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import gpuzoo
import numpy as np
import pytest

COUNT = " stz VERA_ADDRx_L\n stz VERA_ADDRx_M\n stz VERA_ADDRx_H\n ldx #3\nloop: stx VERA_DATA0\n dex\n bne loop\n rts\n"


def test_programs_run(root: Path, cli: Callable[..., bytes]) -> None:
    lines = gpuzoo.vera.assemble(root / "examples/vera/lines.s")
    assert str(lines.run(frames=3)) == cli("run", "examples/vera/lines.s", "--frames", "3").decode()
    assert lines.check().text == cli("check", "examples/vera/lines.s").decode()
    assert gpuzoo.vera.read(lines.emit("prg"), name="lines.prg").emit("prg") == lines.emit("prg")
    assert gpuzoo.vera.assemble(lines.disassemble()).emit("prg") == lines.emit("prg")
    again = pickle.loads(pickle.dumps(lines))
    assert again.emit("prg") == lines.emit("prg")


def test_pictures_are_those_of_the_command_line(root: Path, cli: Callable[..., bytes], tmp_path: Path) -> None:
    cube = gpuzoo.vera.assemble(root / "examples/vera/cube.s")
    cli("render", "examples/vera/cube.s", "--frames", "3", "-o", str(tmp_path / "cube.raw"))
    pictures = list(cube.frames(frames=3))
    assert b"".join(picture.tobytes() for picture in pictures) == (tmp_path / "cube.raw").read_bytes()
    assert pictures[0].shape == (480, 640, 4)
    assert cube.screen(frames=3).tobytes() == pictures[-1].tobytes()
    assert cube.screen(frames=3, view="palette").tobytes() != pictures[-1].tobytes()


def test_errors_say_where() -> None:
    with pytest.raises(gpuzoo.AssembleError) as error:
        gpuzoo.vera.assemble(" lda #300\n stx nowhere\n")
    assert len(error.value.diagnostics) == 2
    with pytest.raises(gpuzoo.Error, match="G0108"):
        gpuzoo.vera.assemble(COUNT).run(no_such=1)


def test_a_session_goes_both_ways() -> None:
    session = gpuzoo.vera.assemble(COUNT).debug()
    assert "vram" in session.command("run write vram[0..$1ffff]")
    assert session.peek("vram", 0, 1) == b"\x03"
    assert session.back()
    assert session.peek("vram", 0, 1) == b"\x00"
    assert session.place is not None
    assert session.place.line == 5
    assert session.registers["X"] == 3


def test_the_bus_is_the_devices() -> None:
    """The reference's first listing: 69 x 420 by the multiplier, stored by a cache write."""
    vera = gpuzoo.Vera()
    program = [
        (0x05, 2 << 1), (0x09, 0), (0x0C, 0b0001_0000),
        (0x05, 6 << 1), (0x09, 69), (0x0A, 0), (0x0B, 420 & 0xFF), (0x0C, 1),
        (0x05, 2 << 1), (0x09, 0b0100_0000), (0x03, 0),
    ]  # fmt: skip
    other = vera.copy()
    for register, value in program:
        vera[0x9F20 + register] = value
    assert int.from_bytes(vera.vram[:4].tobytes(), "little") == 69 * 420
    other.write_all(program)
    assert other.vram[:4].tolist() == vera.vram[:4].tolist()
    assert other.state == vera.state
    vera[0x20] = 1
    assert (vera.peek(0x20), vera[0x20]) == (1, 1)
    with pytest.raises(ValueError, match="rows of a register and a value"):
        vera.write_all([(3, 256)])
    with pytest.raises(OverflowError):
        vera[3] = 256


def test_memory_is_a_sequence_of_bytes() -> None:
    vera = gpuzoo.Vera()
    vera.vram[0x1000:0x1004] = b"\x01\x02\x03\x04"
    vera.vram[-1] = 9
    assert (vera.vram[0x1001], vera.vram[0x1FFFF], len(vera.vram)) == (2, 9, 0x2_0000)
    assert vera.vram[0x1000:0x1008:2].tolist() == [1, 3, 0, 0]
    assert np.asarray(vera.vram).sum() == 19
    vera.vram[0:16] = 7
    assert vera.vram[:16].tolist() == [7] * 16
    with pytest.raises(IndexError):
        vera.vram[0x2_0000]
    with pytest.raises(ValueError, match="4 bytes behind each other"):
        vera.vram[0:4] = b"\x01"
    with pytest.raises(TypeError, match="integers from 0 to 255"):
        vera.vram[0:1] = [256]
    with pytest.raises(ValueError, match="not a byte"):
        vera.vram[0] = 256
    # It is a copy: what is written to it would be lost.
    with pytest.raises(ValueError, match="read-only"):
        vera.vram[0:4][:] = 9
    with pytest.raises(gpuzoo.Error, match="G0103"):
        gpuzoo.Vera("emu")


def test_the_device_draws_and_plays() -> None:
    vera = gpuzoo.Vera()
    vera.listen()
    vera[0x09] = 1
    before = vera.frames
    picture = vera.frame()
    assert (picture.shape, vera.frames) == ((480, 640, 4), before + 1)
    vera.advance(1_000)
    samples = vera.samples()
    assert samples.ndim == 2
    assert samples.shape[1] == 2
    assert len(samples) > 700
    assert isinstance(vera.irq, bool)


def test_a_machine_runs_and_travels(root: Path) -> None:
    machine = gpuzoo.Machine()
    machine.load(gpuzoo.vera.assemble(root / "examples/vera/cube.s"))
    machine.run(frames=3)
    travelled = pickle.loads(pickle.dumps(machine))
    assert travelled.cpu == machine.cpu
    for each in (machine, travelled):
        each.run(frames=2)
    assert travelled.cycles == machine.cycles
    assert travelled.picture.tobytes() == machine.picture.tobytes()
    assert travelled.vram[:].tobytes() == machine.vram[:].tobytes()
    assert travelled.state == machine.state


def test_a_machine_is_looked_at() -> None:
    machine = gpuzoo.Machine()
    machine.load(gpuzoo.vera.assemble(COUNT))
    start = machine.cpu.pc
    assert machine.step()
    assert machine.cpu.pc == start + 3
    assert "return" in machine.run()
    assert (machine.vram[0], machine.cpu.x) == (1, 0)
    machine.ram[0x0400:0x0402] = [1, 2]
    assert machine.ram[0x0401] == 2
    assert machine.output == ""
    machine.vram[0x1000:0x1002] = [3, 4]
    assert machine.vram[0x1001] == 4
    with pytest.raises(IndexError):
        machine.vram[0x2_0000] = 1
    with pytest.raises(gpuzoo.Error):
        gpuzoo.Machine(ram_banks=0)
    with pytest.raises(ValueError, match="there is no profile"):
        gpuzoo.Machine("no")
