"""People: they open tables, sit down, play by commands, forms and modals, vote, go away and come back."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any

from bot.match.ahead import may_decide
from cogs.common.ahead_menu import ASK
from games import GAMES
from games.strategies import choose
from games.types import Seat
from sandbox import Answer, Channel, Message, Modal, Person
from sandbox.interactions import DEFER_UPDATE, MESSAGE, UPDATE
from tests.e2e.test_matches import tables as tables_of
from tests.rooms.attempt import Attempt
from tests.rooms.errands import ERRANDS, UNABLE, Errand, NotThere, shown, start_a_season
from tests.rooms.room import FollowedTable, Room

SEATED = 2
"""Number of open tables at which a person sits before they open or join another one. The bot allows three."""
TAPS = 12
"""Number of random taps on a form, after which a person types the move instead."""
PAUSE = (0.05, 0.5)
"""Range of the seconds between two acts at a table."""
THOUGHT = (1.5, 3.0)
"""Range of the seconds of a pause before and after the middle of it."""
ASLEEP = 14.0
"""Greatest number of seconds for which a person does not look at a table: reminder, vote and caretaker come before."""
DAILY_TAPS = 400
PRESS = ".press:"
"""Part of the custom ids of a table's own buttons that make a move."""
CHOSEN = "When your turn comes: "
"""Beginning of what a hand says of a choice that was made ahead."""
UNCERTAIN = "may have counted"
"""Part of the answer to a move of which the bot does not know whether its answer was shown."""
REFUSED_LATE = 3.1
"""Seconds after which the answer to a request comes at last. A match may be over by then."""

Act = Callable[["Visitor"], Awaitable[object]]


async def open_tables(room: Room) -> None:
    """Keep enough tables open, and let people attend each of them, until the room is ending."""
    rng = room.chance("tables")
    attended: dict[FollowedTable, asyncio.Task[None]] = {}
    async with asyncio.TaskGroup() as group:
        # Else hardly a match would begin and end in a season.
        group.create_task(_run_errand(room, room.chance("first season"), start_a_season))
        while not room.ending:
            await asyncio.sleep(rng.uniform(0.05, 0.3))
            for table in [*room.tables.values()]:
                # One that was over may be open again after a restore.
                if table not in attended or (attended[table].done() and table.is_open):
                    visit = Visitor(room, table, room.chance(f"table {table.id}"))
                    attended[table] = group.create_task(visit.attend())
            if len(room.open_tables()) < room.plan.tables:
                with room.noting(*UNABLE):
                    await rng.choices((_open_match, _open_practice), (4, 1))[0](room, rng)
            if rng.randrange(15) == 0 and room.people:
                group.create_task(_run_errand(room, Random(rng.random())))


def free_people(room: Room) -> list[Person]:
    """Return the people who sit at few open tables."""
    open_ones = [table.state for table in room.open_tables()]
    return [
        person
        for person in room.people
        if sum(state.seat_of(person.id) is not None for state in open_ones) < SEATED
    ]


async def _open_match(room: Room, rng: Random) -> None:
    """Open a table of some game, with options, computers and a pace that are drawn by lot."""
    game, channel = GAMES[_game(room, rng)], rng.choice(room.channels)
    free = free_people(room)
    if not free:
        return
    options = dict(rng.choice([*tables_of(game).values()]))
    most = game.seats(game.Options.model_validate(options)).stop - 1
    if rng.randrange(2) and most > 1:
        options["computers"] = rng.randrange(1, most)
        options["strength"] = rng.choice(("casual", "casual", "steady", "sharp"))
    if not game.real_time:
        options["pace"] = rng.choice(("live", "live", "relaxed", "correspondence"))
    await rng.choice(free).slash(channel, f"{game.slug} start", **options)


async def _open_practice(room: Room, rng: Random) -> None:
    free = free_people(room)
    if free:
        game = _game(room, rng)
        strength = rng.choice(("casual", "steady"))
        await rng.choice(free).slash(rng.choice(room.channels), "practice", game=game, strength=strength)


def _game(room: Room, rng: Random) -> str:
    return room.plan.game or rng.choice([*GAMES])


async def _run_errand(room: Room, rng: Random, wanted: Errand | None = None) -> None:
    """Let somebody do something that has nothing to do with a table, by default anything."""
    if not room.people:  # in a search for those that are enough
        return
    errands: dict[Errand, int] = ERRANDS | {_play_daily: 6, _play_elsewhere: 3}
    errand = wanted or rng.choices([*errands], [*errands.values()])[0]
    with room.noting(*UNABLE):
        await errand(room, rng, rng.choice(room.people))
        room.counts[f"errand: {errand.__name__.strip('_').replace('_', ' ')}"] += 1


