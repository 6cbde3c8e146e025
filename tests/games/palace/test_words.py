"""Texts for players: cards, narration, descriptions, the rules and the reference."""

from itertools import product
from random import Random

import pytest

from games.palace import GAME
from games.palace.cards import ACTIONS, RANKS
from games.palace.events import ShowsRevealed
from games.palace.options import PalaceOptions
from games.palace.state import State
from games.types import SEATS
from tests.games.palace.position import Position, all_choose, opened, position
from tests.games.palace.referee import fits
from tests.seats import FIRST, SECOND

EVERY_TABLE = [
    PalaceOptions(allow_equal=a, voluntary_pickup=b, four_across_turns=c, play_for_places=d)
    for a, b, c, d in product((False, True), repeat=4)
]


def test_text_and_parse_are_inverse_for_every_action() -> None:
    assert [GAME.parse(GAME.text(action)) for action in ACTIONS] == list(ACTIONS)


def test_what_stands_on_the_screen_may_be_typed() -> None:
    assert [GAME.parse(GAME.words.label(action)) for action in ACTIONS] == list(ACTIONS)


@pytest.mark.parametrize(
    "typed", ["show 10 a 7", "SHOW A 7 10", "  show  7, 10, A ", "face up 7 A 10", "Lay 10 7 A face up"]
)
def test_cards_may_be_typed_in_any_case_spacing_and_order(typed: str) -> None:
    assert GAME.text(GAME.parse(typed)) == "show 7 10 A"


def test_a_description_says_everything_a_player_knows() -> None:
    seen = position("""
        pile 5 9 7 | stock 3 4 5 | Alice plays to the right
        Alice | hand 3 4 4 A | up K 2 2 | down 5 . 6
        Ben   | hand 9 9 J | up Q Q | down 3 3 3
        Cleo  | hand J K K | up A | down 8 8 8
    """)
    seen.act("Alice: play 4 4; Cleo: play J; Ben: take")
    text = GAME.words.describe(GAME.view(seen.state, FIRST), seen.names)
    assert text.splitlines() == [
        "**Your turn** · play a card",
        "**Palace**, stock 1, play goes counter-clockwise, 3 plays",
        "Your hand: 3×2 A.",
        "No pile · any card fits",
        "```",
        "           hand up       down",
        "1 Alice       3 K 2 2    1·3",
        "2 Ben         9 Q Q      123",
        "3 Cleo        3 A        123",
        "```",
        "Ben's hand: took up 4×2 5 9 J 7; 3 cards from 3 4 5 6 8 9 J.",
    ]
    watched = GAME.words.describe(GAME.view(seen.state, None), seen.names)
    assert "Your" not in watched
    assert "**Alice's turn** · play a card" in watched


def test_a_description_says_which_card_counts_and_what_fits_on_it() -> None:
    seen = position("pile 5 9 7 7\nAlice | hand 3 K\nBen | hand 4")
    text = GAME.words.describe(GAME.view(seen.state, SECOND), seen.names)
    assert "Pile of 4: **9** under 7 7 (glass) · fits: 8 or lower, or a wild (2 7 10 A)" in text
    assert "In the pile, top first: 7 7 9 5." in text
    glass = position("pile 7\nAlice | hand 3 K\nBen | hand 4")
    description = GAME.words.describe(GAME.view(glass.state, None), seen.names)
    assert "Pile of 1: only 7 (glass) · fits: any card" in description
    free = position("pile 5 2\nAlice | hand 3 K\nBen | hand 4")
    description = GAME.words.describe(GAME.view(free.state, None), seen.names)
    assert "Pile of 2: **2** on top · fits: any card" in description


