"""A replay as one page for a browser: it needs nothing from elsewhere, and without its script it is a list to read.

The script gets the steps as data and builds the page from texts, so no name can become markup. The drawings of cards
are most of the data; they are compressed.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from bot.match.replay import PointOfView, Replay, Step
from bot.messages.game_ui import GameUI
from bot.pictures.artwork import Artwork
from bot.pictures.scene import DrawnCard, LaidCards, Pile, SeatedPlayer, TableScene
from cogs.replay.access import Opened
from cogs.replay.message import jumps, open_hands
from cogs.replay.words import heading, plain, players, shown_words, step_lines
from games.phrases import singular

POLICY: Final = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '{}'; "
    "base-uri 'none'; form-action 'none'"
)
"""Forbids everything from elsewhere, and every script but the page's own, which is named by its hash."""
NO_DRAWING: Final = -1


def page(opened: Opened, ui: GameUI, seats: PointOfView) -> str:
    """Return the page of a match from a point of view, as HTML."""
    replay = opened.replay
    assert replay is not None
    style, script = _asset("page.css"), _asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    title = escape(heading(opened))
    return _PAGE.format(
        policy=POLICY.format(f"sha256-{digest}"),
        title=title,
        style=style,
        about="<br>".join(map(escape, filter(None, [players(replay), shown_words(replay, seats)]))),
        steps="\n".join(map(_item, step_lines(replay, seats))),
        data=_compressed(_data(replay, ui, seats)),
        script=script,
    )


_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1><p class="faint about">{about}</p></header>
<main>
<section id="player" aria-label="Replay" hidden>
<div id="said" role="status" aria-live="polite"></div>
<div id="table" role="group" aria-labelledby="title">
<h2 id="title"></h2>
<div id="seats" class="seats"></div>
<div id="piles" class="piles"></div>
<p id="note"></p>
<p id="text"></p>
</div>
<nav aria-label="Steps">
<button id="first">First</button>
<button id="back">Back</button>
<button id="next">Next</button>
<button id="last">Last</button>
<select id="jump" aria-label="Jump to"></select>
<span id="count"></span>
<span class="faint keys">Keys: ← → Home End</span>
</nav>
</section>
<p id="old" class="faint" hidden>This browser cannot show the pictures. Everything that happened is below.</p>
<h2>Everything that happened</h2>
<ol id="log">
{steps}
</ol>
</main>
<script type="application/octet-stream" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


@cache
def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _item(lines: Sequence[str]) -> str:
    return f"<li>{''.join(f'<p>{escape(line)}</p>' for line in lines)}</li>"


def _compressed(data: object) -> str:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    # Without the time, equal data gives equal bytes.
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _data(replay: Replay, ui: GameUI, seats: PointOfView) -> dict[str, Any]:
    """Return everything that the script shows. Steps name cards by their numbers, and cards their drawings."""
    steps, cards = replay.steps(seats), _Cards()
    return {
        "steps": [_step(replay, step, ui, seats, cards) for step in steps],
        "jumps": jumps(replay, steps, seats),
        "cards": cards.rows,
        "drawings": [*cards.drawings],
    }


class _Cards:
    """The cards of a page, each once, with the drawings that they need."""

    def __init__(self) -> None:
        self.drawings: dict[str, int] = {}
        self._numbers: dict[DrawnCard, int] = {}

    @property
    def rows(self) -> list[tuple[int, str, int, str, bool]]:
        """Drawing, name, drawing of the card beneath, badge, and whether the card is faded, by number of the card."""
        return [
            (self._drawing(card.art), card.alt, self._drawing(card.under), card.badge, card.faded)
            for card in self._numbers
        ]

    def numbers(self, cards: Sequence[DrawnCard]) -> list[int]:
        return [self._numbers.setdefault(card, len(self._numbers)) for card in cards]

    def _drawing(self, art: Artwork | None) -> int:
        return self.drawings.setdefault(art.svg, len(self.drawings)) if art else NO_DRAWING


def _step(replay: Replay, step: Step, ui: GameUI, seats: PointOfView, cards: _Cards) -> dict[str, Any]:
    view = replay.game.view(step.state, None)
    scene = ui.looks.table(view, step.names)
    hands = dict(open_hands(replay, step, ui, seats))
    if scene is None:
        text = plain(replay.game.words.describe(view, step.names))
        return {"title": "", "note": "", "text": text, "seats": [], "piles": []}
    return {
        "title": scene.title,
        "note": scene.note,
        "text": "",
        "seats": [_seat(scene, seat, hands.get(number), cards) for number, seat in enumerate(scene.seats)],
        "piles": [_pile(pile, cards) for pile in scene.piles],
    }


def _seat(scene: TableScene, seat: SeatedPlayer, hand: LaidCards | None, cards: _Cards) -> dict[str, Any]:
    unit = singular(scene.unit) if seat.score == "1" else scene.unit
    state = ["to act" * seat.turn, f"{seat.score} {unit}" * bool(seat.score)]
    return {
        "name": seat.name,
        "about": " · ".join(filter(None, [*state, seat.detail])),
        "state": "turn" * seat.turn or "won" * seat.won or "out" * seat.out,
        "rows": [cards.numbers(row) for row in seat.rows],
        "hand": None if hand is None else cards.numbers(hand.cards),
        "detail": "" if hand is None else hand.detail,
    }


def _pile(pile: Pile, cards: _Cards) -> tuple[list[int], str]:
    return cards.numbers(pile.cards), pile.caption
