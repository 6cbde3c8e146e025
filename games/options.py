"""Options that say what they allow, and what of them is not as usual."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, field_validator

from games.contract import Options


class DescribedOptions(Options):
    """Options that say of each refused value what is allowed instead. The description of a field is what people read
    beside it in a slash command, at most 100 characters."""

    @field_validator("*", mode="wrap")
    @classmethod
    def _say_what_is_allowed(
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
        """By name of each field that counts under the others: what it says, as a player would."""
        return {}

    @classmethod
    def usual(cls) -> dict[str, Any]:
        """By name of each field what most tables have: its default, unless the game's `start` has another one."""
        return {name: field.default for name, field in cls.model_fields.items()}

    def said(self) -> list[str]:
        """The mode, and the phrases of fields that are not as usual."""
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
        case {"enum": [*others, last]}:
            return f"{', '.join(others)} or {last}"
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"a whole number from {least} to {most}"
        case {"prefixItems": [{"minimum": least, "maximum": most}, *_] as items}:
            return f"{len(items)} whole numbers from {least} to {most}"
    raise TypeError(f"no words for options like {schema}")