def test_a_description_before_the_reveal_shows_only_the_own_choice() -> None:
    seen = opened(seed=5)
    seen.act(f"Alice: {seen.legal('Alice')[0]}; Ben: {seen.legal('Ben')[-1]}")
    own = GAME.words.describe(GAME.view(seen.state, FIRST), seen.names)
    assert own.startswith(
        "**Cleo's turn** · choose three cards to lie face up · Ben begins · 2 of 3 have chosen · "
    )
    three = GAME.text(GAME.legal(seen.state, FIRST)[0]).removeprefix("show ")
    assert f" · you chose {three} and may change it until all have chosen\n" in own
    assert "Your" not in GAME.words.describe(GAME.view(seen.state, None), seen.names)


# Records


def record(seen: Position, script: str = "") -> list[str]:
    """Return the record of what the script does, or of everything that has happened."""
    if script:
        seen.act(script)
    return GAME.record.lines([event for event in seen.events if event.to is None], seen.names)


def test_plays_on_one_pile_share_a_line_and_a_new_pile_begins_another() -> None:
    seen = position("""
        pile 3 | stock 5 6 8 9 3 3 3 3 3
        Alice | hand 4 4 Q
        Ben   | hand 9 10 3
        Cleo  | hand 3 3 3
    """)
    assert record(seen, "Alice: play 4 4; Ben: play 10; Ben: play 3; Cleo: take") == [
        "Alice **4 4** · Ben **10**, clears the pile (4 cards) and plays again",
        "Ben **3** · Cleo cannot play and takes the pile (1 card)",
    ]


def test_a_line_of_the_record_has_one_round() -> None:
    seen = position(f"pile 3 | stock {'2 ' * 30}\nAlice | hand 2 2 2\nBen | hand 2 2 2")
    lines = record(seen, "; ".join(f"{name}: play 2" for name in ["Alice", "Ben"] * 4))
    assert lines == ["Alice **2** · Ben **2**"] * 4


def test_skips_changes_of_direction_and_cards_from_the_table_are_in_the_record() -> None:
    seen = position("""
        pile 3
        Alice | up 8 A | down 3 3 3
        Ben   | hand 3 3
        Cleo  | hand Q Q
        Dan   | down 9 3 3
    """)
    assert record(
        seen, "Alice: play 8; Cleo: play Q; Ben: take; Alice: play A; Alice: blind 1; Dan: blind 1"
    ) == [
        "Alice **8** from the table, skips Ben · Cleo **Q**, turns play counter-clockwise · Ben cannot play and takes "
        "the pile (3 cards)",
        "Alice **A** from the table, plays again · Alice turns up **3** · Dan turns up **9**",
    ]


def test_a_face_down_card_that_does_not_fit_is_recorded_with_the_pile_taken() -> None:
    seen = position("pile 9 K\nAlice | down 3 . 5\nBen | hand 3 4")
    assert record(seen, "Alice: blind 1; Ben: play 3") == [
        "Alice turns up **3**, which does not go on K, and takes it and the pile (3 cards)",
        "Ben **3**",
    ]


def test_going_out_and_the_end_have_lines_of_their_own() -> None:
    seen = position("pile 3\nAlice | hand 4\nBen | hand 5\nCleo | hand 6 6", play_for_places=True)
    assert record(seen, "Alice: play 4; Ben: play 5") == [
        "Alice **4**",
        "**Alice has no card left** and takes 1st place.",
        "Ben **5**",
        "**Alice wins with no cards.** Only one player is left; places go in the order in which players went out.",
    ]


def test_no_event_of_palace_ends_a_record() -> None:
    assert not any(GAME.record.closes(event) for event in Position.after_random_moves(3, 1, 400).events)


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("pile 4 K\nAlice | hand 3 J J\nBen | hand 3", "play a card or take the pile if none fits"),
        ("pile 4 2\nAlice | hand 3 J J\nBen | hand 3", "play a card"),
        (
            "pile 6\nAlice | up 3 J J | down 3 3 3\nBen | hand 3",
            "play a face-up card or take the pile if none fits",
        ),
        ("pile 6\nAlice | down 3 3 3\nBen | hand 3", "turn up a face-down card"),
    ],
)
def test_the_task_contains_only_public_information(text: str, task: str) -> None:
    seen = position(text)
    assert [GAME.words.task(GAME.view(seen.state, seat)) for seat in (None, *SEATS[:2])] == [task] * 3


