"""The lesson of Twin It!."""

from typing import Final

from games.lessons import Lesson, Step

KEEP: Final = "Your hand lies where it should. Lay the second one."
NONE: Final = "No two faces on the table are exactly alike now. Flip your card."
OTHER: Final = "That is another design: with your second hand it would be a mistake."

LESSON: Final = Lesson(
    others=("Fern",),
    # The first pair is 5 and 11, and 12 is similar. Fern wins 7 and 16, whose third copy you turn up. The last pair is
    # 14 and 28, and 26 is similar.
    seed=74802,
    steps=(
        Step(
            idea="Everybody has a pile of cards with a design on each side. On your turn you flip your top card onto "
            "the table: its other side shows, and the next card of your pile.",
            task="Press `Flip`.",
            tap="flip",
            otherwise=NONE,
            then="Fern: flip; You: flip; Fern: flip; You: flip",
        ),
        Step(
            idea="You find **two faces exactly alike** and lay a hand on both, before anybody else does. At any time, "
            "not only on your turn! 5 and 11 are alike.",
            task="Press 5.",
            tap="hand 5",
            why={
                "hand 11": "That is one of them. Begin with 5.",
                "hand 12": "Look closely: 12 has ten slices, and 5 has twelve.",
            },
            otherwise="No other face is exactly like that one. 5 and 11 are alike.",
        ),
        Step(
            idea="Your hand lies on 5. Your second hand decides. On another design it would be a **mistake**: your "
            "last set goes back, and you must wait some seconds.",
            task="Press the face that is exactly like 5.",
            tap="hand 11",
            why={
                "hand 12": "12 has ten slices, and 5 has twelve: that would be a mistake.",
                "lift": KEEP,
                **{f"hand {face}": OTHER for face in (3, 7, 9, 10)},
            },
        ),
        Step(
            idea="That set is yours. Who wins one flips next. Here only the clicks count: whose came first at Discord "
            "has it.",
            task="Press `Flip`.",
            tap="flip",
            otherwise=NONE,
            then="Fern: flip; Fern: hand 7; Fern: hand 16; Fern: flip; You: flip",
        ),
        Step(
            idea="Fern was faster and won a pair, which lies as 18 now. But some designs are there three times, and 21 "
            "is the third copy. You may **rob** a pair: a hand on it and one on the third copy.",
            task="Press 18.",
            tap="hand 18",
            why={"hand 21": "That is the third copy. Begin with the pair, 18."},
            otherwise="That is another design. You rob the pair of Fern, so begin with it.",
        ),
        Step(
            idea="A set of three is safe: nobody can rob it.",
            task="Press the third copy.",
            tap="hand 21",
            why={"lift": KEEP, **{f"hand {face}": OTHER for face in (3, 9, 13, 14, 19, 20, 22)}},
        ),
        Step(
            idea="All three are yours, and Fern has nothing. Now look at all faces yourself.",
            task="Press `Flip`.",
            tap="flip",
            otherwise=NONE,
            then="Fern: flip; You: flip",
        ),
        Step(
            idea="Two of these faces are exactly alike, and another one is nearly so.",
            task="Which two? Press the lower number of them.",
            tap="hand 14",
            why={
                "hand 26": "Almost! 26 stands the other way round. Look for the one that is the same in everything.",
                "hand 28": "You have found one of them. Press the lower number first.",
            },
            otherwise="No other face is exactly like that one. Look for another.",
        ),
        Step(
            idea="The first player with five sets wins, so be quick, but be sure.",
            task="Press the face that is exactly like 14.",
            tap="hand 28",
            why={
                "hand 26": "26 stands the other way round: that would be a mistake.",
                "lift": KEEP,
                **{f"hand {face}": OTHER for face in (3, 9, 13, 19, 23, 24, 27, 29)},
            },
        ),
    ),
    learned=(
        "Lay a hand on each of two faces exactly alike, at any time, before anybody else.",
        "Look twice: with a mistake your last set goes back under your pile.",
        "Rob a pair with its third copy. The first player with five sets wins.",
    ),
)
