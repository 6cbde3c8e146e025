"""The rules of Thirty-One under a table's options, and its reference card, as Markdown for Discord."""

from typing import Final

from games.french import CARD, signs
from games.phrases import counted
from games.thirty_one.options import ThirtyOneOptions

CREDIT: Final = "Thirty-One, a traditional game, as it was played aboard ship and told by Dave"

EXAMPLE: Final = ("AS KS 4D", "9H 8H 2C", "10C 7C QD")
"""The hands of the worked example, shown after Alice has knocked: 21, 17 and 17 in one suit, 25, 19 and 27 in any."""


def rules(options: ThirtyOneOptions) -> str:
    """The rules under these options."""
    return "\n\n".join(
        [
            _match(options),
            _worth(options),
            _turn(),
            _pay(),
            _example(options),
            _end(),
            f"The game is not ours, the wording is: {CREDIT}",
        ]
    )


def _match(options: ThirtyOneOptions) -> str:
    return (
        "**Thirty-One**, for 2 to 8 players, with 52 cards\n"
        f"Do not have the lowest hand. Everyone begins with {counted(options.tokens, 'token')}; whoever has none "
        "left is out, and the last one in wins the pot.\n"
        "**Deal.** Chance names the first dealer; then the deal moves left. Everyone gets three cards. One is turned "
        "up and starts the discards; the rest is the stock."
    )


def _worth(options: ThirtyOneOptions) -> str:
    if options.any_suit:
        how = (
            "All three cards count together, whatever their suits (`any_suit`). While they are more than 31, aces "
            "drop from 11 to 1, one by one."
        )
    else:
        how = "Only cards of one suit count together; your best suit is what your hand is worth."
    three = (
        " Three of a rank are worth 30½ if that is more (`three_of_a_kind`)."
        if options.three_of_a_kind
        else ""
    )
    return f"**Worth.** Ace 11; king, queen, jack and 10 count 10; others as printed. {how}{three}"


def _turn() -> str:
    return (
        "**Turn.** The dealer's left begins. Draw from the stock or take the top discard; then discard one card, but "
        "not the discard you have just taken. Or do neither and **knock**: on any turn of yours, your "
        "first too, but only one player may knock in a deal. Then everybody else has one more turn, and all hands "
        "are shown.\n"
        "**31** is shown at once and ends the deal, whether you were dealt it or have it after a discard, before or "
        "after a knock.\n"
        "When the stock is used up, the discards but for the top one are shuffled to be the new stock. After 30 "
        "turns each without a knock all hands are shown, and only the lowest pay."
    )


def _pay() -> str:
    return (
        "**Pay.**\n"
        "- 31: everybody without it puts one token into the pot, and that is all.\n"
        "- Otherwise the lowest hand puts in one; when several are equally low, each does, except the knocker's.\n"
        "- The knocker puts in one if any hand is worth more. So a knocker alone at the bottom puts in two.\n"
        "- When all hands are equal, nobody pays. Nobody pays more than they have."
    )


def _example(options: ThirtyOneOptions) -> str:
    alice, ben, cleo = (signs(CARD[text] for text in hand.split()) for hand in EXAMPLE)
    if options.any_suit:
        return (
            f"**Example.** Alice knocks with {alice}, which is 25. Ben shows {ben}, 19, and Cleo {cleo}, 27. Ben is "
            "lowest and puts in a token; so does Alice, for Cleo has more than the knocker."
        )
    return (
        f"**Example.** Alice knocks with {alice}: 21 in spades. Ben shows {ben}, 17 in hearts, and Cleo {cleo}, 17 in "
        "clubs. Ben and Cleo are both lowest, and each puts in a token. Alice pays nothing, for nobody has more."
    )


def _end() -> str:
    return (
        "**Match.** Of those who are out, whoever went out later is placed better; those who went out in the same deal "
        "share a place. After 200 deals, the latest end, those still in are placed by their tokens."
    )


def reference(options: ThirtyOneOptions) -> str:
    """What cards count and who pays."""
    suits = "all three cards, aces 11 or 1" if options.any_suit else "the cards of your best suit"
    three = "\nThree of a kind: 30½" if options.three_of_a_kind else ""
    return (
        "**Thirty-One: what counts what**\n"
        f"Ace 11 · king, queen, jack, 10: 10 · others as printed\nYour hand: {suits}{three}\n"
        "**A turn:** draw or take, then discard; or knock (once in a deal), and the others have one more turn.\n"
        "**31:** ends the deal, everybody else pays 1.\n"
        "**Shown:** the lowest pay 1 (not the knocker among several); the knocker pays 1 if any hand is higher.\n"
        "**Out:** without tokens; the last one in wins."
    )
