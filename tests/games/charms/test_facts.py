"""Facts of Charms: from a hand and in agreement with the events of random matches."""

from collections import Counter

import pytest

from games.charms import GAME
from games.charms.events import BidMade, BidsRevealed, HandBegan, HandScored, TrickTaken
from games.contract import Event
from games.types import SEATS
from tests.contract.matches import finished_match, public
from tests.contract.subjects import SUBJECTS
from tests.games.charms.position import position

CHARMS = SUBJECTS["charms"]


def test_a_hand_counts_bids_tricks_and_the_highest_exact_bid() -> None:
    seen = position(
        """
        hand 4, Alice leads, trump K
        Alice | shows C 7 | C | bid 3 | won 2
        Ben   | shows C 1 | 2 | bid 9 | won 9
        Cleo  | shows C 2 | 3 | bid 1
        """
    )
    seen.act("Alice: play C; Ben: play 2; Cleo: play 3")
    alice, ben, cleo = (GAME.facts.count(seen.events, seat) for seat in SEATS[:3])
    assert (alice["exact"], alice["bids"], alice["tricks"], alice["highest_exact"]) == (1, 1, 3, 3)
    assert (ben["exact"], ben["tricks"], ben["highest_exact"]) == (1, 9, 9)
    assert (cleo["exact"], cleo["bids"], cleo["tricks"]) == (0, 1, 0)
    assert "highest_exact" not in cleo


@pytest.mark.parametrize("number", range(16))
def test_facts_agree_with_the_bids_and_tricks_of_the_match(number: int) -> None:
    match = finished_match(CHARMS, number)
    events = public(match)
    hands = sum(isinstance(event, HandBegan) for event in events)
    facts = [GAME.facts.count(events, seat) for seat in match.seats]
    assert sum(found["tricks"] for found in facts) == 12 * hands
    assert [found["bids"] for found in facts] == [hands] * len(facts)
    exact = exact_bids(events)
    assert [found["exact"] for found in facts] == [len(exact.get(seat, ())) for seat in match.seats]
    assert [found.get("highest_exact") for found in facts] == [
        max(exact.get(seat, ()), default=None) for seat in match.seats
    ]


def exact_bids(events: list[Event]) -> dict[int, list[int]]:
    """Return the exact bids of each seat that has some, from bids and tricks instead of score sheets."""
    found: dict[int, list[int]] = {}
    bids: dict[int, int] = {}
    tricks: Counter[int] = Counter()
    for event in events:
        if isinstance(event, BidsRevealed):
            bids = dict(enumerate(event.bids))
        elif isinstance(event, BidMade):
            bids[event.seat] = event.bid
        elif isinstance(event, TrickTaken):
            tricks[event.winner] += 1
        elif isinstance(event, HandScored):
            for seat, bid in bids.items():
                if tricks[seat] == bid:
                    found.setdefault(seat, []).append(bid)
            bids, tricks = {}, Counter()
    return found
