"""Nobody learns what they must not know: two states that differ only in that look the same on every screen."""

import asyncio
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import GAMES, AnyGame
from games.types import Seat, with_seats
from sandbox import Person
from tests.contract.structure import structure
from tests.contract.subjects import SUBJECTS, Secrets
from tests.e2e.match import Match, check_answer, every_game, match_of
from tests.e2e.viewer import Viewer, open_everything, pictures, without_ids

STRIDE, LAST = 3, 10
"""Everybody opens everything after every third move, until the log has that many entries or the match is over."""


# Cards


@every_game
async def test_unseen_cards_change_nothing_that_a_player_is_shown(match: Match) -> None:
    match.here.bot.publisher.live.on_screen = 0  # `/table show` posts the table again each time
    secrets, rng, compared = SUBJECTS[match.game.slug].secrets, Random(1), 0
    await match.deal()
    await shown_to(
        match, Viewer(match.watcher)
    )  # posts the board again, because the nonce of its first post has another form
    while (state := (await match.table()).state).phase == "play" and state.n < LAST:
        position = state.game_state
        for seat, person in [(None, match.watcher), *with_seats(match.people)]:
            viewers = Viewer(person)
            seen = await shown_to(match, viewers)
            for twin in equivalent_states(secrets, position, seat, rng):
                state.game_state = twin
                assert await shown_to(match, viewers) == seen
                compared += 1
            state.game_state = position
        for _ in range(STRIDE):
            check_answer(await match.step())
        await match.rest()
    assert compared


def equivalent_states(secrets: Secrets, state: Any, seat: Seat | None, rng: Random) -> Iterator[Any]:
    """Return states that are the same for that seat: unseen cards are exchanged, and hidden choices are different."""
    places = secrets.unseen(state, seat)
    cards = [card for lying in places.values() for card in lying]
    rng.shuffle(cards)
    yield secrets.put(state, {name: [cards.pop() for _ in lying] for name, lying in places.items()})
    yield from secrets.choices(state, seat)[:1]


async def shown_to(match: Match, viewer: Viewer) -> list[str]:
    """Return what the viewer gets to see by opening everything once."""
    place = await match.place()
    for hand in [message for message in viewer.person.sees(place) if message.ephemeral]:
        match.here.bot.publisher.hands.release(hand.id)  # a new one would change it, once
    await open_everything(viewer.person, place)
    await match.rest()
    # An older hand points to the newer one at some time after that is shown.
    return sorted(line for each in viewer.new_texts() for line in without_ids(each))


# Choices


def find_secret_choice(game: AnyGame) -> tuple[str, str] | None:
    """Return two first moves that others cannot tell apart, or None if the game has no hidden choices."""
    options = game.Options()
    seats = game.seats(options).start
    state, _ = game.new(options, seats, "e2e")
    actor = game.awaited(state)[0]
    others = [seat for seat in (None, *range(seats)) if seat != actor]
    for pair in combinations(game.legal(state, actor)[:10], 2):
        after = [state.copy(), state.copy()]
        for later, action in zip(after, pair, strict=True):
            game.step(later, actor, action)
        one, other = ([structure(game.view(later, seat)) for seat in others] for later in after)
        if one == other and structure(after[0]) != structure(after[1]):
            return game.text(pair[0]), game.text(pair[1])
    return None


CHOICES = [(game, choice) for game in GAMES.values() if (choice := find_secret_choice(game))]
secret_choices = pytest.mark.parametrize(
    ("game", "choice"), CHOICES, indirect=["game"], ids=[game.slug for game, _ in CHOICES]
)


@secret_choices
@pytest.mark.usefixtures("calm")
async def test_a_secret_choice_changes_nothing_that_others_see(
    game: AnyGame, choice: tuple[str, str], tmp_path: Path
) -> None:
    one, other = choice
    usual = await seen_by_others(game, tmp_path / "usual.sqlite3", one)
    assert await seen_by_others(game, tmp_path / "other.sqlite3", other) == usual
    assert await seen_by_others(game, tmp_path / "again.sqlite3", one, other) == usual


@secret_choices
@pytest.mark.usefixtures("calm")
async def test_a_changed_secret_choice_leaves_no_trace_afterwards(
    game: AnyGame, choice: tuple[str, str], tmp_path: Path
) -> None:
    one, other = choice
    usual = await seen_by_others(game, tmp_path / "usual.sqlite3", one, later=True)
    assert await seen_by_others(game, tmp_path / "again.sqlite3", other, one, later=True) == usual


async def seen_by_others(
    game: AnyGame, path: Path, *choices: str, later: bool = False
) -> dict[str, list[list[str]]]:
    """Return what the others see after the choice, or once everybody has chosen, and the bot's requests that do not
    concern the chooser. Choices that cannot be changed are left."""
    # Each run begins in the same fraction of a second, of which Discord's time has milliseconds.
    await asyncio.sleep(60 - asyncio.get_running_loop().time() % 60)
    async with match_of(game, path) as match:
        match.here.bot.publisher.live.on_screen = 0  # `/table show` posts the table again each time
        await match.deal()
        actor, _ = await match.next()
        await match.hand(actor)
        for text in choices:
            check_answer(await actor.slash(await match.place(), "move", action=text))
            await match.rest()
        state = (await match.table()).state
        for seat in state.awaited() if later else ():
            text = game.text(state.legal(seat)[0])
            check_answer(await match.people[seat].slash(await match.place(), "move", action=text))
            await match.rest()
        others = [person for person in (*match.people, match.watcher) if person is not actor]
        for person in others:
            await open_everything(person, await match.place())
        await match.rest()
        return {each.name: everything(each) for each in others} | {"asked": requests_of_the_bot(match, actor)}


def everything(person: Person) -> list[list[str]]:
    """Return everything the person saw, with pictures, and how often they were pinged. The order is left out,
    because answers and posts overtake each other by chance."""
    sights = [thing for _, thing in person.sights()]
    return [
        *sorted(without_ids([thing, pictures(person, thing)]) for thing in sights),
        [str(len(person.pings))],
    ]


def requests_of_the_bot(match: Match, but: Person) -> list[list[str]]:
    mine = {part for each in but.answers for part in (str(each.interaction.id), each.interaction.token)}
    return sorted(
        without_ids([each.method, each.template, each.body])
        for each in match.box.requests
        if not mine & set(each.path.split("/"))
    )
