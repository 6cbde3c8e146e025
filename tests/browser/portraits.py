"""Pictures of each game for README: the same files that the bot posts in the sandbox."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bot.match.table import Table
from bot.pictures.worker_client import WorkerClient
from games import GAMES, AnyGame
from games.strategies import choose
from games.types import Action
from sandbox import Message
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.players import hand_of, latest, open_table

MOVES = {
    "charms": 22,
    "hand-and-foot": 230,
    "liars-dice": 3,
    "palace": 43,
    "palmer": 10,
    "thirty-one": 9,
    "twin-palms": 14,
}
"""Number of moves after which each game's table shows what the game is about."""
USUAL = 20
SENSIBLE = {"liars-dice"}
"""Games in which random moves would show nonsense: everybody plays like a steady computer."""
HANDS = {"hand-and-foot", "palmer"}
"""Games of which a hand is drawn as well."""
PLAYERS = 4


async def portraits(into: Path) -> None:
    """Write a picture of a table of each game, SLUG.png, of some hands, SLUG-hand.png, and of the end of a match,
    end.png."""
    for game in GAMES.values():
        await portrait(game, into)
    await end(into)


async def end(into: Path) -> Path:
    """Play two matches, because a first rating shows no change, and write the last picture."""
    game, path = GAMES["twin-palms"], into / "end.png"
    with TemporaryDirectory() as data:
        async with _opened(data) as here:
            await _played(here, game, 1)
            card = await _played(here, game, 2)
            await _keep(here, here.thread(card).messages()[-1], path)
    return path


def _opened(folder: str) -> AbstractAsyncContextManager[CardRoom]:
    """Open a room whose bot draws."""
    return card_room(Path(folder, "matches.sqlite3"), seed=lambda: "portraits", rasterizer=WorkerClient())


async def _played(here: CardRoom, game: AnyGame, number: int) -> Message:
    """Play a whole match like steady computers at the table with this number. Return its card."""
    card = await _dealt(here, game)
    table = await here.bot.tables.get(number)
    while table.is_open:
        action = _steady(game, table, number)
        user = table.state.players[table.state.awaited()[0]].user
        await table.play(user, [game.text(action)], table.clock.now())
    await here.bot.publisher.wait()
    return card


def _steady(game: AnyGame, table: Table, number: int) -> Action:
    """Return the action that a steady computer would choose."""
    state = table.state
    view = game.view(state.game_state, state.awaited()[0])
    return choose(game, view, "steady", state.n + 1000 * number)


async def portrait(game: AnyGame, into: Path) -> list[Path]:
    """Write the picture of a table of the game, and of a hand where that is wanted. Return the files."""
    with TemporaryDirectory() as data:
        async with _opened(data) as here:
            card = await _dealt(here, game)
            table = await here.bot.tables.get(1)
            rng = Random(game.slug)
            for _ in range(MOVES.get(game.slug, USUAL)):
                seat = rng.choice(table.state.awaited())
                action = (
                    _steady(game, table, 0) if game.slug in SENSIBLE else rng.choice(table.state.legal(seat))
                )
                await table.play(here.people[seat].id, [game.text(action)], table.clock.now())
            await here.bot.publisher.wait()
            place = here.thread(card)
            acting = here.people[table.state.awaited()[0]]
            shown = {"": latest(acting, place, "Rules")}
            if game.slug in HANDS:
                shown["-hand"] = await hand_of(acting, place)
            files = {into / f"{game.slug}{kind}.png": message for kind, message in shown.items()}
            for path, message in files.items():
                await _keep(here, message, path)
            return [*files]


async def _dealt(here: CardRoom, game: AnyGame) -> Message:
    people = here.people[: min(PLAYERS, game.seats(game.Options()).stop - 1)]
    card = await open_table(here.room, f"{game.slug} start", *people)
    await people[0].click(card, "Start")
    await here.bot.publisher.wait()
    return card


async def _keep(here: CardRoom, message: Message, path: Path) -> None:
    """Write the message's picture, which may come later than the message."""
    await here.box.until(lambda: bool(message.files))
    path.write_bytes(here.box.world.files[int(message.files[0]["id"])])
