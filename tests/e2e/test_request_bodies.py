"""Everything the bot sends is valid according to Discord's own API specification."""

from pathlib import Path
from random import Random

import pytest

from sandbox.rest import Record
from tests.e2e.card_room import card_room
from tests.e2e.players import by_tapping, deal, latest, open_table, press_more, set_preferences, shown, tap
from tests.sandbox.openapi import SPECIFICATION, validator_for


def faults(sent: Record) -> list[str]:
    """Return the violations of Discord's specification in the body of a request."""
    validator = validator_for(sent.method, sent.template)
    assert validator
    return [
        f"{sent.method} {sent.template}: {each.message:.500}" for each in validator.iter_errors(sent.body)
    ]


@pytest.mark.skipif(not SPECIFICATION.exists(), reason="Discord's specification is not at hand")
@pytest.mark.usefixtures("first_start")
async def test_every_request_of_a_whole_match_follows_discords_specification(file: Path) -> None:
    async with card_room(file, seed=lambda: "e2e") as here:
        alice, ben, *_ = here.people
        await set_preferences(alice, here.room, hand="dm")
        place, rng = await deal(here, 3, mode="advanced", rounds=1), Random(1)
        table = await here.bot.tables.get(1)
        while table.state.phase == "play":
            person = here.people[table.state.awaited()[0]]
            if person is alice:
                await person.slash(place, "hand")
                action = (await person.autocomplete(place, "move", "action", ""))[0]["value"]
                await person.slash(place, "move", action=action)
            else:
                await by_tapping(person, place, rng)
        daily = shown(await ben.slash(here.room, "daily"))
        await ben.click(daily, "Play")
        while any(each["custom_id"].startswith("form:") for each in [*daily.buttons, *daily.selects]):
            await tap(ben, daily, rng)
        for label in ("Share", "Table of the day", "About"):
            await ben.click(daily, label)
        for command in ("help", "leaderboard", "tables", "twin-palms rules"):
            await ben.slash(here.room, command)
        card = await open_table(here.room, "twin-palms start", ben)
        await ben.click(shown(await ben.click(card, "Rules")), "What beats what")
        await press_more(ben, card, "Leave")
        await ben.press(latest(ben, place), "type:1")
    wrong = [fault for sent in here.box.bodies for fault in faults(sent)]
    assert wrong == []
    assert {each.template for each in here.box.bodies if each.method == "PATCH"}
    assert len(here.box.bodies) > 100
