"""In a whole match of Twin Palms every card that anybody could ever read was their own, or played before their eyes."""

from random import Random

import pytest

from games.twin_palms.cards import card_text
from tests.e2e.eyes import Eyes, cards_in, look_around
from tests.e2e.house import House
from tests.e2e.players import by_tapping, deal


def test_a_card_is_recognised_in_every_form_it_takes() -> None:
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


@pytest.mark.usefixtures("at_once")
async def test_all_that_anybody_sees_of_cards_is_their_own_hand_and_what_was_played_this_round(
    here: House,
) -> None:
    place = await deal(
        here, 4, mode="extreme", rounds=2
    )  # the lobby shows some cards of the game on its banner
    eyes, rng = [Eyes(person) for person in here.people], Random(1)
    table = await here.bot.tables.get(1)
    hands, played, named = _hands(table.state.game_state.hands), set[str](), 0
    while table.state.phase == "play":
        seat, dealt = table.state.awaited()[0], table.state.game_state.round
        await by_tapping(here.people[seat], place, rng)
        await look_around(rng.choice(here.people), place)
        await here.bot.publisher.rest()
        played |= cards_in((await here.bot.store.log(1))[-1].body)
        before, hands = hands, _hands(table.state.game_state.hands)
        for eye, old, new in zip(eyes, [*before, set()], [*hands, set()], strict=True):
            for string in eye.look():
                assert cards_in(string) <= played | old | new, f"{eye.person.name} reads {string!r}"
                named += bool(cards_in(string))
        played = played if table.state.game_state.round == dealt else set()
    assert named > 1000


def _hands(hands: list[list[int]]) -> list[set[str]]:
    return [{card_text(kind) for kind in hand} for hand in hands]
