"""A seat that changes hands, or belongs to a computer, shows its cards only to the person who has it."""

from pathlib import Path

from games.twin_palms.cards import card_text
from tests.e2e.card_room import card_room
from tests.e2e.players import deal, latest, leave, shown
from tests.e2e.viewer import Viewer, cards_in, open_everything


async def test_a_seat_that_changes_hands_shows_its_cards_only_to_its_present_player(file: Path) -> None:
    """Ben leaves and Eve takes his seat; Cleo hands hers to Dana. Nobody has played a card yet."""
    async with card_room(file, seed=lambda: "e2e") as here:
        _, ben, cleo, dana, eve = here.people
        place = await deal(here, 3, mode="extreme")
        table, viewers = await here.bot.tables.get(1), [Viewer(person) for person in here.people]
        first, second, third = ({*map(card_text, hand)} for hand in table.state.game_state.hands)

        async def check_what_was_seen(*hands: set[str]) -> None:
            """Check that since the last call everybody has seen only cards of the hand they have."""
            for person in here.people:
                await open_everything(person, place)
            await here.rest()
            for viewer, hand in zip(viewers, hands, strict=True):
                named = {card for string in viewer.new_texts() for card in cards_in(string)}
                assert named == hand, viewer.person.name

        await check_what_was_seen(first, second, third, set(), set())
        await leave(ben, place)
        await here.rest()
        await check_what_was_seen(first, set(), third, set(), set())
        await eve.click(latest(eve, place, "Take Ben's seat"), "Take Ben's seat")
        await check_what_was_seen(first, set(), third, set(), second)
        assert "rated" not in shown(await eve.slash(place, "table leave")).text, "she has hardly played"
        assert "rated" not in (await eve.slash(place, "table hand-over", member=dana)).told, "the same"
        await here.rest()
        await eve.click(latest(eve, place, "Decline"), "Decline")
        await cleo.slash(place, "table hand-over", member=dana)
        await check_what_was_seen(first, set(), third, set(), second)
        await dana.click(latest(dana, place, "Accept"), "Accept")
        await check_what_was_seen(first, set(), set(), third, second)
