"""What the package's Python files call: the facade crate.

Numbers go in and out as arrays, everything else as texts and as JSON. Arrays are rows of 32-bit words that lie behind each
other. It belongs to the package; its users use the classes of ``gpuzoo``.
"""

from collections.abc import Callable
from typing import Any, final

import numpy as np
import numpy.typing as npt

_Words = npt.NDArray[np.uint32]
_Bytes = npt.NDArray[np.uint8]
_Read = Callable[[str], bytes]
_State = tuple[str, list[tuple[str, list[int]]]]
_Constants = list[tuple[str, list[list[int]]]]
_Columns = list[tuple[str, _Words]]
_Parameters = tuple[str, list[tuple[str, Any]]]

__all__ = [
    "X16",
    "Kernel",
    "Program",
    "Scene",
    "Screen",
    "Session",
    "Software",
    "Trace",
    "Vera",
    "compile",
    "conform",
    "encode",
    "load",
    "machines",
    "read",
    "stream",
    "table",
]

def machines() -> str:
    """The machines, as a JSON list of objects."""

def read(machine: str, name: str, bytes: bytes, options: str, include: _Read) -> Program:
    """A program of a machine from the bytes of a file; options as JSON."""

def compile(machine: str, name: str, source: bytes, options: str, include: _Read) -> tuple[Program, str]:
    """A program of a machine from a source in a shading language, and JSON with the uniforms, the warnings and a text of it; options as
    JSON."""

def load(name: str, read: _Read, defines: list[str], size: tuple[int, int] | None, trusted: bool) -> Scene:
    """Reads a scene."""

def encode(picture: _Bytes, format: str) -> bytes:
    """A picture as a file: rows, columns, and four bytes each."""

def conform(machine: str, files: list[tuple[str, bytes, bool]], read: _Read, profile: str, failures: int) -> str:
    """Checks vector files, each a name, its bytes, and whether it was found in a folder; a JSON list of reports."""

def table(capsule: object) -> list[tuple[str, str, int, _Bytes]]:
    """The columns of an Arrow stream: names, the format of elements, how many a row has, and their bytes."""

def stream(columns: list[tuple[str, bool, _Words]]) -> object:
    """An Arrow stream with one batch: names, whether elements are floats, and rows of four."""

@final
class Program:
    """A program without errors."""

    def words(self) -> bytes:
        """The words of its binary, the lowest byte first."""
    def disassemble(self, options: str) -> tuple[str, str]:
        """A text, and JSON of what there is to say; options as JSON."""
    def optimize(self, vectors: int | None) -> Program:
        """The same in fewer slots, where there is a way."""
    def check(self) -> str:
        """Size, costs, and what is suspicious, as JSON."""
    def html(self) -> str:
        """A page of its figures and slots."""
    def constants(self) -> str:
        """Its constants, as JSON."""
    def kernel(self, given: _State) -> Kernel:
        """Compiles it for a state."""
    def trace(self, given: _State, columns: _Columns, constants: _Constants, zeros: bool, vertex: int) -> Trace:
        """The run of one vertex."""
    def session(self, given: _State, columns: _Columns, constants: _Constants, zeros: bool, vertex: int) -> Session:
        """A session over the run of one vertex."""
    def translate(self, options: str) -> tuple[str, bytes, bool, str, str]:
        """The program as a shader of the host: the language, the bytes of its file, whether they are words and no text, what it needs as
        JSON, and that in words; options as JSON."""

@final
class Kernel:
    """A program that is compiled for a state."""

    @property
    def outputs(self) -> list[str]:
        """The names of its outputs."""
    def only(self, names: list[str]) -> Kernel:
        """The same with these outputs alone."""
    def run(self, columns: _Columns, constants: _Constants, zeros: bool, outputs: _Columns) -> tuple[bytes, str]:
        """Runs it. Returns a byte for each vertex, 1 for one that was killed; and JSON with what else it did."""

@final
class Trace:
    """What one vertex did."""

    def text(self, bits: bool) -> str:
        """As ``gpuzoo trace`` prints it."""
    def lines(self) -> str:
        """Its steps and outputs as lines of JSON, in bits."""
    def html(self) -> str:
        """A page of it."""
    def why(self, question: str) -> tuple[str, str, str]:
        """Where a register's components come from: in words, as JSON, and as a picture."""

@final
class Session:
    """A run that goes forward and back."""

    @property
    def position(self) -> int:
        """Steps from the start to here."""
    @property
    def total(self) -> int | None:
        """How many steps the run has, if that is known."""
    def step(self) -> bool:
        """Takes a step; false at the end."""
    def back(self) -> bool:
        """Takes a step back; false at the start."""
    def seek(self, position: int) -> int:
        """Goes to a position, or as near as can be; returns where that is."""
    def place(self) -> str:
        """What comes next, as JSON."""
    def registers(self) -> str:
        """The registers here, as JSON."""
    def last(self) -> str:
        """What the step before did, as JSON."""
    def command(self, line: str) -> str:
        """Carries out a command of ``gpuzoo debug``; returns what it prints."""
    def peek(self, space: str, start: int, end: int) -> bytes | None:
        """Bytes of a memory, without side effects; none if it is not there."""

