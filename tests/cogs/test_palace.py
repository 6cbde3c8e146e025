"""The hand of Palace: which buttons a form offers, and which action each sequence of taps makes."""

from hypothesis import given
from hypothesis import strategies as st

from bot.messages.game_ui import MOST_AHEAD, Form, Picks
from bot.messages.panel import Panel
from cogs.palace.cog import Palace
from games import GAMES
from games.palace.cards import FIRST_PLAY, MOST, RANKS, TAKE, counts
from games.palace.events import Played
from games.types import Action
from tests.cogs.reading import action, controls, labels, made, new, picks, said, shown, step
from tests.games.palace.position import Position, opened, position
from tests.seats import FIRST, SECOND

GAME = GAMES["palace"]
FACE = new(Palace)


def test_of_many_plays_one_of_each_rank_and_taking_the_pile_can_be_chosen_ahead() -> None:
    plays = [Action(FIRST_PLAY + MOST * kind + more) for kind in range(len(RANKS)) for more in range(2)]
    offered = [*FACE.ahead(None, [*plays, TAKE])]  # type: ignore[arg-type]  # it depends on the actions alone
    assert len(offered) == MOST_AHEAD
    assert offered == sorted(offered)
    assert {*plays[::2], TAKE} <= {*offered}
    assert [*FACE.ahead(None, plays[:4])] == plays[:4]  # type: ignore[arg-type]


def test_three_cards_for_the_table_are_one_choice_and_one_button_that_names_them() -> None:
    seen = opened(3, 5)
    components, form, view = shown(FACE, seen.state, FIRST)
    assert "**Your turn** · choose three cards to lie face up · 0 of 3 have chosen" in said(components)
    assert labels(components) == ["Lay them face up"]
    menu = controls(components)[0]
    assert len(menu["options"]) == 6
    assert (menu["min_values"], menu["max_values"]) == (3, 3)
    assert picks(FACE.pick(view, form, "three", ["5", "4", "0"])) == "0,4,5"
    components, form, _ = shown(FACE, seen.state, FIRST, "0,4,5")
    three = [menu["options"][place]["label"] for place in (0, 4, 5)]
    assert labels(components) == [f"Lay {' '.join(three)} face up"]
    assert action(FACE, FACE.pick(view, form, "show", ())) == GAME.parse(f"show {' '.join(three)}")


def test_a_player_who_has_chosen_sees_the_choice_laid_out_and_a_button_only_for_another_one() -> None:
    seen = opened(3, 5)
    components, form, view = shown(FACE, seen.state, FIRST, "0,4,5")
    GAME.apply(seen.state, FIRST, action(FACE, FACE.pick(view, form, "show", ())))
    ranks = [option["label"] for option in controls(components)[0]["options"]]
    components, _, _ = shown(FACE, seen.state, FIRST)
    kept, up = (", ".join(ranks[place] for place in places) for places in ((1, 2, 3), (0, 4, 5)))
    assert f"Your hand (3): {kept}. Before you (on 3 face down): {up}." in said(components)
    assert labels(components) == []
    assert labels(shown(FACE, seen.state, FIRST, "0,4,5")[0]) == []
    assert labels(shown(FACE, seen.state, FIRST, "0,1,5")[0]) == [
        f"Lay {ranks[0]} {ranks[1]} {ranks[5]} face up"
    ]


def test_each_play_has_one_button_that_says_what_it_does() -> None:
    seen = position("pile 6\nAlice | hand 3 8 8 9 9 9 9 Q 7 10 A\nBen | hand 3\nCleo | hand 3")
    components, form, view = shown(FACE, seen.state, FIRST)
    assert labels(components) == [
        "8 · skips Ben",
        "8 · ×2 · skips Ben and Cleo",
        "9 · then lower",
        "9 · ×2 · then lower",
        "9 · ×3 · then lower",
        "9 · ×4 · clears the pile",
        "Q · turns the direction",
        "7 · card below counts",
        "10 · clears the pile",
        "A · play again",
    ]
    assert action(FACE, FACE.pick(view, form, step(controls(components)[4]), ())) == GAME.parse("play 9 9 9")


def test_eights_skip_players_in_the_direction_of_play_and_can_return_to_the_same_player() -> None:
    seen = position(
        """
        pile 6 | Alice plays to the right
        Alice | hand 8 8 8 3
        Ben   | hand 3
        Cleo  |
        Dan   | hand 3
    """,
        play_for_places=True,
    )
    components, _, _ = shown(FACE, seen.state, FIRST)
    assert labels(components) == [
        "8 · skips Dan",
        "8 · ×2 · skips Dan and Ben",
        "8 · ×3 · skips Dan, Ben and you",
    ]


@given(st.integers(0, 10_000), st.integers(0, 250), st.booleans())
def test_the_button_is_right_about_pile_skips_and_direction(seed: int, plays: int, across: bool) -> None:
    seen = Position.after_random_moves(4, seed, plays, four_across_turns=across)
    for seat in GAME.awaited(seen.state):
        components, form, view = shown(FACE, seen.state, seat)
        for part in [part for part in controls(components) if step(part).startswith("play")]:
            after = seen.state.copy()
            event = GAME.apply(after, seat, action(FACE, FACE.pick(view, form, step(part), ())))[0]
            assert isinstance(event, Played)
            assert ("clears the pile" in part["label"]) == (event.gone > event.count)
            if event.next is not None:
                assert ("skips" in part["label"]) == bool(event.skipped)
                assert ("turns" in part["label"]) == bool(event.turned)


