"""Forged clicks with invented custom ids, component types and values: each is answered with a sentence, shows nobody
another player's hand, and changes nothing the person may not change."""

import logging
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from bot.match.entries import CloseReason
from bot.match.state import Player
from bot.match.table import Table
from bot.messages.answers import OWN
from bot.messages.panel import Panel, text
from sandbox import Answer, Message, Person, TextChannel
from sandbox.components import BUTTON, LABEL, STRING_SELECT, TEXT_INPUT, USER_SELECT
from sandbox.refusals import MODAL_SUBMIT
from tests.contract.subjects import SUBJECTS
from tests.e2e.card_room import CardRoom
from tests.e2e.match import Match, check_answer, every_game, refusal_of
from tests.e2e.players import shown
from tests.e2e.test_leaks import equivalent_states
from tests.e2e.twin_it_table import dealt
from tests.e2e.viewer import pictures, without_ids

CLICKS = 100
"""Number of forged clicks in each game. A soak test may raise it."""

TEXTS = (
    *("", "0", "1", "2", "7", "99", "-1", "1e9", "12 87", "0/hand", "1/turn", "p1", OWN, "move", "first"),
    *("beats", "x" * 100, "9" * 40, "\u0663", "\u00b2", "\u202e9P", "\0", "\ud800", "@everyone", "**`||"),
    *("a\nb", "💥", "palmer", "twin-it", "{}", '{"0":1}', "[" * 90, "page -1", "page \u0663", "steady"),
    *("dismiss", "null"),
)
"""Values for any part of a custom id."""
VALUES = (*TEXTS, "y" * 4000, "play " * 800, "<@1> <#1> <@&1>", "\0" * 50, "[](https://example.com)")
"""Values for menus and input fields."""
ODD = 8
"""Characters that the bot never writes by itself."""
SENTENCE = 400
"""Greatest length of a refusal, in characters."""
NOBODYS = ("0", "9", "999999999999999", "9" * 40, "-1", "", "x", "\u0661", "01x")
"""Numbers of tables that do not exist."""


WRONG_OPTIONS = (
    *("twin-palms", "twin-palms:{", "twin-palms:[]", 'twin-palms:{"0":"insane"}', 'twin-palms:{"99":1}'),
    *('twin-palms:{"mode":"easy"}', "chess:{}", ":", ""),
)
INVENTED = {
    "daily": ("", "x", "play", "play:", "play:x", "play:-1", "play:999999999999999", "table:x", "share:"),
    "doctor": ("else",),
    "everywhere": ("palace:-1", "palace:10000", "palace", ":mine", "chess:csv"),
    "leaderboard": (
        *("palace:all:1000000000", "palace:all:10000", "palace:all:-1", "palace:all:", "palace:all:one"),
        *("palace:all:\u0661", "palace:all:0:0", "palace:season:0", "palace", "chess:all:0", "Palace:all:0"),
        "",
    ),
    "page": ("last:twin-palms:{}", *(f"full:{options}" for options in WRONG_OPTIONS)),
    "stop-taking-part": ("palace:1",),
    "take-part": ("chess", ""),
    "take-part-as": ("palace",),
    "try": WRONG_OPTIONS,
}
"""Ends of custom ids by verb: each could stand on a button below a page, and stands on none."""

IN_PLAY = ("play", "practice", "elsewhere")
CLOSED = ("closed", "left")
STAGES = ("lobby", *CLOSED, "nowhere", "play", *IN_PLAY)


class Forger:
    """Makes up clicks, some of them from custom ids that exist."""

    def __init__(self) -> None:
        self.rng = Random(1)
        self.honest: list[str] = []
        """Custom ids that somebody was offered recently."""

    def custom_id(self, verb: str, table: str) -> str:
        """Return an invented id with that verb and table, at most as long as Discord allows."""
        alike = [name for name in self.honest if name.startswith(f"{verb}:")]
        rest = self.rng.choice(alike).split(":")[2:] if alike and self.rng.randrange(3) else []
        if not rest:
            rest = self.rng.choices(TEXTS, k=self.rng.choice((0, 1, 1, 2, 3, 3, 30)))
        elif self.rng.randrange(4):
            rest[self.rng.randrange(len(rest))] = self.rng.choice(TEXTS)
        return ":".join([verb, table, *rest])[:100]

    def use(self) -> tuple[int, list[str]]:
        """Return an invented component type and values."""
        kind = self.rng.choice((BUTTON, BUTTON, STRING_SELECT, STRING_SELECT, USER_SELECT, TEXT_INPUT))
        return kind, self.rng.choices(VALUES, k=self.rng.choice((0, 1, 1, 1, 2, 5)))


