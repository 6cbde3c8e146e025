"""The rows of the store. Times are ms since the Unix epoch on Discord's clock; people, guilds, channels and
messages are Discord snowflakes. Match and Result have their fields in the order of the table's columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

_Pace: TypeAlias = Literal["live", "relaxed", "correspondence"]
"""The time for a move (`bot.match.times`)."""
PostKind: TypeAlias = Literal["page", "call", "end", "result"]
"""The kinds of a match's messages: a page of the public record (the last one is the live table), the call to the
awaited people, the last message, or the result in the channel."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a match keeps from its lobby's opening on. See Match for the fields."""

    game: str
    rules: int
    options: str
    seed: str
    guild: int
    channel: int
    host: int
    opened: int
    rematch_of: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """One match, from its lobby on."""

    id: int
    game: str
    """The game's slug."""
    rules: int
    """Version of the rules it began with."""
    options: str
    """The game's options as JSON, with which its lobby opened."""
    seed: str
    """The secret of the deal (`bot.match.deals`); in a daily deal the seed itself."""
    guild: int
    channel: int
    """The channel in which the lobby was opened; 0 for a match without a place."""
    host: int
    """The person who opened it."""
    phase: str
    """lobby, play, over (counted) or closed (not counted, unless one of two people has won by staying longer)."""
    opened: int
    started: int | None
    ended: int | None
    place: int | None
    """The thread or channel where it is played."""
    card: int | None
    """Message of the lobby card, in `channel`."""
    published: int
    """Number of the last log entry that all messages show; 0 at first."""
    rematch_of: int | None
    """The match of which this is the rematch; no match has two."""
    counted: int | None
    """Its place in the order in which finished matches were counted, from 1; None for all others."""
    rated: str | None
    """Input of the rating as JSON (`bot.standings.ratings.RatedMatch`); None when the match is not rated."""
    origin: str | None = None
    """Of an imported match, which has no log: the database where it was played and its number there, as in
    docs/standings-file.md. None for a match that was played here."""
    played_options: str | None = None
    """The game's options as JSON with which it began; None where they are those of `options`."""

    @property
    def placeless(self) -> bool:
        """True when it has no channel: it is shown in ephemeral messages to its only person, without deadlines."""
        return self.channel == 0


@dataclass(frozen=True, slots=True)
class Post:
    """One message of a match. Its text follows from the log."""

    match: int
    kind: PostKind
    number: int
    """Of a page: the number of its first item. Of a call: the entry that made it necessary. Else 0."""
    channel: int
    message: int
    """0 when it was deleted and must not be posted again."""
    old: int | None = None
    """The message that it replaces, until that is deleted. Equal to `message` while the new one is being posted."""
    final: int = 0
    """1 when it will not change any more."""
    copies: int = 0
    """Of a call: number of times it was posted anew."""
    asleep: int = 0
    """Of a call: bits of the people who slept, to be called when they wake, and of those who read of their turn in one
    message a day, to be called if they get none any more (see `bot.match.call.bits`)."""

    @property
    def key(self) -> tuple[PostKind, int]:
        """Its kind and number: unique in its match."""
        return self.kind, self.number


@dataclass(frozen=True, slots=True)
class LogRow:
    """One row of a match's log. `n` counts from 1 without a gap."""

    n: int
    kind: str
    seat: int | None
    user: int | None
    body: str
    """The text form of an action, a name or a reason: whatever the kind needs."""
    at: int
    click: int | None = field(default=None, compare=False)
    """Id of the click that made a move; None in a log that was packed, which is compared as the same one."""


