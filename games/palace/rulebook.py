"""The rules of Palace under a table's options, and its reference card, as Markdown for Discord."""

from typing import Final

from games.palace.cards import FITTING, ORDINARY, RANKS, WILDS, ranks
from games.palace.options import PalaceOptions

CREDIT: Final = "Palace, house rules noted down by Joshua Palmatier, 2010"

EXAMPLE: Final = (
    ("Alice", "play 9"),
    ("Ben", "play 7"),
    ("Cleo", "play 5 5"),
    ("Alice", "play A"),
    ("Alice", "play 8"),
    ("Cleo", "play J J J J"),
    ("Cleo", "play 3"),
)
"""Three players, a pile of one 6: each play in order."""


def rules(options: PalaceOptions) -> str:
    """The rules under these options."""
    parts = [_deal(), _play(options), _specials(options), _example(), _zones(), _end(options)]
    return "\n\n".join([*parts, f"The game is not ours, the wording is: {CREDIT}"])


def _deal() -> str:
    return (
        "**Palace**, for 2 to 8 players, best with 3 to 6\n"
        "Get rid of your hand, then of your face-up cards, and last of three cards nobody has looked at.\n"
        "**Cards.** Two packs, no jokers; suits count for nothing. Ordinary ranks, low to high: "
        f"{ranks(ORDINARY)}. Wilds: {ranks(WILDS)}.\n"
        "**Deal.** You get three cards face down, unseen by you too, and six to your hand. Choose in secret three "
        "of the six to lie face up (wilds and high cards serve best there). You may change your choice until the "
        "last one is in; then all are shown together. A card is turned up to start the pile: it binds as if played, "
        "but an 8 or a Q does nothing, and a 10 leaves the game and the next is turned. The player left of the "
        "dealer begins, and play goes to the left."
    )


def _play(options: PalaceOptions) -> str:
    equal = " or equal to (on a 9 only lower)" * options.allow_equal
    must = "You must play if you can. If nothing of yours fits, you take the whole pile into your hand"
    if options.voluntary_pickup:
        must = (
            "If nothing of yours fits, or if you like (not with face-down cards), you take the whole pile, when "
            "there is one, into your hand"
        )
    return (
        f"**Play.** One to four cards of one rank, higher than{equal} the top of the pile, or wild ones. On an "
        "empty pile anything goes. Then draw until you hold three cards, while the stock lasts; with three or more you "
        f"draw nothing. {must}, and the next player starts a new pile with any card."
    )


def _specials(options: PalaceOptions) -> str:
    across = ""
    if options.four_across_turns:
        across = (
            " The same happens after a play that makes four or more of one rank on top of the pile, whoever laid them "
            "(7s count as 7s)."
        )
    return (
        "**A**, wild: play again (once, however many aces); anything goes on it. **2**, wild: anything goes on it. "
        "**7**, wild: glass; the card below it still binds (when there is none, anything goes). **10**, wild: the "
        "pile leaves the game; play again.\n"
        "**8**: each one skips a player, you too when the count comes round to you. **9**: what goes on it must be "
        "*lower* than 9, or wild. **Q**: each one turns the direction of play (nothing with two players left). "
        "**K**: only wilds go on it"
        f"{', or another K' * options.allow_equal}.\n"
        "**Four of a kind** in one play, which must fit like a single card: the pile leaves the game, and you play "
        f"again; such 8s skip nobody, such queens turn nothing.{across}"
    )


def _example() -> str:
    return (
        "**Example.** The pile is a 6, Alice is to play, then Ben and Cleo. Alice plays 9. Ben plays 7, glass: the "
        "9 binds Cleo, who must play lower and plays 5 5. Alice plays A, and again: 8 goes on an ace. It skips Ben. "
        "Cleo plays J J J J: four of a kind, higher than 8. The pile leaves the game, and Cleo starts a new one "
        "with 3."
    )


def _zones() -> str:
    return (
        "**Zones.** When hand and stock are used up you play from your three face-up cards. When those are gone you "
        "turn up your face-down cards, one a turn, choosing a place without looking. A card that fits is played with "
        "all it does. One that does not goes to your hand together with the pile, and the next player starts a new "
        "one. Whenever you have taken up cards, you play down your hand before you go on."
    )


def _end(options: PalaceOptions) -> str:
    end = (
        "The first player without a card wins at once, whatever the last card was. The others are placed by the cards "
        "they have left in all zones, fewer first."
    )
    if options.play_for_places:
        end = (
            "Whoever has no card left is out and owes no further play; places go in this order, and play goes on until "
            "one player is left."
        )
    return (
        f"**End.** {end}\n**Latest end.** After 100 plays in a row (taking the pile is one) in which no card was "
        "drawn, left the game or came from the table (face up or face down), or after 4,000 plays in all, those still "
        "in are placed by the cards they have left."
    )


def reference(options: PalaceOptions) -> str:
    """What goes on what, and what the special cards do."""
    wild = f"wild ({ranks(WILDS)})"
    lines = [f"On {RANKS[top]}: {_on(top, options)}" for top in ORDINARY]
    return "\n".join(
        [
            "**What goes on what**",
            *lines,
            f"Always: a {wild}. On A, 2 and an empty pile: anything. Through 7s the card below binds.",
            "A: again. 10 or four of a kind: the pile leaves the game, again. 8: skips. Q: turns. 9: lower next.",
            *["Four of a rank on top count, whoever laid them."] * options.four_across_turns,
        ]
    )


def _on(top: int, options: PalaceOptions) -> str:
    return (
        ranks(kind for kind in FITTING[options.allow_equal][top] if kind in ORDINARY) or "nothing but a wild"
    )