class Tables:
    """Tables of one game at every stage; a table that has moved on to another stage is replaced by a new one."""

    def __init__(self, match: Match) -> None:
        self.game = match.game
        self._here = match.here
        self._rooms = {"elsewhere": match.box.guild("Elsewhere").channel("their-room")}
        self._tables: dict[str, Table] = {}
        self._people: dict[int, Person] = {}

    async def get(self, stage: str) -> Table:
        """Return the table at a stage: lobby, play, practice, or closed; "left" is one closed as everybody has left,
        "elsewhere" one in play on another server."""
        phase = "play" if stage in IN_PLAY else "closed" if stage in CLOSED else stage
        table = self._tables.get(stage)
        if table is None or table.state.phase != phase or table.state.away | table.state.gone:
            table = self._tables[stage] = await self._open(stage)
        return table

    def players(self, table: Table) -> list[Person]:
        """Return the people at the table, an awaited one first."""
        state = table.state
        seats = [*state.awaited(), *range(len(state.players))]
        users = [state.players[seat].user for seat in dict.fromkeys(seats)]
        return [self._people[user] for user in users if user in self._people]

    async def _open(self, stage: str) -> Table:
        room, tables = self._rooms.get(stage, self._here.room), self._here.bot.tables
        options = self.game.Options()
        people = [self._guest(room) for _ in range(max(2, self.game.seats(options).start))]
        table = await tables.open(
            self.game,
            options,
            guild=room.guild.id,
            channel=room.id,
            players=[Player(people[0].id, people[0].name)],
            at=tables.clock.now(),
            practice=stage == "practice",
        )
        for person in people[1:]:
            await table.join(person.id, person.name, tables.clock.now())
        if stage in IN_PLAY:
            await table.start(people[0].id, tables.clock.now())
        elif stage == "closed":
            await table.close(CloseReason.CHANNEL_GONE)
        elif stage == "left":
            for person in people:
                await table.leave(person.id, tables.clock.now())
        await self._here.bot.publisher.wait()
        return table

    def _guest(self, room: TextChannel) -> Person:
        person = self._here.box.person(f"Guest {len(self._people)}", *{self._here.guild, room.guild})
        self._people[person.id] = person
        return person


async def forged(person: Person, message: Message, custom_id: str, kind: int, values: list[str]) -> Answer:
    """Make a click that was never offered, and check that it is answered without an unexpected error."""
    if kind == TEXT_INPUT:
        answer = await submitted(person, message, custom_id, values)
    else:
        chosen: dict[str, Any] = {} if kind == BUTTON else {"values": values}
        answer = await person.press(message, custom_id, kind, **chosen)
    check_answer(answer)
    return answer


async def submitted(person: Person, message: Message, custom_id: str, texts: Sequence[str]) -> Answer:
    """Submit a form that was never opened."""
    fields = [{"type": TEXT_INPUT, "id": 1, "custom_id": "x", "value": each} for each in texts]
    lines = [{"type": LABEL, "id": 1, "component": field} for field in fields]
    data: dict[str, Any] = {"custom_id": custom_id, "components": lines}
    return await person.interact(MODAL_SUBMIT, message.channel, data, message)


def shown_by(person: Person, answer: Answer) -> list[str]:
    """Return everything that an answer shows, with the bytes of its pictures."""
    body = answer.message.body if answer.message else None
    return without_ids([body, answer.interaction.modal, pictures(person, body)])


