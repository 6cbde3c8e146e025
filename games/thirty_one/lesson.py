"""The lesson of Thirty-One."""

from typing import Final

from games.lessons import Lesson, Step

DIAMONDS: Final = "You collect ♦. That card is worth something, so keep it."

LESSON: Final = Lesson(
    others=("Fern", "Moss"),
    # You have ♦9 ♦10 ♠3 and draw ♦6; Moss has ♦A. In the second deal you have ♦A ♦10 ♣8, and Moss has ♦K.
    seed=207590,
    steps=(
        Step(
            idea="Collect cards of **one suit**: ace 11, king, queen and jack 10, the others as printed. You hold ♦9 "
            "and ♦10, which are 19. Whoever has least at the end pays a token. Each turn you exchange a card: ♣4 is "
            "open, or you draw.",
            task="Press `Draw`.",
            tap="draw",
            why={
                "take": "♣4 is no ♦: you would still hold 19. What you draw may be a ♦.",
                "pick knock": "A knock ends the deal soon, and 19 is little. First improve your hand.",
            },
        ),
        Step(
            idea="You drew ♦6. Now drop one of your four cards. Each button says what you keep then.",
            task="Which card do you drop?",
            tap="discard 3S",
            why={"discard 9D": DIAMONDS, "discard 10D": DIAMONDS, "discard 6D": DIAMONDS},
            then="Fern: draw; Fern: discard 9H; Moss: draw; Moss: discard AD",
        ),
        Step(
            idea="You hold 25. Moss dropped ♦A, which is worth 11. You may take what the player before you dropped.",
            task="Press `♦A · take it`.",
            tap="take",
            why={
                "draw": "You see ♦A, and the next card of the stock you do not. Take what you need.",
                "knock": "25 is not bad. But ♦A makes it 30, and then somebody must be very lucky to have more.",
            },
        ),
        Step(
            idea="Three cards count, so one ♦ must go. The card that you have just taken stays.",
            task="Which card do you drop?",
            tap="discard 6D",
            why={
                "discard 9D": "Then you keep 27. You can keep more.",
                "discard 10D": "Then you keep 26. You can keep more.",
            },
            then="Fern: draw; Fern: discard 8D; Moss: draw; Moss: discard 2D",
        ),
        Step(
            idea="You hold 30. That is enough to **knock** instead of a turn: everybody else has one more turn, then "
            "all show their hands. If anybody has more than you, you pay.",
            task="Press `Knock with 30`.",
            tap="knock",
            why={
                "draw": "You hardly get more than 30, and the others get better each turn. Knock while you lead.",
                "take": "♦2 is less than what you hold. Knock while you lead.",
            },
            then="Fern: draw; Fern: discard 2S; Moss: draw; Moss: discard 5S; Fern: draw; Fern: discard 5D; "
            "Moss: draw; Moss: discard KD",
        ),
        Step(
            idea="You had most, and Moss had least and paid. In the next deal you hold ♦A and ♦10: 21. Moss has just "
            "dropped ♦K. **31** ends a deal at once, and everybody else pays.",
            task="Get ♦K.",
            tap="take",
            why={
                "draw": "With ♦K you have 11 + 10 + 10 = 31, and it lies before you.",
                "pick knock": "With ♦K you have 31. That is better than any knock.",
            },
        ),
        Step(
            idea="♦A, ♦10 and ♦K are 31. One card is too many.",
            task="Which card do you drop?",
            tap="discard 8C",
            why={
                "discard AD": "Then you keep 20 and lose your 31.",
                "discard 10D": "Then you keep 21 and lose your 31.",
            },
        ),
    ),
    learned=(
        "Collect one suit: draw, or take what the player before you dropped.",
        "Knock when you think that you have most: everybody else has one more turn.",
        "The lowest pays a token, and 31 makes all others pay. Without tokens you are out.",
    ),
)
