"""A person who plays the daily deal by tapping on what they see."""

from random import Random

from bot.match.table import Table
from bot.standings import daily
from sandbox import Answer, Channel, Message, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.players import shown, tap

DAY = 86_400
TAPS = 2_000
"""Number of random taps that is enough for a whole daily of every game."""


async def wait_for_game(here: CardRoom, slug: str) -> None:
    """Move the clock to the next day with that game."""
    today = daily.day_of(int(here.box.clock.now() * 1000))
    here.box.clock.advance(DAY * next(n for n in range(5) if daily.terms_of(today + n).slug == slug))
    await here.people[-1].slash(here.room, "help")  # the bot learns the time


async def begin(person: Person, place: Channel) -> Message:
    """Use `/daily` and press `Play` or `Go on`. Return the message, which shows the deal now."""
    card = shown(await person.slash(place, "daily"))
    label = next(each["label"] for each in card.buttons if each["label"] in ("Play", "Go on"))
    assert shown(await person.click(card, label)) is card
    return card


def has_form(message: Message) -> bool:
    """Return whether a move can be made in this message."""
    return any(each["custom_id"].startswith("form:") for each in [*message.buttons, *message.selects])


async def play_on(person: Person, deal: Message, rng: Random, taps: int = TAPS) -> Message:
    """Tap at random until the deal is over, or that many times. All of it happens in one message."""
    for _ in range(taps):
        if not has_form(deal):
            break
        assert await tap(person, deal, rng) is deal
    return deal


async def table_of(here: CardRoom, person: Person) -> Table:
    """Return the table of the person's attempt at today's deal."""
    attempt = await here.bot.store.attempt(person.id, here.bot.dailies.today())
    assert attempt is not None
    return await here.bot.tables.get(attempt.match)


async def finish(person: Person, place: Channel, seed: int = 1) -> Message:
    """Play the whole deal of today, and return the message, which shows the result."""
    deal = await play_on(person, await begin(person, place), Random(seed))
    assert not has_form(deal)
    return deal


def said(answer: Answer) -> str:
    """Return the text of an ephemeral answer."""
    assert answer.ephemeral
    return answer.text
