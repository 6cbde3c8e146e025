"""The lesson of Twin Palms."""

from typing import Final

from games.lessons import Lesson, Step

EXACTLY: Final = "You have one strong pair, and high cards may take another trick. 2 is a good bid here."
KEEP: Final = "That card makes your strong pair. Here any two cards win, so keep it for the next trick."
STRONGER: Final = (
    "That set is stronger: you might win a third trick and miss your bid. Play low, and two suits."
)

LESSON: Final = Lesson(
    others=("Fern", "Moss"),
    # You have P0 P3 P4 P8 P9 P* D2 D4 D5 D7. Fern and Moss both have P6 and D6. Nobody can beat a pair of P9.
    seed=2825,
    steps=(
        Step(
            "A round has five tricks, and each takes two cards of yours. First say how many tricks you will win: only "
            "**exactly** that many pays well. A pair beats two different numbers, and 🌴P wild is any number you like: "
            "with 🌴P9 it is a pair. So say 2.",
            "Press `2`.",
            "pick 2",
            dict.fromkeys([f"pick {bid}" for bid in (0, 1, 3, 4, 5)], EXACTLY),
        ),
        Step(
            "An exact bid of 2 brings 5 sand dollars. If you bet, you win 1 more, or lose it when you miss.",
            "Press `Bid 2, bet 1`.",
            "bid 2 half",
            {
                "bid 2": "That is careful, and often right. This time be bold: the worst that can happen is -1."
            },
            then="Fern: bid 2; Moss: bid 3; Fern: play P6 D6; Moss: play P6 D6",
        ),
        Step(
            "Fern and Moss played the same: a pair of 6 in the same suits. **Equal sets cancel each other**, and "
            "the best one left takes the trick. That is yours, whatever it is! So give away what is neither your "
            "pair nor low.",
            "Tap 🌴P8.",
            "pick 3",
            {"pick 5": KEEP, "pick 4": KEEP},
        ),
        Step(
            "A set has two cards. You may put back a card that you have picked by tapping it again.",
            "Tap 🐬D7.",
            "pick 3,9",
            {
                "pick 3,5": KEEP,
                "pick 3,4": KEEP,
                "pick ": "That puts 🌴P8 back. You need it: pick another card.",
            },
        ),
        Step(
            "The green button says what your cards count.",
            "Press `Play 8 + 7`.",
            "play P8 D7",
            {"pick 9": "That puts 🌴P8 back. Both are right: play them."},
        ),
        Step(
            "You took the trick, so you lead the next one. Now the strong pair: in this game suits count, too, and "
            "a pair in 🌴 is the strongest.",
            "Tap 🌴P wild.",
            "pick 4",
        ),
        Step(
            "🌴P wild keeps its suit, and you say its number when you play it.",
            "Tap 🌴P9.",
            "pick 4,3",
        ),
        Step(
            "You may choose another number in the menu, but two of 9 are a pair.",
            "Play the pair.",
            "play P9 P*=9",
            {
                "play P9 P*=10": "9 and 10 are no pair, and any pair would beat them.",
                "play P9 P*=0": "That is your weakest set, for a trick that you want to lose.",
            },
            then="Fern: play D4 D9; Moss: play P1 P5",
        ),
        Step(
            "Two tricks, as you said. A third would spoil it, so now you **lose on purpose**: two different low "
            "numbers, in two suits.",
            "Tap 🌴P0.",
            "pick 0",
        ),
        Step(
            "The weakest set has mixed suits: 🌴P0 with 🌴P3 would be stronger than with 🐬D2.",
            "Tap 🐬D2.",
            "pick 0,3",
            {"pick 0,1": STRONGER, "pick 0,2": STRONGER},
        ),
        Step(
            "Fern and Moss can hardly play less than that. Then you play the last two tricks in the same way.",
            "Press `Play 0 + 2`.",
            "play P0 D2",
            then="Fern: play P7 P8; Moss: play D5 D8; Fern: play D0 D0; Moss: play P10 D10; You: play P3 D4; "
            "Fern: play P4 P10; Moss: play P7 D*=7; You: play P4 D5",
        ),
    ),
    learned=(
        "Say how many tricks you will win, then win exactly that many, also by losing on purpose.",
        "Pairs beat all else. Equal sets cancel each other, and the best one left takes the trick.",
        "An exact bid brings 4 to 8 sand dollars, a missed one 1 a trick. Most sand dollars win.",
    ),
)
