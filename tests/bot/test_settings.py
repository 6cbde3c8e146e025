"""A wrong setting ends the start with one sentence that names it and shows no secret."""

from pathlib import Path

import pytest

from bot.settings import SettingsRefused, load

TOKEN = "abc.def_-1.ghi"


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without `.env`, and an environment without our variables."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DATABASE_PATH", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_every_setting_may_be_missing() -> None:
    settings = load()
    assert settings.discord_token is None
    assert settings.database_path is None


def test_a_file_may_set_what_the_environment_does_not(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=ERROR\nUNKNOWN=1\n")
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    settings = load()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == TOKEN
    assert settings.log_level == "DEBUG"


def test_a_file_in_another_encoding_is_refused_with_a_sentence(empty: Path) -> None:
    (empty / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-16")
    with pytest.raises(SettingsRefused, match="save it again as UTF-8"):
        load()


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "")
    assert load().discord_token is None


@pytest.mark.parametrize(
    ("name", "value"),
    [("DISCORD_TOKEN", "s3cret"), ("DISCORD_TOKEN", "s3cret. b.c"), ("LOG_LEVEL", "loud")],
)
def test_a_malformed_setting_is_named_and_never_shown(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsRefused) as refused:
        load()
    sentence = str(refused.value)
    assert sentence.startswith(f"{name}: ")
    assert sentence.endswith(".")
    assert "s3cret" not in sentence