@every_game
async def test_forged_clicks_cause_no_error_show_no_hand_and_move_for_nobody_else(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    tables, forger, stranger = Tables(match), Forger(), match.watcher
    posted = await match.here.bot.get_partial_messageable(match.here.room.id).send(view=Panel(text("Hm?")))
    message = match.here.room.log[posted.id]
    verbs = sorted(match.here.bot.router.verbs)
    for verb in (verbs * CLICKS)[:CLICKS]:
        stage = forger.rng.choice(STAGES)
        table = await tables.get(stage) if stage != "nowhere" else None
        number = str(table.id) if table else forger.rng.choice(NOBODYS)
        person = forger.rng.choice([stranger, *(tables.players(table)[:2] if table else [])])
        forger.honest = await offered(person, message, table) if table and stage in IN_PLAY else []
        click = (forger.custom_id(verb, number), *forger.use())
        n, log = table.state.n if table else 0, match.here.bot.store.log
        answer = await forged(person, message, *click)
        if table:
            added = await log(table.id, after=n)
            assert {entry.user for entry in added} <= {person.id, None}, click
            if person is stranger and stage != "lobby":
                assert added == [], click
                await shows_no_hidden_card(table, stranger, message, click, shown_by(stranger, answer))
        assert caplog.records == [], click


async def test_every_button_is_answered_at_a_lobby_that_everybody_has_left(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    table = await Tables(match).get("left")
    posted = await match.here.bot.get_partial_messageable(match.here.room.id).send(view=Panel(text("Hm?")))
    for verb in match.here.bot.router.verbs:
        await forged(match.watcher, match.here.room.log[posted.id], f"{verb}:{table.id}", BUTTON, [])
        assert caplog.records == [], verb


async def offered(person: Person, message: Message, table: Table) -> list[str]:
    """Return the custom ids of a player's hand."""
    hand = await person.press(message, f"hand:{table.id}")
    return hand.message.custom_ids if hand.message else []


async def shows_no_hidden_card(
    table: Table, person: Person, message: Message, click: tuple[str, int, list[str]], seen: list[str]
) -> None:
    """Check that the same click shows a stranger the same when all hidden cards are replaced."""
    if (state := table.state.game_state) is None:
        return
    secrets = SUBJECTS[table.match.game].secrets
    for twin in equivalent_states(secrets, state, None, Random(1)):
        table.state.game_state = twin
        assert shown_by(person, await forged(person, message, *click)) == seen, click
    table.state.game_state = state


async def test_a_typed_line_of_any_length_and_characters_is_refused_without_being_repeated(
    match: Match,
) -> None:
    await match.deal()
    person, _ = await match.next()
    hand = await match.hand(person)
    modal, n, before = (await person.click(hand, "Type a move")).modal, await match.entries(), hand.text
    assert modal is not None
    for line in VALUES:
        check_answer(await submitted(person, hand, modal.custom_id, [line]))
        assert len(line) < ODD or line not in hand.text
        assert len(hand.text) < len(before) + SENTENCE
    assert await match.entries() == n


async def test_forged_clicks_in_a_race_cause_no_error_and_move_for_nobody_else(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    forger, stranger = Forger(), here.box.person("Walter", here.guild)
    game = await dealt(here, seats=2, mode="timed")
    pages = await game.open_spread()
    forger.honest = [*pages[0].custom_ids, *game.board.custom_ids]
    verbs = [verb for verb, route in here.bot.router.verbs.items() if route.game] + ["form", "hand"]
    for verb in (verbs * CLICKS)[: CLICKS // 4]:
        person = forger.rng.choice([stranger, *game.people])
        message = forger.rng.choice([game.board, *pages])
        n, click = game.table.state.n, (forger.custom_id(verb, "1"), *forger.use())
        await forged(person, message, *click)
        acted = {entry.user for entry in await here.bot.store.log(1, after=n)}
        assert acted <= {person.id, None} - {stranger.id}, click
        assert caplog.records == [], click


async def test_an_invented_button_is_refused_and_changes_nothing(here: CardRoom, manager: Person) -> None:
    page = shown(await manager.slash(here.room, "twin-palms rules"))
    await here.bot.store.set_preference(manager.id, "alias", "Zed")
    before = await here.bot.store.preferences(manager.id)
    invented = [f"{verb}:0:{rest}" for verb, rests in INVENTED.items() for rest in rests]
    for custom_id in (*invented, "doctor:0", "doctor:1:owner:x", "everywhere:0"):
        answer = await manager.press(page, custom_id)
        assert "does not work any more" in refusal_of(answer), custom_id
    assert await here.bot.store.preferences(manager.id) == before
    assert here.bot.tables.seated(manager.id) == []
