"""Facts of Thirty-One: from a deal and in agreement with the events of random matches."""

import pytest

from games.thirty_one import GAME
from games.thirty_one.events import Dealt, HadThirtyOne, HandsShown, Knocked
from games.types import SEATS, with_seats
from tests.contract.matches import finished_match, public
from tests.contract.subjects import SUBJECTS
from tests.games.thirty_one.position import after_knock, position

THIRTY_ONE = SUBJECTS["thirty-one"]


@pytest.mark.parametrize(
    ("hands", "free", "paid"),
    [
        (("AS KS 9S", "AD KD 8D", "2H 3H 4H"), [1, 1, 0], [0, 0, 1]),
        (("AS KS 8S", "AD KD 9D", "2H 3H 4H"), [0, 1, 0], [1, 0, 1]),
        (("2H 3H 4H", "AS KS 9S", "AD KD 8D"), [0, 1, 1], [2, 0, 0]),
    ],
)
def test_a_knock_costs_nothing_with_the_highest_hand(
    hands: tuple[str, ...], free: list[int], paid: list[int]
) -> None:
    seen = after_knock(*hands)
    facts = [GAME.facts.count(seen.events, seat) for seat in SEATS[:3]]
    assert [found["knocks"] for found in facts] == [1, 0, 0]
    assert [found["knocks_free"] for found in facts] == [free[0], 0, 0]
    assert [found["deals_free"] for found in facts] == free
    assert [found["tokens_paid"] for found in facts] == paid


def test_a_knock_costs_a_token_when_somebody_makes_31_afterwards() -> None:
    seen = position(
        """
        Cleo dealt, discards 2D, stock QS
        Alice | 2C 3D 4H
        Ben   | AS KS 4D
        Cleo  | AH 2H QC
        """
    )
    seen.act("Alice: knock; Ben: draw; Ben: discard 4D")
    alice, ben, cleo = (GAME.facts.count(seen.events, seat) for seat in SEATS[:3])
    assert (alice["knocks"], alice["knocks_free"], alice["tokens_paid"]) == (1, 0, 1)
    assert (ben["thirty_ones"], ben["thirty_ones_dealt"], ben["deals_free"]) == (1, 0, 1)
    assert (cleo["thirty_ones"], cleo["deals_free"], cleo["tokens_paid"]) == (0, 0, 1)


@pytest.mark.parametrize("number", range(20))
def test_facts_agree_with_the_deals_knocks_and_tokens_of_the_match(number: int) -> None:
    match = finished_match(THIRTY_ONE, number)
    events = [event for entry in match.events for event in entry]
    facts = [GAME.facts.count(public(match), seat) for seat in match.seats]
    # Every seat that is in is dealt cards once a deal, also when a dealt 31 ends the deal.
    dealt = [event.to for event in events if isinstance(event, Dealt)]
    knocks = [event.seat for event in events if isinstance(event, Knocked)]
    ends = [event for event in events if isinstance(event, HadThirtyOne | HandsShown)]
    for seat, (found, left) in with_seats(zip(facts, match.state.outcome.scores, strict=True)):
        assert found["deals"] == dealt.count(seat)
        assert found["knocks"] == knocks.count(seat)
        assert found["tokens_paid"] + left == match.state.options.tokens
        assert found["deals"] - found["deals_free"] == sum(end.payments[seat] > 0 for end in ends)
    shown = [hand for end in ends if isinstance(end, HadThirtyOne) for hand in end.shown]
    assert sum(found["thirty_ones"] for found in facts) == len(shown)
