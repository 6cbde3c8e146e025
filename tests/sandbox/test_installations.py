"""Applications that people install for themselves: where their commands are offered, and what the bot may do there."""

from typing import Any

import pytest

from sandbox import Guild, Permission, Person, Sandbox, TextChannel
from sandbox.answer import Impossible
from sandbox.checks import Refused
from sandbox.world import GroupChannel


class Places:
    """A server with the bot, one without it, and group direct messages; Alice has installed the application."""

    def __init__(self, box: Sandbox) -> None:
        self.box = box
        self.home: Guild = box.guild("Home")
        self.other: Guild = box.guild("Elsewhere", bot=False)
        self.room: TextChannel = self.home.channel("room")
        self.away: TextChannel = self.other.channel("away")
        self.alice: Person = box.person("Alice", self.home, self.other)
        self.ben: Person = box.person("Ben", self.home, self.other)
        self.group: GroupChannel = box.group(self.alice, self.ben)
        self.alice.install()
        self.delivered: list[dict[str, Any]] = []
        for person in (self.alice, self.ben):
            person._deliver = self.delivered.append

    def register(self, **fields: Any) -> None:
        self.box.commands.replace([{"name": "daily", "description": "Play", **fields}])

    async def use(self, person: Person, place: Any) -> Any:
        command = {"id": self.box.commands.all()[0]["id"], "name": "daily", "type": 1}
        await person.interact(2, place, command, wait=False)
        return self.delivered[-1]


@pytest.fixture
async def places() -> Places:
    async with Sandbox() as box:
        return Places(box)


def offered(person: Person, place: Any) -> bool:
    return person.offered(place) != []


async def test_a_command_for_guilds_alone_is_offered_in_guilds_with_the_bot_and_its_direct_messages(
    places: Places,
) -> None:
    places.register(integration_types=[0])
    alice = places.alice
    assert [offered(alice, place) for place in (places.room, alice.dms)] == [True, True]
    assert [offered(alice, place) for place in (places.away, places.group)] == [False, False]


async def test_a_command_for_users_is_offered_everywhere_to_those_who_have_installed_it(
    places: Places,
) -> None:
    places.register(integration_types=[0, 1], contexts=[0, 1, 2])
    everywhere = places.room, places.away, places.group
    assert [offered(places.alice, place) for place in everywhere] == [True, True, True]
    assert [offered(places.ben, place) for place in everywhere] == [True, False, False]


async def test_contexts_limit_where_a_command_is_offered(places: Places) -> None:
    places.register(integration_types=[0, 1], contexts=[0])
    assert offered(places.alice, places.away)
    assert not offered(places.alice, places.group)
    assert not offered(places.alice, places.alice.dms)


async def test_a_command_without_integration_types_has_all_those_of_the_application(places: Places) -> None:
    places.register()
    assert offered(places.alice, places.away)


async def test_an_interaction_says_in_which_context_and_by_whose_installation_it_came(places: Places) -> None:
    places.register(integration_types=[0, 1], contexts=[0, 1, 2])
    alice = places.alice
    found = [await places.use(alice, place) for place in (places.room, places.away, alice.dms, places.group)]
    own, home = str(alice.id), str(places.home.id)
    assert [(each["context"], each["authorizing_integration_owners"]) for each in found] == [
        (0, {"0": home, "1": own}),
        (0, {"1": own}),
        (1, {"0": "0", "1": own}),
        (2, {"1": own}),
    ]
    assert Permission(int(found[1]["app_permissions"])) & Permission.ATTACH_FILES
    assert not Permission(int(found[1]["app_permissions"])) & Permission.SEND_MESSAGES


async def test_interactions_in_a_guild_without_the_bot_do_not_reach_it_uninstalled(places: Places) -> None:
    places.register(integration_types=[0])
    with pytest.raises(Impossible):
        await places.ben.slash(places.away, "daily")


async def answered(places: Places, place: Any, flags: int = 0) -> Any:
    """Let Alice use the command and the bot answer it; return the interaction."""
    event = await places.use(places.alice, place)
    answer = {"type": 4, "data": {"content": "hello", "flags": flags}}
    return places.box.interactions.respond(int(event["id"]), event["token"], answer, ())


async def test_an_interaction_of_a_users_own_installation_has_at_most_five_followups(places: Places) -> None:
    places.register(integration_types=[0, 1], contexts=[0, 1, 2])
    for place, most in ((places.away, 5), (places.group, 5), (places.room, 9)):
        interaction = await answered(places, place)
        for _ in range(most):
            places.box.interactions.follow_up(interaction.token, {"content": "more"}, ())
        if most == 5:
            with pytest.raises(Refused) as refused:
                places.box.interactions.follow_up(interaction.token, {"content": "more"}, ())
            assert (refused.value.status, refused.value.code) == (400, 40094)


async def test_everybody_sees_an_answer_unless_external_applications_are_forbidden(places: Places) -> None:
    places.register(integration_types=[0, 1], contexts=[0, 1, 2])
    await answered(places, places.away)
    assert [each.text for each in places.ben.sees(places.away)] == ["hello"]
    places.away.deny(None, Permission.USE_EXTERNAL_APPS)
    interaction = await answered(places, places.away)
    assert interaction.original.ephemeral
    assert len(places.ben.sees(places.away)) == 1
    await answered(places, places.group)
    assert len(places.ben.sees(places.group)) == 1


async def test_the_bot_is_told_nothing_of_a_guild_or_a_group_that_it_is_not_in(places: Places) -> None:
    told: list[str] = []
    places.box.world.dispatch = lambda event, _data: told.append(event)
    places.register(integration_types=[0, 1], contexts=[0, 1, 2])
    await answered(places, places.away)
    await answered(places, places.group)
    await places.ben.say(places.away, "hello")
    assert told == []
    assert not places.away.sees(places.box.world.bot.id)
