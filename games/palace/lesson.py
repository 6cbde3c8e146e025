"""The lesson of Palace."""

from typing import Final

from games.lessons import Lesson, Step

ANY: Final = "Nobody knows which is best. Take them in order."
MIDDLE: Final = (
    "Moss: play 2; Fern: play 6 6; You: play 7; Moss: play J J; Fern: play 2; You: play 3; Moss: play 5; "
    "Fern: play 8; Moss: play Q; You: play 7; Fern: play 10; Fern: play 8; You: play 9; Fern: play 4; "
    "Moss: play A; Moss: play 3 3; You: play 2; Fern: play 10; Fern: play 4; Moss: play 7; You: play 7; "
    "Fern: play J; Moss: play K; You: play 2; Fern: play 3; Moss: play Q; Fern: play A; Fern: play 10; "
    "Fern: play 10; Fern: play 4; You: play 6; Moss: play K; Fern: play 2; You: play 9; Moss: play 3; "
    "Fern: play J; You: play K K; Moss: play 10; Moss: play 5; Fern: play K; You: play 2; Moss: play 5; "
    "Fern: play Q; Moss: take; You: play K; Fern: take; Moss: play J; You: play 7; Fern: play K; Moss: play 2; "
    "You: play 9; Fern: play 3; Moss: play 5 5; You: play 6; Fern: play 8; You: play 9; Fern: play 4; "
    "Moss: play 6; You: play A; You: play 5; Fern: play 9; Moss: play 8; Fern: play J; Moss: play Q; Fern: take; "
    "You: play 7; Moss: play K; Fern: play 7; You: play A; You: play 4; Moss: play 8 8; Moss: play 9; "
    "Fern: play 3 3; You: play 6; Moss: play 8; You: play A; You: play 10"
)
"""The match from the learner's sixth step until the stock and the hand are used up."""

LESSON: Final = Lesson(
    others=("Fern", "Moss"),
    # You have 4 5 K 7 10 A in hand and Q 8 6 face down. 3 starts the pile, Fern has J and Moss 9 and 7.
    seed=38868,
    steps=(
        Step(
            idea="Get rid of all your cards first: your hand, then three face-up cards, then three face-down ones that "
            "nobody has seen. Wilds fit on anything: A, 2, 7, 10. With them and K you come through at the end.",
            task="Pick K, 7 and A in the menu, to lie face up.",
            tap="pick 2,3,5",
            otherwise="At the end K, 7 and A get you through more easily. 10 you will need soon.",
        ),
        Step(
            idea="10 is a wild, too, but you will need it soon. It stays in your hand with 4 and 5.",
            task="Press `Lay K 7 A face up`.",
            tap="show K 7 A",
            otherwise="K, 7 and A are picked. Lay them face up.",
            then="Fern: show J Q K; Moss: show 5 10 A",
        ),
        Step(
            idea="Play **higher** than the top of the pile: 3, 4, 5, 6, 8, 9, J, Q, K. Then you draw until you hold "
            "three cards. Low cards are the hardest to get rid of, so play them while they fit.",
            task="Which card do you play on 3?",
            tap="play 4",
            why={
                "play 5": "That fits. But when somebody has played more, 4 will fit nowhere. Which one is lower?",
                "play 10": "10 fits on everything, so it can wait. Play a low card while you can.",
            },
            then="Fern: play 5; Moss: play 9",
        ),
        Step(
            idea="Some cards change the rule. After **9** the next player must play **lower** than 9. (8, Q and K have "
            "rules of their own, too: `Rules` at the end names them.)",
            task="Which card do you play on 9?",
            tap="play 5",
            why={
                "play 10": "10 fits on everything, so it can wait. 5 fits just now.",
                "play 7": "7 fits on everything, so it can wait. 5 fits just now.",
            },
            then="Fern: play J; Moss: play 7",
        ),
        Step(
            idea="**7** is glass: what lies below it still counts, here J. **10** takes the whole pile out of the "
            "game, and you play again.",
            task="Press the button of 10.",
            tap="play 10",
            otherwise="That fits, too, and J still counts below it. But let us see what 10 does.",
        ),
        Step(
            idea="An empty pile takes any card. If nothing of yours ever fits a pile, you must take all of it into "
            "your hand.",
            task="Play Q, the only card that is no wild.",
            tap="play Q",
            why={
                "play 7": "Keep your wilds for a pile on which nothing else fits.",
                "play 7 7": "Keep your wilds for a pile on which nothing else fits.",
            },
            then=MIDDLE,
        ),
        Step(
            idea="**Some minutes later** the stock is used up and your hand is empty: now you play your face-up cards. "
            "Moss is next and has only two cards in hand.",
            task="Which card is hard to beat?",
            tap="play K",
            why={
                "play 7": "A pile of 7s alone is like an empty pile: Moss could play anything.",
                "play A": "On A goes anything, and you would have to play again.",
            },
            then="Moss: take; Fern: play 4",
        ),
        Step(
            idea="Moss had to take the pile. Now you have 7 and A, and both fit on 4. A is best just before a card "
            "that may not fit: you play again, and anything goes on it.",
            task="So which one first?",
            tap="play 7",
            why={"play A": "Then you play again at once, and 7 is all that you have. Keep A for last."},
            then="Moss: play 6; Fern: play 8 8; Fern: play A; Fern: play 6",
        ),
        Step(
            idea="Your three face-down cards come after A. If one does not fit, you take it with the pile. But on A "
            "goes anything.",
            task="Play A.",
            tap="play A",
        ),
        Step(
            idea="Now turn up a card without knowing it. It fits for sure.",
            task="Press `Turn up card 1`.",
            tap="blind 1",
            why={"blind 2": ANY, "blind 3": ANY},
            then="Fern: play K; Moss: take",
        ),
        Step(
            idea="It was Q. Fern played K, and Moss had to take the pile. Anything fits on an empty pile.",
            task="Press `Turn up card 2`.",
            tap="blind 2",
            why={"blind 3": ANY},
            then="Moss: play Q; Fern: play 2",
        ),
        Step(
            idea="Fern played 2, and on 2 goes anything, too. Whoever has no card left first wins.",
            task="Press `Turn up card 3`.",
            tap="blind 3",
        ),
    ),
    learned=(
        "Play higher, low cards first. If nothing fits, you take the whole pile.",
        "Keep wilds (A, 2, 7, 10) for when nothing else fits, and lay the best cards face up.",
        "Hand, face-up cards, face-down cards: the first without a card wins.",
    ),
)
