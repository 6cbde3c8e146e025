"""The settings, read once at the start from the environment or the file `.env`; the environment wins."""

import os
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.gateway.shard_range import ShardRange

DATABASE = Path("data/palmhouse.sqlite3")
SANDBOX_DATABASE = Path("data/sandbox.sqlite3")

FILE: Final = Path(".env")
"""File for settings, in the folder in which the bot is started."""
WRONG: Final = {
    "nightly_backups": "is neither true nor false; write one of them",
    "log_level": "is none of DEBUG, INFO, WARNING and ERROR; write one of them",
    "log_format": "is neither text nor json; write one of them",
    "metrics_port": "is not the number of a port; write one from 1 to 65535, or leave it empty",
}
"""End of the sentence about a malformed setting, by field."""


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


def is_address(text: str) -> bool:
    """Return whether a text is the address of a PostgreSQL database."""
    return text.startswith(("postgresql://", "postgres://"))


def _address(url: SecretStr) -> SecretStr:
    """Return the address of a PostgreSQL database. Raises ValueError for any other text."""
    if not is_address(url.get_secret_value()):
        raise ValueError(
            "is not the address of a PostgreSQL database; write postgresql://USER:PASSWORD@HOST/DATABASE, or leave it "
            "empty"
        )
    return url


def _file(path: Path) -> Path:
    """Return the path of a file, after the home folder for `~`. Raises ValueError for one without a name, as of `/`."""
    path = Path(os.path.expanduser(path))  # noqa: PTH111 - it raises no error
    if not path.name:
        raise ValueError("is a folder; name a file in it")
    return path


def _shards(text: str) -> str:
    """Return a range of shards. Raises ValueError for any other text."""
    ShardRange.parse(text)
    return text


class Settings(BaseSettings):
    """One field for each environment variable of the same name in capitals. `.env.example` explains them."""

    model_config = SettingsConfigDict(
        env_file=FILE,
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
        str_strip_whitespace=True,
    )

    discord_token: Annotated[SecretStr, AfterValidator(_token)] | None = None
    database_path: Annotated[Path, AfterValidator(_file)] | None = None
    """None: `data/palmhouse.sqlite3`, or in the sandbox a file of its own."""
    database_url: Annotated[SecretStr, AfterValidator(_address)] | None = None
    """A PostgreSQL database in the place of the file; None for the file. It has a password."""
    shards: Annotated[str, AfterValidator(_shards)] | None = None
    """The shards that this process serves, see `bot.gateway.shard_range`; None for all."""
    nightly_backups: bool = True
    """False: the bot makes no backups by itself."""
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(str.upper)] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """Port on 127.0.0.1 for `/health` and `/metrics`; None for neither."""


def database(settings: Settings, *, is_sandbox: bool) -> Path | str:
    """Return the path of the database file, or the address of a PostgreSQL database."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    return database_file(settings, is_sandbox=is_sandbox)


def database_file(settings: Settings, *, is_sandbox: bool) -> Path:
    """Return the path of the database file, also when there is a PostgreSQL database in its place."""
    path = settings.database_path or (SANDBOX_DATABASE if is_sandbox else DATABASE)
    # SQLite keeps its files beside the file to which a link leads, and two names must not let two bots in.
    return Path(os.path.realpath(path)) if os.path.islink(path) else path  # noqa: PTH114 - it raises no error


def load() -> Settings:
    """Read the settings. Raises SettingsRefused."""
    settings, wrong = load_well_formed()
    if wrong:
        raise SettingsRefused(next(iter(wrong.values())))
    return settings


def load_well_formed() -> tuple[Settings, dict[str, str]]:
    """Read the settings without those that are malformed. Return them, and a sentence by the name of each malformed
    one. Raises SettingsRefused for a file that cannot be read."""
    try:
        if FILE.is_dir():
            raise SettingsRefused(
                "Your .env is a folder, not a file. Move it away, and put the settings into a file."
            )
        return _well_formed()
    except UnicodeDecodeError:
        raise SettingsRefused("The file .env is not UTF-8 text: save it again as UTF-8.") from None
    except PermissionError:
        user = os.geteuid()
        raise SettingsRefused(
            f"This process (user {user}) may not read .env. Give it the file: `sudo chown {user} .env`."
        ) from None
    except OSError as error:
        raise SettingsRefused(f"The file .env cannot be read: {error.strerror}.") from None


def _well_formed() -> tuple[Settings, dict[str, str]]:
    try:
        return Settings(), {}
    except ValidationError as error:
        wrong = {str(each["loc"][0]): each["msg"] for each in error.errors()}
    usual = {name: Settings.model_fields[name].default for name in wrong}  # these win over the environment
    return Settings(**usual), {name.upper(): _sentence(name, said) for name, said in wrong.items()}


def _sentence(name: str, said: str) -> str:
    said = said.removeprefix("Value error, ")
    return f"{name.upper()} {WRONG.get(name) or said[0].lower() + said[1:]}."