@dataclass(frozen=True, slots=True)
class Result:
    """Result of one person in a finished match. Placing 1 is best; equal results share a placing (1, 1, 3)."""

    match: int
    seat: int
    """Number of the person: their seat. Whoever left a seat that counts for somebody else has a number after those of
    all seats."""
    guild: int
    game: str
    user: int
    name: str
    placing: int
    """As it is rated: whoever left comes last. It is the number of players for everybody who was last of all: in a
    match that was lost together and, if it is not rated, for whoever left or let a computer play most of it."""
    score: int
    players: int
    ended: int
    facts: str = "{}"
    """The game's facts about the seat as JSON (see `games.contract.Facts`)."""
    finished: int = 1
    """0 when the person left the match, handed their seat over, or let a computer play most of it and did not come
    back."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """Rating of a person after the n-th rated match in a pool."""

    user: int
    pool: str
    n: int
    match: int
    seat: int
    """As in Result."""
    mu: float
    sigma: float
    expected: float
    """Mean placing that was expected; 1 is best."""
    at: int
    """End of the match."""


@dataclass(frozen=True, slots=True)
class RatingStep:
    """Change of one person's rating by a match. `before` is None for a first rated match in the pool."""

    before: RatingRow | None
    after: RatingRow


Rate: TypeAlias = Callable[[Mapping[int, RatingRow], int], Sequence[RatingRow]]
"""Function that computes the ratings after a match from those before it, by user, and from the place of the match among
those of exactly its people (see `Finished.since`). New people have none before it."""


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """Milestones of a person, and the running values from which the next ones follow."""

    user: int
    counts: str
    """Running values by key, as JSON."""
    earned: str
    """By the code of each milestone: the match that earned it, as JSON."""


Earn: TypeAlias = Callable[[Mapping[int, ProgressRow]], Sequence[ProgressRow]]
"""Function that computes the progress after a match from that before it, by user. New people have none before it."""


class AloneResult(NamedTuple):
    """The result of the only person of a match. It is kept for a daily deal only."""

    placing: int
    score: int
    ended: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The consequences of the end of a match: results of the people, their new ratings and their milestones."""

    results: Sequence[Result]
    pool: str = ""
    """The pool in which the match is rated; "" when it is not rated."""
    rated: str | None = None
    """See `Match.rated`."""
    rate: Rate | None = None
    """Called with the ratings in `pool` of the people in `results`. It must be quick and raise nothing."""
    earn: Earn | None = None
    """Called with the progress of the people in `results`. It must be quick and raise nothing."""
    alone: AloneResult | None = None
    """Result of the only person; None when there were several."""
    since: int = 0
    """Time in ms after which earlier rated matches of exactly these people, in `pool`, lower the weight of this one."""


Redo: TypeAlias = Callable[[Match, Sequence[LogRow], Sequence[Result]], Finished]
"""Function that computes the results of a finished match from its row, its log and its stored results."""


@dataclass(frozen=True, slots=True)
class Recounted:
    """What a recount has found."""

    matches: int
    """Number of finished matches."""
    results: Sequence[int]
    """Matches whose results or facts differed from the stored ones."""
    ratings: Sequence[int]
    """Matches after which the ratings differed."""
    progress: Sequence[int]
    """People whose milestones, or the values from which they follow, differed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a leaderboard: results of one person in a guild. A shared first placing is a win."""

    user: int
    name: str
    """The name that they had in the last of these matches."""
    matches: int
    wins: int
    mean_placing: float
    last: int
    """End of the last of these matches."""
    ahead: int
    """Number of people placed behind them, counted in each match."""
    met: int
    """Number of people placed behind or in front of them, counted in each match."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Preferences of one person, the same on every server."""

    hand: str = "ephemeral"
    """Place of their hands: "ephemeral" (an answer that only they see) or "dm"."""
    pings: str = "always"
    """Occasions to mention them: "always", "only reminders" or "never"."""
    pictures: str = "pictures"
    """Form of their hands: "pictures" or "text only"."""
    cards: str = "usual"
    """Size of the cards in those pictures: "usual" or "large"."""
    order: Literal["suit", "rank"] = "suit"
    """First criterion by which those cards are sorted."""
    ratings: str = "shown"
    """Ratings at their tables: "shown" (theirs in lobby and last message), "after the match" (nobody's before the last
    message) or "never" (theirs in no message)."""
    alias: str = ""
    """Their name on leaderboards of all servers, at most 32 characters; "" when they are not on them."""
    replays: str = "private"
    """Replays of their matches for others: "private" (what was public) or "open" (all hands, when everybody who played
    has chosen this)."""
    challenges: str = "from everybody"
    """People who may challenge them: "from everybody" or "from nobody"."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of a person, in which they may be called and their time for a move passes, at tables that are not live."""

    zone: str
    """IANA name of their time zone, whose clocks may change."""
    begins: int | None = None
    """Hour of the day, on their clock, from which they are awake; None when they have set none."""
    ends: int | None = None
    """Hour of the day until which they are awake, maybe of the next one; never the same as `begins`."""
    away_until: int = 0
    """Time in ms until which they are away; a past one when they are not."""
    digest: int | None = None
    """Hour of the day at which they get one message about all tables that wait for them by correspondence, instead of a
    call each; None when they do not."""
    digested: int = field(default=0, compare=False)
    """Number (`date.toordinal`) of the day of the last such message, on their clock."""
    undelivered: int = field(default=0, compare=False)
    """Time in ms at which one could not be sent, since when they are called again; 0 if there was none."""
    acts: tuple[int, ...] | None = field(default=None, compare=False)
    """Counts of what they have done lately, by hour of their day; None when that is not counted."""


