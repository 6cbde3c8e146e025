"""People who play by what they see: they open their hand and tap on its form, as on a phone."""

from contextlib import AbstractContextManager, nullcontext, suppress
from random import Random
from typing import Any

from bot.match.state import TableState
from bot.match.table import Table
from games import AnyGame, Illegal
from games.strategies import choose
from games.types import Action, Seat
from sandbox import Answer, Channel, Message, Modal, Permission, Person, TextChannel, Thread
from sandbox.posting import open_thread
from tests.e2e.card_room import CardRoom

MENU = 25
"""Number of options that Discord allows in a menu."""
TAPS = 200
"""Number of random taps that is enough for a move in every game."""


class Turns:
    """A table whose people act in turn."""

    def __init__(self, here: CardRoom, table: Table, place: Channel) -> None:
        self.here = here
        self.table = table
        self.place = place

    def person(self, step: int) -> Person:
        """Return the person whose turn it is, or the one so many seats to the left."""
        players = self.table.state.players
        user = players[(self.table.state.awaited()[0] + step) % len(players)].user
        return next(person for person in self.here.people if person.id == user)


async def open_table(room: Channel, command: str, host: Person, *others: Person, **options: Any) -> Message:
    """Open a table, let the others join, and return the card."""
    card = shown(await host.slash(room, command, **options))
    for other in others:
        await other.click(card, "Join")
    return card


def new_thread(room: TextChannel, owner: Person, *, private: bool = False) -> Thread:
    """Return a thread that somebody has created for something else."""
    world = room.world
    thread = Thread(world, world.snowflakes.next(), room, owner.user, "Cards", private, world.clock.now())
    open_thread(thread, None)
    return thread


def secret_channel(here: CardRoom, *people: Person) -> TextChannel:
    """Return a channel that the bot and these people alone see."""
    secret = here.guild.channel("secret")
    secret.deny(None, Permission.VIEW_CHANNEL)
    for user in (here.box.world.bot, *(each.user for each in people)):
        secret.allow(user, Permission.VIEW_CHANNEL)
    return secret


async def press_more(person: Person, card: Message, label: str, *, times: int = 1) -> Answer:
    """Press a button of the lobby that is behind `More`."""
    return await person.click(shown(await person.click(card, "More")), label, times=times)


async def start_match(here: CardRoom, command: str, host: Person, *others: Person, **options: Any) -> Message:
    """Open a table, let the others join, start it, wait until it is shown, and return the card."""
    card = await open_table(here.room, command, host, *others, **options)
    await host.click(card, "Start")
    await here.rest()
    return card


async def deal(here: CardRoom, seats: int, /, **options: Any) -> Channel:
    """Deal a match of Twin Palms for the first `seats` people, and return where it is played."""
    card = await start_match(here, "twin-palms start", *here.people[:seats], **options)
    return here.thread(card) if card.thread else here.room


async def chat(person: Person, place: Channel, messages: int) -> None:
    for n in range(messages):
        await person.say(place, f"Hello {n}")


async def bid(place: Channel, *people: Person, action: str = "bid 1") -> None:
    """Let each of them bid with `/move`."""
    for person in people:
        assert "✅" in (await person.slash(place, "move", action=action)).told


async def leave(person: Person, place: Channel) -> Answer:
    """Leave the match and confirm it."""
    asked = shown(await person.slash(place, "table leave"))
    return await person.click(asked, "Leave the match")


async def hand_of(person: Person, place: Channel) -> Message:
    """Return the person's hand, opened with the last `My hand` there."""
    return shown(await person.click(latest(person, place), "My hand"))


async def set_preferences(person: Person, place: Channel, **wanted: str) -> Message:
    """Choose these preferences in the menus and return the panel."""
    panel = shown(await person.slash(place, "preferences"))
    for name, word in wanted.items():
        assert shown(await person.select(panel, f"preference:0:{name}", [word])) is panel
    return panel


def latest(person: Person, place: Channel, label: str = "My hand") -> Message:
    """Return the last message there that has a button with that label; a call only if there is no other."""
    having = [m for m in reversed(person.sees(place)) if any(b.get("label") == label for b in m.buttons)]
    return min(having, key=lambda m: "<@" in m.text)


def labels(message: Message) -> list[str]:
    """Return the labels of the buttons, in order."""
    return [each["label"] for each in message.buttons]


def shown(answer: Answer) -> Message:
    """Return the message with which an interaction was answered."""
    assert answer.message is not None, answer
    return answer.message


def modal_of(answer: Answer) -> Modal:
    """Return the form with which an interaction was answered."""
    assert answer.modal is not None, answer
    return answer.modal


def kinds(message: Message) -> list[str]:
    """Return the kinds of the message's pictures: "table", "hand"."""
    return [file["filename"].partition("-")[0] for file in message.files]


def text_and_alt(message: Message) -> str:
    """Return what a reader without pictures gets: the text and the alt texts."""
    return "\n".join([message.text, *(file["description"] for file in message.files)])


def some_move(state: TableState, rng: Random) -> tuple[Seat, Action]:
    """Return an awaited seat and a random action. With more actions than a menu holds it is the fallback half of the
    time. In a real-time game it is a sensible action, because random guesses would never end the match."""
    seat = state.awaited()[0]
    legal = state.legal(seat)
    if state.game.real_time:
        return seat, choose(state.game, state.game.view(state.game_state, seat), "steady", state.n)
    if len(legal) > MENU and rng.randrange(2):
        return seat, state.game.fallback(state.game_state, seat)
    return seat, rng.choice(legal)


def too_late(game: AnyGame) -> AbstractContextManager[None]:
    """Return a context in which a move of a real-time game may be refused, as a computer may have been faster."""
    return suppress(Illegal) if game.real_time else nullcontext()


async def by_typing(person: Person, place: Channel, rng: Random) -> None:
    """Make one of the suggested moves with `/move`."""
    offered = await person.autocomplete(place, "move", "action", "")
    assert "✅" in (await person.slash(place, "move", action=rng.choice(offered)["value"])).told


async def by_tapping(person: Person, place: Channel, rng: Random) -> None:
    """Open the hand and tap at random on its form until a move is made."""
    hand = await hand_of(person, place)
    for _ in range(TAPS):
        if "✅" in hand.text:
            return
        hand = await tap(person, hand, rng)
    raise AssertionError(f"{TAPS} taps led to no move:\n{hand.text}")


async def tap(person: Person, hand: Message, rng: Random) -> Message:
    parts = [*hand.buttons, *hand.selects]
    part = rng.choice([p for p in parts if p["custom_id"].startswith("form:") and not p.get("disabled")])
    if part not in hand.selects:
        return shown(await person.click(hand, part["custom_id"]))
    values = [option["value"] for option in part["options"]]
    count = rng.randint(part.get("min_values", 1), part.get("max_values", 1))
    return shown(await person.select(hand, part["custom_id"], rng.sample(values, count)))
