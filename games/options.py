"""Options that say what they allow."""

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
