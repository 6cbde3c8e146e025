"""The rules of Palace, sentence by sentence, as positions. The notation: see `position`."""

from itertools import chain

import pytest

from games.palace import GAME
from games.palace.cards import DECKS, RANKS, TEN, counts, expand, ranks
from games.palace.events import Dealt, Drew, PileStarted, ShowIn, ShowsRevealed
from games.palace.rulebook import EXAMPLE
from games.palace.state import GONE
from games.types import SEATS
from tests.games.palace.position import Position, all_choose, opened, position
from tests.games.palace.referee import fits
from tests.seats import FIRST, THIRD

WILD = ("2", "7", "10", "A")


def on(pile: str, **options: bool) -> list[str]:
    """Return the ranks that may be played on a pile."""
    seen = position(f"pile {pile}\nAlice | hand {' '.join(RANKS)}\nBen | hand 3", **options)
    return [move.removeprefix("play ") for move in seen.legal("Alice") if move.startswith("play")]


# Deal, face-up cards, start


def test_two_packs_without_jokers_have_eight_cards_of_each_rank() -> None:
    assert len(DECKS[2]) == 104
    assert counts(DECKS[2]) == [8] * 13


def test_one_pack_has_four_cards_of_each_rank() -> None:
    for seats in (2, 4):
        state = opened(seats, packs=1).state
        assert counts([*state.stock, *chain(*state.blind, *map(expand, state.hands))]) == [4] * 13


@pytest.mark.parametrize("seats", range(2, 9))
def test_everybody_gets_three_cards_face_down_and_six_that_only_they_see(seats: int) -> None:
    seen = opened(seats)
    assert [len(blind) for blind in seen.state.blind] == [3] * seats
    assert [(event.to, len(event.hand)) for event in seen.events if isinstance(event, Dealt)] == [
        (seat, 6) for seat in SEATS[:seats]
    ]
    assert len(seen.state.stock) == 104 - 9 * seats


def test_three_of_the_six_cards_are_chosen_secretly_and_revealed_together() -> None:
    seen = opened(seed=5)
    assert seen.to_act() == "Alice Ben Cleo"
    shows = {name: seen.legal(name)[-1] for name in seen.names}
    assert seen.act(f"Cleo: {shows['Cleo']}; Alice: {shows['Alice']}") == []
    assert seen.to_act() == "Ben"
    assert seen.state.shown == [[0] * 13] * 3
    narration = seen.act(f"Ben: {shows['Ben']}")
    cards = " · ".join(f"{name} **{show.removeprefix('show ')}**" for name, show in sorted(shows.items()))
    assert narration[0] == f"Face up: {cards}"
    assert [sum(hand) for hand in seen.state.hands] == [3, 3, 3]


def test_a_choice_may_be_changed_silently_until_the_reveal() -> None:
    seen = opened(seed=5)
    first, *_, last = seen.legal("Ben")
    seen.act(f"Ben: {first}")
    assert seen.to_act() == "Alice Cleo"
    assert seen.act(f"Ben: {last}") == []
    assert [event.seat for event in seen.events if isinstance(event, ShowIn)] == [1]
    all_choose(seen)
    (revealed,) = [event for event in seen.events if isinstance(event, ShowsRevealed)]
    assert f"show {ranks(revealed.shown[1])}" == last
    assert "are final" in seen.refusal(f"Ben: {first}")


def test_a_card_can_be_chosen_as_often_as_the_player_holds_it() -> None:
    seen = opened(seed=5)
    held = counts(expand(seen.state.hands[0]))
    missing = next(rank for rank, number in zip(RANKS, held, strict=True) if not number)
    assert "You do not hold" in seen.refusal(f"Alice: show {missing} {missing} {missing}")
    for move in seen.legal("Alice"):
        three = counts(RANKS.index(card) for card in move.split()[1:])
        assert sum(three) == 3
        assert all(some <= all_of_it for some, all_of_it in zip(three, held, strict=True))
    assert "chosen" in seen.refusal("Alice: take")


def test_the_dealer_is_drawn_and_the_player_to_the_left_begins() -> None:
    dealers = set()
    for seed in range(40):
        seen = opened(seed=seed)
        dealers.add(seen.state.dealer)
        all_choose(seen)
        assert GAME.awaited(seen.state) == ((seen.state.dealer + 1) % 3,)
        assert seen.state.direction == 1
    assert dealers == {0, 1, 2}


