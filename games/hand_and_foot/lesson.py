"""The lesson of Hand and Foot."""

from typing import Final

from games.lessons import Lesson, Step

TWO_ONLY: Final = (
    "You hold only two of them, so they would need your 2. Begin with three without a wild card."
)
HIGHER: Final = (
    "That would do, too. But with the 2 your meld can only become a dirty pile: 6s are good enough for that."
)
DIRTY: Final = "With the 2 you have 50 points, too. But without wild cards your Ks can become a clean pile."
USEFUL: Final = (
    "You hold two of them: with two of a rank you may take the pile. Discard a card that stands alone."
)
FIRST: Final = "You will lay them, too. But first finish your pile."

LESSON: Final = Lesson(
    others=("Fern",),
    options={"deals": 1},
    # You have K K K 6 6 2 and draw J A, which makes J J and A A. Fern discards ♠A for the aces and ♥J for the Js, and
    # below ♥J lie two Ks.
    seed=62981,
    steps=(
        Step(
            idea="Most points win. Collect cards of one rank: seven make a **pile**, which brings 500 points if it is "
            "**clean**, without wild cards, and 300 if it is **dirty**. Each turn you draw, lay cards if you like, and "
            "discard one.",
            task="Press `Draw two`.",
            tap="draw",
        ),
        Step(
            idea="A **meld** has three cards of a rank or more, and suits do not matter. Your first cards must be "
            "worth 50 points together: ace and 2 count 20, 8 to K 10, 4 to 7 only 5.",
            task="Which rank do you have three of? Pick K in the menu.",
            tap="pick 10-3-0-0",
            why={
                "pick 3-2-1-0": TWO_ONLY,
                "pick 8-2-1-0": TWO_ONLY,
                "pick 11-2-1-0": TWO_ONLY,
            },
            otherwise="You hold only one of them, and a meld has three cards. Pick a rank that you have three of.",
        ),
        Step(
            idea="K K K count 30. Until you have 50, your cards are laid aside, and Fern does not see them.",
            task="Press `Lay K K K`.",
            tap="meld K x3",
            why={
                "pick 10-2-0-0": "A meld needs three cards, so lay all three Ks.",
                "pick 10-3-1-0": DIRTY,
                "discard KC": "You hold three Ks and need them: a meld has at least three cards.",
            },
            otherwise="K K K are picked, and they are a meld. Lay them before you pick another rank.",
        ),
        Step(
            idea="20 points are missing. **2s and jokers are wild**: they stand for any rank, but a meld needs more "
            "natural cards than wild ones. So two 6s and your 2 are a meld.",
            task="Pick 6.",
            tap="pick 3-2-1-0",
            why={"pick 10-0-1-0": DIRTY, "pick 8-2-1-0": HIGHER, "pick 11-2-1-0": HIGHER},
        ),
        Step(
            idea="They count 5 + 5 + 20. With them you have 60 points. Whoever plays in pairs shares the melds with "
            "the partner.",
            task="Press `Lay 6 6 2`.",
            tap="meld 6 x2 +2",
            otherwise="Both 6s and the 2 are picked. All three are needed, so lay them.",
        ),
        Step(
            idea="Your melds lie open now, and from here you may add as little as you like. **A discard ends your "
            "turn.** ♥9 stands alone, and so do ♠10 and ♦Q.",
            task="Pick 9.",
            tap="pick 6-0-0-0",
            why={
                "pick 7-0-0-0": "♠10 stands alone, too. But let us discard ♥9 now.",
                "pick 9-0-0-0": "♦Q stands alone, too. But let us discard ♥9 now.",
                "pick 8-0-0-0": USEFUL,
                "pick 11-0-0-0": USEFUL,
            },
        ),
        Step(
            idea="It goes on top of the discard pile, face up. A wild card or a **black 3** (♠3 ♣3) on top would "
            "**block** the pile: then the next player cannot take it.",
            task="Press `♥9 · discard`.",
            tap="discard 9H",
            otherwise="♥9 is picked, which stands alone. Discard it: that ends your turn.",
            then="Fern: draw; Fern: discard AS; You: take; You: discard 9H; Fern: draw; Fern: discard KC; You: draw; "
            "You: meld K x1; You: discard 10S; Fern: draw; Fern: discard KH; You: draw; You: meld K x1; "
            "You: discard 4C; Fern: draw; Fern: discard QD; You: draw; You: discard 5D; Fern: draw; Fern: discard JH",
        ),
        Step(
            idea="**Four turns later** five Ks and three aces lie before you. Fern has discarded ♥J, and you hold two "
            "Js. Two **natural** cards that match the top card let you **take the pile**: these three are melded, and "
            "the six cards below come into your hand.",
            task="Press `♥J · take 7 cards`.",
            tap="take",
            why={"draw": "Two unknown cards, or seven that you know? Below ♥J lie two Ks."},
        ),
        Step(
            idea="There are two Ks among the cards that you took, and five lie before you. Seven are a pile, and "
            "without wild cards it is clean.",
            task="Pick K.",
            tap="pick 10-2-0-0",
            why={"pick 9-3-0-0": FIRST, "pick 7-0-0-0": FIRST},
            otherwise="You could only discard that, and a discard ends your turn. First finish your pile.",
        ),
        Step(
            idea="A finished pile is closed. You may begin a new meld of its rank. Only 3s are never melded: a **red "
            "3** (♥3 ♦3) is laid out for you at once, brings 100 points, and is replaced.",
            task="Press `Lay K K`.",
            tap="meld K x2",
            otherwise="Lay both Ks: with them seven lie before you, and they are your clean pile.",
            then="You: meld Q x3; You: discard 4C; Fern: draw; Fern: meld 9 x3; Fern: meld 10 x3; Fern: discard 6S; "
            "You: draw; You: meld 6 x1; You: meld 10 x2 +2",
        ),
        Step(
            idea="In your next turn you laid all but ♦5. When your **hand** is gone, you play on with your **foot**: "
            "eleven cards that nobody has seen, not even you.",
            task="Pick 5, the last card of your hand.",
            tap="pick 2-0-0-0",
        ),
        Step(
            idea="This is the last card of your hand: discard it, and play the foot. With **hand and foot gone**, and "
            "a **clean and a dirty pile** before you, you go out, which ends the deal. Until then **keep a card** of "
            "the foot. 6 6 6 2 may become the dirty pile.",
            task="Press `♦5 · discard and take up your foot`.",
            tap="discard 5D",
            otherwise="♦5 is picked. It is the last card of your hand, so discard it.",
        ),
    ),
    learned=(
        "Draw two, or take the pile with two natural cards that match its top; lay cards; discard one.",
        "Seven of a rank are a pile: clean 500, with wild cards 300. The first meld needs 50 points, later more.",
        "Go out with a clean and a dirty pile, in pairs with your partner's yes. Cards left over cost points.",
    ),
)
