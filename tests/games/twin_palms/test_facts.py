"""Facts of Twin Palms: from a round and in agreement with the events of random matches."""

import pytest

from games.twin_palms import GAME
from games.twin_palms.events import BidsRevealed, ExtraRound, RoundBegan, TrickTaken
from games.types import SEATS
from tests.contract.golden import public_events
from tests.contract.matches import finished_match, public
from tests.contract.subjects import SUBJECTS
from tests.games.twin_palms.position import position

TWIN_PALMS = SUBJECTS["twin-palms"]


def test_an_exact_bid_wins_its_stake_and_a_missed_one_loses_it() -> None:
    seen = position(
        """
        normal, round 4
        Alice | P9 P9 | bid 3 max | won 2 | 7 dollars
        Ben   | P1 P2 | bid 2 half | won 1 | 7 dollars
        Cleo  | P3 P4 | bid 0 | 7 dollars
        """
    )
    seen.act("Alice: play P9 P9; Ben: play P1 P2; Cleo: play P3 P4")
    stakes = [
        (facts["stakes_won"], facts["stakes_lost"])
        for facts in (GAME.facts.count(seen.events, seat) for seat in SEATS[:3])
    ]
    assert stakes == [(4, 0), (0, 2), (0, 0)]


def test_bids_of_further_rounds_count() -> None:
    events = public_events(TWIN_PALMS, "further-rounds")
    assert any(isinstance(event, ExtraRound) for event in events)
    rounds = sum(isinstance(event, RoundBegan) for event in events)
    assert [GAME.facts.count(events, seat)["bids"] for seat in SEATS[:3]] == [rounds] * 3


@pytest.mark.parametrize("number", range(16))
def test_facts_agree_with_the_bids_stakes_and_tricks_of_the_match(number: int) -> None:
    match = finished_match(TWIN_PALMS, number)
    events = public(match)
    revealed = [event for event in events if isinstance(event, BidsRevealed)]
    taken = [event.winner for event in events if isinstance(event, TrickTaken)]
    rounds = [taken[first : first + 5] for first in range(0, len(taken), 5)]
    for seat in match.seats:
        facts = GAME.facts.count(events, seat)
        hits = [bids.bids[seat] == won.count(seat) for bids, won in zip(revealed, rounds, strict=True)]
        stakes = [bids.stakes[seat] for bids in revealed]
        assert (facts["bids"], facts["exact"]) == (len(rounds), sum(hits))
        assert facts["tricks"] == taken.count(seat)
        assert facts["stakes_won"] == sum(stake for stake, hit in zip(stakes, hits, strict=True) if hit)
        assert facts["stakes_won"] + facts["stakes_lost"] == sum(stakes)
