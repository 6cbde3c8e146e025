"""Clicks without an answer are excused by what has kept that answer from coming, and by nothing else."""

import asyncio
import time
from collections.abc import Callable
from math import inf
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest

from bot.cli.start import StartRefused
from sandbox import Answer, Sandbox
from sandbox.faults import Fault
from sandbox.gateway import Carried
from sandbox.interactions import Interaction
from tests.rooms.plan import Plan
from tests.rooms.room import ANSWERS_FAILED, HANDED_OVER, JUMPED, REMOVED, REVOKED, SLOW_DISK, Room
from tests.rooms.simulated_bot import SimulatedBot
from tests.simulation.process import Process

COMPONENT = 3
Hindrance: TypeAlias = Callable[[Room, Interaction, Process], object]


class Stub:
    """A bot as far as a room asks for it here. Clicks on "form" cannot wait."""

    def may_wait(self, asked: dict[str, str]) -> bool:
        return asked["custom_id"] != "form"


def room_of_a_stub() -> Room:
    return Room(Sandbox(), Stub(), Plan(1, 60, shards=2))  # type: ignore[arg-type] # it needs no more here


def met_a_fault(room: Room, given: Interaction) -> None:
    path = f"/interactions/{given.id}/{given.token}/callback"
    room.box.faults.add(Fault("POST", path, None, delay=3))
    room.box.faults.next("POST", path)


def noted(name: str) -> Hindrance:
    def note(room: Room, *_: object) -> None:
        with room.trouble(name):
            pass

    return note


async def unanswered(hinder: Hindrance, *, was_sent: bool = True, button: str = "hand") -> Room:
    """Return a room in which a click on the first server was not answered."""
    room, process = room_of_a_stub(), Process(asyncio.get_running_loop(), "bot")  # type: ignore[arg-type]
    person = room.people[0]
    given = room.box.interactions.begin(COMPONENT, person.user, room.channels[0], {"custom_id": button})
    if was_sent:
        connection: Any = SimpleNamespace(process=process)
        room.box.gateway.carried[given.id] = Carried(room.box.clock.now(), time.monotonic(), connection)
    hinder(room, given, process)
    person.answers.append(Answer(given, failed=True))
    room.count_answers(all_=True)
    return room


def cut_off(room: Room, shard: int, name: str = "gateway lost") -> None:
    now = room.box.clock.now()
    room.troubled.append((now - 20, now - 15, name))
    room.cut_off[shard].append((now - 14, now + 1))


@pytest.mark.parametrize(
    ("hinder", "cause"),
    [
        (lambda _, __, process: process.note_end(), "process down, frozen or leaving"),
        (lambda room, given, _: met_a_fault(room, given), ANSWERS_FAILED),
        (lambda room, *_: room.box.clock.advance(60), JUMPED),
    ],
    ids=["down", "failed", "late"],
)
async def test_what_keeps_an_answer_from_coming_excuses_it(hinder: Hindrance, cause: str) -> None:
    room = await unanswered(hinder)
    assert (room.answers.missing, dict(room.answers.excused)) == ([], {cause: 1})


@pytest.mark.parametrize("name", [REVOKED, REMOVED, ANSWERS_FAILED, "killed", "gateway lost", SLOW_DISK])
async def test_what_is_there_but_keeps_no_answer_from_coming_does_not(name: str) -> None:
    assert len((await unanswered(noted(name))).answers.missing) == 1


async def test_a_slow_disk_excuses_what_cannot_be_deferred() -> None:
    room = await unanswered(noted(SLOW_DISK), button="form")
    assert dict(room.answers.excused) == {SLOW_DISK: 1}


@pytest.mark.parametrize("fault", ["stopped", HANDED_OVER])
async def test_a_start_excuses_what_cannot_be_deferred_for_some_seconds(fault: str) -> None:
    def just_started(room: Room, *_: object) -> None:
        now = room.box.clock.now()
        room.troubled.append((now - 5, now - 1, fault))

    assert (await unanswered(just_started, button="form")).answers.excused == {fault: 1}
    assert (await unanswered(just_started)).answers.missing


async def test_a_click_that_was_not_sent_needs_a_cause_of_its_own_shard() -> None:
    first = await unanswered(lambda room, *_: cut_off(room, 0), was_sent=False)
    other = await unanswered(lambda room, *_: cut_off(room, 1), was_sent=False)
    harmless = await unanswered(lambda room, *_: cut_off(room, 0, REVOKED), was_sent=False)
    assert dict(first.answers.excused) == {"not connected, gateway lost": 1}
    assert len(other.answers.missing) == len(harmless.answers.missing) == 1


@pytest.mark.parametrize(
    ("error", "unforeseen"), [(StartRefused("Stop it."), []), (KeyError(7), ["KeyError(7)"])]
)
async def test_a_process_that_ends_by_itself_answers_nobody_and_says_why(
    error: Exception, unforeseen: list[str]
) -> None:
    process = Process(asyncio.get_running_loop(), "bot")  # type: ignore[arg-type]
    bot: Any = SimpleNamespace(_process=process, ended=[], unforeseen=[])

    async def end() -> None:
        raise error

    main = asyncio.create_task(end())
    await asyncio.wait({main})
    SimulatedBot._note_end(bot, main)
    ((began, ended),) = process.lapses
    assert bot.unforeseen == unforeseen
    assert began <= time.monotonic() < ended == inf
