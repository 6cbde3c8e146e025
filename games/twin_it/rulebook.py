"""Rules, primer and reference card of Twin It! for given options, as Markdown for Discord."""

from typing import Final

from games.phrases import counted
from games.twin_it.deck import CARDS, DESIGNS
from games.twin_it.options import TwinItOptions, duration
from games.twin_it.race import COUNTDOWN
from games.twin_it.result import GRADED_SECONDS, LEAST_POINTS

CREDIT: Final = "Twin It! is by Nathalie Saunier, Rémi Saunier and Tom Vuarchex. Text and designs: Palmhouse."


def rules(options: TwinItOptions) -> str:
    """Return the rules under these options."""
    parts = _race(options) if options.against_time else _turns(options)
    return "\n\n".join([_head(options), *parts, CREDIT])


def _head(options: TwinItOptions) -> str:
    seats, singles = options.seats(), options.singles
    return (
        f"**Twin It!, {options.mode}**, for {seats[0]} to {seats[-1]} players\n"
        f"{CARDS} cards have a different design on each side. There are {DESIGNS} designs: {singles} on one face, "
        f"{87 - 2 * singles} on two, {singles + 32} on three. Find two faces exactly alike; many differ in one "
        "detail.\n"
        "Every face that shows has a number, which is never used again. A hand on a number that has gone is refused "
        "and costs nothing. The first hand is the first click that Discord received."
    )


def _turns(options: TwinItOptions) -> list[str]:
    parts = [_turn(), _hands(options), _set(options), _mistake(options)]
    if options.mode == "teams":
        parts.append(_teams())
    if barred := _whose_barred(options):
        parts.append(_barred(barred))
    return [*parts, _end(options)]


def _turn() -> str:
    return (
        "**Turn.** All cards are dealt into piles that lie in view; the first player is drawn at random. On your "
        "turn, flip your top card onto the table: its other side shows there, and the next card shows on your pile. "
        "The turn goes clockwise and skips players without a pile."
    )


def _hands(options: TwinItOptions) -> str:
    whose = (
        "you lay a hand on one and a team mate lays one on the other"
        if options.mode == "teams"
        else "lay a hand on each"
    )
    second = "the team's" if options.mode == "teams" else "your"
    return (
        f"**Hands.** At any time, when you see two faces alike, {whose}: on the table, on piles or on top of won sets. "
        f"A hand lifts after {counted(options.hand_seconds, 'second')}, when you lift it, or when its card goes. "
        f"Several hands may lie on one face. What {second} second hand does:\n"
        "- On another design: a **mistake**.\n"
        f"- On a match where a rival's hand of the last {options.tie_ms} ms lies: a **tie**. The cards turn over in "
        "place, but a won pair stays. If both hands are on the same face, only the earlier one counts. Even a first "
        "hand makes a tie with such a hand on the matching face.\n"
        "- Otherwise on a match: a **set**. Older hands of rivals do not matter."
    )


def _set(options: TwinItOptions) -> str:
    example = (
        "Face 12 lies on the table. 30 comes up on Ben's pile, and they match. Ben lays a hand on 12; "
        f"{options.tie_ms} ms later, Alice lays one on 30: a tie. Had she been later, both would need a second hand. "
        f"The first to lay it would win the set, unless the other's hand there was of the last {options.tie_ms} ms: "
        "then it would be a tie again."
    )
    return (
        f"**Set.** You take it, and {_next(options)}. **Robbery:** lay one hand on a won pair, anybody's, and one on "
        "the third copy: all three are yours. A set of three is safe. If three copies show and none is won, two make "
        "the set and the third turns over; a tie turns all three over.\n"
        f"**Example.** {example}"
    )


def _mistake(options: TwinItOptions) -> str:
    return (
        "**Mistake.** The set you won or enlarged last goes back under your pile, your hands are off for "
        f"{counted(options.hand_seconds, 'second')} (you cannot lay any), and {_next(options)}."
    )


def _next(options: TwinItOptions) -> str:
    return "anybody may flip next" if options.mode == "teams" else "you flip next"


def _teams() -> str:
    return (
        "**Teams.** There are two teams; their seats alternate. A team shares its sets and hands, but each player has "
        "a pile. The two hands of a set must be from two members: if you lay the second hand on the match of your own "
        "first one, it is a mistake. After a tie, too, anybody may flip, and the turn goes on from there."
    )


def _whose_barred(options: TwinItOptions) -> str:
    """Return for whom designs are forbidden; "" for nobody."""
    if options.mode == "teams" and options.handicap:
        return "the bigger of two unequal teams"
    if options.mode != "forbidden":
        return ""
    if options.barred is None:
        return "a player drawn at random, or in a rematch the last winner"
    return f"the player of seat {options.barred + 1}"


def _barred(who: str) -> str:
    return (
        f"**Forbidden.** Three cards lie open from the start. Their designs never match for {who}: laying both hands "
        "on such a design is a mistake, and one hand makes no tie. Others may take these cards, which frees the "
        "design. If one of these cards turns over, its new face is forbidden."
    )


