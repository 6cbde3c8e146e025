"""The lesson of Twin Palms."""

from typing import Final

from games.lessons import Lesson, Step

EXACTLY: Final = "You have one strong pair, and high cards may take another trick. 2 is a good bid here."
KEEP: Final = "That card makes your strong pair. Here any two cards win, so keep it for the next trick."
LOW: Final = "Low cards lose a trick when you want to. Here any two cards win, so give away higher ones."
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
            "2 is chosen, and your hand is good for it. Now bid it.",
            then="Fern: bid 2; Moss: bid 3; Fern: play P6 D6; Moss: play P6 D6",
        ),
        Step(
            "Fern and Moss played the same: a pair of 6 in the same suits. **Equal sets cancel each other**, and "
            "the best one left takes the trick. That is yours, whatever it is! So give away what is neither your "
            "pair nor low.",
            "Tap 🌴P8.",
            "pick 3",
            {"pick 5": KEEP, "pick 4": KEEP, "pick 9": "🐬D7 will go, too. But begin with 🌴P8."},
            LOW,
        ),
        Step(
            "A set has two cards. You may put back a card that you have picked by tapping it again.",
            "Tap 🐬D7.",
            "pick 3,9",
            {
                "pick 3,5": KEEP,
                "pick 3,4": KEEP,
                "pick ": "That puts 🌴P8 back. You need it: pick another card.",
                "play P8 P*=8": KEEP,
                "play P8 P*=10": KEEP,
            },
            LOW,
        ),
        Step(
            "The green button says what your cards count.",
            "Press `Play 8 + 7`.",
            "play P8 D7",
            {"pick 9": "That puts 🌴P8 back. Both are right: play them."},
            "🌴P8 and 🐬D7 are picked, and you keep all others for later. Play them.",
        ),
        Step(
            "You took the trick, so you lead the next one. Now the strong pair: in this game suits count, too, and "
            "a pair in 🌴 is the strongest.",
            "Tap 🌴P wild.",
            "pick 4",
            {"pick 3": "🌴P9 comes next. Begin with 🌴P wild."},
            "This time you want to win, so take the cards of your strong pair.",
        ),
        Step(
            "🌴P wild keeps its suit, and you say its number when you play it.",
            "Tap 🌴P9.",
            "pick 4,3",
            otherwise="The strongest pair that you can make is one of 9. 🌴P9 is missing.",
        ),
        Step(
            "You may choose another number in the menu, but two of 9 are a pair.",
            "Play the pair.",
            "play P9 P*=9",
            {
                "play P9 P*=10": "9 and 10 are no pair, and any pair would beat them.",
                "play P9 P*=0": "That is your weakest set, for a trick that you want to lose.",
            },
            "Your strongest pair is 🌴P9 with 🌴P wild as 9. Play it.",
            then="Fern: play D4 D9; Moss: play P1 P5",
        ),
        Step(
            "Two tricks, as you said. A third would spoil it, so now you **lose on purpose**: two different low "
            "numbers, in two suits.",
            "Tap 🌴P0.",
            "pick 0",
            {"pick 3": "🐬D2 comes next. Begin with 🌴P0."},
            "That is higher, and might win a third trick. Take your lowest number.",
        ),
        Step(
            "The weakest set has mixed suits: 🌴P0 with 🌴P3 would be stronger than with 🐬D2.",
            "Tap 🐬D2.",
            "pick 0,3",
            {"pick ": "That puts 🌴P0 back. You need it: pick another card."},
            STRONGER,
        ),
        Step(
            "Fern and Moss can hardly play less than that. Then you play the last two tricks in the same way.",
            "Press `Play 0 + 2`.",
            "play P0 D2",
            otherwise="🌴P0 and 🐬D2 are your weakest set, and they are picked. Play them.",
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
