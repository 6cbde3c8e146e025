"""The rules of Charms under a table's options, and its reference card, as Markdown for Discord."""

from typing import Final

from games.charms.cards import SIGNS, SUITS, parse
from games.charms.options import CharmsOptions
from games.charms.words import label, suit_name
from games.phrases import counted

CREDIT: Final = "Charms is by Taiki Shinzawa (Lewmill Industries). Text: Palmhouse."
GOAL: Final = "Say how many tricks you will win, then win exactly that many."

EXAMPLE: Final = ("play C 3", "play K 6", "play L 6")
"""What Alice, Ben and Cleo show before a trick that Alice leads. The coin is trump."""
EXAMPLE_PLAYS: Final = ("play K", "play C", "play 3")
"""What they play: Ben shows the key and has neither another one nor a number, Cleo has no key."""


def rules(options: CharmsOptions) -> str:
    """The rules under these options."""
    return "\n\n".join(
        [
            _match(options),
            _deal(),
            _bid(options),
            _first_trick(),
            _tricks(),
            _winner(),
            _example(),
            _score(options),
            CREDIT,
        ]
    )


def primer(options: CharmsOptions) -> str:
    """The game in five lines."""
    return (
        f"🎯 {GOAL} A hand has twelve tricks.\n"
        "🃏 Before you lie a suit and a number. Each trick you cover one of them with a new card; the other counts "
        "again.\n"
        "👣 The leader's suit is led. Show it if you can: keep it when you show it already, else play it.\n"
        "👑 The highest number with the trump wins, without any trump the highest with the led suit. Of equals the "
        "later one wins.\n"
        "📉 Points are bad: 1 off your bid costs 1, 2 off costs 3, more costs 5. Fewest after "
        f"{counted(options.hands, 'hand')} win."
    )


def _match(options: CharmsOptions) -> str:
    suits = ", ".join(map(suit_name, SUITS))
    return (
        f"**Charms**, for 3 or 4 players, {counted(options.hands, 'hand')}\n"
        f"{GOAL}\n"
        f"**Cards.** 64, each with a suit or a number, never both: {suits}, eight of each; 1 to 8, four of each."
    )


def _deal() -> str:
    return (
        "**Deal.** Chance names the first dealer; then the deal moves left. Everyone gets 13 cards. From the dealer's "
        "left, whoever has fewer than three suit cards or fewer than three number cards shows the hand; it is shuffled "
        "into the rest and dealt anew, until it is good. Then cards are turned until a suit shows: that is trump. "
        "All that was turned is out of play. When no good hand is possible, or no suit card is left to turn, the "
        "deal is void, and the same dealer deals again."
    )


def _bid(options: CharmsOptions) -> str:
    how = (
        "in secret. A choice may be changed until the last one is in; then all are shown together."
        if options.bidding == "hidden"
        else "in turn and in public, from the dealer's left. What is bid stays."
    )
    return f"**Bid.** Everyone bids 0 to 12 tricks, {how} The bids may come to any sum."


def _first_trick() -> str:
    return (
        "**First trick.** The dealer's left leads. In turn to the left, each plays one suit card and one number card "
        "side by side; that is what you show. The leader's suit is led: whoever holds a card of it must play one, "
        "others play any suit. The number is free."
    )


def _tricks() -> str:
    return (
        "**Tricks 2 to 12.** The cards stay. The last winner leads, and in turn each plays one card: a suit over their "
        "own suit, or a number over their own number. The other card stays and counts again. The leader plays any "
        "card, and the suit the leader then shows is led. A follower who before playing\n"
        "- shows the led suit must keep showing it: a number, or a card of the led suit; with neither, any card;\n"
        "- does not show it but holds it must play a card of it;\n"
        "- neither shows nor holds it plays any card."
    )


def _winner() -> str:
    return (
        "**Who wins a trick.** If anyone shows trump, the highest number with it; otherwise the highest number with "
        "the led suit. Cards from earlier tricks count like new ones. Of equals, the player later in this "
        "trick's turn order wins. The winner leads the next trick."
    )


def _example() -> str:
    coin, key = SIGNS[0], SIGNS[1]
    alice, ben, cleo = (label(parse(play)) for play in EXAMPLE)
    return (
        f"**Example.** {coin} is trump. Alice shows {alice}, Ben {ben}, Cleo {cleo}. Alice leads {key} over her "
        f"{coin}: she shows {key} 3, so {key} is led. Ben shows {key} already and would have to keep it, but he has "
        f"neither a number nor another {key}. So he may play any card; with {coin} he shows {coin} 6. Cleo neither "
        f"shows nor holds {key} and plays a 3. Ben alone shows trump and takes the trick."
    )


def _score(options: CharmsOptions) -> str:
    return (
        "**Points** are bad: 0 for exactly your bid, 1 for one trick more or fewer, 3 for two, 5 for three or more.\n"
        f"**Match.** After {counted(options.hands, 'hand')} the fewest points win; of equals, whoever made more bids "
        "exactly. If those are equal too, the place is shared."
    )


def reference(options: CharmsOptions) -> str:  # noqa: ARG001
    """What beats what, what must be followed, and what a miss costs."""
    return (
        "**Charms: what beats what**\n"
        "1. The trump with a higher number\n2. The trump with a lower number\n"
        "3. The led suit with a higher number\n4. The led suit with a lower number\n"
        "Other suits cannot win. Equal: the later in turn wins.\n"
        "**Following** (what you show before you play counts):\n"
        "- You show the led suit: a number, or the led suit again; with neither, anything.\n"
        "- You do not show it but hold it: play it.\n- Neither: anything.\n"
        "**Off your bid by** 0 / 1 / 2 / 3 or more: 0 / 1 / 3 / 5 points. The fewest win.\n"
        f"**Suits:** {', '.join(map(suit_name, SUITS))}."
    )
