"""Options that say what they allow, and what of them is not as usual."""

from typing import Any

from pydantic import ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, field_validator

from games.contract import Options


class DescribedOptions(Options):
    """Options whose fields each have a description of all that is allowed; anything else is refused, saying it."""

    @field_validator("*", mode="wrap")
    @classmethod
    def _say_what_is_allowed(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        try:
            return handler(value)
        except ValidationError:
            name = str(info.field_name)
            raise ValueError(f"{name} must be {cls.model_fields[name].description}") from None

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
