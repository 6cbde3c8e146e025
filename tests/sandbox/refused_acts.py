"""Refused cases of more than one payload: acts at the wrong time, in the wrong place or without permission."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from sandbox import Permission, Thread, posting
from sandbox.refusals import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from tests.sandbox.refused_payloads import (
    EPHEMERAL,
    Json,
    RefusedCase,
    button,
    choice,
    command,
    form,
    label,
    row,
    text_input,
)
from tests.sandbox.wire import Reply, Wire

HELLO: Json = {"content": "Hello"}
WITH_BUTTON: Json = {"content": "Hello", "components": [row(button())]}
ANSWER: Json = {"type": 4, "data": HELLO}
HIDDEN: Json = {"type": 4, "data": HELLO | {"flags": EPHEMERAL}}
PRIVATE: Json = {"name": "Table 1", "type": 12}


def refused_acts() -> Iterator[RefusedCase]:
    """Yield the cases of all groups below."""
    yield from interactions()
    yield from messages()
    yield from ephemerals()
    yield from permissions()
    yield from threads()
    yield from direct_messages()
    yield from rate_limits()
    yield from gateway()


# Interactions.


async def late(wire: Wire) -> Reply:
    interaction = wire.interaction()
    wire.box.clock.advance(3.1)
    return await wire.callback(interaction, ANSWER)


async def twice(wire: Wire) -> Reply:
    interaction = wire.interaction()
    await wire.callback(interaction, ANSWER)
    return await wire.callback(interaction, ANSWER)


async def expired_token(wire: Wire) -> Reply:
    interaction = wire.interaction()
    await wire.callback(interaction, ANSWER)
    wire.box.clock.advance(15 * 60 + 1)
    return await wire.ask("PATCH", f"{wire.hook(interaction)}/messages/@original", HELLO)


async def early_followup(wire: Wire) -> Reply:
    return await wire.ask("POST", wire.hook(wire.interaction()), HELLO)


async def answer_in_deleted_channel(wire: Wire, method: str, tail: str) -> Reply:
    interaction = wire.interaction()
    await wire.callback(interaction, ANSWER)
    wire.room.delete()
    return await wire.ask(method, wire.hook(interaction) + tail, HELLO)


async def followup_of_another_application(wire: Wire) -> Reply:
    interaction = wire.interaction()
    await wire.callback(interaction, ANSWER)
    return await wire.ask("POST", f"/webhooks/1/{interaction.token}", HELLO)


async def too_many_choices(wire: Wire) -> Reply:
    choices = [choice(f"c{n}") for n in range(26)]
    return await wire.callback(wire.interaction(AUTOCOMPLETE), {"type": 8, "data": {"choices": choices}})


async def large_file(wire: Wire) -> Reply:
    return await wire.ask("POST", wire.messages(), HELLO, [("a.png", bytes(10 * 1024 * 1024 + 1))])


def wrong_answers() -> Iterator[RefusedCase]:
    wrong = {
        COMMAND: (1, 6, 7, 8, 12),
        COMPONENT: (8, 12),
        AUTOCOMPLETE: (4, 5, 6, 7, 9),
        MODAL_SUBMIT: (6, 7, 8),
    }
    for kind, types in wrong.items():
        for type_ in types:
            act = partial(answered, kind=kind, type_=type_)
            yield RefusedCase("Answer types", f"{type_} to {kind}", act)
    modal = "Modal as an answer to a modal"
    yield RefusedCase(modal, "of a command", lambda wire: answered(wire, MODAL_SUBMIT, 9))
    yield RefusedCase(
        modal, "of a component", lambda wire: answered(wire, MODAL_SUBMIT, 9, by_component=True)
    )


async def answered(wire: Wire, kind: int, type_: int, *, by_component: bool = False) -> Reply:
    needs_source = kind == COMPONENT or by_component
    source = (await wire.send(WITH_BUTTON)).id if needs_source else None
    data: dict[int, Any] = {8: {"choices": []}, 9: form(label(text_input()))}
    body = {"type": type_, "data": data.get(type_, HELLO)}
    return await wire.callback(wire.interaction(kind, source), body)


def interactions() -> Iterator[RefusedCase]:
    yield RefusedCase("First answer after the event", "after 3.1 s", late, 404, 10062)
    yield RefusedCase("Second first answer", "a second one", twice, 400, 40060)
    yield RefusedCase(
        "Token life for edits and followups", "an edit after 15 minutes", expired_token, 401, 50027
    )
    early = "Followup before the first answer"
    yield RefusedCase(early, "at once", early_followup, 404, 10015)
    yield RefusedCase(early, "by another application", followup_of_another_application, 404, 10015)
    for method, tail in (("POST", ""), ("PATCH", "/messages/@original")):
        act = partial(answer_in_deleted_channel, method=method, tail=tail)
        what = f"{method} after the channel was deleted"
        yield RefusedCase("Callback, followup, edit endpoints", what, act, 404, 10003)
    yield RefusedCase("Autocomplete", "26 choices", too_many_choices)
    yield RefusedCase("attachment_size_limit in the event", "one byte more", large_file, 413, 40005)
    yield from wrong_answers()


# Messages.


async def edit_of_system_message(wire: Wire) -> Reply:
    thread = await a_thread(wire)
    (message,) = thread.messages()
    return await wire.ask("PATCH", f"{wire.messages(thread)}/{message.id}", HELLO)


async def pin(wire: Wire, *, number: int = 0, allowed: bool = True) -> Reply:
    """Pin a message in a channel that has `number` others pinned."""
    if allowed:
        wire.guild.grant(wire.box.world.bot, Permission.PIN_MESSAGES)
    for _ in range(number):
        posting.post(wire.room, wire.alice.user, HELLO, pinned=wire.box.clock.now())
    sent = await wire.send(HELLO)
    return await wire.ask("PUT", f"{wire.messages()}/pins/{sent.id}")


async def many_new_commands(wire: Wire) -> Reply:
    for prefix in "ab":
        assert (await wire.put_commands([command(f"{prefix}{n}") for n in range(100)])).status == 200
    return await wire.put_commands([command("c")])


def messages() -> Iterator[RefusedCase]:
    yield RefusedCase(
        "other people's messages", "edit of a system message", edit_of_system_message, 403, 50021
    )
    yield RefusedCase("pins", "without permission", lambda wire: pin(wire, allowed=False), 403, 50013)
    yield RefusedCase("pins", "251", lambda wire: pin(wire, number=250), 400, 30003)
    yield RefusedCase("Creations", "201 in a day", many_new_commands, 400, 30034)


# Ephemeral messages.


async def reach_ephemeral(wire: Wire, method: str, tail: str, body: Any) -> Reply:
    interaction = wire.interaction()
    await wire.callback(interaction, HIDDEN)
    assert interaction.original is not None
    return await wire.ask(method, f"{wire.messages()}/{interaction.original.id}{tail}", body)


def ephemerals() -> Iterator[RefusedCase]:
    for method, tail, body in [
        ("GET", "", None),
        ("PATCH", "", HELLO),
        ("DELETE", "", None),
        ("POST", "/threads", {"name": "x"}),
    ]:
        act = partial(reach_ephemeral, method=method, tail=tail, body=body)
        yield RefusedCase("Not reachable over", f"{method} {tail}", act, 404, 10008)


# Permissions.


async def see_hidden_channel(wire: Wire) -> Reply:
    wire.room.deny(wire.box.world.bot, Permission.VIEW_CHANNEL)
    return await wire.ask("GET", f"/channels/{wire.room.id}")


def permissions() -> Iterator[RefusedCase]:
    yield RefusedCase("Missing VIEW_CHANNEL gives", "see a channel", see_hidden_channel, 403, 50001)


# Threads.


async def a_thread(wire: Wire) -> Thread:
    started = await wire.start_thread({"name": "Table 1"}, on=(await wire.send(HELLO)).id)
    thread = wire.box.world.channel(int(started.id))
    assert isinstance(thread, Thread)
    return thread


async def change_locked(wire: Wire) -> Reply:
    thread = await a_thread(wire)
    thread.archive(locked=True)
    return await wire.ask("PATCH", f"/channels/{thread.id}", {"archived": False})


async def archive_room(wire: Wire) -> Reply:
    return await wire.ask("PATCH", f"/channels/{wire.room.id}", {"archived": True})


async def thread_in_dms(wire: Wire) -> Reply:
    return await wire.start_thread(PRIVATE, channel=wire.alice.dms)


async def one_thread_too_many(wire: Wire) -> Reply:
    fill_with_threads(wire)
    return await wire.start_thread(PRIVATE)


async def one_thread_awake_too_many(wire: Wire, method: str, path: str, body: Json) -> Reply:
    """Send a request that takes a thread out of the archive, when the server has as many active ones as it may."""
    thread = await a_thread(wire)
    thread.archive()
    fill_with_threads(wire)
    return await wire.ask(method, f"/channels/{thread.id}{path}", body)


def fill_with_threads(wire: Wire) -> None:
    world = wire.box.world
    for _ in range(1000):
        id_ = world.snowflakes.next()
        world.channels[id_] = Thread(world, id_, wire.room, world.bot, "Table", False, world.clock.now())


async def answer_in_archived(wire: Wire, method: str) -> Reply:
    """Edit or delete an answer in a thread that was archived after the answer."""
    thread = await a_thread(wire)
    data: Json = {"id": "1", "name": "play", "type": 1}
    interaction = wire.box.interactions.begin(COMMAND, wire.alice.user, thread, data)
    await wire.callback(interaction, ANSWER)
    thread.archive()
    body = HELLO if method == "PATCH" else None
    return await wire.ask(method, f"{wire.hook(interaction)}/messages/@original", body)


def threads() -> Iterator[RefusedCase]:
    new, archived = "Public thread CREATE_PUBLIC_THREADS", "Archived no edits"
    yield RefusedCase(new, "change a locked one", change_locked, 403, 50013)
    yield RefusedCase(new, "archive a text channel", archive_room, 400, 50024)
    yield RefusedCase(new, "in direct messages", thread_in_dms, 400, 50024)
    yield RefusedCase("A private thread", "too many active ones", one_thread_too_many, 400, 160006)
    for act in (("POST", "/messages", HELLO), ("PATCH", "", {"archived": False})):
        wake = partial(one_thread_awake_too_many, method=act[0], path=act[1], body=act[2])
        yield RefusedCase("A private thread", f"too many awake, {act[0]}", wake, 400, 160006)
    yield RefusedCase(archived, "edit an answer", lambda wire: answer_in_archived(wire, "PATCH"), 400, 50083)


# Direct messages.


async def open_many(wire: Wire, number: int) -> Reply:
    """Open direct messages with that many people. All but the last must be accepted."""
    people = [wire.box.person(f"Guest {n}", wire.guild) for n in range(number)]
    for person in people[:-1]:
        body = {"recipient_id": str(person.id)}
        assert (await wire.ask("POST", "/users/@me/channels", body)).status == 200
    return await wire.ask("POST", "/users/@me/channels", {"recipient_id": str(people[-1].id)})


def direct_messages() -> Iterator[RefusedCase]:
    yield RefusedCase("Opening a DM", "eleven at once", lambda wire: open_many(wire, 11), 403, 40003)


# Rate limits.


async def many_requests(wire: Wire, number: int, method: str, path: str, body: Any = None) -> Reply:
    wire.box.rate_limits.on = True
    for _ in range(number - 1):
        reply = await wire.ask(method, path, body)
        assert reply.status < 300
    return await wire.ask(method, path, body)


async def edits_of_old_message(wire: Wire, number: int) -> Reply:
    """Edit an old message that many times. All but the last must be accepted."""
    sent = await wire.send(HELLO)
    wire.box.clock.advance(3601)
    path = f"{wire.messages()}/{sent.id}"
    for _ in range(number - 1):
        assert (await wire.ask("PATCH", path, HELLO)).status == 200
    return await wire.ask("PATCH", path, HELLO)


def rate_limits() -> Iterator[RefusedCase]:
    old = "[observed] message create"
    yield RefusedCase(
        old, "four edits of an old message", lambda wire: edits_of_old_message(wire, 4), 429, 30046
    )
    yield RefusedCase(
        "Global 50 requests/s", "51", lambda wire: many_requests(wire, 51, "GET", "/users/@me"), 429, 0
    )
    yield RefusedCase(
        "Buckets per route",
        "six messages",
        lambda wire: many_requests(wire, 6, "POST", wire.messages(), HELLO),
        429,
        0,
    )


# Gateway. The status is the close code.


def identify(**more: Any) -> Json:
    return {"op": 2, "d": {"token": "sandbox", "intents": 1, "properties": {}} | more}


def disconnected(row: str, what: str, code: int, *payloads: Any) -> RefusedCase:
    return RefusedCase(row, what, lambda wire: wire.closed(*payloads), code, 0)


def gateway() -> Iterator[RefusedCase]:
    intents, sends = "Intents in IDENTIFY", "120 sends per"
    for bit in (17, 19, 22, 26):
        yield disconnected(intents, f"that do not exist: 1 << {bit}", 4013, identify(intents=1 << bit))
    for bit in (1, 8, 15):
        yield disconnected(intents, f"privileged: 1 << {bit}", 4014, identify(intents=1 << bit))
    yield disconnected(intents, "with a wrong token", 4004, identify(token="guessed"))
    heartbeat: Json = {"op": 1, "d": None}
    yield disconnected(sends, "121 in a minute", 4008, identify(), *[heartbeat] * 120)
    yield disconnected(sends, "4097 bytes", 4002, identify(padding="x" * 4097))
