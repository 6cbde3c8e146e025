"""Write `__slots__`, `__init__` and `copy` of a class: each of its fields is then written only once.

@fields
    class State(MatchState):
        options: Public[PalmerOptions]
        seats: int
        turn: Public[Seat | None] = None
        hands: list[list[int]] = by_seat([])

A view has the fields that are `Public` by their names (`shown`), and an imagined state has them from it (`restored`).
The others come into a view by a line that says so.

All three are written as source when the class is made, as `dataclasses` does it, so they are as fast as methods
written by hand.
"""

from collections.abc import Callable
from functools import cache
from inspect import get_annotations
from typing import Annotated, Any, Final, TypeVar, cast, dataclass_transform, get_args, get_origin

T = TypeVar("T")
V = TypeVar("V")
S = TypeVar("S")
Public = Annotated[T, "public"]
"""Type of a field of a state that every view may show."""

COPIED: Final = (list, dict, set, bytearray)
"""Types whose values a state changes. Values of all other types are shared between a state and its copies."""


class _BySeat(list[T]):
    """Default of a field with a value for each seat: a list of this one value."""


def by_seat(value: T) -> list[T]:
    """Return the default of a field that has `value` for each of the `seats`. A list is copied for each of them."""
    return _BySeat([value])


@dataclass_transform()
def fields(kind: type[T]) -> type[T]:
    """Make a class with slots for the annotated fields of `kind`, and with the `__init__` and `copy` that they need.

    Every field is a parameter of `__init__`, in order, and may be left out if it has a default. A default that can
    change is copied for each new object. `copy` copies every value that can change, to the depth of the annotation:
    the outer and the inner lists of a `list[list[int]]`, the list of a `list[tuple[int, ...]]` but not its tuples.
    A subclass has the fields of a class made so before its own.

    Raises TypeError for a field that `copy` would have to share although it can change: `list[int] | None`.
    """
    inherited: tuple[dict[str, Any], dict[str, Any]] = getattr(kind, "_fields", ({}, {}))
    own = get_annotations(kind, eval_str=True)
    written_types = inherited[0] | own
    types = {name: _bare(each) for name, each in written_types.items()}
    members = {name: value for name, value in vars(kind).items() if name not in ("__dict__", "__weakref__")}
    defaults = inherited[1] | {name: members.pop(name) for name in own if name in members}
    written: dict[str, Any] = {"blank": object.__new__}
    for name, default in defaults.items():
        written[f"_{name}"] = default[0] if isinstance(default, _BySeat) else default
    exec("\n".join([*_init(types, defaults), *_copy(types)]), written)  # noqa: S102 - made of names of fields alone
    members |= {"__slots__": tuple(own), "__init__": written["__init__"], "copy": written["copy"]}
    members |= {"__qualname__": kind.__qualname__, "_fields": (written_types, defaults)}
    made = cast("type[T]", type(kind.__name__, kind.__bases__, members))
    written["made"] = made
    return made


def _init(types: dict[str, Any], defaults: dict[str, Any]) -> list[str]:
    parameters, lines = ["self"], []
    for name, kind in types.items():
        value = name
        if name not in defaults:
            parameters.append(name)
        elif _changes(kind):
            parameters.append(f"{name}=None")
            value = f"{_default(name, kind, defaults[name])} if {name} is None else {name}"
        else:
            parameters.append(f"{name}=_{name}")
        lines.append(f"    self.{name} = {value}")
    return [f"def __init__({', '.join(parameters)}):", *lines]


def _default(name: str, kind: Any, default: Any) -> str:
    """Return the expression for the default of a field that can change."""
    if not isinstance(default, _BySeat):
        return _copied(f"_{name}", kind) if default else repr(default)
    if not _changes(get_args(kind)[0]):
        return f"[_{name}] * seats"
    return f"[{_default(name, get_args(kind)[0], default[0])} for _ in range(seats)]"


def _copy(types: dict[str, Any]) -> list[str]:
    lines = [f"    new.{name} = {_copied(f'self.{name}', kind)}" for name, kind in types.items()]
    return ["def copy(self):", "    new = blank(made)", *lines, "    return new"]


def _copied(value: str, kind: Any) -> str:
    """Return the expression that copies `value`, or shares it if it cannot change."""
    outer, inner = get_origin(kind) or kind, get_args(kind)
    if outer is list and any(map(_changes, inner)):
        return f"[{_copied('each', inner[0])} for each in {value}]"
    if any(map(_changes, inner)):
        raise TypeError(
            f"`copy` cannot copy {kind}: a value that can change may be inside a list, but in nothing else."
        )
    if outer in COPIED:
        return f"{value}[:]" if outer in (list, bytearray) else f"{value}.copy()"
    return value


def _changes(kind: Any) -> bool:
    return (get_origin(kind) or kind) in COPIED or any(map(_changes, get_args(kind)))


# Views


def shown(view: type[V], state: object, **own: Any) -> V:
    """Return a view with the fields given, and the public fields of a state by their names, lists as tuples.

    Raises TypeError when a field of the view is neither given nor public."""
    public = _public(cast(Any, view), cast(Any, type(state)))
    copied = {name: shows(getattr(state, name)) for name, shows, _ in public if name not in own}
    return view(**copied, **own)


def restored(state: S, view: object) -> S:
    """Copy into a new state what a view has of its public fields, tuples as lists. Return the state."""
    for name, _, keeps in _public(cast(Any, type(view)), cast(Any, type(state))):
        setattr(state, name, keeps(getattr(view, name)))
    return state


@cache
def _public(view: type, state: type) -> list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]:
    """Return the name of each public field that a view has, and how it is copied into the view and back."""
    types, _ = cast(Any, state)._fields
    return [
        (name, *_ways(_bare(types[name])))
        for name in get_annotations(view)
        if get_origin(types.get(name)) is Annotated
    ]


def _ways(kind: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return how a value is copied from a state into a view, and from there into a state."""
    outer, inner = get_origin(kind) or kind, get_args(kind)
    if outer is list and get_origin(inner[0]) is list:
        return lambda rows: tuple(map(tuple, rows)), lambda rows: [*map(list, rows)]
    return {list: (tuple, list), set: (frozenset, set), bytearray: (bytes, bytearray)}.get(
        outer, (_same, _same)
    )


def _same(value: T) -> T:
    return value


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind
