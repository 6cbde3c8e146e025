"""Rules, primer and reference card of Twin Palms for given options, as Markdown for Discord."""

from typing import Final

from games.phrases import counted
from games.twin_palms.cards import DECKS, RANKING, SUIT_NAMES, SUITS, parse
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.words import SYMBOLS, label

CREDIT: Final = "Twin Palms is by Kristi B. (Bink Ink, 2022). Text: Palmhouse."

GOAL: Final = "Say how many tricks you will win, then win exactly that many."

EXAMPLE: Final = ("play D2 D9", "play P6 D*=6", "play P*=6 D6")
"""Trick of three players: the second and the third set cancel, so the leader takes it."""
EASY_EXAMPLE: Final = (("play P4 P9", "play P4 P*=9"), ("play P2 P7", "play P1 P*=1"))
"""Two tricks of two players: nobody takes the first, so the same player leads again; the other takes the second."""


def rules(options: TwinPalmsOptions) -> str:
    """Return the rules under these options."""
    example = _easy_example() if options.mode == "easy" else _example()
    parts = [_match(options), _bid(options), _tricks(options), example, _score(options)]
    return "\n\n".join([*parts, CREDIT])


def primer(options: TwinPalmsOptions) -> str:
    """Return the game in five lines."""
    lines = [
        f"🎯 {GOAL} A round has five tricks.",
        f"🃏 In each trick everyone plays two cards. A pair beats any two different numbers; {_stronger(options)}"
        "then the higher number wins.",
        "💥 Equal sets cancel each other, and the best one left takes the trick.",
        "⭐ A wild counts as any number from 0 to 10: you say which.",
        _pay(options),
    ]
    return "\n".join(lines)


def _stronger(options: TwinPalmsOptions) -> str:
    if options.mode == "easy":
        return ""
    order = ", ".join(
        suits if suits == "mixed" else "".join(SYMBOLS[suit] for suit in suits)
        for suits in RANKING[options.mode]
    )
    return f"then the suits count, from strong to weak {order}; "


def _pay(options: TwinPalmsOptions) -> str:
    least, most = min(options.exact_points), max(options.exact_points)
    exact = counted(most, "sand dollar") if least == most else f"{least} to {most} sand dollars"
    bet = " A bet wins or loses its stake." * options.bets
    return f"🪙 An exact bid brings {exact}, a missed one 1 for each trick won.{bet} Most sand dollars win."


def players(options: TwinPalmsOptions) -> str:
    """Return the number of players: "2" or "2 to 4"."""
    most = options.seats()[-1]
    return "2" if most == 2 else f"2 to {most}"


