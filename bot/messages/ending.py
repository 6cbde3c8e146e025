"""The end of a match in words and in one picture: the last message of its thread, and a line in the channel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.messages.custom_ids import CustomId
from bot.messages.panel import PRIMARY, SECONDARY, SUCCESS, Item, Panel, button, hand_button, row, shown, text
from bot.pictures.drawing import picture_of
from bot.pictures.fonts import drawable
from bot.pictures.picture import Picture
from bot.pictures.scene import PlacedPlayer, Podium, ScoreCurve, ScoreLine
from games import AnyGame, Options, Outcome
from games.letters import ROBOT
from games.phrases import listed, plural, scored, signed
from games.strategies import strategy_of
from games.types import with_seats


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The end of a match: placings, scores, and the names of the players."""

    game: AnyGame
    options: Options
    outcome: Outcome
    """With the places of sides."""
    names: Sequence[str]

    @property
    def unit(self) -> str:
        """The unit of scores, in the singular."""
        return self.game.unit(self.options)

    @property
    def places(self) -> list[list[int]]:
        """The seats by place, best first; seats of one place share a list."""
        placings = self.outcome.placings
        # Where somebody has won, computers may have no place.
        shared = {*placings} - ({0} if any(placings) else set())
        return [[seat for seat, own in with_seats(placings) if own == place] for place in sorted(shared)]

    def named(self, seats: Sequence[int]) -> str:
        """Return the names of these seats: "Alice and Ben"."""
        return listed(self.names[seat] for seat in seats)

    def score(self, seats: Sequence[int]) -> int:
        """Return the score of seats that share a place."""
        return self.outcome.scores[seats[0]]

    def scored(self, seats: Sequence[int]) -> str:
        """Return the score of seats that share a place in words."""
        return "" if self.outlasted else scored(self.score(seats), self.unit)

    @property
    def outlasted(self) -> bool:
        """True when the winner has only stayed longer. There are no scores then."""
        return not self.outcome.scores

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return self.game.sides(self.options, len(self.names))

    @property
    def shared(self) -> bool:
        """True when several sides share first place."""
        return len({self.sides[seat] for seat in self.places[0]}) > 1

    @property
    def low_wins(self) -> bool:
        """True when low scores are good. Whoever was out early may have a lower score than the winner."""
        strategy = strategy_of(self.game)
        return strategy is not None and strategy.low_wins

    @property
    def together(self) -> bool:
        """True when there is one side only: everybody plays together, or somebody plays alone."""
        return len({*self.sides}) == 1

    @property
    def trophy(self) -> str:
        """The sign before a result; none when a match was lost together."""
        return "🏆 " * any(self.outcome.placings)


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a match, and what it did to ratings."""

    highlight: str = ""
    """A sentence on the best moment; "" for none."""
    scores: Sequence[Sequence[int]] = ()
    """The scores by seat after each round; empty for a game without rounds."""
    ratings: Mapping[int, str] = field(default_factory=dict)
    """The new rating and its change, by seat: "1540 +12". Only of people who let everybody see them."""


def ending(
    result: MatchResult, course: Course, match: int, people: Sequence[str] = (), *, pictures: bool
) -> Panel:
    """Build the last message of a match. `people` are lines on the ratings and milestones of players."""
    podium, moment = podium_of(result, course)
    below = [moment, result.outcome.reason, *people]
    return Panel(
        text(winner(result)),
        shown(podium) if pictures else text(podium.alt),
        text("\n".join(f"-# {line}" for line in below if line)),
        _buttons(match),
    )


def podium_of(result: MatchResult, course: Course) -> tuple[Picture, str]:
    """Return the picture of an end, and the sentence on the best moment if that cannot be painted; else ""."""
    plain = course.highlight.replace("*", "")
    # Most emojis cannot be drawn.
    painted = plain if drawable(plain.replace(ROBOT, "")) else ""
    return picture_of(_podium(result, course, painted)), course.highlight * (painted != plain)


def winner(result: MatchResult) -> str:
    """Return the first line of the last message: "🏆 **Ben wins** with 20 sand dollars, 8 ahead of Alice."."""
    first, *others = result.places
    who, score = result.named(first), result.scored(first)
    if result.together:
        return f"{result.trophy}{_together(f'**{who}**', score, len(first))}."
    verb = "share first place" if result.shared else "wins" if len(first) == 1 else "win"
    if result.outlasted:
        return f"🏆 **{who} {verb}**."
    ahead = f", {_lead(result, others[0])}" if others else ""
    return f"🏆 **{who} {verb}** with {score}{ahead}."


def result_line(result: MatchResult, link: str) -> str:
    """Return how a match ended, in one line for the channel: "🏆 Ben beat Alice 20 to 12 at Twin Palms · link"."""
    return f"{result.trophy}{_result(result)} · {link}"


def _result(result: MatchResult) -> str:
    first, *others = result.places
    who, title, score = result.named(first), result.game.title, result.scored(first)
    if result.outlasted:
        return f"{who} won at {title}, as everybody else has left or was away"
    if result.together:
        return f"{_together(who, score, len(first))} at {title}"
    if not others:
        return f"{who} share first place at {title} with {score}"
    fewest = f" (fewest {plural(result.unit)} win)" * result.low_wins
    if len(others) == 1 and not result.shared:
        own, other = result.score(first), result.score(others[0])
        beaten = f"{who} beat {result.named(others[0])}"
        return (
            f"{beaten} {signed(own)} to {signed(other)} at {title}{fewest}"
            if own != other
            else f"{beaten} at {title}, {score} each"
        )
    verb = "share first place" if result.shared else "won"
    rest = listed(f"{result.named(side)} {signed(result.score(side))}" for side in _by_side(result, others))
    return f"{who} {verb} at {title}: {score}, ahead of {rest}{fewest}"


def _by_side(result: MatchResult, places: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the seats of each side, in order of place."""
    members: dict[int, list[int]] = {}
    for seat in (seat for place in places for seat in place):
        members.setdefault(result.sides[seat], []).append(seat)
    return [*members.values()]


