"""The settings, read once at the start from the environment or the file `.env`; the environment wins."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


class SettingsRefused(Exception):
    """A setting is malformed. `str()` is one sentence that names it, and never shows a secret."""


def _token(token: SecretStr) -> SecretStr:
    """Return a bot token. Raises ValueError for anything but three parts joined by dots, such as a client secret."""
    parts = token.get_secret_value().split(".")
    if len(parts) != 3 or not all(
        part and part.replace("-", "").replace("_", "").isalnum() for part in parts
    ):
        raise ValueError(
            "is not a bot token (three parts joined by dots); copy it from your application's Bot page"
        )
    return token


class Settings(BaseSettings):
    """One field for each environment variable of the same name in capitals. `.env.example` explains them."""

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", hide_input_in_errors=True
    )

    discord_token: Annotated[SecretStr, AfterValidator(_token)] | None = None
    database_path: Path | None = None
    """None: `data/palmhouse.sqlite3`, or in the sandbox a file of its own."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"


def load() -> Settings:
    """Read the settings. Raises SettingsRefused."""
    try:
        return Settings()
    except UnicodeDecodeError:
        raise SettingsRefused("The file .env is not UTF-8 text: save it again as UTF-8.") from None
    except ValidationError as error:
        first = error.errors()[0]
        said = first["msg"].removeprefix("Value error, ")
        raise SettingsRefused(f"{str(first['loc'][0]).upper()}: {said[0].lower()}{said[1:]}.") from None