class Participant(NamedTuple):  # made by the thousand, and faster than a dataclass
    """A person on the leaderboard of all servers in one pool, with their present rating."""

    user: int
    alias: str
    """See `Preferences.alias`."""
    mu: float
    sigma: float
    matches: int
    """Number of rated matches in the pool."""
    at: int
    """End of the last of these matches."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Selection of the finished matches of one person. A field that is None excludes no match."""

    user: int
    guild: int | None = None
    game: str | None = None
    placing: int | None = None
    """The person's placing."""
    other: int | None = None
    """Another person, who sat in the match, too."""
    ahead: int | None = None
    """With `other`: 1 for matches in which the person was placed before the other one, -1 behind, 0 equally."""
    pool: str | None = None
    """The pool in which the match is rated."""
    since: int | None = None
    """Earliest end of the match, in ms."""
    until: int | None = None
    """Latest end of the match, in ms."""
    fact: str | None = None
    """Key of a fact of the person that is more than 0, or that is `value` when that is given."""
    value: int | None = None
    season: int | None = None
    """The season whose table counts the match. A final table does not count matches that ended after its closing."""


class Placed(NamedTuple):  # made by the thousand, and faster than a dataclass
    """Placing of a person in one match."""

    game: str
    placing: int
    ended: int


@dataclass(frozen=True, slots=True)
class Played:
    """One match of a person's history."""

    match: int
    guild: int
    game: str
    ended: int
    place: int | None
    """The thread or channel where it was played."""
    results: Sequence[Result]
    """Results of all people, best placing first."""
    before: RatingRow | None
    """The person's rating before the match; None for the first rated match."""
    after: RatingRow | None
    """The person's rating after the match; None when the match is not rated."""


@dataclass(frozen=True, slots=True)
class FactValues:
    """The values of one fact over several matches of a person."""

    game: str
    key: str
    total: int
    most: int
    least: int
    matches: int
    """Number of matches in which it is above 0."""