def started_with(*turned_up: str) -> Position:
    """Return a match of three players in which these cards are turned up, one after the other, to start the pile."""
    seen = opened(seed=5)
    seen.state.dealer = THIRD
    seen.state.stock += [RANKS.index(card) for card in reversed(turned_up)]
    all_choose(seen)
    seen.state.hands[0] = counts(range(len(RANKS)))
    return seen


@pytest.mark.parametrize("card", ["8", "Q", "3", "K"])
def test_a_start_card_neither_skips_nor_turns_but_limits_the_next_play(card: str) -> None:
    seen = started_with(card)
    assert (seen.to_act(), seen.state.direction, seen.pile()) == ("Alice", 1, card)
    allowed = [f"play {rank}" for rank in RANKS if fits(rank, [card])]
    assert seen.legal("Alice") == allowed


def test_a_9_as_start_card_limits_the_next_play_and_a_7_an_ace_or_a_2_does_not() -> None:
    assert started_with("9").legal("Alice") == [f"play {rank}" for rank in ("3", "4", "5", "6", "8", *WILD)]
    for card in ("7", "A", "2"):
        assert len(started_with(card).legal("Alice")) == 13
    assert started_with("9").narrated([PileStarted(RANKS.index("9"), 0, FIRST)]) == [
        "**9** starts the pile. Alice begins."
    ]


def test_a_10_turned_up_leaves_the_game_and_the_next_card_is_turned_up() -> None:
    seen = started_with("10", "10", "4")
    assert (seen.pile(), seen.gone()) == ("4", "10 10")
    event = next(event for event in seen.events if isinstance(event, PileStarted))
    assert "2 10s are turned up and leave the game. **4** starts the pile." in seen.narrated([event])[0]


# What may be played on what


def test_every_rank_fits_on_every_other_as_the_second_referee_says() -> None:
    """Every special rank is tested alone, on every other, and through one and two 7s."""
    tops = [rank for rank in RANKS if rank != "10"]  # a 10 never stays on a pile
    piles = [
        f"{below}{top}{glass}" for top in tops for below in ("", "K ", "7 ") for glass in ("", " 7", " 7 7")
    ]
    wrong = [
        (pile, allow_equal)
        for pile in piles
        for allow_equal in (False, True)
        if on(pile, allow_equal=allow_equal)
        != [rank for rank in RANKS if fits(rank, pile.split(), allow_equal)]
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("pile", "allowed"),
    [
        ("6", "8 9 J Q K 2 7 10 A"),
        ("8", "9 J Q K 2 7 10 A"),
        ("9", "3 4 5 6 8 2 7 10 A"),
        ("9 7", "3 4 5 6 8 2 7 10 A"),
        ("9 7 7", "3 4 5 6 8 2 7 10 A"),
        ("9 5", "6 8 9 J Q K 2 7 10 A"),
        ("J", "Q K 2 7 10 A"),
        ("K", "2 7 10 A"),
        ("K 7 7", "2 7 10 A"),
        ("7 7", "3 4 5 6 8 9 J Q K 2 7 10 A"),
        ("K A", "3 4 5 6 8 9 J Q K 2 7 10 A"),
        ("K A 7", "3 4 5 6 8 9 J Q K 2 7 10 A"),
        ("K 2", "3 4 5 6 8 9 J Q K 2 7 10 A"),
    ],
)
def test_a_higher_card_fits_on_a_lower_one_and_a_wild_on_anything(pile: str, allowed: str) -> None:
    """On a 9 only lower cards fit, also through 7s, until another card covers it."""
    assert on(pile) == allowed.split()


def test_any_card_fits_on_an_empty_pile() -> None:
    assert on("") == list(RANKS)


def test_with_allow_equal_an_ordinary_rank_fits_on_itself_but_a_9_not_on_a_9() -> None:
    assert on("K", allow_equal=True) == ["K", *WILD]
    assert on("J 7", allow_equal=True) == ["J", "Q", "K", *WILD]
    assert on("9", allow_equal=True) == ["3", "4", "5", "6", "8", *WILD]


def test_a_card_that_does_not_fit_is_refused_with_those_that_do() -> None:
    seen = position("pile K 7 7\nAlice | hand Q 7 7 7\nBen | hand 3")
    assert seen.refusal("Alice: play Q") == "Q does not go on K. What fits: only a wild (2 7 10 A)."
    seen.act("Alice: play 7 7")
    assert "9 does not go on 9. What fits: 8 or lower, or a wild (2 7 10 A)." in (
        position("pile 9\nAlice | hand 9 3\nBen | hand 3").refusal("Alice: play 9")
    )


