"""The rules of Twin It! under a table's options, and its reference card, as Markdown for Discord."""

from typing import Final

from games.phrases import counted
from games.twin_it.deck import CARDS, DESIGNS
from games.twin_it.options import TwinItOptions, lasting
from games.twin_it.result import GRADED_SECONDS, LEAST
from games.twin_it.spread import COUNTDOWN

CREDIT: Final = "Twin It! is by Nathalie Saunier, Rémi Saunier and Tom Vuarchex. Text and designs: Palmhouse."


def rules(options: TwinItOptions) -> str:
    """The rules under these options."""
    parts = _race(options) if options.against_time else _turns(options)
    return "\n\n".join([_head(options), *parts, CREDIT])


def _head(options: TwinItOptions) -> str:
    seats, singles = options.seats(), options.singles
    return (
        f"**Twin It!, {options.mode}**, for {seats[0]} to {seats[-1]} players\n"
        f"{CARDS} cards have a different design on each side. There are {DESIGNS} designs: {singles} on one face, "
        f"{87 - 2 * singles} on two, {singles + 32} on three. Find two faces just alike; many differ in one detail.\n"
        "Every face that shows has a number, which is never used again. A hand on a number that has gone is refused "
        "and costs nothing. The first hand is the first click that Discord received."
    )


def _turns(options: TwinItOptions) -> list[str]:
    parts = [_turn(), _hands(options), _set(options), _mistake(options)]
    if options.mode == "teams":
        parts.append(_teams())
    if options.mode == "forbidden" or (options.mode == "teams" and options.handicap):
        parts.append(_barred(options))
    return [*parts, _end(options)]


def _turn() -> str:
    return (
        "**Turn.** All cards are dealt into piles that everybody sees; the first player is drawn at random. On your "
        "turn, flip your top card onto the table: its other side shows there, and the next card shows on your pile. "
        "The turn goes clockwise and skips players without a pile."
    )


def _hands(options: TwinItOptions) -> str:
    whose = "you and a team mate lay one hand on each" if options.mode == "teams" else "lay a hand on each"
    second = "the team's" if options.mode == "teams" else "your"
    return (
        f"**Hands.** At any time, when you see two faces alike, {whose}: on the table, on piles or on top of won sets. "
        f"A hand lifts after {counted(options.hand_seconds, 'second')}, when you lift it, and when its card goes. "
        f"Several hands may lie on one face. What {second} second hand does:\n"
        "- On another design: a **mistake**.\n"
        f"- On a match where a rival's hand of the last {options.tie_ms} ms lies: a **tie**. The cards turn over in "
        "place, but a won pair stays. On one and the same face the earlier hand counts. Even a first hand ties with "
        "such a hand on the matching face.\n"
        "- Otherwise on a match: a **set**. Older hands of rivals do not matter."
    )


def _set(options: TwinItOptions) -> str:
    example = (
        "Face 12 lies on the table, 30 comes up on Ben's pile, and they match. Ben's hand is on 12 at once, Alice's on "
        f"30 follows {options.tie_ms} ms later: a tie. One ms more, and both wait for a second hand; the first to lay "
        f"it has the set, unless the other's hand there is of the last {options.tie_ms} ms: a tie again."
    )
    return (
        f"**Set.** You take it, and {_next(options)}. **Robbery:** lay one hand on a won pair, anybody's, and one on "
        "the third copy: all three are yours, and a set of three is safe. If three show and none is won, two make the "
        "set and the third turns over; a tie turns all three.\n"
        f"**Example.** {example}"
    )


def _mistake(options: TwinItOptions) -> str:
    return (
        "**Mistake.** The set you won or enlarged last goes back under your pile, your hands are off for "
        f"{counted(options.hand_seconds, 'second')}, and {_next(options)}."
    )


def _next(options: TwinItOptions) -> str:
    return "anybody may flip next" if options.mode == "teams" else "you flip next"


def _teams() -> str:
    return (
        "**Teams.** Two teams, seats alternate. Sets and hands are the team's, piles your own. The two hands of a set "
        "are from two members; a second hand on your own first one's match is a mistake. After a tie, too, anybody may "
        "flip, and the turn goes on from there."
    )


def _barred(options: TwinItOptions) -> str:
    if options.mode == "teams":
        who = "the bigger of two unequal teams"
    else:
        who = (
            "a player drawn at random"
            if options.barred is None
            else f"the player of seat {options.barred + 1}"
        )
    return (
        f"**Forbidden.** Three cards lie open from the start, and their designs never match for {who}: both hands on "
        "one are a mistake, and one hand makes no tie. Others may take the cards, which frees the design; a card "
        "turned over there forbids its new face."
    )


