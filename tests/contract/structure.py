"""Deep comparison: an object written out as text, down to every number."""

from functools import cache
from typing import Any, Final

from pydantic import BaseModel

PLAIN: Final = frozenset({type(None), bool, int, float, str, bytes, bytearray})
"""Types written out with `repr`; collections of them are written out in one go, as most of a state consists of them."""


def structure(thing: object) -> str:
    """Return `thing` as text. Two texts are equal exactly when the two objects are equal in type, order and value.
    Raises TypeError for anything but plain data and objects of the games, for example a generator."""
    kind = type(thing)
    if kind in PLAIN:
        return repr(thing)
    if isinstance(thing, list | tuple):
        if PLAIN.issuperset(map(type, thing)):
            return kind.__name__ + repr((*thing,))
        return f"{kind.__name__}({', '.join(map(structure, thing))})"
    if isinstance(thing, dict):
        if PLAIN.issuperset(map(type, thing)) and PLAIN.issuperset(map(type, thing.values())):
            return repr(thing)
        return f"{{{', '.join([f'{structure(key)}: {structure(thing[key])}' for key in thing])}}}"
    if isinstance(thing, set | frozenset):
        return f"{kind.__name__}({', '.join(sorted(map(structure, thing)))})"
    if isinstance(thing, int | str):
        return repr(thing)  # a member of an enumeration
    if isinstance(thing, BaseModel):
        return kind.__name__ + structure(thing.model_dump())
    return (
        f"{kind.__name__}({', '.join([f'{name}={structure(value)}' for name, value in _attributes(thing)])})"
    )


def _attributes(thing: object) -> list[tuple[str, object]]:
    kind: Any = type(thing)
    slots = [(name, getattr(thing, name)) for name in _slots(kind) if hasattr(thing, name)]
    return [*slots, *getattr(thing, "__dict__", {}).items()]


@cache
def _slots(kind: type) -> list[str]:
    if kind.__module__.split(".")[0] not in ("games", "tests"):
        raise TypeError(f"{kind.__name__} is not plain data; states, views and events consist of that.")
    return [name for each in kind.__mro__ for name in getattr(each, "__slots__", ())]