def test_one_to_four_cards_of_a_rank_are_played_together_but_no_more() -> None:
    seen = position("pile 3\nAlice | hand 5 5 5 5 5 K\nBen | hand 3")
    assert seen.legal("Alice") == ["play 5", "play 5 5", "play 5 5 5", "play 5 5 5 5", "play K"]
    assert "only 1 of them in your hand" in seen.refusal("Alice: play K K")
    assert "you have none in your hand" in seen.refusal("Alice: play J")


def test_no_card_can_be_played_out_of_turn() -> None:
    seen = position("pile 3\nAlice | hand 5\nBen | hand 8")
    assert seen.legal("Ben") == []
    assert "It is not your turn: seat 1 plays now." in seen.refusal("Ben: play 8")


# Aces, 2s, 7s and 10s


@pytest.mark.parametrize("aces", ["A", "A A", "A A A"])
def test_after_any_number_of_aces_the_same_player_plays_once_more(aces: str) -> None:
    seen = position(f"pile K\nAlice | hand {aces} 3 4 5\nBen | hand 8")
    assert seen.act(f"Alice: play {aces}") == [f"Alice plays **{aces}**, plays again."]
    assert len(seen.legal("Alice")) == 3
    seen.act("Alice: play 3")
    assert seen.to_act() == "Ben"


def test_another_ace_gives_another_play() -> None:
    seen = position("pile K\nAlice | hand A A 3 4\nBen | hand 8")
    seen.act("Alice: play A; Alice: play A")
    assert seen.to_act() == "Alice"


def test_a_2_resets_the_pile_and_the_turn_passes() -> None:
    seen = position("pile 9 K\nAlice | hand 2 3\nBen | hand 3 9")
    seen.act("Alice: play 2")
    assert seen.legal("Ben") == ["play 3", "play 9"]
    assert seen.pile() == "9 K 2"


def test_after_a_7_the_card_below_counts_for_the_next_player() -> None:
    seen = position("pile 9\nAlice | hand 7 3\nBen | hand 8 J")
    assert seen.act("Alice: play 7") == ["Alice plays **7**."]
    assert seen.legal("Ben") == ["play 8"]


def test_a_7_on_a_7_on_a_king_still_requires_a_wild() -> None:
    seen = position("pile K 7\nAlice | hand 7 3\nBen | hand Q")
    seen.act("Alice: play 7")
    assert seen.legal("Ben") == ["take"]


def test_after_a_7_on_an_ace_anything_fits_and_there_is_no_further_play() -> None:
    seen = position("pile A\nAlice | hand 7 3\nBen | hand 3")
    seen.act("Alice: play 7")
    assert (seen.to_act(), seen.legal("Ben")) == ("Ben", ["play 3"])


def test_a_10_removes_the_pile_and_its_player_plays_again() -> None:
    seen = position("pile 3 9 7\nAlice | hand 10 4 4\nBen | hand 8")
    narration = seen.act("Alice: play 10")
    assert narration == ["Alice plays **10**, clears the pile (4 cards) and plays again."]
    assert (seen.pile(), seen.gone()) == ("", "3 9 7 10")
    assert seen.legal("Alice") == ["play 4", "play 4 4"]


def test_two_10s_give_one_further_play_and_a_10_may_start_a_pile() -> None:
    seen = position("\nAlice | hand 10 10 4 4\nBen | hand 8".replace("\n", "pile\n", 1))
    assert seen.act("Alice: play 10 10") == [
        "Alice plays **10 10**, clears the pile (2 cards) and plays again."
    ]
    seen.act("Alice: play 4")
    assert seen.to_act() == "Ben"


# 8s, 9s, queens and kings


@pytest.mark.parametrize(("eights", "following"), [("8", "Cleo"), ("8 8", "Dan"), ("8 8 8", "Alice")])
def test_each_8_skips_one_more_seat_including_the_own(eights: str, following: str) -> None:
    text = "pile 3\nAlice | hand 8 8 8 3 3\nBen | hand 3\nCleo | hand 3\nDan | hand 3"
    seen = position(text)
    seen.act(f"Alice: play {eights}")
    assert seen.to_act() == following


def test_three_8s_among_three_players_skip_their_own_player_too() -> None:
    seen = position("pile 3\nAlice | hand 8 8 8 3\nBen | hand 3\nCleo | hand 3")
    assert seen.act("Alice: play 8 8 8") == ["Alice plays **8 8 8**, skips Ben, Cleo and Alice."]
    assert seen.to_act() == "Ben"


