"""Rules, primer and reference card of Hand and Foot, as Markdown for Discord."""

from typing import Final

from games.hand_and_foot.options import HandAndFootOptions
from games.hand_and_foot.state import MINIMUM
from games.phrases import counted, listed

CREDIT: Final = (
    "Hand and Foot is a traditional game of the canasta family without one standard; these are the rules of the house. "
    "Text: Palmhouse."
)


def rules(options: HandAndFootOptions) -> str:
    """Return the rules under these options."""
    return "\n\n".join(
        [
            _match(options),
            _deal(),
            _turn(),
            _melds(),
            _first(options),
            _foot(),
            _out(),
            _score(),
            _example(),
            CREDIT,
        ]
    )


def _match(options: HandAndFootOptions) -> str:
    return (
        "**Hand and Foot**, for 2 to 6 players\n"
        "Four and six play in pairs that sit opposite, others alone. There is one pack more than players, each with "
        f"two jokers. The most points after {counted(options.deals, 'deal')} win; equal totals share the win."
    )


def _deal() -> str:
    return (
        "**Deal.** Everybody gets a **hand** of 11 cards and a **foot** of 11, which nobody sees until the hand is "
        "gone. The first dealer is drawn at random; then the deal moves left, and the dealer's left begins.\n"
        "A **red 3** (♥3 ♦3) is laid out as soon as it is in a hand, and replaced from the stock. A **black 3** "
        "(♠3 ♣3) can only be discarded; then the next player cannot take the pile."
    )


def _turn() -> str:
    return (
        "**Turn.** First draw two cards from the stock. Or take the top seven discards (fewer if there are fewer): you "
        "need two natural cards in your hand that match the top one, and these three are melded at once. So nobody can "
        "take the pile under a wild card, nor if your open meld of the rank has more than four cards. Then meld if you "
        "like, and discard one card."
    )


def _melds() -> str:
    return (
        "**Melds** have three to seven cards of one rank, 4 to ace; suits do not matter. Jokers and 2s are wild, and a "
        "meld always has fewer wild than natural cards. Your side has one open meld of a rank, and only your side may "
        "add to it. Seven cards make a **pile**: clean without wild cards, else dirty. It is closed, and you may start "
        "a new meld of its rank."
    )


def _first(options: HandAndFootOptions) -> str:
    return (
        f"**First meld.** The first cards that your side melds in a deal must be worth {minimums(options)} together. "
        "Groups are laid aside unseen until they are; you may only begin if your hand can "
        "reach the minimum, and then you must. To take the pile with them, lay groups aside before you draw: only the "
        "top discard counts, and the six below come into your hand afterwards."
    )


def _foot() -> str:
    return (
        "**Foot.** When your hand is gone, take up the foot: at once if you melded the last card, for your next turn "
        "if you discarded it."
    )


def _out() -> str:
    return (
        "**Going out** ends the deal: hand and foot are gone, with or without a last discard. Your side needs a clean "
        "and a dirty pile, which your last cards may complete. In pairs your partner must agree first: you may ask "
        "once a turn, only you see the answer, and a yes does not oblige you. If you may not go out, keep a card after "
        "your discard. If the stock cannot give a card that must be drawn, the deal ends at once, too, without the "
        "bonus."
    )


def _score() -> str:
    return (
        "**Points of a side:** clean pile 500, dirty pile 300, going out 100, each red 3 laid out 100; and all cards "
        "melded: joker 50; ace and 2: 20; 8 to king: 10; 4 to 7: 5. Cards left in hands and feet are subtracted: a "
        "black 3 is 5, a red 3 in a foot 100."
    )


def _example() -> str:
    return (
        "**Example.** In deal 2 Alice lays Q Q Q, 8 8 2 and A A Joker: 30 + 40 + 90 = 160 points, more than the 90 "
        "needed. Later her partner has made seven queens, a clean pile, and she seven 8s with the 2, a dirty one. With "
        "4 and ♠7 left of her foot she asks to go out. Her partner agrees, so she adds the 4 to their 4s and "
        "discards ♠7: 500 + 300 + 100 for the piles and going out."
    )


def minimums(options: HandAndFootOptions) -> str:
    """Return "50 points in deal 1, 90 in deal 2 and 120 in deal 3"."""
    first, *later = [f"{points} in deal {deal}" for deal, points in enumerate(MINIMUM[: options.deals], 1)]
    return listed([first.replace(" in", " points in"), *later])


def primer(options: HandAndFootOptions) -> str:
    """Return the game in five lines."""
    return (
        "**Your turn:** draw two cards, meld what you like, discard one. Play your hand, then your foot. Four or six "
        "play in pairs: partners sit opposite and share their melds.\n"
        "**Melds:** three or more of a rank, 4 to ace. 2s and jokers are wild, fewer than the others. Seven make a "
        "pile: clean 500, with wild cards 300. 3s are never melded: a red 3 is laid out at once, for 100 points.\n"
        f"**First meld:** your side needs {minimums(options)}, all at once.\n"
        "**Discard pile:** with two natural cards matching its top, you may take seven discards instead of drawing. A "
        "wild card or a black 3 on top blocks it.\n"
        "**Going out** needs a clean and a dirty pile, and your partner's yes. Cards left over cost points."
    )


def reference(options: HandAndFootOptions) -> str:
    """Return the reference card: what cards count, melds, and going out."""
    return (
        "**Hand and Foot: what counts**\n"
        "Joker 50 · ace, 2: 20 · 8 to king 10 · 4 to 7, black 3: 5\n"
        "Clean pile 500 · dirty pile 300 · red 3 (♥ ♦) 100 · going out 100 · cards left over are subtracted, red "
        "3s of an unopened foot 100 each\n"
        "**Turn:** draw two, or take seven discards with two natural cards that match the top one; meld; discard one.\n"
        "**Meld:** 3 to 7 of a rank, 4 to ace, fewer wild cards (2, joker) than natural ones. Seven: a pile.\n"
        f"**First meld:** {minimums(options)}.\n"
        "**3s:** a red 3 is laid out at once and replaced; a black 3 is only discarded.\n"
        "**Pile blocked:** under a wild card or a black 3 (♠ ♣).\n"
        "**Pairs:** with four or six players, partners sit opposite and share melds, piles and points.\n"
        "**Out:** hand and foot gone, a clean and a dirty pile, the partner agrees. Else keep a card."
    )
