"""Texts for players: actions, descriptions, the rules and their example."""

from itertools import pairwise

import pytest

from games.charms import GAME
from games.charms.cards import ACTIONS
from games.charms.events import BidMade
from games.charms.options import CharmsOptions
from games.charms.rulebook import EXAMPLE, EXAMPLE_PLAYS
from games.types import SEATS
from tests.games.charms.position import DEALT_ANEW, after_random_moves, opened, position


def test_every_action_has_a_text_and_a_label_of_its_own() -> None:
    assert len({GAME.text(action) for action in ACTIONS}) == 13 + 12 + 32
    assert len({GAME.words.label(action) for action in ACTIONS}) == 13 + 12 + 32


@pytest.mark.parametrize("typed", ["play 7 k", "PLAY K 7", "  play   k 7 "])
def test_a_play_may_be_typed_in_any_case_spacing_and_order(typed: str) -> None:
    assert GAME.text(GAME.parse(typed)) == "play K 7"


SECOND = """
    hand 2, Alice leads, trump R
    Alice | shows C 3 | C K L 5 8 | bid 3 | won 2 | 4 points
    Ben   | shows K 6 | C L L L R | bid 4 | won 4 | 1 point
    Cleo  | shows L 6 | C C L R 2 | bid 0 | won 1
"""


def test_a_description_says_everything_a_player_knows() -> None:
    seen = position(SECOND)
    seen.act("Alice: play K; Ben: play L")
    assert seen.describe("Cleo").splitlines() == [
        "**Your turn** · play a card",
        "**Charms, hidden bids**, hand 2 of 4, trick 8 of 12",
        "Your hand: 🪙C×2 🍀L 🐇R 2.",
        "Trump: **🐇R rabbit foot**. Led: **🔑K key**.",
        "Alice: **🔑K 3** · won 2 of 3 bid · 4 points",
        "Ben: **🍀L 6** · won 4 of 4 bid · 1 point",
        "Cleo: **🍀L 6** · won 1 of 0 bid · 0 points",
        "Best so far: Alice.",
        "Alice has played 🔑K.",
        "Ben has played 🍀L; has no 🔑K, no numbers.",
        "Tricks went to Alice, Alice, Ben, Ben, Ben, Ben, Cleo.",
    ]
    assert "Your" not in seen.describe(None)


def test_a_description_before_the_reveal_shows_only_the_own_bid() -> None:
    seen = opened(3)
    seen.act("Alice: bid 2; Cleo: bid 11")
    own = seen.describe("Alice")
    assert own.startswith("**Ben's turn** · bid · 2 of 3 have bid · ")
    assert " · you chose Bid 2 and may change it until all have chosen\n" in own
    assert "Cleo: has bid · 0 points" in own
    assert "Ben: no bid yet · 0 points" in own
    assert "11" not in own + seen.describe(None)


def test_open_bids_are_described_as_soon_as_they_are_made() -> None:
    seen = opened(3, bidding="open")
    name = seen.awaited()[0]
    seen.act(f"{name}: bid 11")
    assert f"{name}: won 0 of 11 bid" in seen.describe(None)


def test_the_longest_description_fits() -> None:
    """The last trick of four players whose names double in length in Markdown, after many hands were dealt again."""
    names = ["\\_" * 32] * 4
    for seed in range(3):
        seen = after_random_moves(4, seed, 4 + 4 * 11 + 3, hands=1)
        seen.state.redealt = opened(4, DEALT_ANEW).state.redealt * 9
        assert len(seen.state.redealt) == 9
        for seat in (None, *SEATS[:4]):
            assert len(GAME.words.describe(GAME.view(seen.state, seat), names)) <= 1500


def test_a_record_has_a_line_for_each_trick_with_a_plus_before_each_card_just_played() -> None:
    seen = position("""
        hand 4, Alice leads, trump R, Cleo dealt
        Alice | shows C 3 | C K | bid 3 | won 2
        Ben   | shows K 6 | 1 K | bid 6 | won 5
        Cleo  | shows L 6 | R 2 | bid 0 | won 4
    """)
    seen.act("Alice: play K; Ben: play 1; Cleo: play R; Cleo: play 2; Alice: play C; Ben: play K")
    record = GAME.record.lines([event for event in seen.events if event.to is None], seen.names)
    assert record[:3] == [
        "Alice +🔑K 3 · Ben 🔑K +1 · **Cleo +🐇R 6, takes it**",
        "**Cleo 🐇R +2, takes it** · Alice +🪙C 3 · Ben +🔑K 1",
        "Nobody hit: Alice needed 3, got 2: 1 penalty point · Ben needed 6, got 5: 1 penalty point · "
        "Cleo needed 0, got 6: 5 penalty points",
    ]
    assert sum(GAME.record.closes(event) for event in seen.events) == 1