def test_with_more_than_twelve_plays_a_rank_is_picked_first() -> None:
    seen = position("pile 6\nAlice | hand 3 9 9 9 9 9 J J J J K K K K A\nBen | hand 3")
    components, form, view = shown(FACE, seen.state, FIRST)
    options = controls(components)[0]["options"]
    assert [(option["label"], option["description"]) for option in options] == [
        ("9", "You have 5"),
        ("J", "You have 4"),
        ("K", "You have 4"),
        ("A", "You have 1"),
    ]
    assert labels(components) == []
    assert FACE.pick(view, form, "rank", ["9"]) == Picks("9")
    components, form, _ = shown(FACE, seen.state, FIRST, "9")
    assert labels(components) == [
        "9 · then lower",
        "9 · ×2 · then lower",
        "9 · ×3 · then lower",
        "9 · ×4 · clears the pile",
    ]
    assert action(FACE, FACE.pick(view, form, "play-9-9-9", ())) == GAME.parse("play 9 9 9")
    components, _, _ = shown(FACE, seen.state, FIRST, "A")
    assert labels(components) == ["A · play again"]


def test_the_hand_says_which_card_counts_what_can_be_played_and_what_each_zone_has_left() -> None:
    seen = position("pile 4 9 7 | stock 3 3\nAlice | hand 3 J J | up 2 K | down 4 . 5\nBen | hand 3")
    text = said(shown(FACE, seen.state, FIRST)[0])
    assert text.splitlines() == [
        "**Your turn** · play a card · stock 2",
        "Takes 8 or lower, or a wild (2 7 10 A). Pile of 3: 9, 7. Ben, hand 1. Your hand (3): 3, J ×2. Before you "
        "(on 2 face down): K, 2. Can be played now: 3.",
    ]


def test_a_player_who_cannot_play_is_offered_only_the_pile() -> None:
    seen = position("pile 4 K\nAlice | hand 3 J J\nBen | hand 3")
    components, form, view = shown(FACE, seen.state, FIRST)
    assert labels(components) == ["Take the pile (2 cards)"]
    assert "**Your turn** · none of your cards fits: take the pile" in said(components)
    assert len(controls(components)) == 1
    assert action(FACE, FACE.pick(view, form, "take", ())) == TAKE


def test_each_remaining_face_down_card_has_a_button() -> None:
    seen = position("pile 4 K\nAlice | down 3 . 5\nBen | hand 3")
    components, form, view = shown(FACE, seen.state, FIRST)
    assert labels(components) == ["Turn up card 1", "Turn up card 3"]
    assert action(FACE, FACE.pick(view, form, "blind-3", ())) == GAME.parse("blind 3")
    assert "turn up a face-down card; if it does not fit, you take it and the pile" in said(components)


def test_every_card_of_a_hand_of_a_hundred_can_be_played() -> None:
    seen = position("pile 2\nAlice | hand 3\nBen | hand 3")
    seen.state.hands[0] = counts([*range(13)] * 8)
    components, _, _ = shown(FACE, seen.state, FIRST)
    assert len(controls(components)[0]["options"]) == len(RANKS)
    for rank in RANKS:
        offered = labels(shown(FACE, seen.state, FIRST, rank)[0])
        assert [each.split(" · ")[0] for each in offered] == [rank] * MOST
    assert len(made(FACE, seen.state, FIRST)) == 4 * len(RANKS)
    assert "Your hand (104): 3 ×8" in said(components)


def test_a_player_who_is_out_and_a_finished_match_are_described() -> None:
    seen = position("pile 6\nAlice | hand 8\nBen | hand 3 3\nCleo | hand 4", play_for_places=True)
    seen.act("Alice: play 8")
    assert " · stock empty · you are out: 1st place" in said(shown(FACE, seen.state, FIRST)[0])
    ended = position("pile 6\nAlice | hand 8\nBen | hand 3 3")
    ended.act("Alice: play 8")
    assert "The match is over." in said(shown(FACE, ended.state, SECOND)[0])


def test_the_strip_shows_the_card_that_counts_and_the_next_players_in_order() -> None:
    seen = position("""
        pile 4 9 7 7 | Alice plays to the right
        Alice | hand 3 J
        Ben   | hand 3 3 | up 5 5 K
        Cleo  | hand 4
        Dan   | hand 6 6 6 | down 3 . 4
        Eve   | hand 4
    """)
    form = Form(1, 2, GAME.legal(seen.state, FIRST))
    strip = FACE.looks.hand(GAME.view(seen.state, FIRST), seen.names, form).strip
    assert strip is not None
    assert strip.describe() == [
        "Takes 8 or lower, or a wild (2 7 10 A)",
        "Pile of 4: 9, 7, 7",
        "Eve, hand 1",
        "Dan, hand 3: face down, face down",
        "Cleo, hand 1",
    ]


def test_the_example_in_the_rules_can_be_played_as_described() -> None:
    seen = position("pile 6 9 7 | stock 3 4\nCleo | hand 5 5 K A\nAlice | hand 3\nBen | hand 3")
    assert {"play 5 5", "play A"} < set(seen.legal("Cleo"))
    assert "play K" not in seen.legal("Cleo")
    seen.act("Cleo: play 5 5")
    assert len(seen.hand("Cleo").split()) == 3
    text = said(Panel(*FACE.example(FACE.game.Options())).payload())
    assert "Pile of 3: 9, 7. Cleo's hand (4): 5 ×2, K, A. Can be played now: 5 ×2, A." in text
    assert "must play lower than 9" in text
