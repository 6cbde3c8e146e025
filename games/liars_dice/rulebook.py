"""Rules, primer and reference card of Liar's Dice for given options, as Markdown for Discord."""

from typing import Final

from games.liars_dice.actions import bid
from games.liars_dice.options import LiarsDiceOptions
from games.liars_dice.words import bid as words_of
from games.liars_dice.words import cup

CREDIT: Final = "Liar's Dice is a traditional game, also known as Perudo or Dudo. Text: Palmhouse."

EXAMPLE: Final = ((1, 2, 5, 5, 6), (2, 3, 3, 4, 5), (1, 3, 4, 6, 6))
"""The cups of the example."""
EXAMPLE_BIDS: Final = (bid(3, 5), bid(4, 5), bid(4, 6))
"""The bids of the example, by seat. Then the first seat doubts."""


def rules(options: LiarsDiceOptions) -> str:
    """Return the rules under these options."""
    parts = [_match(), _bids(), _ones(options), _doubt(), _example()]
    parts += [_palifico()] * options.palifico + [_calza()] * options.calza
    parts += [_end()] + [_without_calza()] * (not options.calza)
    return "\n\n".join([*parts, CREDIT])


def _match() -> str:
    return (
        "**Liar's Dice**, for 2 to 6 players, with five dice each\n"
        "Be the last player with dice. In each round everybody rolls their dice under a cup and looks at their own "
        "only. Who opens the first round is drawn at random."
    )


def _bids() -> str:
    return (
        "**Bids.** The opener says how many dice of one face there are under all cups together: “three fives” means at "
        "least three. Then it is the turn of the player to the left: bid higher, or doubt. Bid **more dice** of any "
        "face, or **as many of a higher face**. No bid may be on more dice than are in play."
    )


def _ones(options: LiarsDiceOptions) -> str:
    return (
        "**Ones are wild:** they count as every face.\n"
        "- No round may open with a bid on ones.\n"
        "- To bid on ones, bid at least half as many as before, rounded up: after seven fives, four ones.\n"
        "- From ones back to a face, bid at least twice as many and one more: after four ones, nine of a face.\n"
        "- From ones to ones, bid more.\n"
        f"If no higher bid is left, you must doubt{' or call calza' * options.calza}."
    )


def _doubt() -> str:
    return (
        "**Doubt** the last bid, and all dice are shown. If there are at least as many as bid, the doubter loses a "
        "die, otherwise the bidder does. That player opens the next round; a player without dice is out, and the next "
        "one to the left who is still in opens."
    )


def _example() -> str:
    alice, ben, cleo = map(cup, EXAMPLE)
    first, second, third = map(words_of, EXAMPLE_BIDS)
    return (
        f"**Example.** Alice has {alice}, Ben {ben}, Cleo {cleo}. Alice bids {first}, Ben {second}, Cleo {third}. "
        "Alice doubts. There are three sixes and two ones, which makes five: the bid stands, and Alice loses a die."
    )


def _palifico() -> str:
    return (
        "**Palifico.** The first time you are down to one die, the round that you open is palifico, unless only two "
        "players are left. In it ones are a face like the others, the lowest: they are not wild, a round may open with "
        "them, and nothing is halved or doubled. Only players with a single die may change the face; everybody else "
        "bids more of the same. You have one palifico round in a match."
    )


def _calza() -> str:
    return (
        "**Calza.** As soon as there is a bid, anyone still in except the bidder may call it exact, even out of turn. "
        "The first call counts. All dice are shown: if there are exactly as many as bid, the caller wins back a die, "
        "up to five; otherwise the caller loses one. The caller opens the next round, or, if out, the next player to "
        "the left who is still in."
    )


def _end() -> str:
    return (
        "**Match.** The last player with dice wins. The later you go out, the higher you are placed. After 200 rounds "
        "the match ends, and players who are still in are placed by their dice; equal numbers share a place."
    )


def _without_calza() -> str:
    return (
        "**Calza is an option,** not chosen here. With `calza`, anyone still in except the bidder may call the last "
        "bid exact, even out of turn: if right, the caller wins back a die, otherwise loses one."
    )


def primer(options: LiarsDiceOptions) -> str:
    """Return the game in five lines."""
    lines = [
        "Everybody rolls five dice under a cup. Only you see yours.",
        "**Bid** how many dice of one face there are under all cups together. **Ones are wild:** they count as "
        "every face.",
        "**Your turn:** bid more dice, or as many of a higher face; or **doubt** the bid before you.",
        "After a doubt all dice are shown. Whoever was wrong loses a die and opens the next round.",
        "Without dice you are out. The last player with dice wins.",
    ]
    if options.calza:
        lines[3] += " **Calza**, at any time: the bid is exact; win back a die, or lose one."
    return "\n".join(lines)


def reference(options: LiarsDiceOptions) -> str:
    """Return the reference card: which bid is higher, and who loses a die."""
    lines = [
        "**Liar's Dice: what is higher**",
        "More dice of any face, or as many of a higher face",
        "To ones: at least half, rounded up · from ones: at least twice as many and one more",
        "Ones are wild; no opening with ones",
        "**Doubt:** fewer than bid: the bidder loses a die; otherwise the doubter does. The loser opens.",
    ]
    if options.calza:
        lines.append(
            "**Calza:** exactly as many: win back a die (five at most); otherwise lose one. The caller opens."
        )
    if options.palifico:
        lines.append(
            "**Palifico** (your first round with one die, three or more players): ones are not wild but the lowest "
            "face; only players with one die change the face."
        )
    return "\n".join(
        [*lines, "**How many to expect:** a third of all dice match a face, a sixth match ones."]
    )
