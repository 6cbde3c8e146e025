"""Names and descriptions of commands in the language of their reader."""

from collections.abc import Iterable, Mapping
from typing import Any

from sandbox.checks import Json

FALLBACKS = {"en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES"}
"""Language used if a translation is missing. If that is missing too, the untranslated text is used."""
TEXTS, INNER = ("name", "description"), ("options", "choices")


def translated(part: Mapping[str, Any], locale: str) -> Json:
    """Return a command, option or choice, with all that it contains, as a client in that language shows it."""
    texts = {key: _text(part, key, locale) for key in TEXTS if key in part}
    inner = {key: [translated(each, locale) for each in part[key]] for key in INNER if part.get(key)}
    return _plain(part) | texts | inner


def untranslated(part: Mapping[str, Any]) -> Json:
    """Return a command, option or choice without any translation."""
    return _plain(part) | {key: [untranslated(each) for each in part[key]] for key in INNER if part.get(key)}


def _plain(part: Mapping[str, Any]) -> Json:
    return {key: each for key, each in part.items() if not key.endswith("_localizations")}


def by_name(parts: Iterable[Json], locale: str) -> dict[str, Json]:
    """Return commands, options or choices by the names that a client in that language shows."""
    return {_text(each, "name", locale): each for each in parts}


def _text(part: Mapping[str, Any], key: str, locale: str) -> str:
    texts = part.get(f"{key}_localizations") or {}
    return str(texts.get(locale) or texts.get(FALLBACKS.get(locale)) or part[key])
