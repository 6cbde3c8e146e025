"""Deep comparison: an object written out as text, down to every number."""

from typing import Final

from pydantic import BaseModel

PLAIN: Final = {type(None), bool, int, float, str, bytes}
"""Types written out with `repr`; collections of them are written out in one go, as most of a state consists of them."""


def structure(thing: object) -> str:
    """Return `thing` as text. Two texts are equal exactly when the two objects are equal in type, order and value.
    Raises TypeError for anything but plain data and objects of the games, for example a generator."""
    match thing:
        case None | bool() | int() | float() | str() | bytes() | bytearray():
            return repr(thing)
        case list() | tuple():
            if {*map(type, thing)} <= PLAIN:
                return type(thing).__name__ + repr((*thing,))
            return f"{type(thing).__name__}({', '.join(map(structure, thing))})"
        case dict():
            if {*map(type, thing), *map(type, thing.values())} <= PLAIN:
                return repr(thing)
            return f"{{{', '.join(f'{structure(key)}: {structure(thing[key])}' for key in thing)}}}"
        case set() | frozenset():
            return f"{type(thing).__name__}({', '.join(sorted(map(structure, thing)))})"
        case BaseModel():
            return type(thing).__name__ + structure(thing.model_dump())
    return type(thing).__name__ + structure(_attributes(thing))


def _attributes(thing: object) -> dict[str, object]:
    if type(thing).__module__.split(".")[0] not in ("games", "tests"):
        raise TypeError(
            f"{type(thing).__name__} is not plain data; states, views and events consist of that."
        )
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    found = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    return found | getattr(thing, "__dict__", {})