@dataclass(frozen=True, slots=True)
class Beaten:
    """A person who was beaten in a rated match: the result, and the rating after it."""

    result: Result
    rating: RatingRow


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a guild. The matches that start from `starts` on and before `ends` belong to it."""

    id: int
    guild: int
    channel: int
    """The channel in which it was started."""
    name: str
    starts: int
    ends: int
    """The first ms after the season."""
    closed: int | None
    """Time at which its final table was stored; None before."""
    message: int | None
    """Message with the final table; None until it is posted, 0 when it cannot be posted."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """Settings of one guild."""

    season_role: int | None = None
    """The role whose members may change seasons, besides people with Manage Server; None for no role."""
    channels: tuple[int, ...] = ()
    """Channels in which tables may be opened, in the order in which they were chosen; empty for all channels."""
    pace: _Pace = "live"
    """Pace of tables that are opened without one."""
    table_role: int | None = None
    """The role whose members may close tables, besides people with Manage Server; None for no role."""
    board: int | None = None
    """The channel in which its board is to stand; None for no board."""
    left_out: tuple[str, ...] = ()
    """Slugs of the games that its menus leave out."""
    night_role: int | None = None
    """The role that winners of game nights have for a week; None for no role."""


class Preset(NamedTuple):
    """A table that a guild offers first, with its options."""

    id: int
    guild: int
    name: str
    game: str
    options: str
    """The game's options as JSON."""
    pace: _Pace
    played: int = 0
    """Number of its matches among the 1,000 that began last there."""


BulletinKind: TypeAlias = Literal["daily", "weekly"]


class Bulletin(NamedTuple):
    """The last post of its kind beside a guild's board: the deal of a day, or what happened in a week."""

    guild: int
    kind: BulletinKind
    wanted: int
    """1 when the guild wants more of them, else 0."""
    number: int
    """Its day or week; 0 before the first one."""
    channel: int
    message: int | None
    """None while it is being posted; 0 when there was nothing to post."""


class BoardPost(NamedTuple):
    """A board that stands in Discord, or may stand there."""

    guild: int
    channel: int
    message: int
    """0 while nobody knows whether it was posted."""


class Seek(NamedTuple):
    """Somebody who looks for a game in a guild."""

    guild: int
    user: int
    name: str
    games: tuple[str, ...]
    """Slugs."""
    pace: str
    """A pace, or "any"."""
    until: int | None
    """Its end in ms; None for never."""
    most: int
    """Maximum number of calls a day."""
    at: int
    """The time in ms at which it was made, or changed last."""


class Summons(NamedTuple):
    """A message that calls people to a table before it begins."""

    match: int
    guild: int
    channel: int
    message: int | None
    """None until it is posted, 0 once it was taken away."""
    user: int | None
    """The person who is challenged; None for people who look for a game."""
    at: int


class NewNight(NamedTuple):
    """A game night that is to be planned. See Night for the fields."""

    guild: int
    channel: int
    host: int
    starts: int
    weekly: int
    games: str
    rounds: int
    secret: str


class Night(NamedTuple):
    """A game night of a guild."""

    id: int
    guild: int
    channel: int
    """The channel in which it is announced, and its tables are opened."""
    host: int
    """The person who planned it."""
    starts: int
    weekly: int
    """1 if another one is planned for a week later when it is over."""
    games: str
    """The games that its rounds play by turns, as JSON: a list of slugs and options."""
    rounds: int
    secret: str
    """256 random bits in hexadecimal, from which the seeds of all rounds follow."""
    phase: str
    """planned, round (its tables play), pause (before the next round), over or off (it was not played)."""
    round: int
    """The round that is played, or was played last, from 1; 0 before the first."""
    due: int
    """The time in ms at which it goes on: its start, that of the next round, or the latest end of the round."""
    reason: str
    """Why it is off: cancelled, few, late or rules."""
    told: int
    """1 once nothing is left to do."""


WAS_AWAY: Final = 1
HAS_LEFT: Final = 2


class NightPerson(NamedTuple):
    """Somebody who comes to a night."""

    user: int
    """Less than 0: was erased."""
    name: str
    gone: int
    """0 for a person who comes; HAS_LEFT, also for one who does not come any more; WAS_AWAY at the end of a round."""


class NightSeat(NamedTuple):
    """A seat of a night's table."""

    user: int | None
    """The person who was seated there; None for a computer."""
    part: int | None = None
    """Their number in the result, as in `Result.seat`; None without a result."""
    merit: int | None = None
    """The score of the seat, negative where low scores win; None without a result."""


