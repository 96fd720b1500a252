"""Runs that were traced, and sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._show import frame

Value = npt.NDArray[np.float32] | npt.NDArray[np.int32] | int
"""What a register holds: four components of a shader's, or the integer of a CPU's.

Components are ``int32`` where all four are integers, as of the NV2A's A0; else ``float32``, of which ``view("int32")`` shows integers.
"""


@dataclass(frozen=True)
class Write:
    """Components of a register that a step wrote, and the numbers behind each other."""

    register: str
    components: str
    after: npt.NDArray[np.float32] | npt.NDArray[np.int32]
    """``int32`` where all of these components are integers."""


@dataclass(frozen=True)
class Step:
    """What an instruction did."""

    slot: int
    line: int | None
    """The line of the text that it comes from."""
    text: str
    writes: tuple[Write, ...]


@dataclass(frozen=True)
class Ancestry:
    """Where a number comes from."""

    text: str
    """In words."""
    graph: dict[str, Any]
    """The instructions, inputs and constants that it was computed from, and how they hang together."""
    svg: str
    """A picture of that."""

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


def _floats(bits: list[Any]) -> npt.NDArray[np.float32]:
    return np.array([int(each, 16) if isinstance(each, str) else each for each in bits], np.uint32).view(np.float32)


def _typed(bits: list[Any], is_integer: bool) -> npt.NDArray[np.float32] | npt.NDArray[np.int32]:
    floats = _floats(bits)
    return floats.view(np.int32) if is_integer else floats


class Trace(Sequence[Step]):
    """The steps of one vertex's run."""

    killed: bool
    """Whether it was killed; then there are no outputs."""
    outputs: dict[str, npt.NDArray[np.float32] | npt.NDArray[np.int32]]
    """The outputs at the end; ``int32`` where all four components are integers."""

    def __init__(self, own: _native.Trace) -> None:
        self._own = own
        self.killed, self.outputs = False, {}
        steps = []
        for line in own.lines().splitlines():
            known = json.loads(line)
            if "slot" in known:
                writes = (
                    Write(
                        each["register"],
                        each["components"],
                        _typed(each["after"], each.get("integers") == each["components"]),
                    )
                    for each in known["changes"]
                )
                steps.append(Step(known["slot"], known["line"], known["text"], tuple(writes)))
            self.killed |= "killed" in known
            integers = known.get("integers", {})
            self.outputs |= {name: _typed(bits, integers.get(name) == "xyzw") for name, bits in known.get("outputs", {}).items()}
        self._steps = tuple(steps)

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | Sequence[Step]:
        return self._steps[index]

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps)

    def __str__(self) -> str:
        return self._own.text(False)

    def _repr_html_(self) -> str:
        return frame(self._own.html(), str(self))

    def why(self, register: str) -> Ancestry:
        """Where components of a register come from: ``"oD0.x"`` at the end, ``"r3.xy@12"`` after slot 12."""
        text, graph, svg = self._own.why(register)
        return Ancestry(text, json.loads(graph), svg)


@dataclass(frozen=True)
class Place:
    """What comes next: a slot, or the address of an instruction."""

    at: int
    text: str
    line: int | None


@dataclass(frozen=True)
class Change:
    """What a step wrote."""

    where: str
    """A register, or a byte of memory: ``"vram[$0000]"``."""
    components: str
    before: Value
    after: Value


@dataclass(frozen=True)
class Read:
    """What a step read."""

    where: str
    components: str
    value: Value


@dataclass(frozen=True)
class Did:
    """What the step before did."""

    changes: tuple[Change, ...]
    reads: tuple[Read, ...]
    events: tuple[str, ...]
    """What was remarkable: ``"NotANumber"``, ``"Infinite"``, ``"UndefinedRead"``, ``"Interrupt"``, ``"Frame"`` …"""


def _value(of: dict[str, list[int]] | list[int] | int) -> Value:
    if isinstance(of, dict):
        return np.array(of["integers"], np.int32)
    return of if isinstance(of, int) else np.array(of, np.uint32).view(np.float32)


class Session:
    """A run that goes forward and back.

    One thread uses it at a time.
    """

    def __init__(self, own: _native.Session) -> None:
        self._own = own

    @property
    def position(self) -> int:
        """Steps from the start to here."""
        return self._own.position

    @position.setter
    def position(self, position: int) -> None:
        self._own.seek(position)

    @property
    def total(self) -> int | None:
        """How many steps the run has, if that is known."""
        return self._own.total

    def step(self) -> bool:
        """Takes a step; false at the end."""
        return self._own.step()

    def back(self) -> bool:
        """Takes a step back; false at the start."""
        return self._own.back()

    @property
    def place(self) -> Place | None:
        """What comes next; none at the end."""
        known = json.loads(self._own.place())
        return None if known is None else Place(**known)

    @property
    def registers(self) -> dict[str, Value]:
        """What the registers hold here."""
        return {name: _value(value) for name, _, value in json.loads(self._own.registers())}

    @property
    def last(self) -> Did | None:
        """What the step before did; none at the start."""
        known = json.loads(self._own.last())
        if known is None:
            return None
        changes = (Change(cell, parts, _value(old), _value(new)) for cell, parts, old, new in known["changes"])
        reads = (Read(cell, parts, _value(value)) for cell, parts, value in known["reads"])
        return Did(tuple(changes), tuple(reads), tuple(known["events"]))

    def peek(self, space: str, start: int, end: int) -> bytes | None:
        """Bytes of a memory, without side effects; none if it is not there."""
        return self._own.peek(space, start, end)

    def command(self, line: str) -> str:
        """Carries out a command of ``gpuzoo debug``, ``"run write oD0"`` for example; returns what it prints. ``"help"`` shows all."""
        return self._own.command(line)