async def _play_daily(room: Room, rng: Random, person: Person) -> None:
    """Play on at the deal of the day, by tapping in its only message."""
    await _play_private(room, rng, person, await person.slash(rng.choice(room.channels), "daily"))


async def _play_elsewhere(room: Room, rng: Random, person: Person) -> None:
    """Play in a group of people without the bot, by what a person has installed for themselves."""
    person.install()
    other, game = rng.choice(room.people), _game(room, rng)
    group = room.box.group(person, other)
    ways: tuple[Callable[[], Awaitable[Answer]], ...] = (
        lambda: person.slash(group, "practice", game=game),
        lambda: person.slash(group, "daily"),
        lambda: person.choose(group, "Challenge", other),
    )
    await _play_private(room, rng, person, await rng.choice(ways)())


async def _play_private(room: Room, rng: Random, person: Person, answer: Answer) -> None:
    """Play on in the only message of a match, to which one or two buttons lead."""
    deal = shown(answer)
    for _ in range(2):
        label = next((each["label"] for each in deal.buttons if each["label"] in ("Play", "Go on")), None)
        if label is not None:
            deal = shown(await person.click(deal, label))
    await _tap_daily(room, rng, person, deal)


async def _tap_daily(room: Room, rng: Random, person: Person, deal: Message) -> None:
    for _ in range(rng.randrange(DAILY_TAPS)):
        await asyncio.sleep(rng.uniform(*PAUSE) / 2)
        forms = [each for each in deal.custom_ids if each.startswith("form:")]
        if not forms or room.ending:
            return
        table = room.tables.get(int(forms[0].split(":")[1]))
        if table is not None:
            with room.noting(*UNABLE):
                await tap(person, deal, rng, table, room.habits[person.id].times(rng))


async def tap(person: Person, hand: Message, rng: Random, table: FollowedTable, times: int = 1) -> Answer:
    """Tap on a part of the form below a hand. The tap is delivered `times` times; or the person taps twice, which is
    one move where a form is for one decision."""
    parts = [each for each in (*hand.buttons, *hand.selects) if _is_free(each)]
    if not parts:
        raise NotThere("the hand has no form")
    part = rng.choice(parts)
    attempt = table.attempt(person, form=part["custom_id"])
    if part in hand.buttons and times > 1 and not table.state.game.real_time and rng.randrange(2):
        taps = [person.click(hand, part["custom_id"]) for _ in range(times)]
        answer, *_ = await asyncio.gather(*taps)
    elif part in hand.buttons:
        answer = await person.click(hand, part["custom_id"], times=times)
    else:
        values = [option["value"] for option in part["options"]]
        count = rng.randint(part.get("min_values", 1), part.get("max_values", 1))
        answer = await person.select(hand, part["custom_id"], rng.sample(values, count), times=times)
    settle(table, attempt, answer, times)
    return answer


def settle(table: FollowedTable, attempt: Attempt, answer: Answer, times: int = 1) -> None:
    """Note what became of an attempt whose interaction was delivered `times` times. One that was refused is forgotten:
    it must not explain an entry of the log. Raises NotThere when nobody answered."""
    # A deferred update may leave the text of an earlier one.
    told = "✅" in answer.text and answer.interaction.answer != DEFER_UPDATE
    attempt.acknowledged = told and not attempt.is_undone
    if answer.failed:
        raise NotThere(answer.text)
    # Of two deliveries, the one that came too late may have been answered first.
    refused = not told and times == 1 and answer.interaction.answer in (MESSAGE, UPDATE)
    if refused and answer.text and UNCERTAIN not in answer.text:
        table.attempts.remove(attempt)
        table.refusals.append((attempt.after, answer.text))


def _presses(board: Message, match: int) -> list[Any]:
    """Return the buttons with which a table itself makes moves. In direct messages several tables stand together."""
    presses = f"{PRESS}{match}:"
    return [
        each for each in board.buttons if presses in each.get("custom_id", "") and not each.get("disabled")
    ]


def _move_of(part: Any, real_time: bool) -> str:
    """Return the move of a button of a table. Where people take turns, the decision that it answers follows it."""
    move = part["custom_id"].split(":", 2)[2].partition("~")[0]
    return str(move if real_time else move.partition(" ")[0])


