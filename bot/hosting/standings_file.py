"""The file with the standings of one server: `docs/standings-file.md` describes it.

What is read is checked field by field and against itself, so that whatever is accepted can be stored and shown.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TextIO, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    JsonValue,
    StringConstraints,
    ValidationError,
    model_validator,
)

from bot.program import PROGRAM
from bot.standings.ratings import RatedMatch, sides_of
from bot.standings.season import BEST, MOST
from bot.store import ClosedSeason, FinishedMatch, GuildStandings, Match, Result, Season, SeasonRow
from games import GAMES
from games.about import all_seats

Record = TypeVar("Record", bound="_Record")

FORMAT: Final = "palmhouse-standings"
VERSION: Final = 1
LARGEST: Final = 400_000_000
"""Largest file that is read, in bytes."""
LATEST: Final = 253_402_300_799_999
"""Last ms of the year 9999."""
DAY: Final = 86_400_000
"""Ms by which clocks of two hosts may differ."""


class FileRefused(Exception):
    """The file cannot be read or written, or it is no valid export. The sentence gives the reason and the remedy."""


def _id(written: object) -> int:
    """Return an id from its digits, which are a string: numbers of this size lose digits in some languages."""
    if isinstance(written, str) and ID.fullmatch(written) and abs(int(written)) < 2**63:
        return int(written)
    raise ValueError("is not the id of a person or a server")


def _text(written: str) -> str:
    """Return the text. Raises ValueError for NUL and for half of a surrogate pair: not every database stores them."""
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in written):
        raise ValueError("has a character that cannot be stored")
    return written


Time = Annotated[int, Field(ge=0, le=LATEST)]
Count = Annotated[int, Field(ge=0, le=10**12)]  # so that sums of millions of them fit into 64 bits
ID: Final = re.compile("-?[1-9][0-9]{0,18}", re.ASCII)
Id = Annotated[int, BeforeValidator(_id)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=100), AfterValidator(_text)]
FactKey = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Origin = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}:[1-9][0-9]{0,8}$")]
Players = Annotated[int, Field(ge=2, le=20)]
Option: TypeAlias = bool | int | Name | list[int] | None


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class ResultRecord(_Record):
    """Result of one person in a match."""

    seat: Annotated[int, Field(ge=0)]
    user: Id
    name: Name
    placing: Annotated[int, Field(ge=1)]
    score: Annotated[int, Field(ge=-(10**9), le=10**9)]
    facts: Annotated[dict[FactKey, Count], Field(max_length=100)]
    finished: bool


class MatchRecord(_Record):
    """One finished match."""

    origin: Origin
    game: str
    rules: Annotated[int, Field(ge=1, le=10**6)]
    options: dict[Name, Option]
    opened: Time
    started: Time
    ended: Time
    players: Players
    rated: dict[str, JsonValue] | None
    results: Annotated[list[ResultRecord], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> "MatchRecord":
        """Raise ValueError when the parts of the match contradict each other."""
        if self.game not in GAMES:
            raise ValueError(f"this version of Palmhouse has no game {self.game!r}; a newer one may have it")
        if not self.opened <= self.started <= self.ended:
            raise ValueError("it was not opened, started and ended in this order")
        seats = [result.seat for result in self.results]
        left = [seat for seat in seats if seat >= self.players]
        if seats != sorted(set(seats)) or left != [*range(self.players, self.players + len(left))]:
            raise ValueError("its results are not of different seats in ascending order")
        if len({result.user for result in self.results}) < len(seats):
            raise ValueError("it has two results of one person")
        _check_options(self)
        rated = self.rated_match()
        placings = {result.seat: result.placing for result in self.results}
        places = [each for seat, each in placings.items() if seat not in left and each < self.players]
        _check_placings(places, self.players)
        if max(placings.values()) > self.players:
            raise ValueError("its placings cannot be right")
        if rated is not None:
            _check_rated(rated, self, placings)
        return self

    def rated_match(self) -> RatedMatch | None:
        """Return the input of the rating. Raises ValueError."""
        return None if self.rated is None else RatedMatch.from_json(json.dumps(self.rated))

    def row(self) -> FinishedMatch:
        """Return the match as a row of the store, without number and guild."""
        rated = self.rated_match()
        match = Match(
            id=0,
            game=self.game,
            rules=self.rules,
            options=_compact(self.options),
            seed="",
            guild=0,
            channel=0,
            host=0,
            phase="over",
            opened=self.opened,
            started=self.started,
            ended=self.ended,
            place=None,
            card=None,
            published=0,
            rematch_of=None,
            counted=None,
            rated=rated.to_json() if rated else None,
            origin=self.origin,
        )
        return FinishedMatch(match, [self._result(each) for each in self.results])

    def _result(self, each: ResultRecord) -> Result:
        own = each.model_dump() | {"facts": _compact(each.facts), "finished": int(each.finished)}
        return Result(match=0, guild=0, game=self.game, players=self.players, ended=self.ended, **own)


class SeasonRowRecord(_Record):
    """One line of the final table of a season."""

    user: Id
    name: Name
    place: Annotated[int, Field(ge=1)]
    points: Annotated[int, Field(ge=0, le=BEST * MOST)]
    wins: Annotated[int, Field(ge=0)]
    matches: Annotated[int, Field(ge=1, le=10**9)]


class SeasonRecord(_Record):
    """One closed season with its final table."""

    name: Name
    starts: Time
    ends: Time
    closed: Time
    table: list[SeasonRowRecord]

    @model_validator(mode="after")
    def _check(self) -> "SeasonRecord":
        if not self.starts < self.ends <= self.closed:
            raise ValueError("it did not start, end and close in this order")
        if len({row.user for row in self.table}) < len(self.table):
            raise ValueError("its table has a person twice")
        points = sorted((row.points for row in self.table), reverse=True)
        first = {each: number for number, each in reversed([*enumerate(points, 1)])}
        if any(row.place != first[row.points] or row.wins > row.matches for row in self.table):
            raise ValueError("the places or wins in its table cannot be right")
        return self

    def row(self) -> ClosedSeason:
        """Return the season as a row of the store, without number, guild and channel."""
        season = Season(0, 0, 0, self.name, self.starts, self.ends, self.closed, 0)
        rows = [SeasonRow(**row.model_dump()) for row in self.table]
        return ClosedSeason(season, sorted(rows, key=lambda row: (row.place, row.user)))


class FileRecord(_Record):
    """The whole file."""

    format: Literal["palmhouse-standings"]
    version: Literal[1]
    guild: Annotated[Id, Field(gt=0)]
    exported: Time
    matches: list[InstanceOf[FinishedMatch]]
    seasons: list[SeasonRecord]

    @model_validator(mode="after")
    def _check(self) -> "FileRecord":
        if len({match.origin for match, _ in self.matches}) < len(self.matches):
            raise ValueError("it has a match twice")
        if len({season.name for season in self.seasons}) < len(self.seasons):
            raise ValueError("it has two seasons of one name")
        spans = sorted((season.starts, season.ends) for season in self.seasons)
        if any(ends > starts for (_, ends), (starts, _) in pairwise(spans)):
            raise ValueError("it has seasons that overlap")
        return self


def _check_options(match: MatchRecord) -> None:
    """Raise ValueError for options, or a number of players, that the game does not have."""
    game, written = GAMES[match.game], json.dumps(match.options, allow_nan=False)
    if len(written) > 2_000:
        raise ValueError("its options are too long")
    if match.rules != game.version:
        return  # other rules may have had other options
    try:
        game.Options.model_validate_json(written)
    except ValidationError:
        raise ValueError("the game has no such options") from None
    # Files of before 0.2.0 have the options with which the lobby opened, so those do not say how many it seats.
    if match.players not in all_seats(game):
        raise ValueError(f"{game.title} is not for {match.players} players")


def _check_placings(placings: Sequence[int], players: int) -> None:
    """Raise ValueError unless the placings of some of the players can be right. Equals share a place (1, 1, 3), and so
    do members of a side (1, 1, 2, 2)."""
    for placing in placings:
        before = len({other for other in placings if other < placing})
        behind = sum(other >= placing for other in placings)
        if before > placing - 1 or behind > players - placing + 1:
            raise ValueError("its placings cannot be right")


def _check_rated(rated: RatedMatch, match: MatchRecord, placings: Mapping[int, int]) -> None:
    """Raise ValueError unless the input of the rating fits the results."""
    seats = rated.seats
    if rated.pool not in GAMES[match.game].pools:
        raise ValueError(f"the game has no rating pool {rated.pool!r}")
    people = {number: person for number, person in enumerate(rated.people) if person.strength is None}
    if len(seats) != match.players or placings.keys() != people.keys():
        raise ValueError("the seats of its rating are not those of its results")
    if any(people[number].placing != placing for number, placing in placings.items()):
        raise ValueError("the placings of its rating are not those of its results")
    _check_placings([seat.placing for seat in seats if seat.placing], match.players)
    if any(not 0 <= seat.side < match.players for seat in seats) or len(sides_of(seats)) < 2:
        raise ValueError("its rating has impossible sides")
    if any(seat.replaced for seat in seats if seat.strength is not None):
        raise ValueError("its rating has a computer that a caretaker replaced")
    if len(people) - len(rated.left) < 2 or all(person.replaced for person in people.values()):
        raise ValueError("it is rated, but was of one person, or nobody has played it to the end")


# Reading


def read(path: Path, now: int) -> GuildStandings:
    """Return the standings in a file. `now`: present time in ms. Raises FileRefused."""
    try:
        if path.stat().st_size > LARGEST:
            raise FileRefused(
                f"{path} is larger than {LARGEST // 10**6} MB, so it is no export of a server's standings."
            )
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise _damaged(path, "it is not UTF-8 text") from None
    except OSError as error:
        raise FileRefused(f"{path} cannot be read: {error.strerror}. Name a file that can be read.") from None
    standings = _Reader(path).read(text)
    if any((match.ended or 0) > now + DAY for match, _ in standings.matches):
        raise _damaged(path, "it has a match that ended in the future")
    return standings


class _Reader:
    """Turns the text of a file into rows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._matches = 0
        self._fault = ""
        """The first fault in a match. It is reported after the version of the file has been checked."""

    def read(self, text: str) -> GuildStandings:
        """Return the standings. Raises FileRefused."""
        try:
            found = json.loads(text, object_pairs_hook=self._object, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            raise _damaged(self._path, f"it is not JSON, or a part of it is missing ({place})") from None
        except RecursionError:
            raise _damaged(self._path, "it is nested too deeply") from None
        except ValueError as error:
            raise _damaged(self._path, str(error)) from None
        self._check_version(found)
        if self._fault:
            raise _damaged(self._path, self._fault)
        record = _validated(self._path, FileRecord, found)
        seasons = [season.row() for season in sorted(record.seasons, key=lambda season: season.starts)]
        return GuildStandings(record.guild, len(record.matches), record.matches, seasons)

    def _object(self, pairs: list[tuple[str, Any]]) -> Any:
        """Return an object of the file. Matches become rows as soon as they are parsed: as dictionaries, 100,000 of
        them would fill the memory."""
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("an object in it has the same key twice")
        if not {"origin", "results"} <= found.keys():
            return found
        self._matches += 1
        if self._fault:
            return None
        try:
            return MatchRecord.model_validate(found).row()
        except ValidationError as error:
            self._fault = f"match {self._matches} in it is wrong: {_first(error)}"
            return None

    def _check_version(self, found: object) -> None:
        """Raise FileRefused for the file of another program or of a newer version."""
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise FileRefused(
                f"{self._path} is not a file that `{PROGRAM} export` has written. Name one that is."
            )
        version = found.get("version")
        if type(version) is int and version > VERSION:
            raise FileRefused(
                f"{self._path} was written by a newer Palmhouse (version {version} of the file; this one reads "
                f"{VERSION}). Update Palmhouse, then import the file."
            )


def _no_constant(name: str) -> None:
    raise ValueError(f"it has the number {name}")


def _validated(path: Path, kind: type[Record], found: object) -> Record:
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        raise _damaged(path, _first(error)) from None


def _first(error: ValidationError) -> str:
    """Return the first error of a validation: "results.0.seat: input should be a valid integer"."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    what = first["msg"].removeprefix("Value error, ").removesuffix(".")
    return f"{where}: {what[0].lower()}{what[1:]}" if where else what


def _damaged(path: Path, why: str) -> FileRefused:
    return FileRefused(
        f"{path} is damaged or was changed: {why:.300}. Import a file that was exported and not changed."
    )


# Writing


def write(standings: GuildStandings, file: TextIO, exported: int) -> Iterator[int]:
    """Write the file, and yield the number of matches that are written, after each. `exported`: present time in ms."""
    head = {"format": FORMAT, "version": VERSION, "guild": str(standings.guild), "exported": exported}
    file.write(f'{_compact(head)[:-1]},"matches":[')
    for number, finished in enumerate(standings.matches, 1):
        file.write(f"{',' * (number > 1)}\n{_compact(_match(finished))}")
        yield number
    file.write('\n],"seasons":[')
    file.write(",".join(f"\n{_compact(_season(season))}" for season in standings.seasons))
    file.write("\n]}\n")


def _match(finished: FinishedMatch) -> dict[str, Any]:
    match, results = finished
    return _fields(
        MatchRecord,
        match,
        options=json.loads(match.played_options or match.options),
        players=results[0].players,
        rated=json.loads(match.rated) if match.rated else None,
        results=[_result(result) for result in results],
    )


def _result(result: Result) -> dict[str, Any]:
    return _fields(
        ResultRecord,
        result,
        user=str(result.user),
        facts=json.loads(result.facts),
        finished=bool(result.finished),
    )


def _season(closed: ClosedSeason) -> dict[str, Any]:
    season, rows = closed
    return _fields(
        SeasonRecord, season, table=[_fields(SeasonRowRecord, row, user=str(row.user)) for row in rows]
    )


def _fields(kind: type[_Record], row: object, **written: object) -> dict[str, Any]:
    """Return the fields of a record in their order: those `written` as they are, the others from columns of a row."""
    return {name: written[name] if name in written else getattr(row, name) for name in kind.model_fields}


def _compact(value: Mapping[str, Any] | Iterable[Any]) -> str:
    return json.dumps(value, separators=(",", ":"))
