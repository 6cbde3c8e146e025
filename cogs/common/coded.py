"""A game and its options in a custom id. Pages of rules belong to no table, so their buttons carry both."""

import json

from pydantic import ValidationError

from bot.match.refusal import Refusal
from bot.messages.router import DEAD_BUTTON
from games import GAMES, AnyGame, Options


def coded(game: AnyGame, options: Options) -> str:
    """Return the game's slug and the options that differ from their defaults, by number of field: palace:{"0":true}."""
    numbers = {name: number for number, name in enumerate(type(options).model_fields)}
    changed = options.model_dump(mode="json", exclude_defaults=True)
    by_number = {numbers[name]: value for name, value in changed.items()}
    return f"{game.slug}:{json.dumps(by_number, separators=(',', ':'))}"


def decoded(text: str) -> tuple[AnyGame, Options]:
    """Return the game and options that `coded` wrote. Raises Refusal for any other text."""
    slug, _, values = text.partition(":")
    game = GAMES.get(slug)
    if game is None:
        raise Refusal(DEAD_BUTTON)
    names = [*game.Options.model_fields]
    try:
        given = {names[int(number)]: value for number, value in json.loads(values).items()}
        return game, game.Options.model_validate_json(json.dumps(given))
    except (ValueError, IndexError, AttributeError, RecursionError, ValidationError) as error:
        raise Refusal(DEAD_BUTTON) from error
