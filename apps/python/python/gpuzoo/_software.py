"""Programs of the CPU that drives VERA, and the device and the machine themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._diagnostics import Diagnostic, diagnostics
from ._files import Files
from ._picture import Picture
from ._trace import Session

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Report:
    """What came out of a verb."""

    text: str
    """For people."""
    facts: Any
    """For scripts, as ``--format json`` has it."""
    remarks: list[Diagnostic]
    """What there is to say about it."""

    def __str__(self) -> str:
        return self.text


def _report(known: str) -> Report:
    of = json.loads(known)
    return Report(of["text"], of["facts"], diagnostics(of["remarks"]))


def _given(value: Any) -> Any:
    """A parameter's value: a path is the bytes of its file."""
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        with open(path, "rb") as file:
            return path, file.read()
    if isinstance(value, (bytes, bytearray)):
        return "bytes", bytes(value)
    return value


def _parameters(profile: str | None, given: dict[str, Any]) -> tuple[str, list[tuple[str, Any]]]:
    """Those that were given, each with the name that the command line has for it; a list gives one several times."""
    flat = [
        (name.replace("_", "-"), _given(one))
        for name, value in given.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if one is not None
    ]
    return profile or "", flat


class Software:
    """A program of the CPU, without errors. It can be pickled, as the text or the bytes that it was read from.

    The parameters of its verbs are those of the command line (``gpuzoo list options``), with underscores: ``frames=120``,
    ``ram_banks=64``, ``rom=pathlib.Path("rom.bin")``.
    """

    machine: str
    """The id of its machine."""
    name: str
    """What messages call it."""
    _how: tuple[Any, ...]
    _own: _native.Software

    @classmethod
    def _of(cls, machine: str, name: str, own: bytes, form: str | None, parameters: dict[str, Any], files: Files) -> Software:
        software = cls.__new__(cls)
        software.machine, software.name = machine, name
        software._own = _native.Software.read(machine, name, own, form, _parameters(None, parameters), files)
        software._how = (machine, name, own, form, parameters, files.read)
        return software

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, self._how

    def __repr__(self) -> str:
        return f"<gpuzoo.Software {self.name!r} of {self.machine}>"

    def emit(self, form: str = "prg") -> bytes:
        """The bytes of one of the machine's forms."""
        return self._own.emit(form)

    def disassemble(self) -> str:
        """A text that assembles to the same bytes."""
        return self._own.disassemble()

    def check(self, *, profile: str | None = None, **parameters: Any) -> Report:
        """How large it is, and what is suspicious about it."""
        return _report(self._own.check(_parameters(profile, parameters)))

    def run(self, *, profile: str | None = None, **parameters: Any) -> Report:
        """Runs it to the end, or so far as the parameters say."""
        return _report(self._own.run(_parameters(profile, parameters)))

    def debug(self, *, profile: str | None = None, **parameters: Any) -> Session:
        """A session over its run, which goes forward and back."""
        return Session(self._own.session(_parameters(profile, parameters)))

    def frames(self, *, profile: str | None = None, view: str | None = None, **parameters: Any) -> Iterator[Picture]:
        """Its pictures, one after the other: ``frames=120`` for so many. They are made as they are taken."""
        screen = self._own.screen(_parameters(profile, parameters), view)
        while (picture := screen.next()) is not None:
            yield picture.view(Picture)

    def screen(self, *, profile: str | None = None, view: str | None = None, **parameters: Any) -> Picture:
        """Its last picture, or a view of it."""
        *_, last = self.frames(profile=profile, view=view, **parameters)
        return last


def _again(machine: str, name: str, own: bytes, form: str | None, parameters: dict[str, Any], files: dict[str, bytes]) -> Software:
    """A program that was pickled."""
    return Software._of(machine, name, own, form, parameters, Files(files))


class Memory:
    """A memory of a machine: ``memory[3]`` is a byte, ``memory[0x9F20:0x9F40]`` an array of them, and both can be set.

    What is read is a copy that cannot be written to, so that nothing is lost in it by mistake. Reading has no side effects, and writing
    does not go through the bus.
    """

    def __init__(self, size: int, read: Any, write: Any) -> None:
        self._size, self._read, self._write = size, read, write

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._size)
            array = self._read(0, self._size)[index] if step != 1 else self._read(start, max(start, stop))
            array.flags.writeable = False
            return array
        at = range(self._size)[index]
        return int(self._read(at, at + 1)[0])

    def __setitem__(self, index: int | slice, value: Any) -> None:
        if self._write is None:
            raise TypeError("this memory can only be read")
        if not isinstance(index, slice):
            at = range(self._size)[index]
            if not 0 <= int(value) <= 0xFF:
                raise ValueError(f"{value} is not a byte")
            self._write(at, bytes([int(value)]))
            return
        start, stop, step = index.indices(self._size)
        array = np.asarray(np.frombuffer(value, np.uint8) if isinstance(value, (bytes, bytearray)) else value)
        if array.dtype.kind not in "iu" or (array.size and (array.min() < 0 or array.max() > 0xFF)):
            raise TypeError("bytes are expected: integers from 0 to 255")
        if step != 1 or array.shape not in ((), (max(0, stop - start),)):
            raise ValueError(f"{max(0, stop - start)} bytes behind each other are expected, not an array of shape {array.shape}")
        self._write(start, np.broadcast_to(array.astype(np.uint8), max(0, stop - start)).tobytes())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("a memory is always copied")
        return np.asarray(self._read(0, self._size), dtype)