def _lead(result: MatchResult, second: Sequence[int]) -> str:
    """Return "8 ahead of Alice", or "3 fewer than Alice" if low scores win; no number if one is 0 or both are equal."""
    own, other = result.score(result.places[0]), result.score(second)
    if not own or not other or own == other:
        return f"ahead of {result.named(second)}"
    if own > other:
        return f"{signed(own - other)} ahead of {result.named(second)}"
    return f"{signed(other - own)} fewer than {result.named(second)}"


def _together(who: str, score: str, players: int) -> str:
    return f"{who} have {score} together" if players > 1 else f"{who} has {score}"


def _podium(result: MatchResult, course: Course, moment: str) -> Podium:
    seats = [seat for place in result.places for seat in place]
    placed = (
        PlacedPlayer(
            result.names[seat],
            result.outcome.placings[seat],
            None if result.outlasted else result.outcome.scores[seat],
            course.ratings.get(seat, ""),
        )
        for seat in seats
    )
    return Podium(
        result.game.title, plural(result.unit), tuple(placed), moment, _score_curve(result, course.scores)
    )


def _score_curve(result: MatchResult, scores: Sequence[Sequence[int]]) -> ScoreCurve | None:
    """Return a line of scores for each side; None with fewer than two rounds."""
    if len(scores) < 2:
        return None
    lines = (
        ScoreLine(result.named(side), side[0], tuple(row[side[0]] for row in scores))
        for side in _by_side(result, result.places)
    )
    return ScoreCurve(plural(result.unit), result.game.round_name, tuple(lines), low_wins=result.low_wins)


def _buttons(match: int) -> Item:
    return row(
        button("Rematch", CustomId("rematch", match), style=SUCCESS),
        button("Replay", CustomId("replay", match), style=PRIMARY),
        button("Verify", CustomId("verify", match)),
        hand_button(match, style=SECONDARY),
        button("Rules", CustomId("rules", match)),
    )
