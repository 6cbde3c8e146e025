"""The API of the page: a WebSocket that sends what one person sees, and requests that act as that person."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web

from sandbox import payloads
from sandbox.answer import Answer, Impossible
from sandbox.checks import Json
from sandbox.gateway import Gateway
from sandbox.guilds import Guild, GuildChannel, TextChannel, Thread
from sandbox.permissions import Permission
from sandbox.person import Person
from sandbox.world import Channel, Message, World

PAGE = Path(__file__).parent / "page"
SHOWN = 200
"""Messages of a channel that the page gets."""
PAUSE = 0.03
"""Seconds for which changes are collected before they are sent to the page."""


class Web:
    """Serves the page and its API."""

    def __init__(
        self, world: World, guilds: Mapping[int, Guild], gateway: Gateway, people: Sequence[Person]
    ) -> None:
        self._world = world
        self._guilds = guilds
        self._gateway = gateway
        self._people = people
        self._sockets: dict[web.WebSocketResponse, None] = {}

    async def close(self, _app: web.Application) -> None:
        """Close the WebSockets of all pages: the server need not wait for them."""
        await asyncio.gather(*(socket.close(code=WSCloseCode.GOING_AWAY) for socket in self._sockets))

    def routes(self) -> list[web.RouteDef]:
        """Return the routes of the page and its API."""
        return [
            web.get("/", self._file),
            web.get(r"/page/{name:[a-z]+\.[a-z]+}", self._file),
            web.get("/sandbox/people", self._list_people),
            web.get("/sandbox/people/{person}/events", self._events),
            web.post("/sandbox/people/{person}/{act}", self._act),
        ]

    async def _file(self, request: web.Request) -> web.FileResponse:
        """Send a file of the page."""
        path = PAGE / request.match_info.get("name", "index.html")
        if not path.is_file():
            raise web.HTTPNotFound
        # After an update no old file may be used.
        return web.FileResponse(path, headers={"Cache-Control": "no-cache"})

    async def _list_people(self, _request: web.Request) -> web.Response:
        return web.json_response([_named(each) | {"manages": self._manages(each)} for each in self._people])

    def _manages(self, person: Person) -> bool:
        """Return whether a person manages a server."""
        granted = (guild.permissions(person.id) for guild in self._guilds.values())
        return any(each & Permission.MANAGE_GUILD for each in granted)

    async def _events(self, request: web.Request) -> web.WebSocketResponse:
        """Send everything at first, then every part that has changed."""
        person = self._person(request)
        socket = web.WebSocketResponse(heartbeat=30, timeout=1)
        await socket.prepare(request)
        self._sockets[socket] = None
        sender = asyncio.create_task(self._send_changes(socket, person))
        try:
            async for message in socket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            del self._sockets[socket]
            sender.cancel()
            with suppress(asyncio.CancelledError, ConnectionError):
                await sender
        return socket

    async def _send_changes(self, socket: web.WebSocketResponse, person: Person) -> None:
        sent: dict[str, str] = {}
        while True:
            for key, part in self._parts(person):
                text = json.dumps(part)
                if sent.get(key) != text:
                    sent[key] = text
                    await socket.send_str(text)
            await self._world.clock.change(1)
            await asyncio.sleep(PAUSE)

    def _parts(self, person: Person) -> Iterator[tuple[str, Json]]:
        """Yield what the page shows, in parts that are sent again when they change."""
        yield "state", {"type": "state", **self._state(person)}
        for place in person.places():
            # As on a phone, what has called a person stays new though an edit names them no more.
            messages = [
                {**payloads.message(each), "pings": person.id in each.pings}
                for each in person.sees(place)[-SHOWN:]
            ]
            yield str(place.id), {"type": "messages", "channel": str(place.id), "messages": messages}

    def _state(self, person: Person) -> Json:
        guilds = [each for each in self._guilds.values() if person.id in each.members]
        places = person.places()
        if person.dms not in places:
            places.append(person.dms)
        return {
            "me": _named(person),
            "connected": self._gateway.connected,
            "people": [_named(each) for each in self._people],
            "names": {str(user.id): user.name for user in self._world.users.values()},
            "guilds": [
                {
                    "id": str(guild.id),
                    "name": guild.name,
                    "roles": [{"id": str(role.id), "name": role.name} for role in guild.roles.values()],
                    "nicks": {str(id_): each.nick for id_, each in guild.members.items() if each.nick},
                }
                for guild in guilds
            ],
            "channels": [_channel_payload(each) for each in places],
            "commands": {str(each.id): person.offered(each) for each in places},
        }

    def _person(self, request: web.Request) -> Person:
        for person in self._people:
            if str(person.id) == request.match_info["person"]:
                return person
        raise web.HTTPNotFound(text="There is no such person.")

    async def _act(self, request: web.Request) -> web.Response:
        """Act as a person. The answer is 400 with a sentence if the client would not allow it."""
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="Send JSON.")
        act = ACTS.get(request.match_info["act"])
        if act is None:
            raise web.HTTPNotFound(text=f"There are only these acts: {', '.join(ACTS)}.")
        person = self._person(request)
        try:
            done = await act(person, await request.json())
        except Impossible as impossible:
            return web.json_response({"message": str(impossible)}, status=400)
        except KeyError as missing:
            return web.json_response(
                {"message": f"{missing} is missing from the request, or is unknown."}, status=400
            )
        return web.json_response(done)


def _named(person: Person) -> Json:
    return {"id": str(person.id), "name": person.name}


def _channel_payload(channel: Channel) -> Json:
    place: Json = {"id": str(channel.id), "type": channel.type, "guild": None, "parent": None}
    place["name"] = channel.name if isinstance(channel, TextChannel | Thread) else "Direct messages"
    if isinstance(channel, GuildChannel):
        place["guild"] = str(channel.guild.id)
    if isinstance(channel, Thread):
        place |= {"parent": str(channel.parent.id), "archived": channel.archived, "locked": channel.locked}
    return place


def _shown(answer: Answer) -> Json:
    """Return an answer as the page needs it: with its modal; messages are sent by the WebSocket."""
    modal = answer.modal
    return {
        "type": answer.interaction.answer,
        "failed": answer.failed,
        "message": str(answer.message.id) if answer.message else None,
        "modal": modal.body | {"interaction": str(modal.interaction.id)} if modal else None,
    }


def _channel(person: Person, id_: str) -> Channel:
    return person.world.channels[int(id_)]


def _message(person: Person, id_: str) -> Message:
    for place in person.places():
        if int(id_) in place.log:
            return place.log[int(id_)]
    raise Impossible("There is no such message any more.")


async def _slash(person: Person, body: Json) -> Json:
    channel = _channel(person, body["channel"])
    return _shown(await person.slash(channel, body["command"], **body.get("options", {})))


async def _choose(person: Person, body: Json) -> Json:
    channel = _channel(person, body["channel"])
    on_user = body.get("user")
    target = person.world.users[int(on_user)] if on_user else _message(person, body["message"])
    return _shown(await person.choose(channel, body["command"], target))


async def _autocomplete(person: Person, body: Json) -> Json:
    channel, options = _channel(person, body["channel"]), body.get("options", {})
    choices = await person.autocomplete(channel, body["command"], body["option"], body["typed"], **options)
    return {"choices": choices}


async def _click(person: Person, body: Json) -> Json:
    return _shown(await person.use(_message(person, body["message"]), body["custom_id"]))


async def _select(person: Person, body: Json) -> Json:
    message = _message(person, body["message"])
    return _shown(await person.use(message, body["custom_id"], body["values"]))


async def _submit(person: Person, body: Json) -> Json:
    for answer in person.answers:
        if answer.modal and str(answer.interaction.id) == body["interaction"]:
            return _shown(await person.send(answer.modal, body["values"]))
    raise Impossible("There is no such form any more.")


async def _say(person: Person, body: Json) -> Json:
    message = await person.say(_channel(person, body["channel"]), body["content"])
    return {"message": str(message.id)}


async def _dismiss(person: Person, body: Json) -> Json:
    person.dismiss(_message(person, body["message"]))
    return {}


ACTS: dict[str, Callable[[Person, Json], Awaitable[Json]]] = {
    "slash": _slash,
    "choose": _choose,
    "autocomplete": _autocomplete,
    "click": _click,
    "select": _select,
    "submit": _submit,
    "say": _say,
    "dismiss": _dismiss,
}