@pytest.mark.parametrize(("eights", "following"), [("8", "Alice"), ("8 8", "Ben"), ("8 8 8", "Alice")])
def test_with_two_players_one_8_gives_another_turn_and_two_do_not(eights: str, following: str) -> None:
    seen = position("pile 3\nAlice | hand 8 8 8 3\nBen | hand 3")
    seen.act(f"Alice: play {eights}")
    assert seen.to_act() == following


def test_8s_skip_in_the_direction_of_play() -> None:
    seen = position(
        "pile 3 | Alice plays to the right\nAlice | hand 8 3\nBen | hand 3\nCleo | hand 3\nDan | hand 3"
    )
    assert seen.act("Alice: play 8") == ["Alice plays **8**, skips Dan."]
    assert seen.to_act() == "Cleo"


def test_a_skip_passes_over_seats_that_are_out() -> None:
    seen = position("pile 3\nAlice | hand 8 3\nBen |\nCleo | hand 3\nDan | hand 3", play_for_places=True)
    assert seen.act("Alice: play 8") == ["Alice plays **8**, skips Cleo."]
    assert seen.to_act() == "Dan"


def test_an_8_under_a_9_skips_as_well() -> None:
    seen = position("pile 9\nAlice | hand 8 3\nBen | hand 3\nCleo | hand 9")
    seen.act("Alice: play 8")
    assert seen.legal("Cleo") == ["play 9"]


def test_after_a_9_the_next_player_must_play_lower() -> None:
    seen = position("pile 8\nAlice | hand 9 3\nBen | hand J K\nCleo | hand K")
    assert seen.act("Alice: play 9") == ["Alice plays **9**."]
    assert seen.legal("Ben") == ["take"]
    seen.act("Ben: take")
    assert seen.legal("Cleo") == ["play K"]


@pytest.mark.parametrize(
    ("queens", "following", "direction"), [("Q", "Cleo", -1), ("Q Q", "Ben", 1), ("Q Q Q", "Cleo", -1)]
)
def test_each_queen_turns_the_direction_and_two_cancel(queens: str, following: str, direction: int) -> None:
    seen = position("pile 3\nAlice | hand Q Q Q 3\nBen | hand 3\nCleo | hand 3")
    narration = seen.act(f"Alice: play {queens}")
    assert (seen.to_act(), seen.state.direction) == (following, direction)
    assert ("turns play counter-clockwise" in narration[0]) == (direction == -1)


def test_a_second_queen_turns_the_direction_back() -> None:
    seen = position("pile 3 | Alice plays to the right\nAlice | hand Q 3\nBen | hand 3\nCleo | hand 3")
    assert seen.act("Alice: play Q") == ["Alice plays **Q**, turns play clockwise."]
    assert seen.to_act() == "Ben"


def test_a_queen_does_nothing_with_two_players_left() -> None:
    seen = position("pile 3\nAlice | hand Q 3\nBen |\nCleo | hand 3", play_for_places=True)
    assert seen.act("Alice: play Q") == ["Alice plays **Q**."]
    assert (seen.to_act(), seen.state.direction) == ("Cleo", 1)


# Four of a kind


@pytest.mark.parametrize("rank", ["5", "8", "9", "Q", "K", "2", "7", "10", "A"])
def test_four_of_a_kind_remove_the_pile_and_their_player_plays_again(rank: str) -> None:
    four = " ".join([rank] * 4)
    seen = position(f"pile 4 3 3\nAlice | hand {four} 3\nBen | hand 3\nCleo | hand 3")
    assert seen.act(f"Alice: play {four}") == [
        f"Alice plays **{four}**, clears the pile (7 cards) and plays again."
    ]
    assert (seen.to_act(), seen.pile(), seen.state.direction) == ("Alice", "", 1)
    assert seen.legal("Alice") == ["play 3"]
    seen.act("Alice: play 3")
    assert seen.placings() == (1, 2, 2)


def test_four_of_a_kind_must_fit_like_a_single_card() -> None:
    seen = position("pile K\nAlice | hand Q Q Q Q\nBen | hand 3")
    assert "Q does not go on K" in seen.refusal("Alice: play Q Q Q Q")


