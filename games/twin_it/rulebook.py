"""The rules of Twin It! under a table's options, and its reference card, as Markdown for Discord."""

from typing import Final

from games.phrases import counted
from games.twin_it.deck import CARDS, DESIGNS
from games.twin_it.options import USUAL_SECONDS, TwinItOptions
from games.twin_it.result import GRADED_SECONDS, LEAST

CREDIT: Final = "Twin It! by Nathalie Saunier, Rémi Saunier and Tom Vuarchex"


def rules(options: TwinItOptions) -> str:
    """The rules under these options."""
    parts = _race(options) if options.against_time else _turns(options)
    credit = f"Words and designs are our own, the game is not: {CREDIT}"
    return "\n\n".join([_head(options), *parts, credit])


def _head(options: TwinItOptions) -> str:
    seats, singles = options.seats(), options.singles
    return (
        f"**Twin It!, {options.mode}**, for {seats[0]} to {seats[-1]} players\n"
        f"{CARDS} cards have a different design on each side. There are {DESIGNS} designs: {singles} on one face, "
        f"{87 - 2 * singles} on two, {singles + 32} on three. Find two alike; many are near-twins that differ in one "
        "trait.\nEvery face that shows has a number, which is never used again; if that face has gone, your hand is "
        "refused and costs nothing. First is whose click Discord received first, whatever way it took from there."
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
        "**Turn.** All cards are dealt into piles in sight, and chance names who begins. Clockwise, turn your top card "
        "over onto the table: its other side shows there, the next card on your pile. Who has to flip without a "
        "pile is passed over."
    )


def _hands(options: TwinItOptions) -> str:
    whose = "you and a team mate lay one hand on each" if options.mode == "teams" else "lay a hand on each"
    second = "The team's" if options.mode == "teams" else "Your"
    return (
        f"**Hands.** At any time, whoever sees two identical faces: {whose}, on the table, on piles or on top of won "
        f"sets. A hand lifts after {counted(options.hand_seconds, 'second')}, when you lift it, and when its card "
        f"goes. Several may lie on one face. {second} second hand decides:\n"
        "- on another design: a **mistake**;\n"
        f"- on a match on which a rival's hand of the last {options.tie_ms} ms lies: a **tie**, and the cards are "
        "turned over in place, but a won pair stays. On one and the same face the earlier hand counts. Even a "
        "first hand ties with such a hand on the matching face;\n"
        "- otherwise on a match: a **set**. Older hands of rivals hinder nobody."
    )


def _set(options: TwinItOptions) -> str:
    example = (
        "Face 12 lies on the table, 30 comes up on Ben's pile, and they match. Ben's hand is on 12 at once, Alice's on "
        f"30 follows {options.tie_ms} ms later: a tie. One ms more, and both wait for a second hand; whoever lays it "
        f"first has the set, unless the other's hand there is of the last {options.tie_ms} ms: a tie again."
    )
    return (
        f"**Set.** It lies before you, and {_next(options)}. **Robbery:** a hand on a won pair, anybody's, and one on "
        "the third copy: all three are yours, and a set of three is safe. When three show and none is won, two make "
        "the set and the third is turned over; a tie turns all three.\n"
        f"**Example.** {example}"
    )


def _mistake(options: TwinItOptions) -> str:
    return (
        "**Mistake.** Your last won or enlarged set goes back under your pile, your hands rest for "
        f"{counted(options.hand_seconds, 'second')}, and {_next(options)}."
    )


def _next(options: TwinItOptions) -> str:
    return "whoever wants to flips next" if options.mode == "teams" else "you flip next"


def _teams() -> str:
    return (
        "**Teams.** Seats alternate, and two teams play. Sets and hands are the team's, piles your own. The two hands "
        "of a set come from two members; your second hand on your own first one's match is a mistake. After a "
        "tie, too, anybody may flip; the turn goes on from who does."
    )


def _barred(options: TwinItOptions) -> str:
    if options.mode == "teams":
        who = "the bigger of two unequal teams"
    else:
        who = (
            "a player drawn by chance"
            if options.barred is None
            else f"the player of seat {options.barred + 1}"
        )
    return (
        f"**Forbidden.** Three cards lie open from the start, and {who} has no match in their designs: both hands "
        "on one are a mistake, one hand makes no tie. Others may take the cards and free the design; a card turned "
        "over there forbids its new face."
    )


