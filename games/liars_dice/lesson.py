"""The lesson of Liar's Dice."""

from typing import Final

from games.lessons import Lesson, Step

FEWER: Final = "You see three yourself, and some of the other ten dice match, too. You can bid more."
ONE: Final = "One die is nearly always there, so that says little. You see three fours and can bid more."
MORE: Final = "That may be true. But begin lower: the others will raise, and one of them goes too far."
FOURS: Final = "Of that face you have fewer. Three of your dice count as fours: 4, 4 and the 1."
SIXES: Final = "Of that face you have fewer. Four of your dice count as sixes: 6, 6, 6 and the 1."
HALF: Final = "Half of four is enough on ones. You have one, so two are likely, and more are not."
CALZA: Final = "Calza says that a bid is exactly right. The last step shows when it pays."
HONEST: Final = "You have two of them, so that would be no bluff. Let us see what a bluff does."

LESSON: Final = Lesson(
    others=("Fern", "Moss"),
    # You roll 1 3 4 4 6, then 1 4 6 6 6, then 2 2 3 4 4, then 2 3 4 5 5, then 1 3 4 6. Round 1 has four fives and two
    # ones, round 2 exactly six sixes. In round 3 Fern and Moss have two sixes each. Round 4 has exactly five fives,
    # round 5 exactly six threes.
    seed=4693722,
    steps=(
        Step(
            idea="Be the last with dice. Everybody rolls five under a cup and sees only their own. You open: say how "
            "many dice of one face lie under **all** cups together. **Ones are wild**: they count as every face, so "
            "you have three fours.",
            task="How many? Choose 4 dice in the menu.",
            tap="pick 4",
            why={
                **{f"pick {quantity}": FEWER for quantity in (1, 2, 3)},
                **{f"pick {quantity}": MORE for quantity in (5, 6, 7)},
                **{f"bid 1x{face}": ONE for face in (2, 3, 4, 5, 6)},
            },
            otherwise="So many are hardly there: you see three fours, and a third of the other ten dice are three "
            "more.",
        ),
        Step(
            idea="Your bid will mean **at least** four, and all cups count: with your three, a single four or one "
            "under the two other cups makes it true.",
            task="Press `⚃ 4 fours`.",
            tap="bid 4x4",
            why={f"bid 4x{face}": FOURS for face in (2, 3, 5, 6)},
            otherwise="4 dice are chosen, and that is a good number. Only the face is missing.",
            then="Fern: bid 4x5; Moss: bid 4x6",
        ),
        Step(
            idea="Bid higher: **more dice**, or **as many of a higher face**. Or bid **ones**: no round opens with "
            "them, and only ones count for them, so **half as many** are enough, rounded up. You have one, and a sixth "
            "of the other ten dice is nearly two.",
            task="Moss bids four sixes. Bid two ones: first the number, 2 dice.",
            tap="pick 2",
            why={
                "doubt": "Four sixes of 15 dice is less than a third, so that is probably true.",
                "pick 3": HALF,
                "pick 4": HALF,
                "pick 5": "Five fours would be a good bid, too. But let us see how ones work.",
                "calza": CALZA,
            },
            otherwise="That is higher than you need to go. Let us see how ones work: half as many are enough.",
        ),
        Step(
            idea="From ones **back** to another face takes **twice as many and one more**: after your two ones Fern "
            "must bid three ones or five of a face.",
            task="Press `⚀ 2 ones`.",
            tap="bid 2x1",
            why={
                "doubt": "Four sixes of 15 dice is less than a third, so that is probably true.",
                "calza": CALZA,
            },
            otherwise="2 dice are chosen, which is what you may expect of ones. Only the face is missing.",
            then="Fern: bid 5x5; Moss: bid 8x5",
        ),
        Step(
            idea="Your turn: bid higher, or **doubt** the last bid. How many fives are likely? With wild ones **a "
            "third** of all dice match a face: here 5 of 15. Moss says eight, and only one of yours counts.",
            task="Press `Doubt`.",
            tap="doubt",
            why={
                "calza": CALZA,
                **{
                    f"bid 9x{face}": "Eight fives are hardly there, and nine of a face even less: Fern would doubt you."
                    for face in (2, 3, 4, 5, 6)
                },
            },
            otherwise="Whatever you bid must be higher still, and eight fives are too many already.",
            then="Moss: bid 3x2",
        ),
        Step(
            idea="Only four fives were there, so Moss **lost a die** and opens the next round; all roll again. You "
            "have four sixes with the 1, and may expect three more: a third of the other nine dice.",
            task="Moss bids three twos. Bid six sixes: first the number, 6 dice.",
            tap="pick 6",
            why={
                "doubt": "Three of 14 dice is less than a third, so that is probably true.",
                "pick 4": "You see four yourself. You can say more.",
                "pick 5": "That is safe, but a higher bid makes it harder for Fern. You may expect seven.",
                "pick 7": "Seven are what you may expect, so half the time there are fewer. Say six.",
                "calza": CALZA,
            },
            otherwise="You have four sixes and may expect three more. Six of them are likely, and hard for Fern.",
        ),
        Step(
            idea="To the others that sounds like a lot: a third of 14 dice is less than five, and they do not know "
            "that you have four.",
            task="Now the face. Press `⚅ 6 sixes`.",
            tap="bid 6x6",
            why={
                "doubt": "You need no doubt: you have a good bid.",
                "bid 6x1": "Only ones count as ones. You have one, and few others are likely.",
                **{f"bid 6x{face}": SIXES for face in (2, 3, 4, 5)},
                "calza": CALZA,
            },
            otherwise="6 dice are chosen, and that is a good number. Only the face is missing.",
            then="Fern: doubt; Fern: bid 2x6; Moss: bid 3x6",
        ),
        Step(
            idea="Six sixes were there: Fern **doubted an honest bid** and lost a die. Now you have no six and no one. "
            "But Fern and Moss both bid sixes, so they probably have some, and they cannot see that you have none.",
            task="Moss bids three sixes. Bluff: press `⚅ 4 sixes`.",
            tap="bid 4x6",
            why={
                "doubt": "Three of 13 dice is less than a third, and both seem to have some. That is probably true.",
                "bid 4x4": HONEST,
                "bid 4x2": HONEST,
                "calza": CALZA,
            },
            otherwise="Fern and Moss bid sixes, so one more of them is what they believe most easily.",
            then="Fern: bid 5x6; Moss: bid 6x6",
        ),
        Step(
            idea="They believed you and went on. Only you know that your cup has no six: all six must be among their "
            "eight dice, and a third of eight is less than three.",
            task="Moss bids six sixes. What do you do?",
            tap="doubt",
            why={
                "bid 7x6": "Seven of their eight dice is next to impossible, and Fern would doubt you.",
                "calza": "Exactly six of their eight dice are less likely still than six or more.",
            },
            otherwise="Whatever you bid must be higher still, and six sixes are too many already.",
            then="Moss: bid 5x5",
        ),
        Step(
            idea="Only four sixes were there, and Moss lost another die. Now Moss opens high. You have two fives, so "
            "three of their seven dice must match; a third of seven is a little more than two. Fewer are likelier.",
            task="Moss bids five fives. Press `Doubt`.",
            tap="doubt",
            why={
                "bid 6x5": "Then four of their seven dice must match, which is unlikely.",
                "calza": "Exactly five are less likely than fewer.",
            },
            otherwise="Whatever you bid must be higher still, and five fives are probably too many already.",
            then="You: bid 3x3; Fern: bid 5x3; Moss: bid 6x3",
        ),
        Step(
            idea="Five fives were there: a good doubt can fail, and cost you a die. With the option **calza** anybody "
            "but the bidder may call a bid exact. If right, you **win back a die**, else you lose one. You have two "
            "threes with the 1, and both others bid threes.",
            task="Moss bids six threes. That seems exactly right: press `Calza`.",
            tap="calza",
            why={
                "doubt": "If exactly six are there, a doubt loses a die, and calza wins one back.",
                "bid 7x3": "Seven may be too many. Six is about what you may expect after their bids.",
            },
            otherwise="That is higher, and may be too much. Six threes are about what you may expect after their bids.",
        ),
    ),
    learned=(
        "Bid more dice, or as many of a higher face. Ones are wild: a third of all match. Without dice you are out.",
        "Doubt what is too much: whoever is wrong loses a die. Or call calza, if the table has it: exactly as many.",
        "Palifico, your first opening with one die: ones are not wild; only who has one die too may change the face.",
    ),
    options={"calza": True},
)
