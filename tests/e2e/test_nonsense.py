"""Nonsense in every option of every command, from everybody and everywhere: always a sentence, never an unexpected
error."""

import logging
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from bot.match.names import LONGEST_TYPED
from sandbox import Channel, Permission, Person
from sandbox.command_checks import BOOLEAN, INTEGER, SUB_COMMAND, USER
from tests.e2e.match import Match, check_answer
from tests.e2e.players import leave

ROUNDS = 1
"""Number of times everybody uses each command in each place and types into each option. A soak test may raise it."""

TEXTS = (
    *(" ", "0", "1", "2", "#1", "-1", "1e9", "9" * 400, "\u0663", "\u00b2", "x" * 6000, "play " * 900),
    *("\0", "\ud800", "\u202e1", "@everyone <@1>", "**`||", "a\nb", "[](https://example.com)", "5 4 5 6 7 8"),
    *("1,2", "0 0 0 0 0 0", "-1 0 0 0 0 0", "99 99 99 99 99 99", "nan", "null", "[]", "palmer", "live", "💥"),
)
MOST_CHOICES, LONGEST_CHOICE = 25, 100


async def crowd(match: Match) -> tuple[list[Person], list[Channel]]:
    """Return a match with several kinds of people, and several kinds of places."""
    await match.gather(full=True)
    check_answer(await match.people[0].click(match.card, "Start"))
    await match.rest()
    thread, guild = await match.place(), match.here.guild
    gone = match.people.pop()
    check_answer(await leave(gone, thread))
    silent, hidden = guild.channel("silent"), guild.channel("hidden")
    silent.deny(match.box.world.bot, Permission.SEND_MESSAGES)
    hidden.deny(match.box.world.bot, Permission.VIEW_CHANNEL)
    people = [match.people[0], gone, match.watcher]
    return people, [match.here.room, thread, silent, hidden, match.people[0].dms]


def commands(person: Person, place: Channel) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Return every command that the person is offered there, with its options."""
    for command in (each for each in person.offered(place) if each["type"] == 1):
        inner = [each for each in command.get("options", ()) if each["type"] == SUB_COMMAND]
        for each in inner:
            yield f"{command['name']} {each['name']}", each.get("options", [])
        if not inner:
            yield command["name"], command.get("options", [])


def nonsense(option: Mapping[str, Any], rng: Random, people: list[Person]) -> Any:
    """Return a value that Discord accepts for an option."""
    if option.get("choices"):
        return rng.choice(option["choices"])["value"]
    match option["type"]:
        case kind if kind == USER:
            return rng.choice([*people, people[0].world.bot, people[0].world.user("Zoe")])
        case kind if kind == BOOLEAN:
            return rng.random() < 0.5
        case kind if kind == INTEGER:
            return rng.choice((option["min_value"], option["max_value"]))
    return rng.choice(TEXTS)[: option["max_length"]]


async def test_nonsense_in_any_command_is_answered_with_a_sentence(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    people, places = await crowd(match)
    rng = Random(1)
    for person in people:
        for place in [*(place for place in places if place.sees(person.id))] * ROUNDS:
            for command, options in commands(person, place):
                chosen = {
                    each["name"]: nonsense(each, rng, people)
                    for each in options
                    if each.get("required") or rng.randrange(3)
                }
                answer = await person.slash(place, command, **chosen)
                check_answer(answer)
                assert caplog.records == [], (command, chosen, place)
    await match.here.rest()
    for person in people:
        for answer in person.answers:
            await match.box.until(lambda answer=answer: not answer.is_loading)  # type: ignore[misc]
            check_answer(answer)
    assert caplog.records == []


async def test_a_text_that_is_too_long_gets_no_suggestions(match: Match) -> None:
    await match.deal()
    person, _ = await match.next()
    for length, is_read in ((LONGEST_TYPED, True), (LONGEST_TYPED + 1, False), (6_000, False)):
        found = await person.autocomplete(await match.place(), "move", "action", " " * length)
        assert bool(found) is is_read


async def test_nonsense_gets_only_few_and_short_suggestions(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    people, places = await crowd(match)
    rng = Random(1)
    for person in people:
        for place in [place for place in places if place.sees(person.id)]:
            for command, options in commands(person, place):
                for name in [each["name"] for each in options if each.get("autocomplete")]:
                    for typed in rng.sample(TEXTS, min(len(TEXTS), 3 * ROUNDS)):
                        choices = await person.autocomplete(place, command, name, typed, table="1")
                        assert len(choices) <= MOST_CHOICES
                        for each in choices:
                            assert each["name"].strip()
                            assert each["value"].strip()
                            assert len(each["name"]) <= LONGEST_CHOICE
                            assert len(each["value"]) <= LONGEST_CHOICE
                assert caplog.records == [], (command, place)
