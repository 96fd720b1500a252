"""What is wrong with an input, as data, and the exceptions that carry it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ._show import frame


@dataclass(frozen=True)
class Place:
    """A part of a text, or of the words of a binary, in which it has no line.

    ``start`` and ``end`` are bytes; lines and columns are counted from 1.
    """

    file: str
    start: int
    end: int
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None


@dataclass(frozen=True)
class Label:
    """A place and what is said there; the first one of a diagnostic is the main one."""

    place: Place | None
    text: str


@dataclass(frozen=True)
class Edit:
    """A part of a text and what to write in its stead."""

    place: Place | None
    replacement: str


@dataclass(frozen=True)
class Fix:
    """Edits that together do away with a problem; with ``certain`` a program may apply them."""

    title: str
    certain: bool
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Diagnostic:
    """One problem: ``severity`` is ``"error"``, ``"warning"`` or ``"note"``."""

    severity: str
    code: str
    message: str
    labels: tuple[Label, ...]
    notes: tuple[str, ...]
    help: tuple[str, ...]
    fixes: tuple[Fix, ...]

    @property
    def place(self) -> Place | None:
        """The main place, if there is one."""
        return self.labels[0].place if self.labels else None

    def __str__(self) -> str:
        place = self.place
        at = "" if place is None or place.line is None else f"{place.file}:{place.line}:{place.column}: "
        return f"{at}{self.severity}[{self.code}]: {self.message}"


def _place(of: dict[str, Any]) -> Place | None:
    if "file" not in of:
        return None
    lines = (of.get(name) for name in ("line", "column", "end_line", "end_column"))
    return Place(of["file"], of["start"], of["end"], *lines)


def _fix(of: dict[str, Any]) -> Fix:
    edits = tuple(Edit(_place(edit), edit["replacement"]) for edit in of["edits"])
    return Fix(of["title"], of["applicability"] == "machine-applicable", edits)


def diagnostics(listed: list[dict[str, Any]]) -> list[Diagnostic]:
    """Diagnostics of what the extension module gives as JSON."""
    return [
        Diagnostic(
            of["severity"],
            of["code"],
            of["message"],
            tuple(Label(_place(label), label["text"]) for label in of["labels"]),
            tuple(of["notes"]),
            tuple(of["help"]),
            tuple(_fix(fix) for fix in of["fixes"]),
        )
        for of in listed
    ]


class Error(ValueError):
    """Something that gpuzoo refuses. Its text is what the command line prints.

    It can be pickled, as schedulers do with what a task raises.
    """

    diagnostics: list[Diagnostic]
    """All that was found, in order."""

    def __init__(self, text: str, found: list[Diagnostic] | None = None, page: str = "") -> None:
        super().__init__(text, found or [], page)
        self.diagnostics = found or []
        self._page = page

    def __str__(self) -> str:
        return str(self.args[0])

    def _repr_html_(self) -> str:
        return frame(self._page, str(self))


class AssembleError(Error):
    """A text or words that are no program."""


class CompileError(Error):
    """A source in a shading language that is wrong, or beyond the machine."""


_CLASSES = {"assemble": AssembleError, "compile": CompileError, "": Error}


def refused(kind: str, text: str, listed: str, page: str) -> Error:
    """The exception that the extension module raises."""
    return _CLASSES[kind](text, diagnostics(json.loads(listed)), page)
