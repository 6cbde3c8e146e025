"""A wrong setting ends the start with one sentence that names it and shows no secret."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.cli.settings import SettingsRefused, database, load
from bot.gateway.shard_range import MALFORMED
from tests.bot.store.test_sqlite_opening import unprivileged

TOKEN = "abc.def_-1.ghi"
NO_PORT = "METRICS_PORT is not the number of a port; write one from 1 to 65535, or leave it empty."


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without `.env`, and an environment without our variables."""
    monkeypatch.chdir(tmp_path)
    for name in (
        "DISCORD_TOKEN",
        "DATABASE_PATH",
        "DATABASE_URL",
        "LOG_LEVEL",
        "LOG_FORMAT",
        "METRICS_PORT",
        "SHARDS",
    ):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_every_setting_may_be_missing() -> None:
    settings = load()
    assert settings.discord_token is None
    assert settings.database_path is None
    assert settings.metrics_port is None


def test_a_file_may_set_what_the_environment_does_not(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=ERROR\nUNKNOWN=1\n")
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    settings = load()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == TOKEN
    assert settings.log_level == "DEBUG"


def test_a_line_break_after_a_token_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `echo` adds one to the secret of a container."""
    monkeypatch.setenv("DISCORD_TOKEN", f"{TOKEN}\n")
    token = load().discord_token
    assert token is not None
    assert token.get_secret_value() == TOKEN


def test_a_path_from_the_home_folder_leads_there(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No shell has seen a path in the file. Else the database would go into a folder with the name ~."""
    monkeypatch.setenv("HOME", str(empty / "home"))
    (empty / ".env").write_text("DATABASE_PATH=~/cards.sqlite3\n")
    assert database(load(), is_sandbox=False) == empty / "home" / "cards.sqlite3"


def test_a_file_in_another_encoding_is_refused_with_a_sentence(empty: Path) -> None:
    (empty / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-16")
    with pytest.raises(SettingsRefused, match="save it again as UTF-8"):
        load()


def test_a_file_that_may_not_be_read_is_refused_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory(prefix="palmhouse-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        file = folder / ".env"
        file.write_text(f"DISCORD_TOKEN={TOKEN}\n")
        file.chmod(0)
        monkeypatch.chdir(folder)
        with unprivileged():
            user = os.geteuid()
            with pytest.raises(SettingsRefused) as refused:
                load()
        monkeypatch.undo()
    said = f"This process (user {user}) may not read .env. Give it the file: `sudo chown {user} .env`."
    assert str(refused.value) == said


def test_a_folder_in_the_place_of_the_file_is_refused(empty: Path) -> None:
    (empty / ".env").mkdir()
    with pytest.raises(SettingsRefused, match="is a folder, not a file"):
        load()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("NIGHTLY_BACKUPS", "maybe", "NIGHTLY_BACKUPS is neither true nor false; write one of them."),
        ("METRICS_PORT", "x", NO_PORT),
        ("METRICS_PORT", "70000", NO_PORT),
        ("SHARDS", "2/2", f"SHARDS {MALFORMED}."),
    ],
)
def test_a_malformed_setting_is_explained_in_plain_words(
    name: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsRefused) as refused:
        load()
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_TOKEN", "s3cret"),
        ("DISCORD_TOKEN", "s3cret. b.c"),
        ("LOG_LEVEL", "loud"),
        ("LOG_FORMAT", "xml"),
        ("METRICS_PORT", "0"),
        ("SHARDS", "s3cret/2"),
    ],
)
def test_a_malformed_setting_is_named_and_never_shown(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsRefused) as refused:
        load()
    sentence = str(refused.value)
    assert sentence.startswith(f"{name} ")
    assert sentence.endswith(".")
    assert "s3cret" not in sentence


def test_the_address_of_a_database_wins_over_a_file_and_is_never_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_PATH", "cards.sqlite3")
    assert database(load(), is_sandbox=False) == Path("cards.sqlite3")
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:secret@localhost/cards")
    settings = load()
    assert database(settings, is_sandbox=True) == "postgresql://me:secret@localhost/cards"
    assert "secret" not in repr(settings)
    monkeypatch.setenv("DATABASE_URL", "mysql://me:secret@localhost/cards")
    with pytest.raises(SettingsRefused) as refused:
        load()
    assert str(refused.value) == (
        "DATABASE_URL is not the address of a PostgreSQL database; write postgresql://USER:PASSWORD@HOST/DATABASE, or "
        "leave it empty."
    )
