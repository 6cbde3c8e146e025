"""In a whole match of Twin Palms every card that a person could read was in their own hand or played publicly."""

from random import Random

from games.twin_palms.cards import card_text
from tests.e2e.card_room import CardRoom
from tests.e2e.players import by_tapping, deal
from tests.e2e.viewer import Viewer, cards_in, open_everything


def test_a_card_is_recognised_in_all_its_forms() -> None:
    forms = {
        "P3": "P3",
        "🌴P10": "P10",
        "play D7 S*=8": "D7 S*",
        "🕶️S wild": "S*",
        "🐬D8 wild": "D*",
        "Palm 3": "P3",
    }
    for form, named in forms.items():
        assert cards_in(f"1. {form}, then") == set(named.split())
    assert cards_in("Palms bid 3, PS 4, Ben 7") == set()


async def test_people_see_only_cards_of_their_own_hand_and_cards_played_this_round(
    here: CardRoom,
) -> None:
    place = await deal(here, 4, mode="extreme", rounds=2)  # the lobby's banner shows some cards of the game
    viewers, rng = [Viewer(person) for person in here.people], Random(1)
    table = await here.bot.tables.get(1)
    hands, played, named = _hands(table.state.game_state.hands), set[str](), 0
    while table.state.phase == "play":
        seat, dealt = table.state.awaited()[0], table.state.game_state.round
        await by_tapping(here.people[seat], place, rng)
        await here.rest()  # after the last trick the table has no button before the last message comes
        await open_everything(rng.choice(here.people), place)
        await here.rest()
        played |= cards_in((await here.bot.store.log(1))[-1].body)
        before, hands = hands, _hands(table.state.game_state.hands)
        for viewer, old, new in zip(viewers, [*before, set()], [*hands, set()], strict=True):
            for string in viewer.new_texts():
                assert cards_in(string) <= played | old | new, f"{viewer.person.name} reads {string!r}"
                named += bool(cards_in(string))
        played = played if table.state.game_state.round == dealt else set()
    assert named > 1000


def _hands(hands: list[list[int]]) -> list[set[str]]:
    return [{card_text(kind) for kind in hand} for hand in hands]