class NightTableRow(NamedTuple):
    """A table of a round."""

    night: int
    round: int
    number: int
    why: str
    """A sentence on why these people sit together."""
    match: int | None
    """None until it is opened."""
    closed: int
    """1 once its result is kept."""
    rated: str | None
    """The match as `bot.standings.ratings.RatedMatch` writes it; None without a result."""
    seats: tuple[NightSeat, ...]

    @property
    def key(self) -> tuple[int, int, int]:
        """The columns that tell it from other tables."""
        return self[0], self[1], self[2]


class NightRole(NamedTuple):
    """The role of a winner, which is taken away again."""

    guild: int
    user: int
    role: int
    until: int


class StoreHealth(NamedTuple):
    """Condition of the store now."""

    path: Path | None
    """File of the database; None for PostgreSQL."""
    fault: str | None
    """Reason why the last write failed; None when it was kept."""
    size: int
    """Bytes on the disk."""
    free: int | None
    """Free bytes on the disk; None for PostgreSQL, which does not say."""


class SeasonResult(NamedTuple):
    """Result of one person in a rated match of a season."""

    match: int
    seat: int
    user: int
    name: str
    ended: int
    rated: str
    """See `Match.rated`."""


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One line of a season's table."""

    user: int
    name: str
    """The name that they had in their last match of the season."""
    place: int
    points: int
    wins: int
    """Number of matches in which nobody was placed before them."""
    matches: int
    """Number of their matches in the season, also of those that give no points."""


Tabulate: TypeAlias = Callable[[Sequence[SeasonResult]], Sequence[SeasonRow]]
"""Function that computes the table of a season from all its results, in the order in which matches were counted."""


class FinishedMatch(NamedTuple):
    """A finished match of a guild's standings, with the results of its people by seat."""

    match: Match
    """Of an export, `origin` is never None. An import ignores the number, the guild, and what concerns messages."""
    results: Sequence[Result]


class ClosedSeason(NamedTuple):
    """A season with its final table, best place first."""

    season: Season
    rows: Sequence[SeasonRow]


@dataclass(frozen=True, slots=True)
class GuildStandings:
    """The standings of a guild: what an export writes, and an import reads."""

    guild: int
    total: int
    """Number of matches."""
    matches: Iterable[FinishedMatch]
    """The matches with results, in the order in which they were counted. An export can iterate them only once."""
    seasons: Sequence[ClosedSeason]
    """The closed seasons, oldest first."""
    unfinished: Sequence[str] = ()
    """Names of seasons that are not closed. They are not part of the standings."""


Write: TypeAlias = Callable[[GuildStandings], None]
"""Function that writes the standings of a guild to a file."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The report of an import."""

    matches: Sequence[int]
    """Numbers of the matches that were added."""
    known_matches: int
    """Number of matches that were there already."""
    seasons: int
    """Number of seasons that were added."""
    known_seasons: int
    erased: int
    """Number of people in the added rows who had been erased here, and were replaced again."""
    recounted: Recounted | None
    """The changes by the recount; None when no match was added."""


LATEST_DAYS: Final = 7
"""Number of days before today whose daily deals may still be begun after a long outage."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's only attempt at the deal of a day."""

    user: int
    day: int
    """Days since 1970-01-01, UTC."""
    match: int
    guild: int
    """The server on which it was begun; 0 for direct messages and servers without the bot."""
    name: str
    placing: int | None = None
    """Placing among the computers; None while it is not finished, and for ever when it was given up."""
    score: int | None = None
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """All that is stored about one person."""

    tables: Mapping[str, Sequence[Mapping[str, str | int | float | None]]]
    """By table: the person's rows with the columns that concern a person. Ids and names of others are None."""

    @property
    def is_unknown(self) -> bool:
        """True when nothing is stored."""
        return not any(self.tables.values())