def _is_free(part: Any) -> bool:
    return bool(part["custom_id"].startswith("form:")) and not part.get("disabled")


class Visitor:
    """Everybody who comes to one table. Each act is one person's."""

    def __init__(self, room: Room, table: FollowedTable, rng: Random) -> None:
        self.room = room
        self.table = table
        self.rng = rng
        self.asleep: dict[int, float] = {}
        """By person: the time of the loop until which they do not look at this table."""
        self.forms: dict[int, str] = {}
        """By person: the custom id of a form's button that their screen has shown."""
        self.modals: dict[int, Modal] = {}
        """By person: the modal for a move that they have opened last."""

    async def attend(self) -> None:
        """Act until the match is over or the room ends."""
        if self.table.match.placeless:
            return
        while self.table.is_open and not self.room.ending:
            await asyncio.sleep(self.rng.uniform(*PAUSE))
            with self.room.noting(*UNABLE):
                await (self.sit() if self.table.state.phase == "lobby" else self.play())
        if self.table.state.phase == "over" and self.rng.randrange(4) == 0 and not self.room.ending:
            with self.room.noting(*UNABLE):
                await self.rng.choice(self.players()).press(self.source(), f"rematch:{self.table.id}")

    # What they use

    @property
    def place(self) -> Channel:
        """The place of the table. Raises NotThere when that was deleted."""
        channel = self.room.channel(self.table.place)
        if channel is None:
            raise NotThere("the channel was deleted")
        return channel

    def source(self, person: Person | None = None) -> Message:
        """Return a message of the table with buttons: the last one where it is played, or the card. Some people now and
        then use an old one."""
        places = (self.room.channel(self.table.place), self.room.channel(self.table.match.channel))
        found = [
            message
            for place in places
            for message in reversed(place.messages() if place else [])
            if any(each.split(":")[1:2] == [str(self.table.id)] for each in message.custom_ids)
        ]
        if not found:
            raise NotThere("no message of the table is left")
        is_old = person is not None and self.rng.randrange(self.room.habits[person.id].old) == 0
        return self.rng.choice(found) if is_old else found[0]

    def _times(self, person: Person) -> int:
        return self.room.habits[person.id].times(self.rng)

    def players(self) -> list[Person]:
        """Return the people who sit here. Raises NotThere when nobody does."""
        found = [self.room.person(player.user) for player in self.table.state.players]
        return [person for person in found if person is not None] or self._nobody()

    def _nobody(self) -> list[Person]:
        raise NotThere("nobody sits here")

    # The lobby

    async def sit(self) -> None:
        """Join, cut, leave again, or start."""
        state, source = self.table.state, self.source()
        least, full = self._size()
        if len(state.players) < least or (len(state.players) < full and self.rng.randrange(3) == 0):
            await self._join(source)
        elif self.rng.randrange(12) == 0:
            person = self.rng.choice(self.players())
            await person.click(shown(await person.click(source, "More")), "Leave")
        elif self.rng.randrange(8) == 0:
            await self._cut(source)
        elif self.rng.randrange(20):
            host = self.room.person(state.host.user)
            if host is not None:
                await host.click(source, "Start", times=self._times(host))

    def _size(self) -> tuple[int, int]:
        state = self.table.state
        seats = state.game.seats(state.options)
        return seats.start, seats.stop - 1

    async def _join(self, source: Message) -> None:
        seated = [player.user for player in self.table.state.players]
        free = [person for person in free_people(self.room) if person.id not in seated]
        if free:
            person = self.rng.choice(free)
            await person.click(source, "Join", times=self._times(person))

    async def _cut(self, source: Message) -> None:
        person = self.rng.choice(self.room.people)
        modal = (await person.click(shown(await person.click(source, "More")), "Cut")).modal
        if modal is not None:
            words = next(each for each in _fields(modal.body) if each.get("placeholder"))
            await person.submit(modal, {words["custom_id"]: f"blue lamp {self.rng.randrange(10_000)}"})

    # The match

    async def play(self) -> None:
        """Let somebody move whose turn it is and who looks, or let anybody do something else."""
        if not self.table.state.present() and (self.room.calm or self.rng.randrange(20) == 0):
            await self.take()  # without anybody present, computers do not play on
        elif self.table.state.polls and self.rng.randrange(6) == 0:
            await self.vote()
        elif self.rng.randrange(9) == 0:
            await self.rng.choices(OTHER_ACTS, OTHER_WEIGHTS)[0](self)
        elif self.rng.randrange(5) == 0 and (waiting := self._waiting()):
            await self.decide(self.rng.choice(waiting))
        elif (seat := self._seat()) is not None:
            await self.move(seat)

    def _seat(self) -> Seat | None:
        """Return an awaited seat whose person looks at the table; None if there is none."""
        state, now = self.table.state, asyncio.get_running_loop().time()
        seats = [
            seat
            for seat in {*state.awaited()} & {*state.people()}
            if self.room.calm or self.asleep.get(state.players[seat].user, 0) < now
        ]
        if not seats:
            return None
        seat = self.rng.choice(sorted(seats))
        user = state.players[seat].user
        habits = self.room.habits[user]
        if self.rng.randrange(habits.absent) == 0 and not self.room.calm:
            self.asleep[user] = now + self.rng.uniform(0, ASLEEP)
            return None
        self.asleep[user] = now + self.rng.uniform(0, habits.pause)
        return seat

    async def move(self, seat: Seat) -> Answer | None:
        """Move for a seat: with the form, a modal or a command. Return the last answer."""
        person = self.room.person(self.table.state.players[seat].user)
        if person is None:
            return None
        ways = self.room.habits[person.id].ways
        if self.rng.randrange(3) == 0 and (source := self._board(person)):
            return await self._by_board(person, source)
        way = self.rng.choices((self._by_command, self._by_modal, self._by_form), ways)[0]
        return await way(person, seat)

    def _choice(self, seat: Seat) -> str:
        """Return the text of a move: a good one in a game of speed, where random guesses would never end the match."""
        state = self.table.state
        legal = state.legal(seat)
        if not legal:
            raise NotThere("there is no move any more")
        if state.game.real_time:
            action = choose(state.game, state.game.view(state.game_state, seat), "steady", state.n)
        else:
            action = self.rng.choice(legal)
        return state.game.text(action)

    async def _by_command(self, person: Person, seat: Seat) -> Answer:
        attempt, times = self.table.attempt(person, self._choice(seat)), self._times(person)
        options = {"action": attempt.text, "table": str(self.table.id)}
        answer = await person.command(self.place, "move", options, times=times)
        settle(self.table, attempt, answer, times)
        return answer

    async def _by_modal(self, person: Person, seat: Seat) -> Answer:
        opened = await person.press(self.source(person), f"type:{self.table.id}")
        if opened.modal is None:
            raise NotThere(opened.text)
        modal, times = self._old_or_new(person, opened.modal), self._times(person)
        attempt = self.table.attempt(person, self._choice(seat), form=modal.custom_id)
        answer = await person.submit(modal, {"Your move": attempt.text}, times=times)
        settle(self.table, attempt, answer, times)
        return answer

    def _old_or_new(self, person: Person, modal: Modal) -> Modal:
        """Return a modal that was just opened, or now and then the one before it, which is for an earlier decision."""
        before, self.modals[person.id] = self.modals.get(person.id, modal), modal
        return before if self.rng.randrange(self.room.habits[person.id].old) == 0 else modal

    async def _by_form(self, person: Person, seat: Seat) -> Answer:
        """Tap on the form of the hand until a move is made; after many taps type the move instead."""
        hand = shown(await person.press(self.source(person), f"hand:{self.table.id}"))
        if person.id in self.forms and self.rng.randrange(self.room.habits[person.id].old) == 0:
            form = self.forms[person.id]  # of an earlier decision
            attempt = self.table.attempt(person, form=form)
            settle(self.table, attempt, await person.press(hand, form))
        if form := next((each["custom_id"] for each in hand.buttons if _is_free(each)), ""):
            self.forms[person.id] = form
        for _ in range(TAPS):
            answer = await tap(person, hand, self.rng, self.table, self._times(person))
            if "✅" in answer.text or seat not in self.table.state.awaited():
                return answer
            hand = shown(answer)
        return await self._by_command(person, seat)

    def _board(self, person: Person) -> Message | None:
        """Return a table with buttons of its own for moves, as some games have; None without one."""
        source = self.source(person)
        return source if _presses(source, self.table.id) else None

    async def _by_board(self, person: Person, board: Message) -> Answer:
        """Press a button of the table itself, maybe at the same moment as somebody else."""
        other = self.rng.choice(self.players())
        if other is person or self.rng.randrange(2):
            return await self._press(person, board)
        answer, _ = await asyncio.gather(self._press(person, board), self._press(other, board))
        return answer

    async def _press(self, person: Person, board: Message) -> Answer:
        """Press a button of a table. The answer shows the table, not what became of that."""
        part, times = self.rng.choice(_presses(board, self.table.id)), self._times(person)
        attempt = self.table.attempt(person, _move_of(part, self.table.state.game.real_time))
        answer = await person.click(board, part["custom_id"], times=times)
        told = "✅" in answer.text and answer.interaction.answer == MESSAGE
        attempt.acknowledged = told and not attempt.is_undone
        refused = answer.interaction.answer == MESSAGE and times == 1 and UNCERTAIN not in answer.text
        if refused and not told:
            self.table.attempts.remove(attempt)
        return answer

    # Before their turn

    def _waiting(self) -> list[Seat]:
        """Return the seats of people who may decide ahead."""
        state = self.table.state
        return [seat for seat in state.present() if may_decide(state, seat)]

    async def decide(self, seat: Seat) -> None:
        """Decide ahead for a seat, and maybe again."""
        person = self.room.person(self.table.state.players[seat].user)
        if person is None:
            return
        hand = shown(await person.press(self.source(person), f"hand:{self.table.id}"))
        for _ in range(self.rng.randrange(1, 3)):
            await asyncio.sleep(self.rng.uniform(*PAUSE))
            hand = shown(await self._choose(person, hand))

    async def _choose(self, person: Person, hand: Message) -> Answer:
        """Choose something in the menu by which a person decides ahead."""
        menu = next((each for each in hand.selects if each["custom_id"].startswith("ahead:")), None)
        if menu is None:
            raise NotThere("there is nothing to decide ahead")
        option, times = self.rng.choice(menu["options"]), self._times(person)
        text = "" if option["value"] == ASK else option["value"]
        self.table.choices += (
            choices := [Attempt(person.id, self.table.state.n, text) for _ in range(times)]
        )
        answer = await person.select(hand, menu["custom_id"], [option["value"]], times=times)
        is_told = f"{CHOSEN}{option['label']}" in answer.text.replace("*", "")
        is_told &= answer.interaction.answer == UPDATE and bool(text)
        choices[0].acknowledged = is_told and not choices[0].is_undone
        return answer

    # Other acts

    async def look(self) -> None:
        """Open something that changes nothing."""
        person, table = self.rng.choice(self.players()), str(self.table.id)
        looks: tuple[Callable[[], Coroutine[Any, Any, object]], ...] = (
            lambda: person.slash(self.place, "hand", table=table),
            lambda: person.slash(self.place, "tables"),
            lambda: person.slash(self.place, "leaderboard"),
            lambda: person.slash(self.place, "profile"),
            lambda: person.slash(self.place, "help"),
            lambda: person.slash(self.place, f"{self.table.match.game} rules"),
            lambda: person.autocomplete(self.place, "move", "action", self.rng.choice(("", "p", "3"))),
        )
        await self.rng.choice(looks)()

    async def show(self) -> None:
        """Post the table again."""
        await self.rng.choice(self.players()).slash(self.place, "table show", table=str(self.table.id))

    async def pause(self) -> None:
        """Let nobody move for so long that all is shown and people are called. Somebody may show the table again, or
        write, in the middle of that."""
        await asyncio.sleep(self.rng.uniform(*THOUGHT))
        if self.rng.randrange(2):
            await self.rng.choice((self.show, self.say))()
        await asyncio.sleep(self.rng.uniform(*THOUGHT))

    async def vote(self) -> None:
        """Vote in an open poll."""
        for poll in [*self.table.state.polls.values()]:
            choices = [choice for choice in self.table.state.choices(poll) if choice != "end"] + [
                "wait",
                "keep",
            ]
            custom_id = f"vote:{self.table.id}:{poll.number}:{self.rng.choice(choices)}"
            for person in self.players():
                await person.press(self.source(), custom_id)

    async def propose(self) -> None:
        """Propose another pace."""
        pace = self.rng.choice(("live", "relaxed", "correspondence"))
        await self.rng.choice(self.players()).slash(
            self.place, "table pace", pace=pace, table=str(self.table.id)
        )

    async def leave(self) -> None:
        """Leave the match for good. Then maybe try to move, and to get the seats of others."""
        person = self.rng.choice(self.players())
        seat = self.table.state.seat_of(person.id)
        asked = shown(await person.slash(self.place, "table leave", table=str(self.table.id)))
        await person.click(asked, "Leave the match")
        for free in sorted(self.table.state.gone - {seat}):
            await person.press(self.source(), f"take:{self.table.id}:{free}")
        others = [each for each in self.players() if each is not person]
        if others and self.rng.randrange(2):
            await self._offer(self.rng.choice(others), person)
        if seat is not None and self.rng.randrange(2):
            await self._by_command(person, seat)

    async def take(self) -> None:
        """Take a seat whose player has left, or one's own seat back from the computer."""
        state = self.table.state
        for seat in sorted(state.gone):
            free = self._knowing(free_people(self.room))
            if free:
                await self.rng.choice(free).press(self.source(), f"take:{self.table.id}:{seat}")
        for seat in sorted(state.away - state.gone):
            person = self.room.person(state.players[seat].user)
            if person is not None:
                await person.press(self.source(), f"back:{self.table.id}")

    def _knowing(self, people: list[Person]) -> list[Person]:
        """Return those who have seen a hand of this match and left it, now and then; else all."""
        state = self.table.state
        held = [each for each in people if each.id in state.held and state.seat_of(each.id) is None]
        return held if held and self.rng.randrange(2) else people

    async def hand_over(self) -> None:
        """Offer the seat to somebody, who accepts or declines, or take the offer back."""
        person, state = self.rng.choice(self.players()), self.table.state
        free = self._knowing([each for each in free_people(self.room) if state.seat_of(each.id) is None])
        if free:
            await self._offer(person, self.rng.choice(free))

    async def _offer(self, person: Person, to: Person) -> None:
        seat = self.table.state.seat_of(person.id)
        if seat is not None:
            await person.slash(self.place, "table hand-over", member=to, table=str(self.table.id))
            who, verb = self.rng.choice(((to, "accept"), (to, "decline"), (person, "decline")))
            await who.press(self.source(), f"{verb}:{self.table.id}:{seat}")

    async def hint(self) -> None:
        """Ask for a hint and follow it. Outside practice this is refused."""
        person = self.rng.choice(self.players())
        hinted = shown(await person.press(self.source(), f"hint:{self.table.id}"))
        if any(each["label"] == "Do it" for each in hinted.buttons):
            attempt, times = self.table.attempt(person), self._times(person)
            settle(self.table, attempt, await person.click(hinted, "Do it", times=times), times)

    async def pry(self) -> None:
        """Use what belongs to somebody else: the hand and the form of a table at which one does not sit."""
        seated = [player.user for player in self.table.state.players]
        others = [person for person in self.room.people if person.id not in seated]
        if not others:  # in a smaller form of a room
            return
        other = self.rng.choice(others)
        for verb in ("hand", "type", "hint"):
            await other.press(self.source(), f"{verb}:{self.table.id}")

    async def say(self) -> None:
        """Write messages, which push the table out of sight."""
        for n in range(self.rng.randrange(1, 8)):
            await self.rng.choice(self.players()).say(self.place, f"Nice cards! {n}")

    async def close_dms(self) -> None:
        """Close one's direct messages for some time."""
        person = self.rng.choice(self.players())
        if self.room.calm:  # it would last into the proof, and nobody moves then
            return
        person.close_dms()
        asyncio.get_running_loop().call_later(self.rng.uniform(1, 10), self._open_dms, person)

    def _open_dms(self, person: Person) -> None:
        person.open_dms()
        for pause in (0.0, REFUSED_LATE):
            asyncio.get_running_loop().call_later(
                pause, self.room.excuse_ended, person.dms.id, "direct messages closed"
            )


OTHER_ACTS: tuple[Act, ...] = (
    Visitor.look,
    Visitor.show,
    Visitor.pause,
    Visitor.vote,
    Visitor.propose,
    Visitor.leave,
    Visitor.take,
    Visitor.hand_over,
    Visitor.hint,
    Visitor.pry,
    Visitor.say,
    Visitor.close_dms,
)
OTHER_WEIGHTS = (10, 2, 6, 6, 2, 2, 6, 1, 2, 2, 4, 1)


def _fields(body: Any) -> list[Any]:
    """Return all parts of a modal that a person can fill in."""
    if isinstance(body, list):
        return [found for part in body for found in _fields(part)]
    inner = [
        *_fields(body.get("components", [])),
        *_fields([body["component"]] if "component" in body else []),
    ]
    return [body, *inner] if "custom_id" in body and "components" not in body else inner