def test_the_task_is_a_choice_at_first_and_empty_at_the_end() -> None:
    assert GAME.words.task(GAME.view(opened(3, 5).state, None)) == "choose three cards to lie face up"
    ended = position("pile 6\nAlice | hand 8\nBen | hand 3 3")
    ended.act("Alice: play 8")
    assert GAME.words.task(GAME.view(ended.state, None)) == ""


def test_the_highlight_is_the_winners_last_play() -> None:
    seen = position("pile 4 K\nAlice | down 8 . .\nBen | hand 3 3 J\nCleo | hand K 3")
    seen.state.turn = SECOND
    seen.act("Ben: take; Cleo: play K; Alice: blind 1; Ben: play 4; Cleo: take; Alice: play 8; Cleo: take")
    assert GAME.record.highlight(seen.events, seen.names) == ""
    seen.act("Alice: play K")
    assert GAME.record.highlight(seen.events, seen.names) == "Alice went out with **K**."


def test_a_large_pile_that_the_winner_cleared_is_in_the_highlight() -> None:
    seen = position("pile 4 5 5 6 6\nAlice | hand 10 K\nBen | hand 3 3 J")
    seen.act("Alice: play 10; Alice: play K")
    assert GAME.record.highlight(seen.events, seen.names) == (
        "Alice cleared a pile of 6 cards and went out with **K**."
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_longest_descriptions_fit(seed: int) -> None:
    """Eight players whose names double in length in Markdown, the most varied hands that the deck allows, and much
    ruled out."""
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
    for seat in (None, *SEATS[:8]):
        assert len(GAME.words.describe(GAME.view(state, seat), names)) <= 1500


def _rule_out(state: State, rng: Random) -> None:
    """Give each seat three different nested sets with the longest texts possible."""
    for seat in SEATS[: state.seats]:
        first = rng.randrange(6)
        state.ruled_out[seat] = [0x1FFF & ~((2 << first + more) - 1) for more in range(3)]


def test_the_choices_of_eight_players_are_one_line() -> None:
    line = GAME.words.narrate(ShowsRevealed(((11, 11, 11),) * 8), ["W" * 32] * 8)
    assert len(line) <= 500
    assert "\n" not in line


@pytest.mark.parametrize("options", EVERY_TABLE, ids=str)
def test_the_rules_fit_and_follow_the_options(options: PalaceOptions) -> None:
    text = GAME.rulebook.rules(options)
    assert len(text) <= 3800
    assert ("or equal to (on a 9 only lower)" in text) is options.allow_equal
    assert ("or equal to" in GAME.rulebook.primer(options).splitlines()[1]) is options.allow_equal
    assert ("or if you like" in text) is options.voluntary_pickup
    assert ("whoever played them" in text) is options.four_across_turns
    assert ("Play goes on until one player is left" in text) is options.play_for_places
    assert ("wins at once" in text) is not options.play_for_places
    assert text.endswith(GAME.rulebook.CREDIT)


@pytest.mark.parametrize("allow_equal", [False, True])
def test_the_reference_says_what_fits_on_each_rank(allow_equal: bool) -> None:
    text = GAME.rulebook.reference(PalaceOptions(allow_equal=allow_equal))
    lines = dict(line.removeprefix("On ").split(": ") for line in text.splitlines() if line.startswith("On "))
    ordinary = RANKS[:9]
    assert tuple(lines) == ordinary
    for top, record in lines.items():
        allowed = [rank for rank in ordinary if fits(rank, [top], allow_equal)]
        assert record == (" ".join(allowed) or "nothing but a wild")
