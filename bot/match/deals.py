"""The seed of a deal that can be checked after the match.

1. A lobby opens with a random secret. Its card shows the seal: a hash of the secret, the match, the game, its rules and
   options, the pack of cards, and the names of its shuffles.
2. Each step of the lobby (a person joins, leaves, cuts or chooses a partner, a computer comes or goes, the options
   change) makes a new seal: a hash of the one before and of the step. With the options goes the pack.
3. At the start, the seed is computed from the secret and the last seal.
4. After the match, `bot.match.deal_file` writes all of that into a file, which `verify.py` checks without this project.

Whoever copies the seal before they cut can see that nothing before their cut was exchanged, and what came after it.
Joins do not bind the person who runs the bot, as nobody else can read the ids of their interactions. A cut does: its
words come after everything that the copied seal stands for. docs/security.md says who can vary what after whom.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeVar

from bot.store import Match
from bot.store.seeds import FORMAT, digest, secret_of
from games import AnyGame, Options
from games.chance import shuffled

T = TypeVar("T")
DealStep: TypeAlias = Sequence[str | int | list[Any]]
"""A step of a lobby, as part of the next seal: its kind, and what tells it from others without naming anybody."""

OF_NIGHT: Final = "palmhouse-night-1"
"""Name of the way of a game night, whose tables have given seats and a common seed (`bot.match.nights`)."""
MOST_CUTS: Final = 8
"""Number of cuts from which on only people who sit at the table can cut."""
MOST_CUTS_IN_ALL: Final = 16
"""Maximum number of cuts: all of them must fit on the card."""
MOST_STEPS: Final = 20
"""Maximum number of steps that one person makes in a lobby: each changes the seal, which others have to copy."""
LONGEST_CUT: Final = 40
"""Maximum number of characters of a cut."""


def first_seal(match: Match, game: AnyGame) -> str:
    """Return the seal of a lobby before anybody sits there; "" for a match whose seed is used as it is."""
    secret = secret_of(match.seed)
    if not secret:
        return ""
    options = game.Options.model_validate_json(match.options)
    sealed = [*terms_of(game, options), shuffles_of(game)]
    return digest([FORMAT, match.id, match.game, match.rules, *sealed, secret])


def terms_of(game: AnyGame, options: Options) -> list[Any]:
    """Return the options, and the pack that follows from them, as they are part of a seal."""
    # One form of the options, whatever the blanks and the order of the stored text.
    return [options.model_dump(mode="json"), pack_of(game, options)]


def shuffles_of(game: AnyGame) -> dict[str, str]:
    """Return the kinds of shuffles by purpose and number (`Game.shuffles`)."""
    # Sealed, as under another name the same seed gives another order.
    return {"seats N": "lot", **game.shuffles}


def pack_of(game: AnyGame, options: Options) -> list[str]:
    """Return the names of the cards that are shuffled, in their order."""
    # Sealed, as with other cards or in another order the same seed deals other hands.
    return [game.card_names[card] for card in game.pack(options)]


def next_seal(seal: str, step: DealStep) -> str:
    """Return the seal after a step of the lobby (`LogEntry.deal_step`)."""
    return digest([seal, *step])


def dealt_seed(seed: str, seal: str) -> str:
    """Return the seed of a match that starts. `seed` is the stored one, `seal` the last of its lobby."""
    return hmac.new(secret_of(seed).encode(), seal.encode(), hashlib.sha256).hexdigest()


def in_drawn_order(players: Sequence[T], seed: str, pairs: Sequence[tuple[int, int]] = ()) -> list[T]:
    """Return the players in the order of their seats, as the seed draws them. In each of the `pairs` (places among the
    players) the second then changes seats with whoever sits opposite the first."""
    # Numbers, because every shuffle is written into the deal file.
    seats = shuffled(range(len(players)), seed, "seats", are_cards=False)
    for first, second in pairs:
        there, opposite = seats.index(second), (seats.index(first) + len(seats) // 2) % len(seats)
        seats[there], seats[opposite] = seats[opposite], second
    return [players[seat] for seat in seats]
