"""Rules, primer and reference card of Palace for given options, as Markdown for Discord."""

from typing import Final

from games.palace.cards import FITTING, ORDINARY, RANKS, WILDS, ranks
from games.palace.options import PalaceOptions

CREDIT: Final = "Palace: house rules noted down by Joshua Palmatier (2010). Text: Palmhouse."

EXAMPLE: Final = (
    ("Alice", "play 9"),
    ("Ben", "play 7"),
    ("Cleo", "play 5 5"),
    ("Alice", "play A"),
    ("Alice", "play 8"),
    ("Cleo", "play J J J J"),
    ("Cleo", "play 3"),
)
"""Plays of the example, in order. Three players; the pile is one 6."""


def rules(options: PalaceOptions) -> str:
    """Return the rules under these options."""
    parts = [_deal(options), _play(options), _specials(options), _example(), _zones(), _end(options)]
    return "\n\n".join([*parts, CREDIT])


def primer(options: PalaceOptions) -> str:
    """Return the game in five lines: the goal, a turn and the special cards."""
    wins = "takes first place, and the others play on" if options.play_for_places else "wins"
    return "\n".join(
        [
            "**Goal:** play all of your hand, then your three face-up cards, then three cards that nobody has seen. "
            f"The first player without a card {wins}.",
            f"**Turn:** play one to four cards of one rank, higher than {'or equal to ' * options.allow_equal}the top "
            "of the pile, then refill your hand to three. If nothing fits, take the whole pile.",
            "**Wilds always fit:** **A** play again · **2** then anything · **7** glass: the card below counts · "
            "**10** clears the pile, play again",
            "**8** skips a player · **9** the next card must be lower · **Q** turns the direction · **K** is highest",
            "**Four of a kind** clear the pile: play again.",
        ]
    )


def _deal(options: PalaceOptions) -> str:
    for_whom, cards = "2 to 8 players, best with 3 to 6", "Two packs"
    if options.packs == 1:
        for_whom, cards = "2 to 4 players with one pack", "One pack"
    return (
        f"**Palace**, for {for_whom}\n"
        "Play all of your hand, then your three face-up cards, and last three cards that nobody has seen.\n"
        f"**Cards.** {cards} without jokers. Suits do not matter. Ordinary ranks, low to high: "
        f"{ranks(ORDINARY)}. Wilds: {ranks(WILDS)}.\n"
        "**Deal.** You get three cards face down, which you do not look at, and six in your hand. Choose in secret "
        "three of the six to lie face up; wilds and high cards are most useful there. You may change your choice "
        "until everybody has chosen; then all choices are shown together. One card is turned up to start the pile. It "
        "counts as if played, but an 8 or a Q does nothing; a 10 leaves the game, and another card is turned up. The "
        "player to the dealer's left begins, and play goes clockwise."
    )


def _play(options: PalaceOptions) -> str:
    equal = " or equal to (on a 9 only lower)" * options.allow_equal
    must = "You must play if you can. If none of your cards fits, you take the whole pile into your hand"
    if options.voluntary_pickup:
        must = (
            "If none of your cards fits, or if you like (but not with face-down cards), you take the whole pile, "
            "if there is one, into your hand"
        )
    return (
        f"**Play.** Play one to four cards of one rank: higher than{equal} the top of the pile, or wild. Any card "
        "starts a new pile. Then draw until you hold three cards, while there is a stock; with three or more you "
        f"draw nothing. {must}, and the next player starts a new pile with any card."
    )


def _specials(options: PalaceOptions) -> str:
    across = ""
    if options.four_across_turns:
        across = (
            " The same happens when a play makes the top four cards of the pile one rank, whoever played them "
            "(7s count as 7s)."
        )
    return (
        "**A**, wild: play again (once, however many aces you play); any card goes on it. **2**, wild: any card goes "
        "on it. **7**, wild: glass; the card below still counts (if there is none, any card fits). **10**, wild: it "
        "clears the pile, which leaves the game; play again.\n"
        "**8**: each 8 skips one player, also you if the count comes round to you. **9**: the next card must be "
        "*lower* than 9, or wild. **Q**: each Q turns the direction of play (not with two players left). "
        "**K**: only wilds go on it"
        f"{', or another K' * options.allow_equal}.\n"
        "**Four of a kind** in one play, which must fit like a single card: they clear the pile, which leaves the "
        f"game, and you play again. Four 8s skip nobody, and four Qs do not turn the direction.{across}"
    )


def _example() -> str:
    return (
        "**Example.** A 6 lies on the pile; Alice plays first, then Ben, then Cleo. Alice plays 9. Ben plays 7, "
        "which is glass: the 9 still counts, so Cleo must play lower and plays 5 5. Alice plays A and plays again: "
        "8, because any card goes on an ace. The 8 skips Ben. Cleo plays J J J J, higher than 8 and four of a kind: "
        "the pile leaves the game, and Cleo starts a new one with 3."
    )


def _zones() -> str:
    return (
        "**Order.** When your hand and the stock are used up, you play your three face-up cards. When those are gone, "
        "you turn up your face-down cards, one each turn, without looking first. If the card fits, it is played and "
        "has its effect. If not, it goes to your hand together with the pile, and the next player starts a new pile. "
        "After you have taken cards, you must play your whole hand before you play from the table again."
    )


def _end(options: PalaceOptions) -> str:
    end = (
        "The first player without a card wins at once, whatever the last card was. The others are placed by the "
        "number of all cards they have left: fewer is better."
    )
    if options.play_for_places:
        end = (
            "A player without a card goes out and takes the best place left, even if the last card says to play again. "
            "Play goes on until one player is left."
        )
    return (
        f"**End.** {end}\n**Latest end.** The match also ends after 100 plays in a row (taking the pile counts as a "
        "play) in which no card was drawn, left the game or was played from the table (face up or face down), and "
        "after 4,000 plays in all. Players who are still in are then placed by cards left."
    )


def reference(options: PalaceOptions) -> str:
    """Return the reference card: what goes on what, and what the special cards do."""
    wild = f"wild ({ranks(WILDS)})"
    lines = [f"On {RANKS[top]}: {_on(top, options)}" for top in ORDINARY]
    return "\n".join(
        [
            "**What goes on what**",
            *lines,
            f"Always: a {wild}. On A, 2 and an empty pile: any card. Under 7s the card below counts.",
            "A: play again. 10 or four of a kind: clears the pile, play again. 8: skips the next player. "
            "Q: turns the direction. 9: the next card must be lower.",
            *["Four of one rank on top of the pile count, whoever played them."] * options.four_across_turns,
        ]
    )


def _on(top: int, options: PalaceOptions) -> str:
    return (
        ranks(kind for kind in FITTING[options.allow_equal][top] if kind in ORDINARY) or "nothing but a wild"
    )
