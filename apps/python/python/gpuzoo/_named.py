"""Options by name, as the extension module takes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def as_json(options: Mapping[str, Any], **positional: Any) -> str:
    """Options as JSON, with those that were given by position.

    Names that Python keeps for itself end in an underscore: ``from_`` is the option ``from``.
    """
    named = {name.removesuffix("_"): value for name, value in options.items()}
    for name, value in positional.items():
        name = name.removesuffix("_")
        if value is not None and name in named:
            raise TypeError(f"the option {name!r} is given twice")
        named.setdefault(name, value)
    return json.dumps(named, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise TypeError(f"an option is a bool, an int, a str, a list or a dict, not {type(value).__name__}")
