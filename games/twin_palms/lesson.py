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
            idea="A round has five tricks, and each takes two cards of yours. First say how many tricks you will win: "
            "only **exactly** that many pays well. A pair beats two different numbers, and 🌴P wild is any number you "
            "like: with 🌴P9 it is a pair. So say 2.",
            task="Press `2`.",
            tap="pick 2",
            why=dict.fromkeys([f"pick {bid}" for bid in (0, 1, 3, 4, 5)], EXACTLY),
        ),
        Step(
            idea="An exact bid of 2 brings 5 sand dollars. With a bet you win 1 more, or lose it when you miss.",
            task="Press `Bid 2, max bet`.",
            tap="bid 2 max",
            why={
                "bid 2": "That is careful, and often right. This time be bold: the worst that can happen is −1."
            },
            otherwise="2 is chosen, and your hand is good for it. Now bid it.",
            then="Fern: bid 2; Moss: bid 3; Fern: play P6 D6; Moss: play P6 D6",
        ),
        Step(
            idea="Fern and Moss played the same: a pair of 6 in the same suits. **Equal sets cancel each other**, and "
            "the best one left takes the trick. That is yours, whatever it is! So give away what is neither your "
            "pair nor low.",
            task="Tap 🌴P8.",
            tap="pick 3",
            why={"pick 5": KEEP, "pick 4": KEEP, "pick 9": "🐬D7 will go, too. But begin with 🌴P8."},
            otherwise=LOW,
        ),
        Step(
            idea="A set has two cards. You may put back a card that you have picked by tapping it again.",
            task="Tap 🐬D7.",
            tap="pick 3,9",
            why={
                "pick 3,5": KEEP,
                "pick 3,4": KEEP,
                "pick ": "That puts 🌴P8 back. You need it: pick another card.",
                "play P8 P*=8": KEEP,
                "play P8 P*=10": KEEP,
            },
            otherwise=LOW,
        ),
        Step(
            idea="The green button says what your cards count.",
            task="Press `Play 8 + 7`.",
            tap="play P8 D7",
            why={"pick 9": "That puts 🌴P8 back. Both are right: play them."},
            otherwise="🌴P8 and 🐬D7 are picked, and you keep all others for later. Play them.",
        ),
        Step(
            idea="You took the trick, so you lead the next one. Now the strong pair: in this game suits count, too, "
            "and a pair in 🌴 is the strongest.",
            task="Tap 🌴P wild.",
            tap="pick 4",
            why={"pick 3": "🌴P9 comes next. Begin with 🌴P wild."},
            otherwise="This time you want to win, so take the cards of your strong pair.",
        ),
        Step(
            idea="🌴P wild keeps its suit, and you say its number when you play it.",
            task="Tap 🌴P9.",
            tap="pick 4,3",
            otherwise="The strongest pair that you can make is one of 9. 🌴P9 is missing.",
        ),
        Step(
            idea="You may choose another number in the menu, but two of 9 are a pair.",
            task="Play the pair.",
            tap="play P9 P*=9",
            why={
                "play P9 P*=10": "9 and 10 are no pair, and any pair would beat them.",
                "play P9 P*=0": "That is your weakest set, for a trick that you want to lose.",
            },
            otherwise="Your strongest pair is 🌴P9 with 🌴P wild as 9. Play it.",
            then="Fern: play D4 D9; Moss: play P1 P5",
        ),
        Step(
            idea="Two tricks, as you said. A third would spoil it, so now you **lose on purpose**: two different low "
            "numbers, in two suits.",
            task="Tap 🌴P0.",
            tap="pick 0",
            why={"pick 3": "🐬D2 comes next. Begin with 🌴P0."},
            otherwise="That is higher, and might win a third trick. Take your lowest number.",
        ),
        Step(
            idea="The weakest set has mixed suits: 🌴P0 with 🌴P3 would be stronger than with 🐬D2.",
            task="Tap 🐬D2.",
            tap="pick 0,3",
            why={"pick ": "That puts 🌴P0 back. You need it: pick another card."},
            otherwise=STRONGER,
        ),
        Step(
            idea="Fern and Moss can hardly play less than that. Then you play the last two tricks in the same way.",
            task="Press `Play 0 + 2`.",
            tap="play P0 D2",
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