def _end(options: TwinItOptions) -> str:
    who = "team" if options.mode == "teams" else "player"
    return (
        f"**End.** The first {who} with {counted(options.sets_to_win, 'set')} wins. When all piles are used up, the "
        "match ends as soon as no two faces match, or 30 seconds after the last card was turned or taken; most sets "
        "win. After 3,000 actions it ends likewise."
    )


def _race(options: TwinItOptions) -> list[str]:
    parts = [
        "**Start.** When everybody has said that they are ready, a short countdown runs. Then all cards lie open on "
        f"one spread, a random side up, for {options.seconds} seconds. Everybody plays at once.",
        "**Cards.** Turn any card of the spread over, as often as you like.",
        _claims(options),
    ]
    if options.mode == "timed":
        parts.append("**End.** When the time is up, most points win; equal is shared.")
    else:
        parts.append(
            f"**End.** When the time is up, the points are counted: you win together.{_verdicts(options)}"
        )
    return [*parts, "Should the house fail while the time runs, the race is void and a new one is offered."]


def _claims(options: TwinItOptions) -> str:
    whose = "your own pair" if options.mode == "timed" else "a pair that is won"
    robbed = " Nobody is robbed." if options.mode == "timed" else ""
    return (
        "**Claims.** Name two or three identical faces. Two are a pair and 1 point, three a set and 2 points, at once "
        f"or when you add the third to {whose}: name it and the pair's face.{robbed} A card is in one set only; sets "
        "leave the spread. A wrong claim takes nothing, and your hands rest for "
        f"{counted(options.hand_seconds, 'second')}; you may still turn cards.\n"
        "**Example.** 12 and 87 match and bring 1 point; the pair shows as 140. Then 95 turns up, the third copy: 95 "
        "and 140 bring 1 more. Naming 12, 87 and 95 together would have brought 2 at once."
    )


def _verdicts(options: TwinItOptions) -> str:
    if options.seconds not in GRADED_SECONDS:
        return f" There are verdicts for {' and '.join(map(str, GRADED_SECONDS))} seconds only."
    minute = " (leafing takes time: this is a minute's worth at a real table)"
    said = minute if options.seconds == USUAL_SECONDS else ""
    return f" What a verdict takes{said}, anything less being better luck next time:\n{_table()}"


def _table() -> str:
    """What prospects, experts and geniuses need; anything less is better luck next time."""
    rows = (f"{players} | {low} | {middle} | {high}" for players, (low, middle, high) in LEAST.items())
    return "```\nplayers | prospects | experts | geniuses, from\n" + "\n".join(rows) + "\n```"


def reference(options: TwinItOptions) -> str:
    """What a hand does, in short."""
    if options.against_time:
        verdicts = options.mode == "cooperative" and options.seconds in GRADED_SECONDS
        return (
            f"**Twin It!, {options.mode}: {options.seconds} seconds**\nTwo alike: 1 point · three: 2 · the third added "
            f"to {'your own' if options.mode == 'timed' else 'any'} pair: 1 more\nA wrong claim: hands rest for "
            f"{counted(options.hand_seconds, 'second')}\n`hand 12`, `hand 87` claims two; `hand 12`, `hold 87`, "
            "`hand 130` three; `turn 12` turns over" + (f"\n{_table()}" if verdicts else "")
        )
    return (
        "**Twin It!: what your second hand does**\n"
        f"{'Alone or on' if options.mode == 'teams' else 'On'} another design: mistake; your last set goes back\n"
        f"On a match with a rival's hand of the last {options.tie_ms} ms: tie; the cards are turned over\n"
        "On a match: a set · a won pair and its third copy: all three are yours\n"
        "Three alike, none won: two are the set, the third is turned over\n"
        f"Hands lift, and rest after a mistake, for {counted(options.hand_seconds, 'second')} · "
        f"{counted(options.sets_to_win, 'set')} to win"
    )
