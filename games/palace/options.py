"""What a table of Palace can set."""

from typing import Any

from pydantic import (
    Field,
    StrictBool,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)

from games.contract import Options


class PalaceOptions(Options):
    """House rules of a table, all off unless wanted. Anything but true or false is refused, saying so."""

    allow_equal: StrictBool = Field(default=False, description="An ordinary rank also goes on its own rank")
    voluntary_pickup: StrictBool = Field(default=False, description="Who can play may take the pile instead")
    four_across_turns: StrictBool = Field(
        default=False, description="Four of a rank on top count, whoever laid them"
    )
    play_for_places: StrictBool = Field(default=False, description="Play goes on until one player is left")

    @field_validator("*", mode="wrap")
    @classmethod
    def _say_what_is_allowed(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        try:
            return handler(value)
        except ValidationError:
            raise ValueError(f"{info.field_name} must be true or false") from None
