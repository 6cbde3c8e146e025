"""Rules, primer and reference card of Thirty-One for given options, as Markdown for Discord."""

from typing import Final

from games.french import CARD, signs
from games.phrases import counted
from games.thirty_one.options import ThirtyOneOptions

CREDIT: Final = (
    "Thirty-One is a traditional game, as it was played aboard ship and told by Dave. Text: Palmhouse."
)

EXAMPLE: Final = ("AS KS 4D", "9H 8H 2C", "10C 7C QD")
"""Hands of the example, shown after Alice has knocked: worth 21, 17 and 17 in one suit, or 25, 19 and 27 in any."""


def rules(options: ThirtyOneOptions) -> str:
    """Return the rules under these options."""
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
        f"Do not have the lowest hand. Everybody begins with {counted(options.tokens, 'token')}. When you have none "
        "left, you are out; the last player left wins the pot.\n"
        "**Deal.** The first dealer is drawn at random; then the deal moves left. Everybody gets three cards. One card "
        "is turned up as the first discard; the other cards are the stock."
    )


def _worth(options: ThirtyOneOptions) -> str:
    if options.any_suit:
        how = (
            "All three cards count together, whatever their suits (`any_suit`). While the total is over 31, one ace "
            "after the other counts 1 instead of 11."
        )
    else:
        how = "Add up the cards of each suit. Your hand is worth the total of your best suit."
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
        "card, but not the discard you have just taken. Or **knock** instead, even on your first turn: everybody else "
        "has one more turn, then all hands are shown. Only one player may knock in a deal.\n"
        "**31** ends the deal at once, even after a knock: when you are dealt it, or when you have it after dropping a "
        "card.\n"
        "When the stock is used up, all discards except the top one are shuffled and become the new stock. If nobody "
        "knocks in 30 turns each, all hands are shown, and only the lowest pay."
    )


def _pay() -> str:
    return (
        "**Pay.** Tokens go into the pot.\n"
        "- After 31, everybody who does not have it pays one token. Nothing else is paid.\n"
        "- Otherwise the lowest hand pays one. If several are equally low, each of them pays, except the knocker.\n"
        "- The knocker pays one if any hand is worth more. So a knocker who alone is lowest pays two.\n"
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
        "**Match.** The later you go out, the higher you are placed; players who go out in the same deal share a "
        "place. After 200 deals the match ends, and players who are still in are placed by their tokens."
    )


def primer(options: ThirtyOneOptions) -> str:
    """Return the game in five lines."""
    counts = "All three cards count" if options.any_suit else "Only your best suit counts"
    return (
        f"Do not have the lowest hand. {counts}: ace 11, king, queen, jack and 10 each 10, others as printed.\n"
        "**Your turn:** draw from the stock or take the top discard, then drop a card.\n"
        "**Or knock:** everybody else has one more turn, then all hands are shown.\n"
        "The lowest hand pays a token; so does a knocker if anybody has more. **31** ends the deal: all others "
        "pay a token.\n"
        f"You begin with {counted(options.tokens, 'token')}. When you have none left, you are out; the last player "
        "left wins."
    )


def reference(options: ThirtyOneOptions) -> str:
    """Return the reference card: what cards count and who pays."""
    suits = "all three cards, aces 11 or 1" if options.any_suit else "the total of your best suit"
    three = "\nThree of a kind: 30½" if options.three_of_a_kind else ""
    return (
        "**Thirty-One: what cards count**\n"
        f"Ace 11 · king, queen, jack, 10: 10 · others as printed\nYour hand: {suits}{three}\n"
        "**Your turn:** draw or take, then drop a card; or knock (one knock per deal): the others have one more turn.\n"
        "**31:** ends the deal, everybody else pays 1.\n"
        "**Hands shown:** the lowest pay 1 (a knocker only if alone); the knocker pays 1 if any hand is higher.\n"
        "**Out:** when you have no tokens. The last player left wins."
    )
