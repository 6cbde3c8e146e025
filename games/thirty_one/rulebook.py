"""The rules of Thirty-One under a table's options, and its reference card, as Markdown for Discord."""

from typing import Final

from games.french import CARD, signs
from games.phrases import counted
from games.thirty_one.options import ThirtyOneOptions

CREDIT: Final = (
    "Thirty-One is a traditional game, as it was played aboard ship and told by Dave. Text: Palmhouse."
)

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
            CREDIT,
        ]
    )


def _match(options: ThirtyOneOptions) -> str:
    return (
        "**Thirty-One**, for 2 to 8 players, with 52 cards\n"
        f"Do not have the lowest hand. Everybody begins with {counted(options.tokens, 'token')}. Without tokens you "
        "are out; the last player in wins the pot.\n"
        "**Deal.** The first dealer is drawn at random; then the deal moves left. Everybody gets three cards. One card "
        "is turned up as the first discard; the rest is the stock."
    )


def _worth(options: ThirtyOneOptions) -> str:
    if options.any_suit:
        how = (
            "All three cards count together, whatever their suits (`any_suit`). While the total is over 31, aces count "
            "1 instead of 11, one after the other."
        )
    else:
        how = "Only cards of one suit are added up. Your hand is worth the total of your best suit."
    three = (
        " Three cards of one rank are worth 30½ if that is more (`three_of_a_kind`)."
        if options.three_of_a_kind
        else ""
    )
    return (
        f"**Your hand.** An ace counts 11; king, queen, jack and 10 count 10; others as printed. {how}{three}"
    )


def _turn() -> str:
    return (
        "**Turn.** The player to the dealer's left begins. Draw from the stock or take the top discard; then drop one "
        "card, but not the discard you have just taken. Or **knock** instead: on any turn, even your first, but only "
        "one player may knock in a deal. Everybody else then has one more turn, and all hands are shown.\n"
        "**31** is shown at once and ends the deal: when it is dealt, or when you have it after dropping a card, even "
        "after a knock.\n"
        "When the stock is used up, all discards except the top one are shuffled to be the new stock. After 30 turns "
        "each without a knock all hands are shown, and only the lowest pay."
    )


def _pay() -> str:
    return (
        "**Pay.** Tokens go into the pot.\n"
        "- After 31, everybody without it pays one token, and nothing else is paid.\n"
        "- Otherwise the lowest hand pays one. If several are equally low, each of them pays, except the knocker.\n"
        "- The knocker pays one if any hand is worth more. So a knocker alone at the bottom pays two.\n"
        "- If all hands are equal, nobody pays. Nobody pays more than they have."
    )


def _example(options: ThirtyOneOptions) -> str:
    alice, ben, cleo = (signs(CARD[text] for text in hand.split()) for hand in EXAMPLE)
    if options.any_suit:
        return (
            f"**Example.** Alice knocks with {alice}, which is 25. Ben shows {ben}, 19, and Cleo {cleo}, 27. Ben is "
            "lowest and pays a token. Alice pays one too, because Cleo has more than the knocker."
        )
    return (
        f"**Example.** Alice knocks with {alice}: 21 in spades. Ben shows {ben}, 17 in hearts, and Cleo {cleo}, 17 in "
        "clubs. Ben and Cleo are both lowest, and each pays a token. Alice pays nothing, because nobody has more."
    )


def _end() -> str:
    return (
        "**Match.** The later you go out, the higher you are placed; going out in the same deal shares a place. After "
        "200 deals the match ends, and those still in are placed by their tokens."
    )


def primer(options: ThirtyOneOptions) -> str:
    """Enough to play a first match by."""
    counts = "All three cards count" if options.any_suit else "Only your best suit counts"
    return (
        f"Do not have the lowest hand. {counts}: ace 11, king, queen, jack and 10 each 10, others as printed.\n"
        "**Your turn:** draw from the stock or take the top discard, then drop a card.\n"
        "**Or knock:** everybody else has one more turn, then all hands are shown.\n"
        "The lowest hand pays a token; so does a knocker if anybody has more. **31** ends the deal: all others pay.\n"
        f"You have {counted(options.tokens, 'token')}. Without tokens you are out, and the last player in wins."
    )


def reference(options: ThirtyOneOptions) -> str:
    """What cards count and who pays."""
    suits = "all three cards, aces 11 or 1" if options.any_suit else "the total of your best suit"
    three = "\nThree of a kind: 30½" if options.three_of_a_kind else ""
    return (
        "**Thirty-One: what cards count**\n"
        f"Ace 11 · king, queen, jack, 10: 10 · others as printed\nYour hand: {suits}{three}\n"
        "**Your turn:** draw or take, then drop a card; or knock (one knock a deal): the others have one more turn.\n"
        "**31:** ends the deal, everybody else pays 1.\n"
        "**Hands shown:** the lowest pay 1 (a knocker only if alone); the knocker pays 1 if any hand is higher.\n"
        "**Out:** without tokens. The last player in wins."
    )
