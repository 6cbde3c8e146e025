"""Rules, primer and reference card of Charms for given options, as Markdown for Discord."""

from typing import Final

from games.charms.cards import SIGNS, SUITS, parse
from games.charms.options import CharmsOptions
from games.charms.words import label, suit_name
from games.phrases import counted

CREDIT: Final = "Charms is by Taiki Shinzawa (Lewmill Industries). Text: Palmhouse."
GOAL: Final = "Say how many tricks you will win, then win exactly that many."

EXAMPLE: Final = ("play C 3", "play K 6", "play L 6")
"""Cards that Alice, Ben and Cleo show before a trick that Alice leads. Trump is the coin."""
EXAMPLE_PLAYS: Final = ("play K", "play C", "play 3")
"""Cards that they play. Ben shows the key and holds neither another key nor a number; Cleo has no key."""


def rules(options: CharmsOptions) -> str:
    """Return the rules under these options."""
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
    """Return the game in five lines."""
    return (
        f"🎯 {GOAL} A hand has twelve tricks.\n"
        "🃏 A suit and a number lie before you. In each trick you cover one of them with a new card; the other one "
        "counts again.\n"
        "👣 The suit that the leader shows is led. Show it if you can: keep it if you show it already, else play it.\n"
        "👑 The highest number with the trump wins; if nobody shows trump, the highest with the led suit. Of equals, "
        "the later one wins.\n"
        "📉 Points are bad: 1 off your bid costs 1, 2 off costs 3, more costs 5. Fewest points after "
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
        "**Deal.** The first dealer is drawn at random; then the deal moves left. Everyone gets 13 cards. In order "
        "from the dealer's left, each player with fewer than three suit cards or fewer than three number cards shows "
        "the hand; it is shuffled into the rest, and the player gets a new one, until it is good. Then cards are "
        "turned up until one is a suit card: its suit is trump. The cards turned up are out of play. If no good hand "
        "is possible, or no suit card is left to turn up, the deal is void and the same dealer deals again."
    )


def _bid(options: CharmsOptions) -> str:
    how = (
        "in secret. You may change your bid until everyone has bid; then all bids are shown together."
        if options.bidding == "hidden"
        else "openly and in turn, from the dealer's left. You cannot change your bid."
    )
    return f"**Bid.** Everyone bids 0 to 12 tricks, {how} The bids may add up to any number."


def _first_trick() -> str:
    return (
        "**First trick.** The player to the dealer's left leads. In turn to the left, each player plays one suit card "
        "and one number card side by side: this is what you show. The leader's suit is led. If you hold a card of it, "
        "you must play one; otherwise play any suit. You may play any number."
    )


def _tricks() -> str:
    return (
        "**Tricks 2 to 12.** The cards stay. The last winner leads, and in turn each player plays one card: a suit on "
        "top of their own suit, or a number on top of their own number. The other card stays and counts again. The "
        "leader plays any card, and the suit that the leader then shows is led. If you follow and\n"
        "- show the led suit, keep showing it: play a number or a card of the led suit; with neither, any card;\n"
        "- do not show it but hold it, you must play a card of it;\n"
        "- neither show nor hold it, play any card."
    )


def _winner() -> str:
    return (
        "**Who wins a trick.** If anyone shows trump, the highest number with trump wins; otherwise the highest number "
        "with the led suit. Cards from earlier tricks count like new ones. Of equals, the one who played later in this "
        "trick wins. The winner leads the next trick."
    )


def _example() -> str:
    coin, key = SIGNS[0], SIGNS[1]
    alice, ben, cleo = (label(parse(play)) for play in EXAMPLE)
    return (
        f"**Example.** {coin} is trump. Alice shows {alice}, Ben {ben}, Cleo {cleo}. Alice leads {key} over her "
        f"{coin}: she shows {key} 3, so {key} is led. Ben shows {key} and would have to keep showing it, but he holds "
        f"neither a number nor another {key}. So he may play any card: he plays {coin} and shows {coin} 6. Cleo "
        f"neither shows nor holds {key}; she plays a 3. Only Ben shows trump, so he takes the trick."
    )


def _score(options: CharmsOptions) -> str:
    return (
        "**Points** are bad: 0 for exactly your bid, 1 for one trick more or fewer, 3 for two, 5 for three or more.\n"
        f"**Match.** After {counted(options.hands, 'hand')} the fewest points win; of equals, the player with more "
        "exact bids. If those are equal too, the place is shared."
    )


def reference(_: CharmsOptions) -> str:
    """Return the reference card: what beats what, what you must play, and what a miss costs."""
    return (
        "**Charms: what beats what**\n"
        "1. The trump with a higher number\n2. The trump with a lower number\n"
        "3. The led suit with a higher number\n4. The led suit with a lower number\n"
        "Other suits cannot win. Of equals, the later one wins.\n"
        "**Following** (by what you show before you play):\n"
        "- You show the led suit: play a number or the led suit again; with neither, any card.\n"
        "- You do not show it but hold it: play it.\n- Neither: play any card.\n"
        "**Off your bid by** 0 / 1 / 2 / 3 or more: 0 / 1 / 3 / 5 points. Fewest points win.\n"
        f"**Suits:** {', '.join(map(suit_name, SUITS))}."
    )
