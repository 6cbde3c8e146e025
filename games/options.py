"""Options with a description of each field, used in refusals and announcements."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final

from pydantic import ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, field_validator

from games.contract import Options
from games.phrases import listed

_MENU: Final = 24
"""Number of values in a menu at most, beside the present one."""
_STEPS: Final = (1, 10, 20, 50, 100)


class DescribedOptions(Options):
    """Options that name the allowed values when they refuse one.

    The description of a field, at most 100 characters, stands beside the field in a slash command."""

    always_told: ClassVar[Sequence[str]] = ("mode",)
    """Fields whose phrases are told even with a usual value."""

    @field_validator("*", mode="wrap")
    @classmethod
    def _refuse_with_description(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        try:
            return handler(value)
        except ValidationError:
            name = str(info.field_name)
            raise ValueError(f"{name} must be {allowed(schemas(cls)[name])}") from None

    def phrases(self) -> dict[str, str]:
        """Return a phrase for players by field name, for the fields that matter under the other options."""
        return {}

    @classmethod
    def usual(cls) -> dict[str, Any]:
        """Return the value that most tables have, by field name.

        This is the field's default, unless the game's `start` command has another one."""
        return {name: field.default for name, field in cls.model_fields.items()}

    def said(self, name: str) -> str:
        """Return the value of a field, for a menu."""
        value = getattr(self, name)
        if value is None or value is True or value is False:
            return {None: "usual", True: "yes", False: "no"}[value]
        return str(value)

    def menu(self, name: str) -> list[Any]:
        """Return the values of a field for a menu: all of them, or up to 25 round ones with the present one; none for a
        field that can only be typed."""
        found = _values(schemas(type(self))[name])
        return found if getattr(self, name) in found or not found else sorted([*found, getattr(self, name)])

    def summary(self) -> list[str]:
        """Return the phrases of fields that are always told, and of every other field with an unusual value."""
        usual = self.usual()
        return [
            phrase
            for name, phrase in self.phrases().items()
            if name in self.always_told or getattr(self, name) != usual[name]
        ]


@cache
def schemas(model: type[Options]) -> Mapping[str, Any]:
    """Return the JSON schemas of the fields, by name. To make them takes 5 ms a game."""
    found: Mapping[str, Any] = model.model_json_schema()["properties"]
    return found


def allowed(schema: Mapping[str, Any]) -> str:
    """Return the values that a field takes, by its JSON schema: "a whole number from 1 to 12", "hidden or open"."""
    match schema:
        case {"anyOf": [kind, {"type": "null"}]}:
            return f"{allowed(kind)}, or nothing"
        case {"enum": names}:
            return listed(names, "or")
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"a whole number from {least} to {most}"
        case {"prefixItems": [{"minimum": least, "maximum": most}, *_] as items}:
            return f"{len(items)} whole numbers from {least} to {most}"
    raise TypeError(f"no words for options like {schema}")


def _values(schema: Mapping[str, Any]) -> list[Any]:
    match schema:
        case {"anyOf": [kind, {"type": "null"}]}:
            return [None, *_values(kind)]
        case {"enum": names}:
            return [*names]
        case {"type": "boolean"}:
            return [True, False]
        case {"type": "integer", "minimum": least, "maximum": most}:
            step = next(step for step in _STEPS if (most - least) // step < _MENU)
            return [value for value in range(least, most + 1) if value % step == 0]
    return []