def test_a_record_may_begin_and_end_within_a_trick() -> None:
    seen = position(SECOND)
    seen.act("Alice: play K; Ben: play L")
    assert GAME.record.lines(seen.events[1:], seen.names) == ["Ben +🍀L 6"]
    seen.act("Cleo: play C")
    assert GAME.record.lines(seen.events[2:], seen.names) == ["Cleo +🪙C 6 · **Alice takes it**"]


def test_bids_in_turn_share_a_line_of_the_record() -> None:
    seen = opened(3, bidding="open")
    for _ in range(3):
        seen.act(f"{seen.awaited()[0]}: bid 4")
    bids = [event for event in seen.events if isinstance(event, BidMade)]
    first, second, third = (seen.names[event.seat] for event in bids)
    assert GAME.record.lines(bids, seen.names) == [f"Bids: {first} 4, {second} 4, {third} 4."]


def test_the_first_trick_is_recorded_with_two_cards_and_no_plus() -> None:
    seen = position("""
        Alice leads, trump L
        Alice | C C K K 1 2 3 3 4 5 5 6 7
        Ben   | C C C K L L 1 2 4 6 6 7 8
        Cleo  | L L L R R R R 1 2 4 5 7 8
    """)
    assert GAME.words.task(GAME.view(seen.state, None)) == "play one suit card and one number card"
    seen.act("Alice: play K 7; Ben: play K 2; Cleo: play L 1")
    assert GAME.record.lines(seen.events, seen.names) == [
        "Alice 🔑K 7 · Ben 🔑K 2 · **Cleo 🍀L 1, takes it**"
    ]
    assert GAME.words.task(GAME.view(seen.state, None)) == "play a card"


def test_the_end_of_a_match_is_described() -> None:
    seen = after_random_moves(3, 1, 39, hands=1)
    assert "Fewest points after 1 hand" in seen.describe(None)


def test_the_example_in_the_rules_is_correct() -> None:
    alice, ben, cleo = (stack.removeprefix("play ") for stack in EXAMPLE)
    seen = position(f"""
        Alice leads, trump C
        Alice | shows {alice} | K 5
        Ben   | shows {ben} | C L
        Cleo  | shows {cleo} | R 3
    """)
    seen.act(f"Alice: {EXAMPLE_PLAYS[0]}")
    assert seen.legal("Ben") == ["C", "L"]
    narration = seen.act(f"Ben: {EXAMPLE_PLAYS[1]}; Cleo: {EXAMPLE_PLAYS[2]}")
    assert narration[-1] == "Ben takes trick 11."
    assert "he plays 🪙C and shows 🪙C 6" in GAME.rulebook.rules(CharmsOptions())


def test_the_rules_follow_the_options() -> None:
    assert "4 hands" in GAME.rulebook.rules(CharmsOptions())
    assert "in secret" in GAME.rulebook.rules(CharmsOptions())
    own = GAME.rulebook.rules(CharmsOptions(hands=1, bidding="open"))
    assert "After 1 hand the fewest" in own
    assert "openly and in turn, from the dealer's left" in own
    assert "secret" not in own


def test_the_reference_lists_what_beats_what_from_the_strongest() -> None:
    """A pair of shown cards of each line beats one of the next line, with the higher number on the weaker one where
    the rules allow it."""
    lines = GAME.rulebook.reference(CharmsOptions()).splitlines()[1:5]
    assert [line[:2] for line in lines] == ["1.", "2.", "3.", "4."]
    stacks = ["R 2", "R 1", "C 8", "C 7"]
    for better, worse in pairwise(stacks):
        number, other = better[-1], worse[-1]
        seen = position(f"""
            Cleo leads, trump R
            Alice | shows {better} | {number} {number}
            Ben   | shows {worse} | {other} {other}
            Cleo  | shows C 1 | 1 1
        """)
        assert seen.act(f"Cleo: play 1; Alice: play {number}; Ben: play {other}")[-1].startswith(
            "Alice takes"
        )
