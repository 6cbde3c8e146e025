"""Declarations of all columns of the database: which concern a person, why they are stored, and for how long.

`/privacy`, `python -m bot policy`, the export and the erasing of a person read them. A test compares them with the real
schema, so a new column needs a line here.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

FORMER: Final = "former player"
"""The name of everybody who was erased."""


class Erasing(Enum):
    """What happens to a column when its person is erased."""

    ID = "replaced by a random number"
    NAME = f'your name becomes "{FORMER}"'
    GONE = "deleted"
    STAYS = "stays, without your id and name"


class Personal(NamedTuple):
    """A column that concerns a person."""

    purpose: str
    kept: str
    """How long it is stored."""
    erasing: Erasing


class TableColumns(NamedTuple):
    """The columns of a table, by name. None stands for a column that concerns nobody."""

    title: str
    """What its rows are, for players."""
    columns: Mapping[str, Personal | None]

    def personal(self) -> dict[str, Personal]:
        """Return the columns that concern a person."""
        return {name: column for name, column in self.columns.items() if column is not None}


MINE: Final = "until you erase yourself"
ALWAYS: Final = "as long as the bot plays"
ON_SERVER: Final = "as long as the bot is on the server, and 30 days more"
MINE_ON_SERVER: Final = f"{MINE}; at most {ON_SERVER}"
OPEN: Final = "until the match is over"
LOOKING: Final = f"until then, until you stop it, or until you erase yourself; at most {ON_SERVER}"
NOT_OVER: Final = "until the match is over or the daily deal has closed, and at most an hour more"


def _id(purpose: str, kept: str = MINE) -> Personal:
    return Personal(purpose, kept, Erasing.ID)


def _name(purpose: str, kept: str = MINE) -> Personal:
    return Personal(purpose, kept, Erasing.NAME)


def _gone(purpose: str, kept: str = MINE) -> Personal:
    return Personal(purpose, kept, Erasing.GONE)


def _stays(purpose: str, kept: str = ALWAYS) -> Personal:
    return Personal(purpose, kept, Erasing.STAYS)


# A column with ID is replaced wherever it holds the person's id; a column with NAME in the rows that belong to the
# person. A table with a column GONE loses the person's rows. By default the rows with the person's id in the column
# `user` belong to the person; `bot.store.sql.privacy` has the other conditions.
TABLES: Final[Mapping[str, TableColumns]] = {
    "matches": TableColumns(
        "matches",
        {
            "id": _stays("the number of the table"),
            "game": _stays("what was played"),
            "rules": None,
            "options": _stays("how it was played"),
            "seed": None,
            "guild": _stays("the server, for its leaderboard and history", ON_SERVER),
            "channel": _stays("where the table was opened; deleted for direct messages", ON_SERVER),
            "host": _id("who opened the table"),
            "phase": _stays("whether the match is over and counts"),
            "opened": _stays("when the table was opened"),
            "started": _stays("when the match began"),
            "ended": _stays("when the match ended"),
            "place": _stays("where it is played; deleted for direct messages", ON_SERVER),
            "card": _stays("the message of the open table; deleted for direct messages", ON_SERVER),
            "published": None,
            "rematch_of": None,
            "counted": None,
            "rated": _stays("placings by seat, from which ratings are computed"),
            "origin": None,
            "played_options": _stays("how it was played, where its lobby changed that"),
        },
    ),
    "log": TableColumns(
        "moves and other actions",
        {
            "match": _stays("the match", ON_SERVER),
            "n": _stays("the order of the actions", ON_SERVER),
            "kind": _stays("what was done, so that a match goes on after a restart", ON_SERVER),
            "seat": _stays("the seat that acted", ON_SERVER),
            "user": _id("who acted", MINE_ON_SERVER),
            "body": _name(
                "the move, vote or choice; the name of a person who sat down, cut or had a seat kept; the words of a "
                "cut. The id of the click that sat down and a hash of the words stay, as the deal follows from them",
                MINE_ON_SERVER,
            ),
            "at": _stays("when it was done, for deadlines", ON_SERVER),
            "click": _stays(
                "the id of the click that made a move, so that it counts once; gone a day after the match ends",
                ON_SERVER,
            ),
        },
    ),
    "packed_logs": TableColumns(
        "compressed moves and other actions",
        {
            "match": _stays("the match", ON_SERVER),
            "log": _name(
                "the moves and other actions of a match that is over, from a day after its end on; exported and erased "
                "like the table above",
                MINE_ON_SERVER,
            ),
        },
    ),
    "packed_people": TableColumns(
        "matches whose compressed moves have your id",
        {
            "user": _id(
                "who acted in a match, to find its moves when you export or erase them", MINE_ON_SERVER
            ),
            "match": _stays("the match", ON_SERVER),
        },
    ),
    "clocks": TableColumns(
        "deadlines of open matches",
        {
            "match": _stays("the match", OPEN),
            "seat": _stays("the seat that must act", OPEN),
            "due": _stays("when the table stops waiting", OPEN),
        },
    ),
    "results": TableColumns(
        "results",
        {
            "match": _stays("the match"),
            "seat": _stays("the seat"),
            "guild": _stays("the server, for its leaderboard", ON_SERVER),
            "game": _stays("the game"),
            "user": _id("whose result it is"),
            "name": _name("the name on leaderboards and in histories"),
            "placing": _stays("the placing, for leaderboards, profiles and ratings"),
            "score": _stays("the score"),
            "players": _stays("the number of players"),
            "ended": _stays("when the match ended"),
            "facts": _stays("counts such as tricks, for profiles"),
            "finished": _stays("whether the match was played to its end, for the note in lobbies"),
        },
    ),
    "preferences": TableColumns(
        "preferences",
        {
            "user": _gone("whose preferences they are"),
            "hand": _gone("where your hand is shown"),
            "pings": _gone("when you are mentioned"),
            "pictures": _gone("whether your hand is a picture"),
            "cards": _gone("how large its cards are"),
            "card_order": _gone("how it is sorted"),
            "ratings": _gone("where your rating is shown"),
            "alias": _gone("your name on leaderboards of all servers; empty when you do not take part"),
            "replays": _gone("whether others may replay all hands of your matches"),
            "challenges": _gone("who may challenge you"),
        },
    ),
    "lessons": TableColumns(
        "lessons offered or begun",
        {
            "user": _gone("who was offered a lesson or has begun it, so that it is offered only once"),
            "game": _gone("the game"),
            "steps": _gone("how many steps are done, so that it goes on there"),
        },
    ),
    "hours": TableColumns(
        "hours",
        {
            "user": _gone("whose hours they are"),
            "zone": _gone(
                "your time zone, by which your hours are counted, and the weeks between game nights that you repeat"
            ),
            "begins": _gone(
                "when your day begins: before that nobody calls you, and your time to move rests"
            ),
            "ends": _gone("when your day ends"),
            "away_until": _gone("until when you are away; others at your tables are told"),
            "digest": _gone("when you get one message a day instead of calls"),
            "digested": _gone("the day of the last one, so that none comes twice"),
            "undelivered": _gone("when one could not be sent, so that you are told why you are called again"),
            "acts": _gone("how often you act by hour of the day, if you let the bot learn your hours"),
        },
    ),
    "posts": TableColumns(
        "the bot's messages in your direct messages",
        {
            "match": None,
            "kind": None,
            "number": None,
            "channel": _gone("where a match is shown; concerns a person in direct messages only"),
            "message": _gone("which message shows it; as above"),
            "old": _gone("which message it replaces; as above"),
            "final": None,
            "copies": None,
            "asleep": None,
        },
    ),
    "ratings": TableColumns(
        "ratings",
        {
            "user": _id("whose rating it is"),
            "pool": _stays("the game or mode"),
            "n": _stays("the number of rated matches"),
            "match": _stays("the match"),
            "seat": _stays("the seat"),
            "mu": _stays("the rating after the match"),
            "sigma": _stays("how certain it is"),
            "expected": _stays("the placing that was expected"),
            "at": _stays("when the match ended"),
        },
    ),
    "progress": TableColumns(
        "milestones",
        {
            "user": _id("whose milestones they are"),
            "counts": _stays("running counts, from which the next milestones follow"),
            "earned": _stays("the milestones, and the matches that earned them"),
        },
    ),
    "seasons": TableColumns(
        "seasons of servers",
        dict.fromkeys(("id", "guild", "channel", "name", "starts", "ends", "closed", "message")),
    ),
    "season_tables": TableColumns(
        "final tables of seasons",
        {
            "season": _stays("the season"),
            "user": _id("whose place it is"),
            "name": _name("the name in the table"),
            "place": _stays("the place"),
            "points": _stays("the points"),
            "wins": _stays("the wins"),
            "matches": _stays("the number of matches"),
        },
    ),
    "daily_attempts": TableColumns(
        "attempts at daily deals",
        {
            "user": _id("whose attempt it is"),
            "day": _stays("the day of the deal"),
            "match": _stays("the match"),
            "guild": _stays("the server on which it was begun, for its table", ON_SERVER),
            "name": _name("the name in the tables of the day"),
            "placing": _stays("the placing, to compare it with others"),
            "score": _stays("the score, to compare it with others"),
            "ended": _stays("when it was finished"),
        },
    ),
    "former_players": TableColumns(
        "keyed hashes of your id, for deals that are not over",
        {
            "match": _stays("the match", NOT_OVER),
            "hash": _stays(
                "a keyed hash of your id, stored when you erase yourself after seeing a deal that is not over, so that "
                "nobody sees two hands of it or plays it twice",
                NOT_OVER,
            ),
            "former": _stays("the random number that stands for you in the match", NOT_OVER),
        },
    ),
    "outages": TableColumns("times at which the bot was away", {"since": None, "until": None}),
    "guild_settings": TableColumns(
        "settings of servers",
        dict.fromkeys(
            ("guild", "season_role", "channels", "pace", "table_role", "board", "left_out", "night_role")
        ),
    ),
    "presets": TableColumns(
        "presets of servers", dict.fromkeys(("id", "guild", "name", "game", "options", "pace"))
    ),
    "boards": TableColumns("boards of servers", dict.fromkeys(("guild", "channel", "message"))),
    "bulletins": TableColumns(
        "posts beside the boards of servers",
        dict.fromkeys(("guild", "kind", "wanted", "number", "channel", "message")),
    ),
    "seeks": TableColumns(
        "what you want to be called to",
        {
            "guild": _gone("the server on which you look for a game", LOOKING),
            "user": _gone("who looks for a game", LOOKING),
            "name": _gone("the name on the board of the server", LOOKING),
            "games": _gone("the games", LOOKING),
            "pace": _gone("the pace", LOOKING),
            "until": _gone("until when", LOOKING),
            "most": _gone("how often a day you may be called", LOOKING),
            "at": _gone("when you said so, for the order of calls", LOOKING),
            "called": _gone("when you were called last", LOOKING),
            "calls": _gone("how often you were called that day", LOOKING),
            "turn": _gone(
                "when you were called last, or did not see the channel, so that others come first then",
                LOOKING,
            ),
        },
    ),
    "summons": TableColumns(
        "messages that call people to a table",
        {
            "match": None,
            "guild": None,
            "channel": None,
            "message": None,
            "user": _id(
                "who was challenged", "until the match has begun or its table is closed, and an hour more"
            ),
            "at": _stays("when they were challenged", "as above"),
        },
    ),
    "nights": TableColumns(
        "game nights",
        {
            "id": _stays("the night", ON_SERVER),
            "guild": _stays("the server", ON_SERVER),
            "channel": _stays("where it is played", ON_SERVER),
            "host": _id("who planned it", MINE_ON_SERVER),
            "starts": _stays("when it begins", ON_SERVER),
        }
        | dict.fromkeys(("weekly", "games", "rounds", "secret", "phase", "round", "due", "reason", "told")),
    ),
    "night_people": TableColumns(
        "people who come to game nights",
        {
            "night": _stays("the night", ON_SERVER),
            "user": _id("who comes", MINE_ON_SERVER),
            "name": _name("the name in its standings", MINE_ON_SERVER),
            "gone": _stays("whether they do not come any more, have left, or were away", ON_SERVER),
        },
    ),
    "night_tables": TableColumns(
        "tables of game nights",
        dict.fromkeys(("night", "round", "number", "why", "match", "closed", "rated")),
    ),
    "night_seats": TableColumns(
        "seats at game nights",
        {
            "night": _stays("the night", ON_SERVER),
            "round": _stays("the round", ON_SERVER),
            "number": _stays("the table", ON_SERVER),
            "seat": _stays("the seat", ON_SERVER),
            "user": _id("who sat there, so that people meet others in the next round", MINE_ON_SERVER),
            "part": _stays("whose result it is, if others took the seat", ON_SERVER),
            "merit": _stays("the score, to compare it with the same seat at other tables", ON_SERVER),
        },
    ),
    "night_roles": TableColumns(
        "roles of winners of game nights",
        {
            "guild": _gone("the server"),
            "user": _gone("who has the role for a week, so that it is taken away again"),
            "role": _gone("the role"),
            "until": _gone("when it is taken away"),
        },
    ),
    "night_posts": TableColumns("messages of game nights", dict.fromkeys(("night", "number", "message"))),
    "alive": TableColumns("the time at which the bot last ran", {"only": None, "at": None, "away": None}),
    # Between a stop and the next start one value has the owners of servers, see bot/gateway/session.py.
    "facts": TableColumns("the state of the bot itself", {"key": None, "value": None}),
    "guilds_left": TableColumns("servers that removed the bot", {"guild": None, "at": None}),
    "erasures": TableColumns("erasures that were carried out", {"id": None, "at": None, "scrubbed": None}),
}