def _end(options: TwinItOptions) -> str:
    who = "team" if options.mode == "teams" else "player"
    return (
        f"**End.** The first {who} with {counted(options.sets_to_win, 'set')} wins. When all piles are used up, the "
        "match ends as soon as no two faces match, or 30 seconds after the last card was turned or taken; then most "
        "sets win. After 3,000 actions, the match ends in the same way."
    )


def _race(options: TwinItOptions) -> list[str]:
    parts = [
        f"**Start.** Press `I am ready`. {COUNTDOWN // 1000} seconds after everybody has, all cards are uncovered, a "
        f"random side up, for {duration(options.seconds)}. Everybody plays at once, on pages of their own.",
        "**Cards.** You may turn any card over, as often as you like.",
        _claims(options),
    ]
    if options.mode == "timed":
        parts.append("**End.** When the time is up, most points win. Equal points share a place.")
    else:
        parts.append(
            f"**End.** When the time is up, you get a grade for all your points together.{_grades(options)}"
        )
    return [*parts, "If the bot stops while the time runs, the race does not count and a new one is offered."]


def _claims(options: TwinItOptions) -> str:
    whose = "your own pair" if options.mode == "timed" else "a won pair"
    robbed = " You cannot rob a pair." if options.mode == "timed" else ""
    return (
        "**Claims.** Name two or three faces alike. Two are a pair and bring 1 point; three bring 2. To add the third "
        f"copy to {whose} for 1 more point, name it and the pair's face.{robbed} A card is in one set only; sets of "
        "three leave the spread. A wrong claim takes nothing, and your hands are off for "
        f"{counted(options.hand_seconds, 'second')}: you cannot claim, but you may still turn cards over.\n"
        "**Example.** 12 and 87 match: 1 point, and the pair shows as 140. Then the third copy turns up as 95: naming "
        "95 and 140 brings 1 more. Naming 12, 87 and 95 together would have brought 2 at once."
    )


def _grades(options: TwinItOptions) -> str:
    if options.seconds not in GRADED_SECONDS:
        return f" Only races of {' and '.join(map(duration, GRADED_SECONDS))} have grades, and can be won."
    return f" Any of these is a win; with fewer points: better luck next time.\n{_table()}"


def _table() -> str:
    """Return a table of the points that each grade needs."""
    rows = (f"{players} | {low} | {middle} | {high}" for players, (low, middle, high) in LEAST_POINTS.items())
    return "```\nplayers | prospects | experts | geniuses, from\n" + "\n".join(rows) + "\n```"


def primer(options: TwinItOptions) -> str:
    """Return the game in five lines."""
    off = f"your hands are off for {counted(options.hand_seconds, 'second')}"
    if options.against_time:
        goal = "Most points win." if options.mode == "timed" else "You play together."
        return (
            f"All {CARDS} cards lie open for {duration(options.seconds)}. Find faces exactly alike. {goal}\n"
            "Press `I am ready`. When everybody is ready, `Open the spread` shows you page after page.\n"
            "**Press the numbers of two faces alike**, or `Type` them: 12 87. Two alike bring 1 point, three bring 2.\n"
            "`Turn over` shows the other side of a card.\n"
            f"Many faces differ in one detail: a wrong claim takes nothing, but {off}."
        )
    in_team, who = options.mode == "teams", _whose_barred(options)
    hands = "two of a team press one each" if in_team else "press both numbers"
    return (
        f"Find two faces exactly alike. The first with {counted(options.sets_to_win, 'set')} wins.\n"
        "**Your turn:** flip your top card. It lies on the table, and the next card shows on your pile.\n"
        f"**At any time, not only on your turn:** if two faces are alike, {hands}. Be the first!\n"
        f"You can also rob a won pair: {'two of you ' * in_team}press its number and that of the third copy.\n"
        f"Many faces differ in one detail: a mistake costs your last set, and {off}."
        + (f" Three designs are forbidden for {who}: laying both hands on one is a mistake." if who else "")
    )


def reference(options: TwinItOptions) -> str:
    """Return the reference card: what hands and claims do."""
    off = f"hands are off for {counted(options.hand_seconds, 'second')}"
    if options.against_time:
        graded = options.mode == "cooperative" and options.seconds in GRADED_SECONDS
        return (
            f"**Twin It!, {options.mode}: a race of {duration(options.seconds)}**\nTwo alike: 1 point · three: 2 · the "
            f"third added to {'your own' if options.mode == 'timed' else 'any'} pair: 1 more\nA wrong claim: {off}\n"
            "`hand 12`, `hand 87` claims two; `hand 12`, `hold 87`, `hand 130` three; `turn 12` turns over"
            + (f"\n{_table()}" if graded else "")
        )
    return (
        "**Twin It!: what your second hand does**\n"
        f"{'Alone or on' if options.mode == 'teams' else 'On'} another design"
        f"{' or a forbidden one' if _whose_barred(options) else ''}: mistake; your last set goes back, "
        f"{off}\n"
        f"On a match with a rival's hand of the last {options.tie_ms} ms: tie; the cards turn over\n"
        "On a match: a set · a won pair and its third copy: all three are yours\n"
        "Three alike, none won: two are the set, the third turns over\n"
        f"Hands lift after {counted(options.hand_seconds, 'second')} · {counted(options.sets_to_win, 'set')} to win"
    )
