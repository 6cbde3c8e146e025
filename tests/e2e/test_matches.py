"""A whole match of every game, by what people see: its moves, its end, and the messages that it leaves.

Matches of every size, with kills, are played in simulated card rooms."""

import re
from random import Random
from typing import Any

from games import AnyGame
from games.phrases import scored, signed
from games.sides import by_side
from sandbox import Message
from tests.e2e.match import SHORT, Match, every_game
from tests.e2e.players import by_tapping, by_typing, kinds, labels, shown, text_and_alt

BY_HAND = 25
"""Entries of a match that are all made by tapping and typing. After them it is one of FEW, and none in real time: a
match can have hundreds."""
FEW = 6


def tables(game: AnyGame) -> dict[int, dict[str, Any]]:
    """Return every possible number of players, each with options: the short ones, or one option more."""
    settings = game.Options.model_json_schema()["properties"].items()
    chosen = [{name: choice} for name, field in settings for choice in field.get("enum", ())]
    found: dict[int, dict[str, Any]] = {}
    for more in ({}, *chosen):
        options = SHORT.get(game.slug, {}) | more
        for seats in game.seats(game.Options.model_validate(options)):
            found.setdefault(seats, options)
    return dict(sorted(found.items()))


@every_game
async def test_a_match_can_be_played_to_its_end_by_tapping_and_typing_only_what_is_offered(
    match: Match,
) -> None:
    await match.deal(full=True, **SHORT.get(match.game.slug, {}))
    await play(match)
    await match.check()
    end = await check_what_is_left(match)
    await check_the_card_and_the_line_in_the_channel(match, end)
    await check_what_counts(match)


async def play(match: Match) -> None:
    real_time = match.game.real_time
    rng, table, place = Random(len(match.people)), await match.table(), await match.place()
    first = table.state.n
    while table.is_open:
        long = table.state.n - first > BY_HAND
        if long and real_time:
            await match.finish()
            break
        if not table.state.awaited():
            await match.let_time_pass()
            continue
        if long and rng.randrange(FEW):
            person, text = await match.next()
            await table.play(person.id, [text], table.clock.now())
            continue
        turn = rng.choice((by_tapping, by_typing))
        try:
            await turn(match.people[table.state.awaited()[0]], place, rng)
        except AssertionError:
            if not real_time:  # else a hand has lapsed between the offer and the move
                raise


async def check_what_is_left(match: Match) -> Message:
    """Check that the match leaves its records and its end, and return the end."""
    place, state = await match.place(), (await match.table()).state
    ours = [each for each in place.messages() if each.author is match.box.world.bot and not each.ephemeral]
    *records, end = ours
    assert not any(each.buttons for each in records), "what is over has no buttons"
    assert len(records) < 40, "one for each round or deal, not for each move"
    assert labels(end) == ["Rematch", "Replay", "Verify", "My hand", "Rules"]
    assert end.text.startswith("🏆")
    assert kinds(end) == ["podium"]
    events, _ = await match.here.bot.tables.played(1)
    scores = match.game.record.scores_by_round(events, state.options)
    placings = state.outcome().placings
    best_first = sorted(range(len(placings)), key=lambda seat: placings[seat])
    begin = ", ".join(
        f"{state.players[seat].name} {signed(scores[0][seat])}" for seat in best_first if scores
    )
    fewest = " (fewest win)" * (match.game.slug in ("charms", "palmer"))
    course = f" After {match.game.round_name} 1 of {len(scores)}{fewest}: {begin}."
    assert (course in text_and_alt(end)) is (len(scores) > 1)
    return end


async def check_the_card_and_the_line_in_the_channel(match: Match, end: Message) -> None:
    state = (await match.table()).state
    outcome, unit = state.outcome(), match.game.unit(state.options)
    assert "🏁" in match.card.text
    assert outcome.reason in match.card.text
    placings = by_side(outcome, match.game.sides(state.options, len(match.people))).placings
    for player, placing, score in zip(state.players, placings, outcome.scores, strict=True):
        assert re.search(
            rf"\*\*{placing}\.\*\* .*\b{player.name}\b.*: {scored(score, unit)}", match.card.text
        )
    said = match.here.room.messages()[-1]
    assert said.text.startswith("🏆")
    assert match.game.title in said.text
    assert f"/{end.channel.id}/{end.id}" in said.text


async def check_what_counts(match: Match) -> None:
    leaders = await match.watcher.slash(match.here.room, "leaderboard")
    assert all(person.name in text_and_alt(shown(leaders)) for person in match.people)
    assert leaders.ephemeral
