"""Each kind of wrong move in Twin Palms: by command, by a typed line, and by a forged form."""

import pytest

from games import GAMES
from games.twin_palms.cards import WILD, card_text
from sandbox import Channel, Person
from sandbox.components import STRING_SELECT
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import bid, deal, hand_of, shown, text_and_alt

GAME = GAMES["twin-palms"]


class Turn:
    """The player whose turn it is to play, where, and with which hand; `other` is waiting."""

    def __init__(self, here: CardRoom, place: Channel, seat: int, hand: list[int]) -> None:
        self.here = here
        self.place = place
        self.person: Person = here.people[seat]
        self.other: Person = here.people[1 - seat]
        self.hand = hand

    async def check_refusal(self, person: Person, typed: str, *sentence: str) -> None:
        """Check that the move is refused by command and by a typed line, and that nothing is stored."""
        n = len(await self.here.bot.store.log(1))
        hand = await hand_of(person, self.place)
        answer = [refusal_of(await person.slash(self.place, "move", action=typed))]
        if any(each["label"] == "Type a move" for each in hand.buttons):
            modal = (await person.click(hand, "Type a move")).modal
            assert modal is not None
            answer.append(shown(await person.submit(modal, {"Your move": typed})).text)
        for words in answer:
            assert all(each in words for each in sentence), words
        assert len(await self.here.bot.store.log(1)) == n


@pytest.fixture
async def turn(here: CardRoom) -> Turn:
    """Two people have bid and one has led; the other, who holds wilds, is to play."""
    place = await deal(here, 2)
    await bid(place, *here.people[:2])
    table = await here.bot.tables.get(1)
    (seat,) = table.state.awaited()
    await bid(place, here.people[seat], action=GAME.text(table.state.legal(seat)[0]))
    return Turn(here, place, 1 - seat, table.state.game_state.hands[1 - seat])


def without_wilds(kinds: list[int]) -> list[str]:
    """Return the texts of the cards that are not wild."""
    return [card_text(kind) for kind in kinds if kind % 12 != WILD]


def card_not_in_hand(turn: Turn) -> str:
    """Return a card of the deck that this hand does not hold."""
    return next(card_text(kind) for kind in range(24) if kind % 12 != WILD and kind not in turn.hand)


async def test_a_card_not_in_the_hand_is_refused(turn: Turn) -> None:
    lacks, held = card_not_in_hand(turn), without_wilds(turn.hand)[0]
    await turn.check_refusal(
        turn.person, f"play {held} {lacks}", f"You do not hold {lacks}. Play two cards out of"
    )


async def test_the_same_card_twice_is_refused(turn: Turn) -> None:
    once = next(card for card in without_wilds(turn.hand) if without_wilds(turn.hand).count(card) == 1)
    await turn.check_refusal(
        turn.person, f"play {once} {once}", f"You hold {once} only once. Play two cards out of"
    )


@pytest.mark.parametrize("wild", ["P*", "P*=", "P*=11", "P*=-1", "D*=x"])
async def test_a_wild_without_a_possible_number_is_refused(turn: Turn, wild: str) -> None:
    await turn.check_refusal(turn.person, f"play P3 {wild}", "play P3 P*=8")


async def test_one_card_or_three_are_refused(turn: Turn) -> None:
    for cards in ("", *(" ".join(without_wilds(turn.hand)[:count]) for count in (1, 3))):
        await turn.check_refusal(turn.person, f"play {cards}", "To play, write two cards")


async def test_a_bid_after_the_reveal_is_refused(turn: Turn) -> None:
    for person in (turn.person, turn.other):
        await turn.check_refusal(person, "bid 2 max", "The bids are final")


async def test_a_play_out_of_turn_is_refused(turn: Turn) -> None:
    await turn.check_refusal(turn.other, "play P3 P4", "It is not your turn")


# In the picks w stands for the place of a wild in the hand, c for that of another card.
@pytest.mark.parametrize(
    "picks",
    [
        "c,c",
        "c,99",
        "c",
        "0,1,2",
        "0,1,2,3,4,5,6,7,8,9",
        "-1,c",
        "a,b",
        "²,³",
        "c,w",
        "c,w=99",
        "w,w=1",
        "w=1,2,3",
    ],
)
async def test_a_form_with_forged_picks_is_refused(turn: Turn, picks: str) -> None:
    n, hand = len(await turn.here.bot.store.log(1)), await hand_of(turn.person, turn.place)
    prompt = next(each for each in hand.custom_ids if each.startswith("form:")).split(":")[2]
    wilds = [kind % 12 == WILD for kind in turn.hand]
    picks = picks.replace("w", str(wilds.index(True))).replace("c", str(wilds.index(False)))
    cards, _, numbers = picks.partition("=")
    for step in ("play", "play-0", "play-9999", f"card-{cards.split(',')[-1]}9"):
        shown(await turn.person.press(hand, f"form:1:{prompt}:{picks}:{step}"))
    stated = numbers.split(",") * 2
    shown(await turn.person.press(hand, f"form:1:{prompt}:{cards}:numbers", STRING_SELECT, values=stated))
    assert "✅" not in hand.text
    assert "the bot's fault" not in hand.text
    assert "Your hand" in text_and_alt(hand)
    assert len(await turn.here.bot.store.log(1)) == n


@pytest.mark.parametrize("typed", ["bid 2 stake 99", "bid 2 99", "bid 6", "bid -1", "bid 2 max max"])
async def test_an_impossible_bid_or_stake_is_refused(here: CardRoom, typed: str) -> None:
    place = await deal(here, 2)
    answer = refusal_of(await here.people[0].slash(place, "move", action=typed))
    assert "To bid, write bid 2, bid 2 half or bid 2 max (0 to 5 tricks)" in answer


async def test_a_bet_at_a_table_without_bets_is_refused(here: CardRoom) -> None:
    place = await deal(here, 2, bets=False)
    answer = refusal_of(await here.people[0].slash(place, "move", action="bid 2 half"))
    assert "There are no bets at this table" in answer
