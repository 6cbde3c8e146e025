"""The stored seed of a match whose deal can be checked, and hashes for it. `bot.match.deals` says what they are for."""

import hashlib
import json
import secrets
from typing import Any, Final

FORMAT: Final = "palmhouse-deal-1"
"""Name of this way to deal, part of every seal. The stored seeds of its matches begin with it."""


def new_seed() -> str:
    """Return what is stored as the seed of a new match: the format and a random secret of 256 bits."""
    return f"{FORMAT}:{secrets.token_hex(32)}"


def secret_of(seed: str) -> str:
    """Return the secret in a stored seed; "" when the seed is used as it is, as in a daily deal."""
    name, _, secret = seed.partition(":")
    return secret if name == FORMAT else ""


def canonical(data: Any) -> bytes:
    """Return data of texts, integers, lists and dicts as JSON: the same bytes for equal data, in ASCII."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def digest(data: Any) -> str:
    """Return the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(data)).hexdigest()


def cut_digest(seed: str, words: str) -> str:
    """Return what a cut adds to the seal."""
    # Not the words themselves: they may be erased, and the seal stays.
    return digest([secret_of(seed), words])
