"""Nobody learns what they must not know: two worlds that differ in that alone look the same on every screen."""

import logging
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import GAMES, AnyGame
from sandbox import TOKEN, Person
from tests.contract.structure import structure
from tests.contract.subjects import SUBJECTS, Secrets
from tests.e2e.eyes import Eyes, look_around, nameless, pictures
from tests.e2e.match import Match, answered, match_of

STRIDE, LAST = 3, 15
"""Everybody looks around after every third move, until the log has so many entries or the match is over."""


@pytest.fixture(autouse=True)
def never_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has a table shown sees it drawn anew."""
    monkeypatch.setattr("bot.messages.live_messages.IN_SIGHT", 0)


# Cards


async def test_what_somebody_has_not_seen_may_be_something_else_and_nothing_they_are_shown_differs(
    match: Match,
) -> None:
    secrets, rng, compared = SUBJECTS[match.game.slug].secrets, Random(1), 0
    await match.deal()
    await sight(match, Eyes(match.watcher))  # now the board is posted anew; its first nonce was another kind
    while (state := (await match.table()).state).phase == "play" and state.n < LAST:
        state = state.game_state
        for seat, person in [(None, match.watcher), *enumerate(match.people)]:
            eyes = Eyes(person)
            seen = await sight(match, eyes)
            for twin in twins(secrets, state, seat, rng):
                state.game_state = twin
                assert await sight(match, eyes) == seen
                compared += 1
            state.game_state = state
        for _ in range(STRIDE):
            answered(await match.step())
        await match.rest()
    assert compared


def twins(secrets: Secrets, state: Any, seat: int | None, rng: Random) -> Iterator[Any]:
    """The same for that seat: cards that it has not seen change places, others have chosen otherwise in secret."""
    places = secrets.unseen(state, seat)
    cards = [card for lying in places.values() for card in lying]
    rng.shuffle(cards)
    yield secrets.put(state, {name: [cards.pop() for _ in lying] for name, lying in places.items()})
    yield from secrets.choices(state, seat)[:1]


async def sight(match: Match, eyes: Eyes) -> list[str]:
    """What they come to see by looking around once."""
    await look_around(eyes.person, await match.place())
    await match.rest()
    return nameless(list(eyes.look()))


# Choices


def secret_choice(game: AnyGame) -> tuple[str, str] | None:
    """Two first moves in a match of which others cannot tell which was made, if the game has such."""
    options = game.Options()
    seats = game.seats(options).start
    state, _ = game.new(options, seats, "e2e")
    actor = game.awaited(state)[0]
    others = [seat for seat in (None, *range(seats)) if seat != actor]
    for pair in combinations(game.legal(state, actor)[:10], 2):
        after = [game.copy(state), game.copy(state)]
        for later, action in zip(after, pair, strict=True):
            game.step(later, actor, action)
        one, other = ([structure(game.view(later, seat)) for seat in others] for later in after)
        if one == other and structure(after[0]) != structure(after[1]):
            return game.text(pair[0]), game.text(pair[1])
    return None


CHOICES = [(game, choice) for game in GAMES.values() if (choice := secret_choice(game))]
secret_choices = pytest.mark.parametrize(
    ("game", "choice"), CHOICES, indirect=["game"], ids=[game.slug for game, _ in CHOICES]
)


@secret_choices
@pytest.mark.usefixtures("at_once")
async def test_a_choice_made_in_secret_changes_nothing_that_others_see(
    game: AnyGame, choice: tuple[str, str], tmp_path: Path
) -> None:
    one, other = choice
    usual = await others_see(game, tmp_path / "usual.sqlite3", one)
    assert await others_see(game, tmp_path / "other.sqlite3", other) == usual
    assert await others_see(game, tmp_path / "again.sqlite3", one, other) == usual


@secret_choices
@pytest.mark.usefixtures("at_once")
async def test_that_a_choice_was_thought_over_shows_nowhere_later_either(
    game: AnyGame, choice: tuple[str, str], tmp_path: Path
) -> None:
    one, other = choice
    usual = await others_see(game, tmp_path / "usual.sqlite3", one, later=True)
    assert await others_see(game, tmp_path / "again.sqlite3", other, one, later=True) == usual


async def others_see(
    game: AnyGame, path: Path, *choices: str, later: bool = False
) -> dict[str, list[list[str]]]:
    """All that the others see when one has chosen so, or once everybody has; and what the bot asks of Discord but
    for that one. What cannot be chosen anew is left as it is."""
    async with match_of(game, path) as match:
        await match.deal()
        actor, _ = await match.next()
        await match.hand(actor)
        for text in choices:
            answered(await actor.slash(await match.place(), "move", action=text))
            await match.rest()
        state = (await match.table()).state
        for seat in state.awaited() if later else ():
            text = game.text(state.legal(seat)[0])
            answered(await match.people[seat].slash(await match.place(), "move", action=text))
            await match.rest()
        others = [person for person in (*match.people, match.watcher) if person is not actor]
        for person in others:
            await look_around(person, await match.place())
        await match.rest()
        return {each.name: everything(each) for each in others} | {"asked": asked(match, actor)}


def everything(person: Person) -> list[list[str]]:
    """All they saw, the pictures too, and how often they were called. An answer and what everybody is told overtake
    each other by chance: the order is left out."""
    sights = [thing for _, thing in person.sights()]
    return [*sorted(nameless([thing, pictures(person, thing)]) for thing in sights), [str(len(person.pings))]]


def asked(match: Match, but: Person) -> list[list[str]]:
    mine = {str(answer.interaction.id) for answer in but.answers}
    return sorted(
        nameless([each.method, each.template, each.body])
        for each in match.box.requests
        if not mine & set(each.path.split("/"))
    )


# The log of the bot


async def test_the_log_of_the_bot_names_no_move_and_no_token(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    for logger in ("bot", "cogs"):
        caplog.set_level(logging.DEBUG, logger)
    await match.deal()
    for method in ("POST", "PATCH"):
        match.box.fail(method, "^/channels/.*/messages", 403)
    moves = set[str]()
    while not any("could not be" in record.message for record in caplog.records):
        _, text = await match.next()
        moves |= {text, match.game.label(match.game.parse(text))}
        answered(await match.step())
        await match.rest()
    for person in match.people:
        await look_around(person, await match.place())
    people = (*match.people, match.watcher)
    tokens = [TOKEN, *(answer.interaction.token for person in people for answer in person.answers)]
    said = [caplog.handler.format(each) for each in caplog.records if each.name.startswith(("bot", "cogs"))]
    secret = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in (*moves, *tokens)))
    assert [line for line in said if secret.search(line)] == []