def _end(options: TwinItOptions) -> str:
    who = "team" if options.mode == "teams" else "player"
    return (
        f"**End.** The first {who} with {counted(options.sets_to_win, 'set')} wins. When all piles are used up, the "
        "match ends as soon as no two faces match, or 30 seconds after the last card was turned or taken; then most "
        "sets win. It ends the same way after 3,000 actions."
    )


def _race(options: TwinItOptions) -> list[str]:
    parts = [
        f"**Start.** When everybody has pressed `I am ready`, {COUNTDOWN // 1000} seconds later all cards lie open, a "
        f"random side up, for {lasting(options.seconds)}. Everybody plays at once, on pages of their own.",
        "**Cards.** Turn any card over, as often as you like.",
        _claims(options),
    ]
    if options.mode == "timed":
        parts.append("**End.** When the time is up, most points win; equal points share the place.")
    else:
        parts.append(f"**End.** When the time is up, your points together are graded.{_verdicts(options)}")
    return [*parts, "If the bot stops while the time runs, the race does not count and a new one is offered."]


def _claims(options: TwinItOptions) -> str:
    whose = "your own pair" if options.mode == "timed" else "a won pair"
    robbed = " Nobody is robbed." if options.mode == "timed" else ""
    return (
        "**Claims.** Name two or three faces alike. Two are a pair and 1 point, three are 2, at once or when you "
        f"add the third to {whose}: name it and the pair's face.{robbed} A card is in one set only; sets of three "
        "leave the spread. A wrong claim takes nothing, and your hands are off for "
        f"{counted(options.hand_seconds, 'second')}; you may still turn cards.\n"
        "**Example.** 12 and 87 match: 1 point, and the pair shows as 140. Then 95 turns up, the third copy: 95 and "
        "140 bring 1 more. Naming 12, 87 and 95 together would have brought 2 at once."
    )


def _verdicts(options: TwinItOptions) -> str:
    if options.seconds not in GRADED_SECONDS:
        return f" There are grades for races of {' and '.join(map(lasting, GRADED_SECONDS))} only."
    return f" Fewer points than these: better luck next time.\n{_table()}"


def _table() -> str:
    """The points that each grade needs."""
    rows = (f"{players} | {low} | {middle} | {high}" for players, (low, middle, high) in LEAST.items())
    return "```\nplayers | prospects | experts | geniuses, from\n" + "\n".join(rows) + "\n```"


def primer(options: TwinItOptions) -> str:
    """Enough to play a first match by."""
    off = f"your hands are off for {counted(options.hand_seconds, 'second')}"
    if options.against_time:
        goal = "Most points win." if options.mode == "timed" else "You play together."
        return (
            f"All {CARDS} cards lie open for {lasting(options.seconds)}. Find faces exactly alike. {goal}\n"
            "Press `I am ready`. When everybody is, `Open the spread` shows you page after page.\n"
            "**Press the numbers of two faces alike**, or `Type` them: 12 87. That is 1 point, three alike are 2.\n"
            "`Turn over` shows the other side of a card.\n"
            f"Many faces differ in one detail: a wrong claim takes nothing, but {off}."
        )
    hands = "two of a team press one each" if options.mode == "teams" else "press both numbers"
    return (
        f"Find two faces exactly alike. The first with {counted(options.sets_to_win, 'set')} wins.\n"
        "**Your turn:** flip your top card. It lies on the table, and the next card shows on your pile.\n"
        f"**At any time, whoever's turn it is:** see two faces alike and {hands}, before anybody else does.\n"
        "A third copy and a won pair count, too: that robs the pair.\n"
        f"Many faces differ in one detail: a mistake costs your last set, and {off}."
    )


def reference(options: TwinItOptions) -> str:
    """What a hand does, in short."""
    off = f"hands are off for {counted(options.hand_seconds, 'second')}"
    if options.against_time:
        verdicts = options.mode == "cooperative" and options.seconds in GRADED_SECONDS
        return (
            f"**Twin It!, {options.mode}: a race of {lasting(options.seconds)}**\nTwo alike: 1 point · three: 2 · the "
            f"third added to {'your own' if options.mode == 'timed' else 'any'} pair: 1 more\nA wrong claim: {off}\n"
            "`hand 12`, `hand 87` claims two; `hand 12`, `hold 87`, `hand 130` three; `turn 12` turns over"
            + (f"\n{_table()}" if verdicts else "")
        )
    return (
        "**Twin It!: what your second hand does**\n"
        f"{'Alone or on' if options.mode == 'teams' else 'On'} another design: mistake; your last set is gone, {off}\n"
        f"On a match with a rival's hand of the last {options.tie_ms} ms: tie; the cards turn over\n"
        "On a match: a set · a won pair and its third copy: all three are yours\n"
        "Three alike, none won: two are the set, the third turns over\n"
        f"Hands lift after {counted(options.hand_seconds, 'second')} · {counted(options.sets_to_win, 'set')} to win"
    )
