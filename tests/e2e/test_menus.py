"""The menus of a long press: `Profile` and `Compare` on a person, `Replay` and `Verify` on a message of a match."""

from itertools import product

from sandbox import Person
from tests.e2e.match import Match
from tests.e2e.players import shown


async def chosen(person: Person, match: Match, command: str, target: object) -> str:
    """Choose a command in a menu, and return the text of the answer, which nobody else sees."""
    answer = await person.choose(match.here.room, command, target)  # type: ignore[arg-type]  # as tests name it
    await match.box.until(lambda: not answer.is_loading)
    assert answer.ephemeral
    return answer.text


async def test_a_person_has_their_profile_and_a_comparison(match: Match) -> None:
    await match.deal()
    await match.finish()
    alice, ben, *_ = match.people
    by_command = shown(await alice.slash(match.here.room, "profile", member=ben)).text
    assert await chosen(alice, match, "Profile", ben) == by_command
    compared = await chosen(alice, match, "Compare", ben)
    assert compared.startswith("### Ben and Alice\n**Ben**\n")
    assert "**With you** 1 match: Ben placed higher in" in compared
    assert compared.count("still uncertain") == 1
    assert "That is you." in await chosen(alice, match, "Compare", alice)
    assert "has not finished a match" in await chosen(alice, match, "Compare", match.watcher)
    assert "A bot has no results" in await chosen(alice, match, "Profile", match.box.world.bot)


async def test_a_message_of_a_match_has_its_replay_and_its_check(match: Match) -> None:
    await match.deal()
    board, alice = await match.board(), match.people[0]
    assert "is not over" in await chosen(alice, match, "Verify", board)
    await match.finish()
    for message in (match.card, (await match.place()).messages()[-1]):
        replayed = shown(await alice.slash(match.here.room, "replay", match="1")).text
        assert await chosen(alice, match, "Replay", message) == replayed
        assert "The deal of match 1" in await chosen(alice, match, "Verify", message)


async def test_a_message_of_no_match_is_refused(match: Match) -> None:
    alice = match.here.people[0]
    said = await alice.say(match.here.room, "rematch:1")
    helped = shown(await alice.slash(match.here.room, "help"))
    for command, message in product(("Replay", "Verify"), (said, helped)):
        assert "This message is of no match." in await chosen(alice, match, command, message)