def test_four_of_a_kind_over_several_turns_count_only_with_that_option() -> None:
    text = "pile 3 2 2\nAlice | hand 2 2 3 3\nBen | hand 3"
    plain, across = position(text), position(text, four_across_turns=True)
    plain.act("Alice: play 2 2")
    assert (plain.pile(), plain.to_act()) == ("3 2 2 2 2", "Ben")
    across.act("Alice: play 2 2")
    assert (across.pile(), across.gone(), across.to_act()) == ("", "3 2 2 2 2", "Alice")


def test_over_several_turns_more_than_four_count_and_fewer_or_interrupted_ones_do_not() -> None:
    for pile, play, goes in [("2 2 2", "2 2 2", True), ("2 2", "2", False), ("2 2 2 7", "2", False)]:
        seen = position(f"pile {pile}\nAlice | hand 2 2 2 3\nBen | hand 3", four_across_turns=True)
        seen.act(f"Alice: play {play}")
        assert (seen.pile() == "") is goes


def test_sevens_over_several_turns_count_as_sevens() -> None:
    seen = position("pile K 7 7 7\nAlice | hand 7 3\nBen | hand 3", four_across_turns=True)
    seen.act("Alice: play 7")
    assert seen.gone() == "K 7 7 7 7"
    glass = position("pile 2 2 2 7\nAlice | hand 2 3\nBen | hand 3", four_across_turns=True)
    glass.act("Alice: play 2")
    assert glass.pile() == "2 2 2 7 2"


def test_queens_and_8s_that_complete_four_of_a_kind_neither_turn_nor_skip() -> None:
    for rank in ("Q", "8"):
        text = f"pile {rank} {rank} {rank}\nAlice | hand {rank} 3\nBen | hand 3\nCleo | hand 3"
        seen = position(text, four_across_turns=True, allow_equal=True)
        narration = seen.act(f"Alice: play {rank}")
        assert narration == [f"Alice plays **{rank}**, clears the pile (4 cards) and plays again."]
        assert (seen.to_act(), seen.state.direction) == ("Alice", 1)


# Drawing


@pytest.mark.parametrize(
    ("hand", "play", "left"),
    [
        ("3 4 5", "3", "4 5 J"),
        ("3 3 5", "3 3", "5 J 8"),
        ("3 3 3", "3 3 3", "8 J K"),
        ("3 4 5 6", "3", "4 5 6"),
        ("3 4 5 6 8", "3", "4 5 6 8"),
    ],
)
def test_after_a_play_cards_are_drawn_until_the_hand_has_three(hand: str, play: str, left: str) -> None:
    seen = position(f"pile 2 | stock J 8 K\nAlice | hand {hand}\nBen | hand 3")
    seen.act(f"Alice: play {play}")
    assert sorted(seen.hand("Alice").split()) == sorted(left.split())


def test_drawing_ends_when_the_stock_is_empty() -> None:
    seen = position("pile 2 | stock J\nAlice | hand 3 3 5\nBen | hand 3 4 5")
    seen.act("Alice: play 3 3; Ben: play 4")
    assert (seen.hand("Alice"), seen.hand("Ben")) == ("5 J", "3 5")


def test_a_card_is_drawn_before_the_further_play_and_can_be_used_for_it() -> None:
    for first in ("A", "10", "3 3 3 3"):
        hand = first if first == "3 3 3 3" else f"{first} 4 4"
        seen = position(f"pile 2 | stock J J J\nAlice | hand {hand}\nBen | hand 3")
        seen.act(f"Alice: play {first}")
        assert seen.to_act() == "Alice"
        assert "play J" in seen.legal("Alice")


def test_only_the_player_sees_the_card_drawn() -> None:
    seen = position("pile 2 | stock J 8\nAlice | hand 3 3 5\nBen | hand 3")
    assert seen.act("Alice: play 3 3") == ["Alice plays **3 3**."]
    assert [(event.to, event.kinds) for event in seen.events if isinstance(event, Drew)] == [
        (0, (RANKS.index("J"), RANKS.index("8")))
    ]


def test_no_card_is_drawn_after_taking_the_pile() -> None:
    seen = position("pile K | stock J 8\nAlice | hand 3 4 5\nBen | hand 3 4 5")
    seen.act("Alice: take")
    assert (seen.hand("Alice"), len(seen.state.stock)) == ("3 4 5 K", 2)


# Taking the pile


def test_a_player_who_cannot_play_takes_the_pile_and_the_next_starts_a_new_one() -> None:
    seen = position("pile 5 8 K\nAlice | hand 3 Q\nBen | hand 3\nCleo | hand 4")
    assert seen.legal("Alice") == ["take"]
    assert seen.act("Alice: take") == ["Alice cannot play and takes the pile (3 cards)."]
    assert (seen.hand("Alice"), seen.pile(), seen.to_act()) == ("3 5 8 Q K", "", "Ben")
    assert seen.legal("Ben") == ["play 3"]


