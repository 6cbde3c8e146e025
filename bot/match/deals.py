"""The seed of a deal that can be checked after the match.

1. The lobby opens with a random secret. Its card shows the commitment, a hash of the secret.
2. People join and cut. The card shows each cut, and a hash of all joins so far.
3. At the start, the seed is computed from the secret, the options, the seats, the joins and the cuts.
4. After the match, `bot.match.deal_file` writes all of that into a file, which `verify.py` checks without this project.

Joins do not bind the person who runs the bot, as nobody else can read the ids of their interactions. A cut does: its
words come after the commitment and the hash of the joins, and everybody sees all three on the card.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

from bot.store import Match
from games.chance import shuffled

T = TypeVar("T")

FORMAT: Final = "palmhouse-deal-1"
"""Name of this way to deal. It is part of every commitment, and begins the stored seed of every match dealt so."""
MOST_CUTS: Final = 8
"""Number of cuts from which on only people who sit at the table can cut."""
MOST_CUTS_IN_ALL: Final = 16
"""Maximum number of cuts, so that all of them fit on the card."""
LONGEST_CUT: Final = 40
"""Maximum number of characters of a cut."""


def new_seed() -> str:
    """Return what is stored as the seed of a new match: the format and a random secret of 256 bits."""
    return f"{FORMAT}:{secrets.token_hex(32)}"


def secret_of(seed: str) -> str:
    """Return the secret in a stored seed; "" for a match of an older version, in which the seed is used as it is."""
    name, _, secret = seed.partition(":")
    return secret if name == FORMAT else ""


def canonical(data: Any) -> bytes:
    """Return data of texts, integers, lists and dicts as JSON: the same bytes for equal data, in ASCII."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def digest(data: Any) -> str:
    """Return the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(data)).hexdigest()


def commitment(match: Match) -> str:
    """Return the hash that the lobby card shows before anybody joins."""
    return digest([FORMAT, match.id, match.game, match.rules, secret_of(match.seed)])


def joins_digest(joins: Sequence[int]) -> str:
    """Return a short hash of the ids of the joins so far. A person can copy it before they cut."""
    return digest([*map(str, joins)])[:16]


def cut_digest(seed: str, words: str) -> str:
    """Return what a cut adds to the seed. It stays when the words are erased."""
    return digest([secret_of(seed), words])


def dealt_seed(
    seed: str, options: str, seats: Iterable[str], joins: Iterable[int], cuts: Iterable[str]
) -> str:
    """Return the seed of a match that starts.

    `seed` and `options` are the stored ones; `seats` are "person" or the strength of a computer, in the order in which
    they joined; `joins` are the ids of interactions, `cuts` the digests of cuts, in order.
    """
    # No ids of people: these are replaced when a person is erased, and the seed must stay the same.
    given = [options, [*seats], [*map(str, joins)], [*cuts]]
    return hmac.new(secret_of(seed).encode(), canonical(given), hashlib.sha256).hexdigest()


def in_drawn_order(players: Sequence[T], seed: str) -> list[T]:
    """Return the players in the order of their seats, which the seed of the deal draws."""
    # Numbers, because every shuffle is written into the deal file.
    seats = shuffled(range(len(players)), seed, "seats", are_cards=False)
    return [players[seat] for seat in seats]
