"""What people read: cards, narration, descriptions, the rules and the reference card."""

from itertools import product
from random import Random

import pytest

from games.contract import Illegal
from games.palace import GAME
from games.palace.cards import ACTIONS, KINDS, RANKS
from games.palace.events import ShowsRevealed
from games.palace.options import PalaceOptions
from games.palace.state import State
from tests.games.palace.position import all_choose, opened, position
from tests.games.palace.referee import fits

EVERY_TABLE = [
    PalaceOptions(allow_equal=a, voluntary_pickup=b, four_across_turns=c, play_for_places=d)
    for a, b, c, d in product((False, True), repeat=4)
]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("show 7 10 A", "Face up: 7 10 A"),
        ("play 9", "Play 9"),
        ("play Q Q Q Q", "Play Q Q Q Q"),
        ("blind 2", "Turn up card 2"),
        ("take", "Take the pile"),
    ],
)
def test_an_action_is_said_in_ranks(text: str, label: str) -> None:
    assert GAME.label(GAME.parse(text)) == label


def test_text_and_parse_are_inverse_for_every_action() -> None:
    assert [GAME.parse(GAME.text(action)) for action in ACTIONS] == list(ACTIONS)


@pytest.mark.parametrize("typed", ["show 10 a 7", "SHOW A 7 10", "  show  7  10 A "])
def test_cards_may_be_typed_in_any_case_spacing_and_order(typed: str) -> None:
    assert GAME.text(GAME.parse(typed)) == "show 7 10 A"


@pytest.mark.parametrize(
    "typed", ["play 9 8", "play 9 9 9 9 9", "play 1", "show 7 10", "blind 4", "take 2", "9"]
)
def test_anything_else_is_refused_with_the_forms(typed: str) -> None:
    with pytest.raises(Illegal, match=r"show 7 10 A.*play 9 9.*blind 2.*take"):
        GAME.parse(typed)


def test_a_description_says_everything_a_player_knows() -> None:
    seen = position("""
        pile 5 9 7 | stock 3 4 5 | Alice plays to the right
        Alice | hand 3 4 4 A | up K 2 2 | down 5 . 6
        Ben   | hand 9 9 J | up Q Q | down 3 3 3
        Cleo  | hand J K K | up A | down 8 8 8
    """)
    seen.act("Alice: play 4 4; Cleo: play J; Ben: take")
    text = GAME.describe(GAME.view(seen.state, 0), seen.names)
    assert text.splitlines() == [
        "**Palace**, stock 1, play goes to the right, 3 plays",
        "A play is awaited from you.",
        "Your hand: 3×2 A.",
        "There is no pile: any card starts one.",
        "```",
        "           hand up       down",
        "1 Alice       3 K 2 2    1·3",
        "2 Ben         9 Q Q      123",
        "3 Cleo        3 A        123",
        "```",
        "Ben's hand: took up 4×2 5 9 J 7; 3 others are of 3 4 5 6 8 9 J.",
    ]
    watched = GAME.describe(GAME.view(seen.state, None), seen.names)
    assert "Your" not in watched
    assert "A play is awaited from Alice." in watched


def test_a_description_says_what_binds_and_what_goes_on_it() -> None:
    seen = position("pile 5 9 7 7\nAlice | hand 3 K\nBen | hand 4")
    text = GAME.describe(GAME.view(seen.state, 1), seen.names)
    assert "Pile of 4: **9** under 7 7 (glass). It takes 3 4 5 6 8 or a wild (2 7 10 A)." in text
    assert "In the pile, top first: 7 7 9 5." in text
    glass = position("pile 7\nAlice | hand 3 K\nBen | hand 4")
    told = GAME.describe(GAME.view(glass.state, None), seen.names)
    assert "Pile of 1: nothing but 7. Any card goes on it." in told
    free = position("pile 5 2\nAlice | hand 3 K\nBen | hand 4")
    told = GAME.describe(GAME.view(free.state, None), seen.names)
    assert "Pile of 2: **2** on top. Any card goes on it." in told


def test_a_description_before_the_reveal_shows_ones_own_choice_only() -> None:
    seen = opened(seed=5)
    seen.act(f"Alice: {seen.legal('Alice')[0]}; Ben: {seen.legal('Ben')[-1]}")
    own = GAME.describe(GAME.view(seen.state, 0), seen.names)
    assert "2 of 3 have chosen; three cards to lie face up are awaited from Cleo." in own
    assert f"Your choice: {GAME.label(GAME.legal(seen.state, 0)[0])}." in own
    assert "Your" not in GAME.describe(GAME.view(seen.state, None), seen.names)


@pytest.mark.parametrize("seed", range(20))
def test_the_longest_descriptions_fit(seed: int) -> None:
    """Eight players with names that Markdown doubles in length, hands as mixed as the deck allows, much ruled out."""
    rng = Random(seed)
    seen = opened(8, seed)
    all_choose(seen)
    state, names = seen.state, ["\\_" * 16] * 8
    cards, state.stock = state.stock + state.pile, []
    for number, kind in enumerate(cards):
        state.hands[number % 7][kind] += 1
    state.pile = []
    state.known = [[min(number, 1 + rng.randrange(2)) for number in hand] for hand in state.hands]
    _rule_out(state, rng)
    for seat in (None, *range(8)):
        assert len(GAME.describe(GAME.view(state, seat), names)) <= 1500


def _rule_out(state: State, rng: Random) -> None:
    """Three different sets for each seat, each holding the next, with the longest words they can need."""
    for seat in range(state.seats):
        first = rng.randrange(6)
        state.ruled_out[seat] = [0x1FFF & ~((2 << first + more) - 1) for more in range(3)]


def test_shows_are_told_of_eight_players_in_one_line() -> None:
    told = GAME.narrate(ShowsRevealed(((11, 11, 11),) * 8), ["W" * 32] * 8)
    assert len(told) <= 500
    assert "\n" not in told


@pytest.mark.parametrize("options", EVERY_TABLE, ids=str)
def test_the_rules_fit_and_follow_the_options(options: PalaceOptions) -> None:
    text = GAME.rules(options)
    assert len(text) <= 3800
    assert ("or equal to (on a 9 only lower)" in text) is options.allow_equal
    assert ("or if you like" in text) is options.voluntary_pickup
    assert ("whoever laid them" in text) is options.four_across_turns
    assert ("play goes on until one player is left" in text) is options.play_for_places
    assert ("wins at once" in text) is not options.play_for_places
    assert text.endswith(GAME.credit)


@pytest.mark.parametrize("allow_equal", [False, True])
def test_the_reference_card_says_what_goes_on_each_rank(allow_equal: bool) -> None:
    text = GAME.reference(PalaceOptions(allow_equal=allow_equal))
    lines = dict(line.removeprefix("On ").split(": ") for line in text.splitlines() if line.startswith("On "))
    ordinary = RANKS[:9]
    assert tuple(lines) == ordinary
    for top, told in lines.items():
        allowed = [rank for rank in ordinary if fits(rank, [top], allow_equal)]
        assert told == (" ".join(allowed) or "nothing but a wild")
    assert len(KINDS) == 13
