"""`/preferences`: a panel of menus with a sample hand, in which every choice has its effect at once."""

from bot.messages.router import DEAD_BUTTON, NOTHING_CHOSEN
from sandbox import Channel, Message, Person
from sandbox.components import STRING_SELECT
from tests.e2e.card_room import CardRoom
from tests.e2e.players import shown

PHONE = 45
"""Number of letters in a menu on a phone."""


async def panel_of(person: Person, place: Channel) -> Message:
    return shown(await person.slash(place, "preferences"))


def chosen(panel: Message) -> list[str]:
    """Return the labels of the chosen options in the menus, in order."""
    return [each["label"] for menu in panel.selects for each in menu["options"] if each.get("default")]


async def test_the_panel_shows_the_present_choices_and_a_sample_hand(here: CardRoom) -> None:
    alice, *_ = here.people
    panel = await panel_of(alice, here.room)
    assert panel.ephemeral
    assert chosen(panel) == [
        *("Hand: here", "Calls: every turn", "Cards: pictures", "Card size: usual", "Order: by suit"),
        *("Ratings: shown", "Replays: private", "Challenges: from everybody"),
    ]
    options = [each for menu in panel.selects for each in menu["options"]]
    assert max(len(f"{each['label']} – {each['description']}") for each in options) <= PHONE
    (sample,) = panel.files
    assert "Your hand" in sample["description"]


async def test_each_choice_has_its_effect_at_once_and_changes_the_sample(here: CardRoom) -> None:
    alice, *_ = here.people
    panel = await panel_of(alice, here.room)
    by_suit = panel.files[0]
    assert shown(await alice.select(panel, "preference:0:order", ["rank"])) is panel
    assert panel.files[0]["description"] != by_suit["description"]
    assert "Order: by number" in chosen(panel)
    assert (await here.bot.store.preferences(alice.id)).order == "rank"
    before = panel.files[0]["url"]
    await alice.select(panel, "preference:0:cards", ["large"])
    assert panel.files[0]["url"] != before


async def test_a_forged_choice_is_refused_and_changes_nothing(here: CardRoom) -> None:
    alice, *_ = here.people
    panel = await panel_of(alice, here.room)
    before = await here.bot.store.preferences(alice.id)
    for custom_id, values in (
        ("preference:0:order", ["backwards"]),
        ("preference:0:order", []),
        ("preference:0:order", ["suit", "rank"]),
        ("preference:0:user", ["1"]),
        ("preference:0:card_order", ["rank"]),
        ("preference:0:", ["rank"]),
        ("preference:0", ["rank"]),
        ("preference:0:hand = 'dm' --", ["dm"]),
    ):
        answer = await alice.press(panel, custom_id, STRING_SELECT, values=values)
        assert answer.ephemeral
        assert answer.text == (DEAD_BUTTON if values else NOTHING_CHOSEN)
        assert await here.bot.store.preferences(alice.id) == before
