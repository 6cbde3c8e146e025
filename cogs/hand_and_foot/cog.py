"""Hand and Foot in Discord: pictures of the table, and a hand with a form to meld and discard."""

from collections.abc import Iterator, Sequence

from bot.messages.game_ui import Form
from bot.messages.panel import Item
from bot.pictures.bands import CHIP
from bot.pictures.decks.french import EMOJIS
from bot.pictures.decks.hand_and_foot import usual_chips
from bot.pictures.rasterizer import Prepare, Rehearse
from cogs.common.game import GameCog
from cogs.hand_and_foot import form as forms
from cogs.hand_and_foot import picture
from games import GAMES
from games.hand_and_foot.state import partner
from games.hand_and_foot.view import View
from games.hand_and_foot.words import heading, status, total_words, unit

EXAMPLE_LINES = (
    "Alice has three queens, two 8s and a 2 (wild), two aces and a joker (wild).\n"
    "She lays all of them at once as her side's first meld: 30 + 40 + 90 = 160 points, and 90 were needed.\n"
    "With four more queens that meld becomes a clean pile; the other two can only become dirty ones."
)


class HandAndFoot(GameCog):
    """Picks of the form: see `cogs.hand_and_foot.chosen`."""

    game = GAMES["hand-and-foot"]
    drawings = EMOJIS
    rules_options = ("deals",)
    rules_description = "How it is played, and what melds and piles count"

    looks = picture
    example_text = EXAMPLE_LINES
    pick = staticmethod(forms.pick)

    def rehearsal(self) -> Iterator[Prepare | Rehearse]:
        """Yield requests to draw some positions, and for the chips of small melds, of which these have few."""
        yield from super().rehearsal()
        yield from (Prepare(chip.art, CHIP) for chip in usual_chips() if chip.art)

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Return the hand below the discard pile, and the form of the turn."""
        items = self.own_hand(view, names, form, _situation(view, names))
        return [*items, *(forms.form_of(view, names, form) if form.legal else ())]


def _situation(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return "The match is over."
    parts = [status(view, names), heading(view), _partner(view, names), _own_total(view)]
    return " · ".join(filter(None, parts))


def _own_total(view: View) -> str:
    """Return "1,200 points after deal 1", which also says what the numbers of the other sides are; "" in deal 1."""
    total = "" if view.seat is None else total_words(view, view.side(view.seat))
    return f"{total} {unit(view)}" if total else ""


def _partner(view: View, names: Sequence[str]) -> str:
    """Return "with Cleo" in pairs, else ""."""
    own = None if view.seat is None else partner(view.seat, view.seats)
    return "" if own is None else f"with {names[own]}"