class Vera:
    """VERA alone, as an emulator has it on its bus: 32 registers, of which only the low five bits of a number count.

    ``vera[0x09] = 1`` writes a register and ``vera[3]`` reads one, with all side effects.
    """

    vram: Memory
    """Video memory, 128 KB. What is written here goes past the shadows of palette, sprites and sound; a program uses the data ports."""

    def __init__(self, profile: str = "rtl") -> None:
        self._take(_native.Vera(profile))

    def _take(self, own: _native.Vera) -> None:
        self._own = own
        self.vram = Memory(0x2_0000, own.vram, own.set_vram)

    def __getitem__(self, register: int) -> int:
        return self._own.read(register & 0x1F)

    def __setitem__(self, register: int, value: int) -> None:
        self._own.write(register & 0x1F, value)

    def peek(self, register: int) -> int:
        """Reads a register without side effects."""
        return self._own.peek(register & 0x1F)

    def write_all(self, writes: Any, *, cycles: int = 0) -> None:
        """Writes many registers: rows of a register and a value, with so many cycles of the CPU behind each."""
        array = np.asarray(writes)
        if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu" or (array < 0).any() or (array > 255).any():
            raise ValueError("rows of a register and a value are expected, integers from 0 to 255")
        self._own.write_all(np.ascontiguousarray(array, np.uint8), cycles)

    def advance(self, cycles: int) -> None:
        """Lets cycles of the 8 MHz CPU pass."""
        self._own.advance(cycles)

    def frame(self) -> Picture:
        """Lets time pass until the next picture is complete, and returns it."""
        self._own.advance_frame()
        return self.picture

    @property
    def picture(self) -> Picture:
        """The picture as the beam has drawn it."""
        return self._own.picture().view(Picture)

    @property
    def state(self) -> dict[str, int]:
        """What can be read and what cannot, by name."""
        known: dict[str, int] = json.loads(self._own.state())
        return known

    @property
    def irq(self) -> bool:
        """Whether an interrupt is asked for."""
        return self._own.irq

    @property
    def frames(self) -> int:
        """How many pictures are complete."""
        return self._own.frames

    def listen(self) -> None:
        """From now on the sound is kept."""
        self._own.listen()

    def samples(self) -> npt.NDArray[np.int32]:
        """What was heard since the last call: rows of left and right, 48,828.125 of them a second."""
        return self._own.samples()

    def copy(self) -> Vera:
        """Another one in the same state."""
        other = Vera.__new__(Vera)
        other._take(self._own.copy())
        return other


@dataclass(frozen=True)
class Cpu:
    """The registers of the 65C02."""

    pc: int
    a: int
    x: int
    y: int
    s: int
    p: int


class Machine:
    """A Commander X16 with VERA, to load programs into and to run. It can be pickled, at any point of a run."""

    ram: Memory
    """What the CPU sees, 64 KB; only RAM can be set."""
    vram: Memory
    """Video memory; it can be read."""

    def __init__(self, profile: str = "rtl", *, ram_banks: int = 64, rom: bytes | None = None) -> None:
        self._how = (profile, ram_banks, rom)
        self._program: bytes | None = None
        self._own = _native.X16(profile, ram_banks, rom)
        self.ram = Memory(0x1_0000, self._own.peek, self._own.poke)
        self.vram = Memory(0x2_0000, self._own.vram, self._own.set_vram)

    def __getstate__(self) -> tuple[Any, ...]:
        return self._how, self._program, self._own.save()

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        (profile, ram_banks, rom), program, own = state
        Machine.__init__(self, profile, ram_banks=ram_banks, rom=rom)
        if program is not None:
            self.load(program)
        self._own.restore(own)

    def load(self, program: Software | bytes) -> None:
        """Loads a program, or the bytes of a PRG file, and makes it the one that runs next."""
        prg = program.emit("prg") if isinstance(program, Software) else bytes(program)
        self._own.load(prg)
        self._program = prg

    def run(self, *, frames: int | None = None, cycles: int | None = None) -> str:
        """Runs so many frames or cycles, or to the program's end, whichever comes first; returns why it stopped."""
        if frames is None and cycles is None:
            frames = 600
        return self._own.run(frames, cycles)[0]

    def step(self) -> str:
        """Runs one instruction; returns its text."""
        return self._own.step()

    @property
    def cpu(self) -> Cpu:
        """The CPU's registers."""
        return Cpu(*self._own.cpu)

    @property
    def cycles(self) -> int:
        """CPU cycles since power-on."""
        return self._own.cycles

    @property
    def output(self) -> str:
        """What the program has printed."""
        return self._own.output

    @property
    def picture(self) -> Picture:
        """The picture as the beam has drawn it."""
        return self._own.picture().view(Picture)

    @property
    def state(self) -> dict[str, int]:
        """VERA's state by name."""
        known: dict[str, int] = json.loads(self._own.state())
        return known