def test_a_player_who_can_play_must_play() -> None:
    seen = position("pile 5\nAlice | hand 8\nBen | hand 3")
    assert "You can play, so you must" in seen.refusal("Alice: take")


def test_with_voluntary_pickup_the_pile_may_be_taken_instead() -> None:
    seen = position("pile 5\nAlice | hand 8\nBen | hand 3", voluntary_pickup=True)
    assert seen.legal("Alice") == ["play 8", "take"]
    assert seen.act("Alice: take") == ["Alice takes the pile (1 card)."]
    assert seen.hand("Alice") == "5 8"


def test_voluntary_pickup_needs_a_pile_and_does_not_replace_turning_face_down_cards() -> None:
    seen = position("pile\nAlice | hand 8\nBen | hand 3", voluntary_pickup=True)
    assert "There is no pile" in seen.refusal("Alice: take")
    blind = position("pile 5\nAlice | down 8 . 3\nBen | hand 3", voluntary_pickup=True)
    assert blind.legal("Alice") == ["blind 1", "blind 3"]
    assert "Choose blind 1 or blind 3" in blind.refusal("Alice: take")
    table = position("pile 5\nAlice | up 8\nBen | hand 3", voluntary_pickup=True)
    assert table.legal("Alice") == ["play 8", "take"]


def test_a_pile_of_7s_accepts_any_card_and_is_taken_only_by_choice() -> None:
    seen = position("pile 7 7\nAlice | hand 3\nBen | hand 3")
    assert seen.legal("Alice") == ["play 3"]


def test_direction_and_turn_order_stay_after_a_pickup() -> None:
    seen = position("pile K | Ben plays to the right\nAlice | hand 3\nBen | hand 4\nCleo | hand 5")
    seen.act("Ben: take")
    assert (seen.to_act(), seen.state.direction) == ("Alice", -1)


# Zones


def test_the_hand_is_played_first() -> None:
    seen = position("pile 3\nAlice | hand 4 | up K | down 5 6 8\nBen | hand 3")
    assert seen.legal("Alice") == ["play 4"]
    assert "you have none in your hand" in seen.refusal("Alice: play K")
    assert "Play all cards of your hand first" in seen.refusal("Alice: blind 1")


def test_the_face_up_cards_are_played_when_hand_and_stock_are_used_up() -> None:
    seen = position("pile 3\nAlice | up K K 4 | down 5 6 8\nBen | hand 3")
    assert seen.legal("Alice") == ["play 4", "play K", "play K K"]
    assert "face-up cards first" in seen.refusal("Alice: blind 1")
    assert seen.act("Alice: play K K") == ["Alice plays **K K** from the table."]
    assert seen.state.shown[0][RANKS.index("4")] == 1


def test_the_zone_can_change_within_a_turn() -> None:
    seen = position("pile 3\nAlice | hand A | up K | down 5\nBen | hand 3")
    seen.act("Alice: play A")
    assert seen.legal("Alice") == ["play K"]


def test_the_face_up_cards_wait_until_a_taken_pile_is_used_up() -> None:
    seen = position("pile 3 K\nAlice | up Q 4 | down 5\nBen | hand 2 2 2")
    assert seen.legal("Alice") == ["take"]
    seen.act("Alice: take; Ben: play 2")
    assert seen.legal("Alice") == ["play 3", "play K"]
    seen.act("Alice: play K; Ben: play 2")
    assert seen.legal("Alice") == ["play 3"]


def test_face_down_cards_are_turned_up_one_at_a_time_by_place() -> None:
    seen = position("pile 3\nAlice | down 5 5 8\nBen | hand 9 9")
    assert seen.legal("Alice") == ["blind 1", "blind 2", "blind 3"]
    assert "name the place of one, not its rank. Choose blind 1 or blind 2 or blind 3" in seen.refusal(
        "Alice: play 5"
    )
    assert seen.act("Alice: blind 2") == ["Alice turns up and plays **5**."]
    assert seen.state.blind[0] == [RANKS.index("5"), GONE, RANKS.index("8")]
    seen.act("Ben: play 9")
    assert "is already turned up" in seen.refusal("Alice: blind 2")


