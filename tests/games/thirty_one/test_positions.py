"""The rules of Thirty-One as positions. The notation: see `position`."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from games.ending import Ended
from games.french import CARD, PACK, TEXT
from games.thirty_one import GAME
from games.thirty_one.events import DealBegan, Dealt, Discarded, Drew, HadThirtyOne, HandsShown, Refilled
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.values import worth
from tests.games.thirty_one.position import Position, after_knock, opened, position
from tests.games.thirty_one.secrets import values
from tests.seats import FIRST, THIRD

FRESH = """
    Alice dealt, discards QD 8C, stock 5D 3H
    Alice | 7S QH 10D
    Ben   | 2S 3S 4S
    Cleo  | AH 2H QC
"""


def shown(seen: Position) -> list[str]:
    return [GAME.words.narrate(event, seen.names) for event in seen.events if isinstance(event, HadThirtyOne)]


# Deal


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
def test_everybody_gets_three_cards_and_one_more_starts_the_discards(seats: int) -> None:
    seen = opened(seats)
    assert [len(hand) for hand in seen.state.hands] == [3] * seats
    assert len(seen.state.discards) == 1
    assert len(seen.state.stock) == 52 - 3 * seats - 1
    assert seen.state.tokens == [3] * seats
    dealt = [event for event in seen.events if isinstance(event, Dealt)]
    assert [event.to for event in dealt] == [*range(seats)]
    assert [list(event.cards) for event in dealt] == seen.state.hands


def test_the_first_dealer_is_drawn_and_the_player_to_the_left_begins() -> None:
    dealers = set()
    for seed in range(30):
        seen = opened(3, f"dealer {seed}")
        began = next(event for event in seen.events if isinstance(event, DealBegan))
        assert began.start == (began.dealer + 1) % 3
        dealers.add(began.dealer)
    assert dealers == {0, 1, 2}


# Turns


def test_a_turn_draws_takes_a_discard_or_knocks() -> None:
    seen = position(FRESH)
    assert seen.legal("Ben") == ["draw", "take", "knock"]
    assert seen.legal("Alice") == seen.legal("Cleo") == []


def test_a_drawn_card_is_seen_by_its_player_alone_and_may_be_discarded_at_once() -> None:
    seen = position(FRESH)
    assert seen.act("Ben: draw") == ["Ben draws."]
    assert seen.private_narration("Ben") == ["You drew ♦5."]
    assert not any("♦5" in seen.describe(name) for name in ("Alice", "Cleo", None))
    assert seen.legal("Ben") == ["discard 5D", "discard 2S", "discard 3S", "discard 4S"]
    assert seen.awaited() == ["Ben"]
    assert seen.act("Ben: discard 5D") == ["Ben drops ♦5."]
    assert (seen.hand("Ben"), seen.discards(), seen.awaited()) == ("2S 3S 4S", "5D QD 8C", ["Cleo"])


def test_a_discard_just_taken_cannot_be_discarded_in_the_same_turn() -> None:
    seen = position(FRESH)
    assert seen.act("Ben: take") == ["Ben takes ♦Q."]
    assert seen.legal("Ben") == ["discard 2S", "discard 3S", "discard 4S"]
    assert seen.refusal("Ben: discard QD") == (
        "You have just taken ♦Q and must keep it this turn. Drop one of ♠2 ♠3 ♠4."
    )
    seen.act("Ben: discard 2S; Cleo: draw; Cleo: discard 5D; Alice: draw; Alice: discard 7S; Ben: draw")
    assert "discard QD" in seen.legal("Ben")


def test_with_four_cards_the_only_action_is_to_discard_one() -> None:
    seen = position(FRESH)
    seen.act("Ben: draw")
    for other in ("draw", "take", "knock"):
        assert seen.refusal(f"Ben: {other}") == "You have four cards. Drop one of ♦5 ♠2 ♠3 ♠4."
    assert seen.refusal("Ben: discard KH").startswith("You do not hold ♥K.")


def test_nothing_is_discarded_before_a_card_is_drawn_or_taken() -> None:
    assert (
        position(FRESH)
        .refusal("Ben: discard 2S")
        .startswith("Draw from the stock or take the top discard first")
    )


@pytest.mark.parametrize("action", ["draw", "take", "knock", "discard AH"])
def test_nobody_acts_out_of_turn(action: str) -> None:
    assert position(FRESH).refusal(f"Cleo: {action}").startswith("It is not your turn: seat 2 plays now")


def test_the_turn_passes_to_the_left_and_skips_those_who_are_out() -> None:
    seen = position("""
        deal 3, Alice dealt, discards QD
        Alice | 7S QH 10D
        Ben   | out in deal 2
        Cleo  | AH 2H QC
    """)
    assert seen.awaited() == ["Cleo"]
    seen.act("Cleo: draw; Cleo: discard QC")
    assert seen.awaited() == ["Alice"]
    assert seen.refusal("Ben: draw") == "You are out: you have no tokens left. You can watch the others."


# Knock


def test_after_a_knock_on_the_first_turn_everybody_else_has_one_more() -> None:
    seen = position(FRESH)
    assert seen.act("Ben: knock") == ["**Ben knocks.** Everybody else has one more turn."]
    assert seen.awaited() == ["Cleo"]
    assert "Ben has knocked. Last turns: Cleo, Alice." in seen.describe("Cleo")
    seen.act("Cleo: draw; Cleo: discard 5D")
    assert "Ben has knocked. Last turns: Alice." in seen.describe("Cleo")
    narration = seen.act("Alice: take; Alice: discard 7S")
    assert narration[2].startswith(
        "Shown: Alice ♦5 ♦10 ♥Q = **15** · Cleo ♣Q ♥A ♥2 = **13** · Ben ♠2 ♠3 ♠4 = **9**\n"
    )
    assert seen.state.deal == 2


def test_a_deal_has_only_one_knock() -> None:
    seen = position(FRESH)
    seen.act("Ben: knock")
    assert seen.legal("Cleo") == ["draw", "take"]
    assert seen.refusal("Cleo: knock").startswith(
        "Seat 2 has knocked, and only one player may knock in a deal"
    )
    seen.act("Cleo: draw; Cleo: discard 5D; Alice: draw; Alice: discard 3H")
    assert "knock" in seen.legal(seen.awaited()[0]), "in the next deal it is possible again"


def test_the_last_turns_skip_those_who_are_out() -> None:
    seen = position("""
        deal 3, Cleo dealt, discards QD, stock 5D
        Alice | 7S QH 10D
        Ben   | out in deal 2
        Cleo  | AH 2H QC
    """)
    seen.act("Alice: knock; Cleo: draw; Cleo: discard 5D")
    assert isinstance(seen.end(), HandsShown)


# Worth


@pytest.mark.parametrize(
    ("hand", "one_suit", "any_suit"),
    [
        ("AS KS QS", 31, 31),
        ("AS KS 4D", 21, 25),
        ("AS KD QH", 11, 31),
        ("7S 8S 9S", 24, 24),
        ("2S 3D 4H", 4, 9),
        ("10S JD QH", 10, 30),
        ("AS AD 9H", 11, 31),
        ("AS AD KH", 11, 22),
        ("AS AD AH", 11, 23),
        ("AS 2S 10D", 13, 23),
        ("JS 9S 2S", 21, 21),
    ],
)
def test_the_worth_of_a_hand(hand: str, one_suit: int, any_suit: int) -> None:
    cards = [CARD[text] for text in hand.split()]
    assert worth(cards, ThirtyOneOptions()) == 2 * one_suit
    assert worth(cards, ThirtyOneOptions(any_suit=True)) == 2 * any_suit


@pytest.mark.parametrize(
    ("hand", "one_suit", "any_suit"),
    [
        ("7S 7D 7H", 61, 61),
        ("KS KD KH", 61, 61),
        ("AS AD AH", 61, 61),
        ("AS KS QS", 62, 62),
        ("7S 7D 8H", 16, 44),
    ],
)
def test_three_of_a_kind_counts_30_and_a_half_if_that_is_more(
    hand: str, one_suit: int, any_suit: int
) -> None:
    cards = [CARD[text] for text in hand.split()]
    assert worth(cards, ThirtyOneOptions(three_of_a_kind=True)) == one_suit
    assert worth(cards, ThirtyOneOptions(three_of_a_kind=True, any_suit=True)) == any_suit


@pytest.mark.parametrize("any_suit", [False, True])
@pytest.mark.parametrize("three_of_a_kind", [False, True])
def test_the_worth_of_every_hand_equals_the_best_of_all_ways_to_count_it(
    any_suit: bool, three_of_a_kind: bool
) -> None:
    options = ThirtyOneOptions(any_suit=any_suit, three_of_a_kind=three_of_a_kind)
    for hand in combinations(PACK, 3):
        assert Fraction(worth(hand, options), 2) == values(options, hand)


# 31


def test_31_after_a_discard_is_shown_at_once_and_everybody_else_pays_one() -> None:
    seen = position("""
        Cleo dealt, discards 2D, stock QS
        Alice | AS KS 4D | 2 tokens
        Ben   | 2S 3S 4S | 3 tokens
        Cleo  | AH 2H QC | 1 tokens
    """)
    narration = seen.act("Alice: draw; Alice: discard 4D")
    assert narration[2] == "**31!** Alice has ♠A ♠Q ♠K\nEverybody else pays a token. Cleo is out."
    assert seen.state.tokens == [2, 2, 0]
    assert seen.state.deal == 2


def test_31_after_a_knock_ends_the_deal_and_replaces_the_other_payments() -> None:
    seen = position("""
        Cleo dealt, discards 2D, stock QS
        Alice | 2C 3D 4H
        Ben   | AS KS 4D
        Cleo  | AH 2H QC
    """)
    seen.act("Alice: knock; Ben: draw; Ben: discard 4D")
    assert isinstance(seen.end(), HadThirtyOne)
    assert seen.state.tokens == [2, 3, 2]


def test_31_is_not_shown_while_its_player_holds_four_cards() -> None:
    seen = position("""
        Cleo dealt, discards 2D, stock QS
        Alice | AS KS 4D
        Ben   | 2S 3S 4S
        Cleo  | AH 2H QC
    """)
    seen.act("Alice: draw; Alice: discard KS")
    assert seen.state.deal == 1


def dealt(seats: int, having: int, **options: bool) -> Position:
    """Return a match in whose first deal exactly that many players are dealt 31."""
    for seed in range(20_000):
        seen = opened(seats, seed, **options)
        first = next((event for event in seen.events if isinstance(event, HadThirtyOne)), None)
        if first is not None and seen.state.deal == 2 and len(first.shown) == having:
            return seen
    raise AssertionError("nobody was dealt 31")


def test_a_dealt_31_ends_the_deal_before_the_first_turn() -> None:
    seen = dealt(3, having=1)
    (narration,) = shown(seen)
    assert " is dealt " in narration
    assert narration.endswith("Everybody else pays a token.")
    assert sorted(seen.state.tokens) == [2, 2, 3]
    assert seen.state.deal == 2
    assert len(GAME.awaited(seen.state)) == 1


def test_two_players_who_are_dealt_31_pay_nothing() -> None:
    seen = dealt(4, having=2, any_suit=True)
    (narration,) = shown(seen)
    assert narration.count(" is dealt ") == 2
    assert sorted(seen.state.tokens) == [2, 2, 3, 3]


def test_when_both_of_two_are_dealt_31_nobody_pays() -> None:
    seen = dealt(2, having=2, any_suit=True)
    (narration,) = shown(seen)
    assert narration.endswith("Nobody pays.")
    assert seen.state.tokens == [3, 3]


# Payments after a knock. The knocker is Alice.


@pytest.mark.parametrize(
    ("hands", "payments"),
    [
        # The lowest hand pays.
        (("9S 8S 7S", "9H 8H 2C", "10D KD 8C"), (0, 1, 0)),
        # Another hand is higher: the knocker pays as well.
        (("9S 8S 2D", "9H 2H 3C", "10D KD 8C"), (1, 1, 0)),
        # A hand equal to the knocker's is not higher.
        (("9S 8S 2D", "9H 2H 3C", "9D 8D 8C"), (0, 1, 0)),
        # The knocker alone has the lowest hand and pays two.
        (("2S 3D 4H", "9H 8H 3C", "10D KD 8C"), (2, 0, 0)),
        # The knocker is one of several lowest and pays only for the higher hand.
        (("9S 2D 3H", "9H 2C 4S", "10D KD 8C"), (1, 1, 0)),
        # Several lowest hands each pay.
        (("10D KD 8C", "9H 2C 4S", "9S 2D 3H"), (0, 1, 1)),
        # All hands are equal: nobody pays.
        (("9S 2D 3H", "9H 2C 4S", "9D 3C 5S"), (0, 0, 0)),
        # Two players: the knocker's hand is higher, or lower.
        (("9S 8S 7S", "9H 8H 2C"), (0, 1)),
        (("9H 8H 2C", "9S 8S 7S"), (2, 0)),
    ],
)
def test_who_pays(hands: tuple[str, ...], payments: tuple[int, ...]) -> None:
    seen = after_knock(*hands)
    assert seen.end().payments == payments
    assert seen.state.tokens == [3 - paid for paid in payments]


def test_payments_are_announced() -> None:
    seen = after_knock("2S 3D 4H", "9H 8H 3C", "10D KD 8C")
    narration = seen.narrated([seen.end()])[0].splitlines()
    assert narration == [
        "Shown: Cleo ♣8 ♦10 ♦K = **20** · Ben ♣3 ♥8 ♥9 = **17** · Alice ♦3 ♥4 ♠2 = **4**",
        "Alice pays 2 tokens.",
    ]
    equal = after_knock("9S 2D 3H", "9H 2C 4S", "9D 3C 5S")
    assert equal.narrated([equal.end()])[0].endswith("All hands are equal, so nobody pays.")


def test_three_of_a_kind_is_announced_as_30_and_a_half() -> None:
    seen = after_knock("7S 7D 7H", "9H 8H 3C", three_of_a_kind=True)
    assert "Alice ♦7 ♥7 ♠7 = **30½**" in seen.narrated([seen.end()])[0]


def test_nobody_pays_more_than_they_have() -> None:
    seen = after_knock("2S 3D 4H", "9H 8H 3C", "10D KD 8C", tokens=(1, 3, 3))
    assert seen.end().payments == (1, 0, 0)
    assert seen.state.tokens == [0, 3, 3]
    assert seen.state.out == [1, 0, 0]


def test_the_highest_hand_never_pays_so_somebody_is_always_left() -> None:
    seen = after_knock("9S 8S 2D", "9H 2H 3C", "10D KD 8C", tokens=(1, 1, 1))
    assert seen.state.tokens == [0, 0, 1]
    assert seen.awaited() == []


# The stock, and a deal without a knock


def test_an_empty_stock_is_shuffled_from_all_discards_but_the_top_one() -> None:
    seen = position(FRESH)
    seen.state.discards = [CARD["8C"], *seen.state.stock, CARD["QD"]]
    seen.state.stock = []
    under = sorted(seen.state.discards[:-1])
    narration = seen.act("Ben: draw")
    assert narration[0] == f"{len(under)} discards are shuffled and become the new stock."
    assert seen.discards() == "QD"
    drawn = set(seen.state.hands[1]) - {CARD[text] for text in ("2S", "3S", "4S")}
    assert sorted([*seen.state.stock, *drawn]) == under
    assert seen.state.stock != sorted(seen.state.stock)


def test_the_last_card_of_the_stock_is_drawn_before_it_is_shuffled_again() -> None:
    seen = position(FRESH)
    seen.state.discards, seen.state.stock = seen.state.stock, seen.state.discards[:1]
    seen.act("Ben: draw")
    assert seen.state.stock == []
    assert not any(isinstance(event, Refilled) for event in seen.events)


def deal_without_a_knock(seats: int) -> Position:
    """Return a deal in which everybody always discards the card drawn."""
    seen = opened(seats, 3)
    while seen.state.deal == 1:
        (seat,) = GAME.awaited(seen.state)
        before = set(seen.state.hands[seat])
        seen.act(f"{seen.names[seat]}: draw")
        (drawn,) = set(seen.state.hands[seat]) - before
        seen.act(f"{seen.names[seat]}: discard {TEXT[drawn]}")
    return seen


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_after_30_turns_each_without_a_knock_all_hands_are_shown_and_only_the_lowest_pay(seats: int) -> None:
    seen = deal_without_a_knock(seats)
    assert sum(" drops " in text for text in seen.narrated(seen.events)) >= 30 * seats
    end = seen.end()
    assert isinstance(end, HandsShown)
    assert end.knocker is None
    lowest = min(hand.worth for hand in end.shown)
    assert end.payments == tuple(int(hand.worth == lowest) for hand in end.shown)
    assert seen.narrated([end])[0].startswith("No turns are left. Shown: ")


def test_after_a_knock_on_the_thirtieth_turn_the_others_still_have_a_turn() -> None:
    seen = position(FRESH.replace("Alice dealt", "Alice dealt, Alice plays, 89 turns"))
    seen.act("Alice: knock")
    assert seen.awaited() == ["Ben"]
    again = position(FRESH.replace("Alice dealt", "Alice dealt, Alice plays, 89 turns"))
    again.act("Alice: draw; Alice: discard 5D")
    assert again.state.deal == 2


# The match


def test_the_deal_moves_to_the_left_and_skips_those_who_are_out() -> None:
    seen = after_knock("2S 3D 4H", "9H 8H 3C", "10D KD 8C", tokens=(1, 3, 3))
    assert (seen.state.deal, seen.state.dealer, seen.awaited()) == (2, 1, ["Cleo"])
    assert seen.state.hands[0] == []


def test_the_last_player_in_wins_and_the_others_are_placed_by_when_they_went_out() -> None:
    seen = position("""
        deal 7, Ben dealt, Alice plays, discards 2D, stock 3D
        Alice | 9S 8S 7S | 2 tokens
        Ben   | 9H 8H 2C | 1 token
        Cleo  | out in deal 4
        Dan   | out in deal 5
        Eve   | out in deal 5
    """)
    seen.act("Alice: knock; Ben: draw; Ben: discard 3D")
    ended = seen.events[-1]
    assert isinstance(ended, Ended)
    assert ended.outcome.placings == (1, 2, 5, 3, 3)
    assert ended.outcome.scores == (2, 0, 0, 0, 0)
    assert (
        ended.outcome.reason
        == "Only the winner has tokens left. The pot holds 13. Whoever lasted longer is placed higher."
    )
    assert seen.awaited() == []
    assert seen.refusal("Alice: draw").startswith("The match is over")


def test_players_who_go_out_in_the_same_deal_share_a_place() -> None:
    seen = after_knock("9S 8S 7S", "9H 2C 4S", "9D 3C 5S", tokens=(1, 1, 1))
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert outcome.placings == (1, 2, 2)


def test_the_latest_end_is_after_200_deals() -> None:
    hands = ("9S 8S 7S", "9H 8H 2C", "10D KD 8C")
    assert after_knock(*hands, deal=199).state.deal == 200
    seen = after_knock(*hands, tokens=(2, 2, 3), deal=200)
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert outcome.placings == (2, 3, 1)
    assert outcome.reason == "After 200 deals the match ends, and the most tokens win."


# Fallback and memory


def test_the_fallback_draws_keeps_the_best_hand_and_never_knocks() -> None:
    seen = position("""
        Cleo dealt, discards 2D, stock 5S
        Alice | AS KS 4D
        Ben   | 2S 3S 4S
        Cleo  | AH 2H QC
    """)
    assert GAME.text(GAME.fallback(seen.state, FIRST)) == "draw"
    seen.act("Alice: draw")
    assert GAME.text(GAME.fallback(seen.state, FIRST)) == "discard 4D"


def test_everybody_remembers_who_took_which_discard() -> None:
    seen = position(FRESH)
    seen.act("Ben: take; Ben: discard 2S")
    assert "Ben: 3 tokens; ♦Q and 2 hidden cards." in seen.describe("Cleo")
    for seed in range(10):
        assert CARD["QD"] in GAME.imagine(GAME.view(seen.state, THIRD), Random(seed)).hands[1]
    seen.act("Cleo: draw; Cleo: discard 5D; Alice: draw; Alice: discard 7S; Ben: draw; Ben: discard QD")
    assert "Ben: 3 tokens; 3 hidden cards." in seen.describe("Cleo")


def test_after_a_shuffle_a_hidden_card_of_the_old_stock_is_not_imagined_in_the_new_one() -> None:
    """Cards never seen must be in the hands, and reshuffled cards can only be where they were drawn to."""
    seen = position(FRESH)
    seen.state.discards = [CARD["8C"], *seen.state.stock, CARD["QD"]]
    seen.state.stock = []
    shuffled = set(seen.state.discards[:-1])
    seen.act("Ben: draw")
    view = GAME.view(seen.state, THIRD)
    assert view.hidden == ((0, 0, 0), (0, 0, 0, 1), (0, 0, 0))
    assert "Ben: 3 tokens; 4 hidden cards (3 drawn before the last shuffle)." in seen.describe("Cleo")
    imagined = [GAME.imagine(view, Random(seed)) for seed in range(20)]
    for world in imagined:
        assert set(world.stock) <= shuffled
        assert sum(card in shuffled for card in world.hands[1]) == 1
        assert not shuffled & set(world.hands[0])
    assert len({tuple(world.stock) for world in imagined}) == 20


def test_a_watcher_can_tell_from_which_stock_each_hidden_card_came() -> None:
    """The public draws and discards are enough for that."""
    refills = 0
    for seed in range(10):
        seen, rng = opened(3, f"batches {seed}"), Random(seed)
        hidden = [[0, 0, 0] for _ in range(3)]
        for _ in range(180):
            (seat,) = GAME.awaited(seen.state)
            action = rng.choice(
                [action for action in GAME.legal(seen.state, seat) if GAME.text(action) != "knock"]
            )
            known = list(seen.state.known[seat])
            events = GAME.apply(seen.state, seat, action)
            if seen.state.deal > 1:
                break
            refills = max(refills, seen.state.refills)
            for event in events:
                if isinstance(event, Drew):
                    hidden[seat].append(seen.state.refills)
                elif isinstance(event, Discarded) and event.card not in known:
                    hidden[seat].remove(seen.state.batch[event.card])
            assert GAME.view(seen.state, None).hidden == tuple(tuple(sorted(cards)) for cards in hidden)
    assert refills > 0