def _match(options: TwinPalmsOptions) -> str:
    suits = SUITS[: len(DECKS[options.mode]) // 24]
    deck = ", ".join(f"{SYMBOLS[suit]} {SUIT_NAMES[suit]} ({suit})" for suit in suits)
    usual = ", ".join(f"{options.planned(seats)} with {seats}" for seats in options.seats()) + " players"
    return (
        f"**Twin Palms, {options.mode} mode**, for {players(options)} players\n"
        f"{GOAL}\n"
        f"**Cards.** {deck}: {'each suit has ' * (len(suits) > 1)}0 to 10 twice and two wilds.\n"
        f"**Match.** Rounds: {options.rounds or usual}. You begin with 2 sand dollars, and most sand dollars at the "
        "end win. While first place is tied, further rounds are played, at most 20; after those it is shared.\n"
        "**Round.** All cards are shuffled. You get 10, bid, play five tricks and score. In round 1, a player drawn "
        "at random leads the first trick; in each later round, the next player to the left does."
    )


def _bid(options: TwinPalmsOptions) -> str:
    bid = (
        "**Bid.** Everyone bids in secret: 0 to 5 tricks. You may change your bid until everyone has bid; "
        "then all bids are shown together."
    )
    if not options.bets:
        return f"{bid} This table plays without bets."
    halves = ", ".join(str(options.stakes(number, held=number)[1]) for number in (1, 2, 3))
    return (
        f"{bid}\n**Bet.** With your bid you may make a half bet or a max bet. A max bet is as many sand dollars as the "
        f"number of the round; a half bet is half of that, rounded {options.half_bet_rounding} ({halves} in the rounds "
        "1, 2, 3). "
        "If you have fewer, it is all you have."
    )


def _tricks(options: TwinPalmsOptions) -> str:
    return (
        "**Tricks.** The leader, then everyone in turn to the left, plays a set: any two cards, face up. There is no "
        "trump, and you need not follow suit. When you play a wild, you state its number, 0 to 10. It keeps its suit "
        "and counts exactly as that card.\n"
        f"A pair (two equal numbers) beats two different numbers. {_suit_order(options)}"
        "Then the higher number decides, then the other number.\n"
        "Sets that are equal in all of this cancel each other. The best set left takes the trick, and its player "
        "leads the next one. If none is left, nobody takes the trick and the same player leads again."
        + _mixed_tie(options)
    )


def _suit_order(options: TwinPalmsOptions) -> str:
    return (
        "" if options.mode == "easy" else f"Then the suits decide, from strong to weak: {_order(options)}. "
    )


def _order(options: TwinPalmsOptions) -> str:
    return ", ".join(_suits(suits) for suits in RANKING[options.mode])


def _suits(suits: str) -> str:
    """Return "both Palms", "Palms + Dolphins" or "mixed"."""
    if suits == "mixed":
        return suits
    one, other = (SUIT_NAMES[suit] for suit in suits)
    return f"both {one}" if one == other else f"{one} + {other}"


def _mixed_tie(options: TwinPalmsOptions) -> str:
    if options.mode == "easy":
        return ""
    which = "the two suits of a mixed set count, but not which number belongs to which suit"
    if options.mode != "extreme":
        which = "the suits of a mixed set do not count"
    return f"\nIn this mode {which}: {label(parse('play P8 D9'))} and {label(parse('play P9 D8'))} are equal."


def _example() -> str:
    alice, ben, cleo = (label(parse(play)) for play in EXAMPLE)
    return (
        f"**Example.** Alice leads {alice}. Ben plays {ben}, a pair, and would take the trick. Cleo plays "
        f"{cleo}, the same pair: Ben and Cleo cancel each other, and Alice takes the trick."
    )


def _easy_example() -> str:
    (alice, ben), (again, pair) = ((label(parse(play)) for play in trick) for trick in EASY_EXAMPLE)
    return (
        f"**Example.** Alice leads {alice}, Ben plays {ben}: these equal sets cancel each other. Nobody "
        f"takes the trick, so Alice leads again, {again}. Ben plays {pair}, a pair, and takes the trick."
    )


def _score(options: TwinPalmsOptions) -> str:
    exact = options.exact_points[2]
    stake = options.stakes(3, held=2)[2]
    example = f"Example: Ben bids 2. Winning 2 tricks brings {exact}, winning 3 brings 3."
    if options.bets:
        example = (
            f"Example: in round 3 Ben holds 2 sand dollars, bids 2 with a max bet, so {stake} are at stake. "
            f"Winning 2 tricks brings {exact} + {stake} = {exact + stake}; "
            f"winning 3 brings 3 − {stake} = {3 - stake}."
        )
    bets = (
        " If you bet, you also win your stake with an exact bid and lose it with a missed one." * options.bets
    )
    ours = ""
    if options.exact_points == TwinPalmsOptions().exact_points:
        ours = "The printed rules name only the points for bids of 0 and 2; the others are ours. "
    return (
        f"**Score**, in sand dollars. Exactly as many tricks as you bid: {_exact(options)}. "
        f"Missed: 1 for each trick won; a missed bid of 0 brings nothing.{bets}\n{example}\n"
        f"{ours}A table can set its own points for exact bids (`exact_points`)."
    )


def _exact(options: TwinPalmsOptions) -> str:
    return ", ".join(f"{points} for a bid of {bid}" for bid, points in enumerate(options.exact_points))


def reference(options: TwinPalmsOptions) -> str:
    """Return the ranking of the mode, strongest first, and the points for bids."""
    kinds = [_suits(suits) for suits in RANKING[options.mode]]
    ranks = [f"Pair, {suits}" for suits in kinds] + [f"No pair, {suits}" for suits in kinds]
    lines = [f"{rank}. {name}" for rank, name in enumerate(ranks, 1)]
    mixed = ["Mixed: any two different suits."] if "mixed" in kinds else []
    return "\n".join(
        [
            f"**What beats what, {options.mode} mode**",
            *lines,
            *mixed,
            "Within a line: the higher number, then the other number.",
            "Same line and same numbers: the sets cancel, and the best one left takes the trick.",
            f"**Exact bid:** {_exact(options)}. **Missed:** 1 for each trick won; a missed bid of 0 brings nothing.",
        ]
    )
