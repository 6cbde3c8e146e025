"""The rules of Palmer under a table's options, and its reference card, as Markdown for Discord."""

from typing import Final

from games.french import CARD, SIGN, signs
from games.palmer.options import PalmerOptions

CREDIT: Final = "Palmer, a travellers' game taught by Keef Palmer, after whom its players named it"

EXAMPLE: Final = ("QD", "3S", "QH", "4C")
"""The square of the worked example at the end of its deal, by place: the queens cancel each other."""
BLIND: Final = "9S"
"""What lay at its top left before."""


def rules(options: PalmerOptions) -> str:
    """The rules under these options."""
    return "\n\n".join(
        [
            _match(options),
            _deal(),
            _turn(),
            _score(),
            _example(),
            _end(options),
            f"The game is not ours, the wording is: {CREDIT}",
        ]
    )


def _match(options: PalmerOptions) -> str:
    return (
        f"**Palmer to {options.limit}**, for 3 to 6 players, with 52 cards\n"
        f"Have few points, best of all none. Whoever reaches {options.limit} is out; the last one in wins."
    )


def _deal() -> str:
    return (
        "**Deal.** Chance names the first dealer; then the deal moves left. Everyone gets four cards face down, as "
        "a square: two on top, two at the bottom. You alone may look at your bottom row while it lies face down. "
        "Nobody may look at a top row, not even their own. One card is turned up and starts the Palmer pile; the "
        "rest is the stock."
    )


def _turn() -> str:
    return (
        "**Turn.** The dealer's left begins. Do one of three things:\n"
        "- **Take** the top card of the Palmer pile, and replace one of your face-down cards with it.\n"
        "- **Draw** from the stock. You alone look at the card, and then it must replace one of your face-down "
        "cards; there is no way back.\n"
        "- **Turn over** one of your face-down cards.\n"
        "What is placed or turned over lies face up and is fixed. What is replaced goes face up on the pile; you "
        "replace a card of the top row without having seen it.\n"
        "So every turn fixes one card, and after four turns each the deal is over."
    )


def _score() -> str:
    return (
        "**Points.** Ace 1; 2 to 9 as printed; 10, jack and queen 10; king 0. Two cards of one rank cancel each "
        "other, wherever they lie in your square: both count 0. Of three the third counts; four of a rank, or two "
        "pairs, are 0. A jack and a queen are no pair."
    )


def _example() -> str:
    square = [CARD[text] for text in EXAMPLE]
    queen, three, other, four = (SIGN[card] for card in square)
    return (
        f"**Example.** Alice has {other} and {four} in her bottom row, and {queen} lies on the pile. She takes it "
        f"for her top left; the card that lay there, {SIGN[CARD[BLIND]]}, goes on the pile, and only now she sees "
        f"it. Later she turns over {other}, then {four}, then her top right, which is {three}. Her square is "
        f"{signs(square)} (top row first): the queens cancel each other, 3 + 4 = 7 points."
    )


def _end(options: PalmerOptions) -> str:
    return (
        f"**Match.** Points are added up over the deals. After a deal, whoever has {options.limit} or more is out. The "
        "last one in wins. When all who were left go out in the same deal, the lowest total wins, and equal ones "
        "share. Of the others, whoever went out later is placed better, then whoever has fewer points. After 100 "
        "deals, the latest end, those still in are placed by their totals."
    )


def reference(options: PalmerOptions) -> str:
    """What the cards count and what a turn can be."""
    return (
        f"**Palmer to {options.limit}: what counts what**\n"
        "Ace 1 · 2 to 9 as printed · 10, jack, queen 10 · king 0\n"
        "Two of a rank: 0 · three: one counts · four, or two pairs: 0\n"
        "**A turn:** take the pile's top card, or draw, and replace a face-down card with it; or turn one over. "
        "A drawn card must be placed.\n"
        "**Your cards:** you know the bottom row, never the top row. Face up is fixed.\n"
        f"**Out:** with {options.limit} points or more; the last one in wins."
    )