@final
class Scene:
    """A scene that was read."""

    @property
    def facts(self) -> tuple[str, int, int, int, int]:
        """Its machine's id, how many frames of which width and height there are, how many of them a second."""
    @property
    def remarks(self) -> str:
        """Warnings of reading it, as JSON."""
    def frame(self, index: int, view: str | None, samples: int) -> tuple[_Bytes, str]:
        """A frame, or a view of it, and JSON of what there is to say."""
    def encode(self, format: str, only: int | None, view: str | None, samples: int) -> tuple[bytes, str]:
        """Frames as a file, and JSON of what there is to say."""

@final
class Software:
    """A program of a CPU."""

    @staticmethod
    def read(machine: str, name: str, bytes: bytes, form: str | None, parameters: _Parameters, include: _Read) -> Software:
        """Reads a program of a machine."""
    def emit(self, form: str) -> bytes:
        """The bytes of one of the machine's forms."""
    def disassemble(self) -> str:
        """A text that assembles to the same bytes."""
    def check(self, parameters: _Parameters) -> str:
        """How large it is, and what is suspicious about it, as JSON."""
    def run(self, parameters: _Parameters) -> str:
        """Runs it; the report as JSON."""
    def session(self, parameters: _Parameters) -> Session:
        """A session over its run."""
    def screen(self, parameters: _Parameters, view: str | None) -> Screen:
        """Its pictures, one after the other."""

@final
class Screen:
    """Pictures of a program, one after the other."""

    @property
    def count(self) -> int:
        """How many pictures there are."""
    @property
    def rate(self) -> int:
        """Pictures a second."""
    def next(self) -> _Bytes | None:
        """The next picture; none behind the last."""

@final
class Vera:
    """VERA without a machine around it."""

    def __new__(cls, profile_name: str) -> Vera: ...
    def read(self, register: int) -> int:
        """Reads a register, side effects included."""
    def peek(self, register: int) -> int:
        """Reads a register without side effects."""
    def write(self, register: int, value: int) -> None:
        """Writes a register."""
    def write_all(self, rows: _Bytes, cycles: int) -> None:
        """Writes many, with so many cycles of the CPU behind each."""
    def advance(self, cycles: int) -> None:
        """Lets cycles of the 8 MHz CPU pass."""
    def advance_frame(self) -> None:
        """Lets time pass until the next picture is complete."""
    def picture(self) -> _Bytes:
        """The picture as the beam has drawn it."""
    def vram(self, start: int, end: int) -> _Bytes:
        """Bytes of video memory."""
    def set_vram(self, start: int, bytes: bytes) -> None:
        """Puts bytes into video memory."""
    def state(self) -> str:
        """Hidden and visible state by name, as JSON."""
    def listen(self) -> None:
        """From now on the sound is kept."""
    def samples(self) -> npt.NDArray[np.int32]:
        """What was heard since the last call."""
    @property
    def irq(self) -> bool:
        """True while an interrupt is asked for."""
    @property
    def frames(self) -> int:
        """How many pictures are complete."""
    def copy(self) -> Vera:
        """Another one in the same state."""

@final
class X16:
    """A Commander X16."""

    def __new__(cls, profile_name: str, ram_banks: int, rom: bytes | None) -> X16: ...
    def load(self, prg: bytes) -> None:
        """Loads a PRG file, and makes it the program that runs next."""
    def run(self, frames: int | None, cycles: int | None) -> tuple[str, bool]:
        """Runs so many frames or cycles, or to the program's end; returns why it stopped, and whether the program is over."""
    def step(self) -> str:
        """Runs one instruction; returns its text."""
    def peek(self, start: int, end: int) -> _Bytes:
        """Bytes as the CPU sees them, without side effects."""
    def poke(self, start: int, bytes: bytes) -> None:
        """Puts bytes into RAM; other places stay as they are."""
    @property
    def cpu(self) -> tuple[int, int, int, int, int, int]:
        """The CPU's registers: program counter, A, X, Y, stack pointer, status."""
    @property
    def cycles(self) -> int:
        """CPU cycles since power-on."""
    @property
    def output(self) -> str:
        """What the program has printed."""
    def picture(self) -> _Bytes:
        """The picture as the beam has drawn it."""
    def set_vram(self, start: int, bytes: bytes) -> None:
        """Puts bytes into video memory."""
    def vram(self, start: int, end: int) -> _Bytes:
        """Bytes of video memory."""
    def state(self) -> str:
        """VERA's state by name, as JSON."""
    def save(self) -> bytes:
        """All that the machine holds, as bytes."""
    def restore(self, state: bytes) -> None:
        """Goes on from there: a machine with the same ROM and program."""