@pytest.mark.parametrize(
    ("card", "following"), [("8", "Cleo"), ("A", "Alice"), ("10", "Alice"), ("Q", "Cleo"), ("9", "Ben")]
)
def test_a_face_down_card_that_fits_has_its_effects(card: str, following: str) -> None:
    seen = position(f"pile 3\nAlice | down {card} 3 3\nBen | hand 3\nCleo | hand 3")
    seen.act("Alice: blind 1")
    assert seen.to_act() == following


def test_a_face_down_card_that_does_not_fit_goes_to_the_hand_with_the_pile() -> None:
    seen = position("pile 3 K 7\nAlice | down 8 5 6\nBen | hand 3\nCleo | hand 4")
    assert seen.act("Alice: blind 1") == [
        "Alice turns up **8**, which does not go on K, and takes it and the pile (4 cards)."
    ]
    assert (seen.hand("Alice"), seen.pile(), seen.to_act()) == ("3 8 K 7", "", "Ben")
    assert seen.state.blind[0][0] == GONE


def test_a_failed_card_and_the_pile_are_used_up_before_the_next_face_down_card() -> None:
    seen = position("pile K\nAlice | down 8 5\nBen | hand 2 2 2")
    seen.act("Alice: blind 1; Ben: play 2")
    assert seen.legal("Alice") == ["play 8", "play K"]
    assert "Play all cards of your hand first" in seen.refusal("Alice: blind 2")
    seen.act("Alice: play K; Ben: play 2; Alice: play 8")  # between two players an 8 gives another turn
    assert seen.legal("Alice") == ["blind 2"]


def test_a_failed_8_skips_nobody_and_a_failed_queen_turns_nothing() -> None:
    for card in ("8", "Q"):
        seen = position(f"pile K\nAlice | down {card} 5\nBen | hand 3\nCleo | hand 3")
        seen.act("Alice: blind 1")
        assert (seen.to_act(), seen.state.direction) == ("Ben", 1)


# The end


@pytest.mark.parametrize(
    "last", ["5", "A", "2", "7", "10", "8", "9", "Q", "K", "A A", "8 8", "5 5 5 5", "10 10"]
)
def test_the_first_player_without_cards_wins_at_once_even_with_a_special_card(last: str) -> None:
    seen = position(f"pile 4\nAlice | hand {last}\nBen | hand 3 3\nCleo | hand 3 | up 4 4 | down 5 . 6")
    narration = seen.act(f"Alice: play {last}")
    assert seen.placings() == (1, 2, 3)
    assert seen.to_act() == ""
    assert "again" not in narration[0]
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert outcome.scores == (0, 2, 5)
    assert "The match is over" in seen.refusal("Ben: play 3")


@pytest.mark.parametrize("last", ["5", "10", "A"])
def test_the_last_face_down_card_wins_if_it_fits(last: str) -> None:
    seen = position(f"pile 4\nAlice | down . {last}\nBen | hand 3")
    seen.act("Alice: blind 2")
    assert seen.placings() == (1, 2)


def test_the_last_face_down_card_does_not_win_if_it_does_not_fit() -> None:
    seen = position("pile K\nAlice | down . . 5\nBen | hand 3")
    seen.act("Alice: blind 3")
    assert seen.placings() is None
    assert seen.hand("Alice") == "5 K"


def test_the_others_are_placed_by_the_cards_left_in_all_zones_and_may_share_places() -> None:
    seen = position("pile 4\nAlice | hand 5\nBen | hand 3 3 3\nCleo | up 4 4 | down 5\nDan | hand 3 | down 5")
    narration = seen.act("Alice: play 5")
    assert seen.placings() == (1, 3, 3, 2)
    assert narration[-1].splitlines() == [
        "**Alice wins with no cards.** The first player without a card wins. The others are placed by cards "
        "left: fewer is better.",
        "**2.** Dan: 2 cards",
        "**3.** Ben and Cleo: 3 cards",
    ]


def test_a_player_who_draws_a_card_is_not_out() -> None:
    seen = position("pile 4 | stock 3\nAlice | hand 5\nBen | hand 3")
    seen.act("Alice: play 5")
    assert seen.placings() is None


def test_with_play_for_places_the_others_play_until_one_is_left() -> None:
    seen = position("pile 4\nAlice | hand 5\nBen | hand 6\nCleo | hand K K", play_for_places=True)
    narration = seen.act("Alice: play 5")
    assert narration == ["Alice plays **5**.", "**Alice has no card left** and takes 1st place."]
    assert seen.to_act() == "Ben"
    seen.act("Ben: play 6")
    assert seen.placings() == (1, 2, 3)


