"""Rules, primer and reference card of Palmer for given options, as Markdown for Discord."""

from typing import Final

from games.french import CARD, SIGN, signs
from games.palmer.options import PalmerOptions

CREDIT: Final = "Palmer: a travellers' game, named after Keef Palmer, who taught it. Text: Palmhouse."

EXAMPLE: Final = ("QD", "3S", "QH", "4C")
"""Square of the example at the end of its deal, by place: the queens cancel each other."""
BLIND: Final = "9S"
"""Card at the top left of the example before the queen replaces it."""


def rules(options: PalmerOptions) -> str:
    """Return the rules under these options."""
    return "\n\n".join(
        [
            _match(options),
            _deal(),
            _turn(),
            _score(),
            _example(),
            _end(options),
            CREDIT,
        ]
    )


def primer(options: PalmerOptions) -> str:
    """Return the game in five lines: the square, a turn, points, pairs and the end."""
    return "\n".join(
        [
            "**Your square:** four cards face down. You may look at the bottom row, never at the top row.",
            "**Turn:** take the top card of the pile or draw one, and replace a face-down card with it; or turn over "
            "a face-down card. That card then stays face up.",
            "**Points:** ace 1, 2 to 9 as printed, 10, jack and queen 10, **king 0**. Have as few as you can.",
            "**Pairs:** two cards of one rank count 0, wherever they lie in your square.",
            f"**End:** a deal has four turns each. With {options.limit} points you are out; the last player left wins.",
        ]
    )


def _match(options: PalmerOptions) -> str:
    return (
        f"**Palmer to {options.limit}**, for 3 to 6 players, with 52 cards\n"
        f"Get as few points as you can. With {options.limit} points you are out; the last player left wins."
    )


def _deal() -> str:
    return (
        "**Deal.** The first dealer is drawn at random; then the deal moves left. Everyone gets four cards face down, "
        "as a square: two on top, two at the bottom. You may look at your own bottom row at any time. Nobody may "
        "look at a top row, not even their own. One card is turned up and starts the Palmer pile; the other cards "
        "are the stock."
    )


def _turn() -> str:
    return (
        "**Turn.** The player to the dealer's left begins. Do one of three things:\n"
        "- **Take** the top card of the Palmer pile, and replace one of your face-down cards with it.\n"
        "- **Draw** a card from the stock. Only you see it, and it must replace one of your face-down cards.\n"
        "- **Turn over** one of your face-down cards.\n"
        "A card that you placed or turned over lies face up and stays there. The card you replaced goes face up on "
        "the pile; if it was in your top row, you see it only now.\n"
        "So each turn leaves one more card face up, and after four turns each the deal is over."
    )


def _score() -> str:
    return (
        "**Points.** Ace 1; 2 to 9 as printed; 10, jack and queen 10; king 0. Two cards of the same rank cancel each "
        "other, wherever they lie in your square: both count 0. Of three of one rank, one counts. Four of one rank, "
        "or two pairs, count 0. A jack and a queen are not a pair."
    )


def _example() -> str:
    square = [CARD[text] for text in EXAMPLE]
    queen, three, other, four = (SIGN[card] for card in square)
    return (
        f"**Example.** Alice has {other} and {four} in her bottom row, and {queen} lies on the pile. She takes it "
        f"for her top left. The card that lay there is {SIGN[CARD[BLIND]]}; it goes on the pile. Later she turns over "
        f"{other}, then {four}, then her top right, which is {three}. Her square is {signs(square)} (top row first): "
        "the queens cancel each other, 3 + 4 = 7 points."
    )


def _end(options: PalmerOptions) -> str:
    return (
        f"**Match.** The points of all deals add up. After each deal, players with {options.limit} points or more are "
        "out. The last player left wins. If all remaining players go out in the same deal, the lowest total wins; "
        "equal totals share the win. The later you go out, the higher you are placed; in the same deal, fewer points "
        "are placed higher. After 100 deals the match ends, and players who are still in are placed by their totals."
    )


def reference(options: PalmerOptions) -> str:
    """Return the reference card: what cards count and what you can do on a turn."""
    return (
        f"**Palmer to {options.limit}: what the cards count**\n"
        "Ace 1 · 2 to 9 as printed · 10, jack, queen 10 · king 0\n"
        "Two of one rank: 0 · three: one counts · four, or two pairs: 0\n"
        "**A turn:** take the pile's top card or draw one, and replace a face-down card with it; or turn one over. "
        "A drawn card must be placed.\n"
        "**Your cards:** you know the bottom row, not the top row. A card that lies face up stays.\n"
        f"**Out:** with {options.limit} points or more. The last player left wins."
    )
