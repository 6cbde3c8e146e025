"""Options with a description of each field, used in refusals and announcements."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, field_validator

from games.contract import Options
from games.phrases import listed


class DescribedOptions(Options):
    """Options that name the allowed values when they refuse one.

    The description of a field, at most 100 characters, stands beside the field in a slash command."""

    @field_validator("*", mode="wrap")
    @classmethod
    def _refuse_with_description(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        try:
            return handler(value)
        except ValidationError:
            name = str(info.field_name)
            raise ValueError(
                f"{name} must be {allowed(cls.model_json_schema()['properties'][name])}"
            ) from None

    def phrases(self) -> dict[str, str]:
        """Return a phrase for players by field name, for the fields that matter under the other options."""
        return {}

    @classmethod
    def usual(cls) -> dict[str, Any]:
        """Return the value that most tables have, by field name.

        This is the field's default, unless the game's `start` command has another one."""
        return {name: field.default for name, field in cls.model_fields.items()}

    def summary(self) -> list[str]:
        """Return the phrases of the mode and of every field with an unusual value."""
        usual = self.usual()
        return [
            phrase
            for name, phrase in self.phrases().items()
            if name == "mode" or getattr(self, name) != usual[name]
        ]


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
