"""Actions about the terms of a match, before it: the options of its game, and who plays with whom."""

from typing import Any

from pydantic import ValidationError

from bot.match.entries import SetOptions, Wish
from bot.match.refusal import Refusal
from bot.match.table import Table


def check_may_change(table: Table, user: int) -> None:
    """Raise Refusal for anybody but the host, and once the match has begun."""
    table.must_be("lobby", "The match has begun, so its options stay as they are.")
    table.must_host(user, "change the options")


async def set_option(table: Table, user: int, name: str, value: Any, at: int) -> None:
    """Change one option of the game. Raises Refusal as `check_may_change` does, and when more people sit here, or
    have a seat kept, than could play then."""
    async with table.changing(at):
        check_may_change(table, user)
        table.check_steps(user)
        state, game = table.state, table.state.game
        try:
            options = game.Options.model_validate({**state.options.model_dump(), name: value})
        except ValidationError as error:
            raise Refusal(" ".join(fault["msg"] for fault in error.errors())) from None
        taken, most = len(state.players), game.seats(options).stop - 1
        if taken + len(state.reserved) > most:
            kept = f", seats are kept for {table.kept_for}" if table.kept_for else ""
            raise Refusal(f"{taken} sit here{kept}, and with that option at most {most} can play.")
        if options != state.options:
            await table.commit(at, SetOptions(user, options.model_dump_json()))
            for seat in table.state.people():  # their ratings may be of another pool now
                await table.note(table.state.players[seat].user)
            table.changed(table)  # the card may have been drawn before they were read


async def wish(table: Table, user: int, partner: int, at: int) -> None:
    """Wish for a person as the partner; for oneself: for nobody. Two who wish for each other sit opposite."""
    async with table.changing(at):
        table.must_be("lobby", "The seats are drawn, so partners cannot be chosen any more.")
        table.seat(user)
        table.check_steps(user)
        place = table.state.seat_of(partner)
        if place is None:
            raise Refusal("They do not sit at this table any more. Choose somebody else.")
        await table.commit(at, Wish(place, user))
