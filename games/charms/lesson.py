"""The lesson of Charms."""

from typing import Final

from games.lessons import Lesson, Step

BID: Final = "Coins are trump and you have two, and 8 is the highest number. 5 is what you may well win."
HIDDEN: Final = "Then you show no trump any more, and a single 🪙C of somebody else beats you."
LOWER: Final = "You would show a lower number. Use the highest while others still have high ones."

LESSON: Final = Lesson(
    others=("Fern", "Moss"),
    # Coins are trump. You have C C K L L L R R and 4 4 6 6 8. Fern has no coins, Moss has two and a 6.
    seed=123,
    steps=(
        Step(
            idea="A hand has twelve tricks. You say how many you will win; each one more or fewer costs points, and "
            "**points are bad**. Your cards are suits or numbers, never both. 🪙C is trump: you have two, and 8 is "
            "the highest number.",
            task="Press `5`.",
            tap="bid 5",
            why=dict.fromkeys([f"bid {bid}" for bid in range(13) if bid != 5], BID),
            then="Fern: bid 2; Moss: bid 6",
        ),
        Step(
            idea="In the first trick you play a suit card and a number card side by side. You lead: the others must "
            "play your suit if they have it. The highest number in trump wins.",
            task="Which suit? Press 🪙C.",
            tap="pick 0",
            why={
                f"pick {suit}": "Any 🪙C would beat that. With trump only a higher number in trump beats you."
                for suit in (1, 2, 3)
            },
        ),
        Step(
            idea="The number decides between equal suits.",
            task="Which number do you put beside 🪙C?",
            tap="play C 8",
            why={"play C 4": LOWER, "play C 6": LOWER},
            otherwise="You have chosen 🪙C. Now the number: both are played together.",
            then="Fern: play K 2; Moss: play C 3",
        ),
        Step(
            idea="🪙C 8 took the trick, and both cards **stay**. That is the charm: from now on you play one card a "
            "trick, a suit on your suit or a number on your number. The other card counts again.",
            task="With which card do you still show 🪙C 8?",
            tap="play C",
            why={
                "play 4": LOWER,
                "play 6": LOWER,
                **{f"play {suit}": HIDDEN for suit in "KLR"},
            },
            then="Fern: play 7; Moss: play 5",
        ),
        Step(
            idea="You won again. You have no third 🪙C and no second 8, so something must change now: the suit, or the "
            "number.",
            task="Stay in trump, and as high as you can.",
            tap="play 6",
            why={"play 4": LOWER, **{f"play {suit}": HIDDEN for suit in "KLR"}},
            then="Fern: play K; Moss: play 6; Moss: play C",
        ),
        Step(
            idea="Moss played a 6 after you: **of equals the later one wins**. Now Moss leads and shows 🪙C 6, and you "
            "play later. You show the led suit, so you must go on showing it: only numbers are allowed.",
            task="Which number wins?",
            tap="play 6",
            why={"play 4": "🪙C 4 is less than Moss's 🪙C 6. An equal number that is played later wins."},
            then="Fern: play L",
        ),
        Step(
            idea="Three tricks, two to go. However low your number is, 🪙C wins unless somebody shows 🪙C with a "
            "higher number, or plays an equal one later.",
            task="Stay in trump.",
            tap="play 4",
            why={f"play {suit}": HIDDEN for suit in "KLR"},
            then="Fern: play R; Moss: play K; You: play 4; Fern: play 2; Moss: play K",
        ),
        Step(
            idea="You won that and one more with your other 4: five tricks, as you bid. Now you want to **lose** all "
            "that are left, so hide your trump below another suit.",
            task="Play 🐇R.",
            tap="play R",
            why={f"play {suit}": "That hides your trump, too. Let us see what 🐇R does." for suit in "KL"},
            then="Fern: play 5; Moss: play R; Moss: play L; You: play L; Fern: play 4; Moss: play L; You: play L; "
            "Fern: play 3; Moss: play L; You: play L; Fern: play 3; Moss: play R; You: play R; Fern: play 3; Moss: "
            "play R; You: play K; Fern: play 2",
        ),
    ),
    learned=(
        "Win exactly as many tricks as you bid: each one too many or too few costs points.",
        "Your cards stay. Each trick you change your suit or your number, and the other card counts again.",
        "Trump wins, then the led suit, then the number; of equals the later one. Fewest points win.",
    ),
)
