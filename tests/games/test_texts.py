"""The texts of moves and their labels, and the answer to a text that is no move: it says what may be typed now."""

from random import Random

import pytest

from games import GAMES
from games.texts import Unread, read_move
from tests.games.palmer.position import position as palmer
from tests.games.twin_palms.position import position as twin_palms

LABELS = {
    "charms": {
        "bid 0": "Bid 0",
        "bid 12": "Bid 12",
        "play C": "🪙C coin",
        "play L": "🍀L clover",
        "play R": "🐇R rabbit foot",
        "play 7": "7",
        "play K 7": "🔑K 7",
    },
    "hand-and-foot": {
        "draw": "Draw two cards",
        "take": "Take the discard pile",
        "discard 10H": "Discard ♥10",
        "discard JOKER": "Discard Joker",
        "meld K x3": "Lay K K K",
        "meld 7 x2 +2 +JOKER": "Lay 7 7 2 Joker",
        "meld 7 +2": "Lay 2 on the 7s",
        "ask": "Ask your partner: may I go out?",
    },
    "liars-dice": {
        "bid 7x5": "Bid seven fives",
        "bid 3x1": "Bid three ones",
        "bid 1x6": "Bid a six",
        "bid 30x6": "Bid thirty sixes",
        "doubt": "Doubt",
        "calza": "Calza: exactly",
    },
    "palace": {
        "show 7 10 A": "Face up: 7 10 A",
        "play 9": "Play 9",
        "play Q Q Q Q": "Play Q Q Q Q",
        "blind 2": "Turn up card 2",
        "take": "Take the pile",
    },
    "palmer": {
        "draw": "Draw from the stock",
        "take TL": "Take the pile's top card for the top left",
        "place BR": "Place the drawn card at the bottom right",
        "turn TR": "Turn over the top right",
    },
    "thirty-one": {
        "draw": "Draw from the stock",
        "take": "Take the top discard",
        "knock": "Knock",
        "discard 10H": "Drop ♥10",
        "discard AC": "Drop ♣A",
    },
    "twin-it": {
        "flip": "Flip your top card",
        "lift": "Lift your hand",
        "ready": "I am ready",
        "hand 12": "Hand on 12",
        "hold 87": "Hold 87 for a claim of three",
        "turn 1234": "Turn 1234 over",
    },
}
NO_MOVES = {
    "charms": ["bid", "bid 13", "play", "play 9", "play K K", "play 7 8", "C", "play coin"],
    "liars-dice": [
        *("bid", "bid 7", "bid 0x5", "bid 31x5", "bid 7x0", "bid 7x7", "bid 7 5", "7", "fives", "no fives"),
        *("bid fives", "x5", "seven", "seven sevens", "bid four", "doubt it", "6x", "²x5", "٣x5", "-4x6"),
    ],
    "palace": ["play 9 8", "play 9 9 9 9 9", "play 1", "show 7 10", "blind 4", "take 2", "9"],
    "palmer": ["fold", "take", "take XX", "draw TL", "turn 5"],
    "thirty-one": ["fold", "discard", "discard 1H", "draw QS", "knock knock"],
    "twin-it": ["12", "hand", "hand 0", "hand 012", "hand -3", "hand 12 87", "hand 1234567", "flip 3"],
}
SQUARES = """
    deal 1, Alice dealt, Ben plays, pile QD 8C, stock 9H
    Alice | (9S) (KD) / (7C) (3C)
    Ben   | (2S) (3S) / (4S) (5S)
"""


@pytest.mark.parametrize("slug", LABELS)
def test_an_action_has_a_text_and_a_label(slug: str) -> None:
    game = GAMES[slug]
    for text, label in LABELS[slug].items():
        action = game.parse(text.lower())
        assert (game.text(action), game.words.label(action)) == (text, label)


@pytest.mark.parametrize(
    ("slug", "text"), [(slug, text) for slug, texts in NO_MOVES.items() for text in texts]
)
def test_other_text_names_no_action(slug: str, text: str) -> None:
    with pytest.raises(Unread):
        GAMES[slug].parse(text)


@pytest.mark.parametrize("slug", GAMES)
def test_a_move_may_be_typed_in_the_words_in_which_it_is_suggested(slug: str) -> None:
    game, rng = GAMES[slug], Random(1)
    state, _ = game.new(game.Options(), game.seats(game.Options())[1], "labels")
    for _ in range(12):
        seat = game.awaited(state)[0]
        legal = game.legal(state, seat)
        for action in legal[:: len(legal) // 20 + 1]:
            assert read_move(game, state, seat, f" {game.words.label(action).lower()}") == action
        game.apply(state, seat, rng.choice(legal))


def test_a_text_that_is_no_move_is_refused_with_the_first_and_last_move_of_each_verb() -> None:
    assert palmer(SQUARES).refusal("Ben: fold") == (
        "There is no such move. You can now write `draw`, `take TL` … `take BR` or `turn TL` … `turn BR`."
    )


def test_the_refusal_follows_what_is_asked_now() -> None:
    seen = palmer(SQUARES)
    seen.act("Ben: draw")
    assert seen.refusal("Ben: fold").endswith("You can now write `place TL` … `place BR`.")
    assert seen.refusal("Alice: fold") == "It is not your turn: seat 2 plays now."


def test_a_text_whose_fault_is_known_is_refused_with_that() -> None:
    seen = twin_palms("normal, round 1, Ben leads\nAlice | P9 P* | bid 1\nBen | P1 D2 | bid 1")
    assert seen.refusal("Ben: play P9 P*").startswith("A wild needs a number")
