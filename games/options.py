"""Options with a description of each field, used in refusals and announcements."""

from typing import Any

from pydantic import ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, field_validator

from games.contract import Options


class DescribedOptions(Options):
    """Options in which each field's description lists the allowed values; any other value is refused with it."""

    @field_validator("*", mode="wrap")
    @classmethod
    def _refuse_with_description(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        try:
            return handler(value)
        except ValidationError:
            name = str(info.field_name)
            raise ValueError(f"{name} must be {cls.model_fields[name].description}") from None

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
