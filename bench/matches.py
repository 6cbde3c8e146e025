"""Measure whole matches of two people and two computers on the sandbox: the messages they leave, requests and taps.

People decide like a steady computer, and make their moves by tapping on the form of their hand. They read the match
from its log, so that nothing here depends on the layout of a table.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from bench.boards import faces
from bench.form_taps import go, latest, nearest, open_hand
from bench.process import DATA, running
from bench.report import Machine, say
from bot.match.log import read
from bot.match.state import TableState
from bot.messages.game_ui import Form, GameUI
from bot.store import Store, open_store
from games import GAMES
from games.strategies import choose
from sandbox import Channel, Message, Person, Sandbox, TextChannel

SEED = "figures"
QUIET = 0.1
"""Seconds without a request after which the bot counts as idle."""
AT_THE_END = 3.0
"""The same at the end of the match, when edits may wait for more than a second."""
MOVE = "move"


@dataclass(frozen=True)
class Figures:
    """Figures of one match. Answers to commands and clicks are not among the calls; a move is one of any player."""

    moves: int
    seconds: float
    messages_in_thread: int
    messages_in_channel: int
    posts_per_move: float
    edits_per_move: float
    deletes_per_move: float
    calls_per_move: float
    """Posts, edits, deletes, and all other requests about channels."""
    uploaded_kb_per_move: float
    taps_per_move: float | None
    """Taps of a person from the call to the move, including `My hand`."""
    most_taps: int | None


@dataclass(frozen=True)
class Matches:
    """`python -m bench matches --json`."""

    machine: Machine
    pause: float
    games: dict[str, Figures]


@dataclass
class FollowedMatch:
    """A match in play, read from its log, and its counts."""

    state: TableState
    store: Store
    moves: int = 0
    taps: list[int] = field(default_factory=list)

    async def read(self) -> None:
        """Read the new entries of the log."""
        for entry in await self.store.log(1, self.state.n):
            self.moves += entry.kind == MOVE
            self.state.apply(read(entry))

    def asked(self) -> int | None:
        """Return the seat of a person that the match waits for, None when there is none."""
        seats = [seat for seat in self.state.awaited() if self.state.players[seat].user]
        return seats[0] if seats else None


async def measure(
    slugs: Sequence[str] = tuple(GAMES),
    pause: float = 0.0,
    options: Mapping[str, Mapping[str, Any]] = {},
    data: Path = DATA,
) -> Matches:
    """Play a match of each game, one after the other.

    People wait `pause` seconds before each move. `options` are those of the `start` commands, by slug.
    """
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        found = {
            slug: await _match(slug, Path(name) / f"{slug}.sqlite3", pause, options.get(slug, {}))
            for slug in slugs
        }
    return Matches(machine, pause, found)


async def _match(slug: str, file: Path, pause: float, options: Mapping[str, Any]) -> Figures:
    async with AsyncExitStack() as stack:
        box = await stack.enter_async_context(Sandbox(rate_limits=False))
        room = box.guild("Palm Beach").channel("card-room")
        people = [box.person(name, room.guild) for name in ("Alice", "Ben")]
        await stack.enter_async_context(running(box, "bench.seeded_bot", box.url, str(file), SEED))
        await box.ready(60)
        say(f"A match of {GAMES[slug].title}.")
        begin = time.perf_counter()
        card = await _open(slug, room, people, options)
        await box.until(lambda: card.thread)
        assert card.thread is not None
        store = await stack.enter_async_context(_opened(file))
        match = FollowedMatch(await _sitting(store), store)
        await _play(box, card.thread, match, people, pause)
        await _rest(box, AT_THE_END)
        return _figures(box, room, card.thread, match, time.perf_counter() - begin)


async def _open(
    slug: str, room: TextChannel, people: Sequence[Person], options: Mapping[str, Any]
) -> Message:
    computers = {} if GAMES[slug].real_time else {"computers": 2}
    card = (await people[0].slash(room, f"{slug} start", **computers, **options)).message
    assert card is not None
    for person in people[1:]:
        await person.click(card, "Join")
    await people[0].click(card, "Start")
    return card


@asynccontextmanager
async def _opened(file: Path) -> AsyncIterator[Store]:
    store = await open_store(file)
    try:
        yield store
    finally:
        await store.close()


async def _sitting(store: Store) -> TableState:
    match = await store.match(1)
    assert match is not None
    game = GAMES[match.game]
    return TableState.of(match, game)


async def _play(
    box: Sandbox, place: Channel, match: FollowedMatch, people: Sequence[Person], pause: float
) -> None:
    """Play until the match is over."""
    state, face = match.state, faces()[match.state.game.slug]
    while True:
        await match.read()
        if state.phase not in ("lobby", "play"):
            return
        seat = match.asked()
        if seat is None:
            await asyncio.sleep(QUIET / 2)
            continue
        person = next(each for each in people if each.id == state.players[seat].user)
        await _rest(box, QUIET)
        await asyncio.sleep(pause)
        action = choose(state.game, state.game.view(state.game_state, seat), "steady", state.n)
        if state.game.real_time:
            await _press(person, place, state.game.text(action))
            match.taps.append(1)
        else:
            match.taps.append(await _tap(person, place, match, face, seat, action))


async def _tap(
    person: Person, place: Channel, match: FollowedMatch, face: GameUI, seat: int, action: int
) -> int:
    """Open the hand and make the move in it. Return the number of taps."""
    state = match.state
    form = Form(1, state.prompts[seat], state.legal(seat))
    names = [player.name for player in state.players]
    steps = nearest(face, state.game.view(state.game_state, seat), names, form, action)
    hand = await open_hand(person, place)
    for step in steps:
        hand = await go(person, hand, step)
    before = state.n
    await match.read()
    if state.n == before:
        raise RuntimeError(f"{person.name}'s taps {steps} made no move: {hand.text}")
    return 1 + sum(step.taps for step in steps)


async def _press(person: Person, place: Channel, action: str) -> None:
    """Press the button of an action, even when it is on a page of the table that is not shown."""
    board, _ = await latest(person, place, "twin-it.press:")
    await person.press(board, f"twin-it.press:1:{action}")


async def _rest(box: Sandbox, quiet: float) -> None:
    """Wait until the bot has sent no request for `quiet` seconds."""
    asked = -1
    while asked != (asked := len(box.requests)):  # noqa: ASYNC110 - there is no event for silence
        await asyncio.sleep(quiet)


def _figures(box: Sandbox, room: Channel, thread: Channel, match: FollowedMatch, seconds: float) -> Figures:
    calls = [each for each in box.requests if each.template.startswith("/channels")]
    messages = [each for each in calls if "/messages" in each.template]

    def per_move(count: float) -> float:
        return round(count / match.moves, 2)

    return Figures(
        moves=match.moves,
        seconds=round(seconds, 1),
        messages_in_thread=len(thread.messages()),
        messages_in_channel=len(room.messages()),
        posts_per_move=per_move(sum(each.method == "POST" for each in messages)),
        edits_per_move=per_move(sum(each.method == "PATCH" for each in messages)),
        deletes_per_move=per_move(sum(each.method == "DELETE" for each in messages)),
        calls_per_move=per_move(len(calls)),
        uploaded_kb_per_move=per_move(sum(map(len, box.world.files.values())) / 1000),
        taps_per_move=round(mean(match.taps), 2) if match.taps else None,
        most_taps=max(match.taps, default=None),
    )