@pytest.mark.parametrize("last", ["A", "10", "5 5 5 5"])
def test_a_player_who_goes_out_makes_no_further_play(last: str) -> None:
    seen = position(f"pile 4\nAlice | hand {last}\nBen | hand 6\nCleo | hand K K", play_for_places=True)
    narration = seen.act(f"Alice: play {last}")
    assert seen.to_act() == "Ben"
    assert "again" not in narration[0]


@pytest.mark.parametrize(
    ("last", "following"), [("8", "Cleo"), ("8 8", "Dan"), ("Q", "Dan"), ("8 8 8", "Ben")]
)
def test_8s_and_queens_still_work_when_their_player_goes_out(last: str, following: str) -> None:
    text = f"pile 4\nAlice | hand {last}\nBen | hand 6 6\nCleo | hand K K\nDan | hand 3 3"
    seen = position(text, play_for_places=True)
    seen.act(f"Alice: play {last}")
    assert seen.to_act() == following


# The latest end


def test_two_players_can_be_forced_to_repeat_for_ever() -> None:
    """One holds a king, the other a 7 and a king, and no wild lies face up: nobody ever has a choice. Only the
    latest end stops it."""
    seen = position("pile\nAlice | hand K | up 3 | down 3\nBen | hand 7 K | up 3 | down 3 3")
    narration: list[str] = []
    for _ in range(100):
        assert seen.placings() is None
        (move,) = seen.legal(seen.to_act())
        narration = seen.act(f"{seen.to_act()}: {move}")
    assert seen.placings() is not None
    assert (
        "In 100 plays in a row no card was drawn, left the game or came from the table, so the match ends"
        in narration[-1]
    )


@pytest.mark.parametrize(("quiet", "over"), [(98, False), (99, True)])
def test_after_100_plays_without_a_change_all_players_still_in_are_placed_by_cards_left(
    quiet: int, over: bool
) -> None:
    seen = position("pile K\nAlice | hand 3 3\nBen | hand 3 3 4 4")
    seen.state.quiet = quiet
    seen.act("Alice: take")
    assert seen.placings() == ((1, 2) if over else None)
    outcome = GAME.outcome(seen.state)
    assert (outcome is not None and "In 100 plays in a row" in outcome.reason) is over


@pytest.mark.parametrize(
    ("text", "play"),
    [
        ("pile 3 | stock 4\nAlice | hand 4 4 4\nBen | hand 3", "play 4"),
        ("pile 3\nAlice | hand 10 4\nBen | hand 3", "play 10"),
        ("pile 3\nAlice | hand 4 4 4 4 3\nBen | hand 3", "play 4 4 4 4"),
        ("pile 3\nAlice | up 4 5\nBen | hand 3", "play 4"),
        ("pile 3\nAlice | down 4 5\nBen | hand 3", "blind 1"),
        ("pile K\nAlice | down 4 5\nBen | hand 3", "blind 1"),
    ],
)
def test_the_count_to_100_restarts_when_cards_move(text: str, play: str) -> None:
    """A card is drawn, removed or played from the table; a face-down card counts even if it does not fit."""
    seen = position(text)
    seen.state.quiet = 99
    seen.act(f"Alice: {play}")
    assert (seen.state.quiet, seen.placings()) == (0, None)


def test_after_4000_plays_the_match_ends_and_says_so() -> None:
    seen = position("pile K\nAlice | hand 3 3\nBen |\nCleo | hand 4 4", play_for_places=True)
    seen.state.plays = 3999
    narration = seen.act("Alice: take")
    assert seen.placings() == (3, 1, 2)
    assert "4,000 plays were made, so the match ends and those still in are placed" in narration[-1]


def test_a_win_with_the_hundredth_play_counts() -> None:
    seen = position("pile 3\nAlice | hand 5\nBen | hand 3")
    seen.state.quiet = 99
    narration = seen.act("Alice: play 5")
    assert "The first player without a card wins" in narration[-1]


# The rules text and the source


def test_the_example_in_the_rules_is_correct() -> None:
    seen = position("""
        pile 6
        Alice | hand 9 A 8 3
        Ben   | hand 7 3
        Cleo  | hand 5 5 J J J J 3 3
    """)
    for name, move in EXAMPLE:
        assert seen.to_act() == name
        seen.act(f"{name}: {move}")
    assert (seen.pile(), seen.state.gone[TEN]) == ("3", 0)
