"""The lesson of Palmer."""

from typing import Final

from games.lessons import Lesson, Step

UNKNOWN: Final = "You do not know that card: it costs 6 points on average. You know that ♦Q costs 10."
PAIR: Final = "♠8 alone costs 8 points, but with your ♦8 it makes a pair, and both count 0."

LESSON: Final = Lesson(
    others=("Fern", "Moss"),
    # Your square is ♥6 ♣10 above ♦Q ♦8, and ♣2 lies on the pile. Moss has ♠8 for your first pair; ♦2,
    # the fourth card of the stock, makes the second.
    seed=14669,
    steps=(
        Step(
            idea="Have few points: ace 1, 2 to 9 as printed, 10, jack and queen 10, king 0. Of your four cards you may "
            "look at the bottom row only: ♦Q and ♦8. On the pile lies ♣2, which costs 2.",
            task="Press `♣2 · take it`.",
            tap="pick take",
            why={
                "draw": "Nobody knows what the stock gives you. ♣2 costs only 2 points, and you see it.",
                "pick turn": "Turning over keeps the card: ♦Q would stay and cost 10. Get rid of it.",
            },
        ),
        Step(
            idea="♣2 replaces one of your cards and stays face up to the end. The card that was there goes on the "
            "pile.",
            task="Which card do you give away?",
            tap="take BL",
            why={
                "take TL": UNKNOWN,
                "take TR": UNKNOWN,
                "take BR": "That saves 6 points. Another card that you know costs even more.",
            },
            otherwise="You are about to take ♣2. Choose the card that it replaces.",
            then="Fern: draw; Fern: place TL; Moss: draw; Moss: place BR",
        ),
        Step(
            idea="Moss gave ♠8 away, and ♦8 lies in your bottom row. That is the trick of the game: **two cards of one "
            "rank cancel each other** and count 0, wherever they lie.",
            task="Press `♠8 · take it`.",
            tap="pick take",
            why={"draw": PAIR, "pick turn": PAIR},
        ),
        Step(
            idea="You keep ♦8, so ♠8 must go on a card that you do not know.",
            task="Press `Top right: ?`.",
            tap="take TR",
            why={
                "take BR": "Then ♦8 goes on the pile, and you have no pair.",
                "take TL": "That is as good, as you know neither. But let us see what lies top right.",
            },
            otherwise="You are about to take ♠8. Choose the card that it replaces.",
            then="Fern: turn BL; Moss: draw; Moss: place TR",
        ),
        Step(
            idea="♣10 lay there: you saved 10 points. Now ♥9 is on the pile, which nobody wants. Draw a card instead.",
            task="Press `Draw`.",
            tap="draw",
            why={
                "pick take": "♥9 costs 9 points. A card from the stock costs 6 on average.",
                "pick turn": "You may leave your cards as they are. But top left may lie anything, so draw first.",
            },
        ),
        Step(
            idea="Only you see what you drew, and you must place it. ♦2 is low, and more than that: ♣2 lies there "
            "already.",
            task="Where does ♦2 go?",
            tap="place TL",
            why={"place BR": "Then ♦8 goes on the pile, and ♠8 has no pair any more. Keep both pairs."},
            then="Fern: take BR; Moss: turn BL",
        ),
        Step(
            idea="Each turn leaves one more card face up, so this is your fourth and last one. Your ♦8 is where it "
            "should be: turn it over.",
            task="Press `Turn over`.",
            tap="pick turn",
            why={
                "draw": "What you draw must be placed, and only ♦8 is left to replace.",
                "pick take": "♠J would replace ♦8: you would pay for ♠8 and for ♠J.",
            },
        ),
        Step(
            idea="After four turns each the deal is over, and everybody's points are counted.",
            task="Press `Bottom right: ♦8`.",
            tap="turn BR",
            otherwise="You are about to turn over ♦8, so that both your pairs stay. Only its place is missing.",
            then="Fern: turn TR; Moss: turn TL",
        ),
    ),
    learned=(
        "You know your bottom row. Replace what costs much, and leave what is good.",
        "Two cards of one rank count 0. Look for your ranks on the pile.",
        "Points add up from deal to deal. With 50 you are out, and the last one left wins.",
    ),
)
