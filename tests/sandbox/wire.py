"""A bot without a client library, which can send any HTTP request and gateway payload."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Self, TypeAlias

from aiohttp import ClientSession, ClientWebSocketResponse, FormData

from sandbox import Channel, Sandbox
from sandbox.interactions import Interaction
from sandbox.refusals import COMMAND

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """The status and JSON of an answer. For a closed gateway connection the status is the close code."""

    status: int
    body: Any = None

    @property
    def code(self) -> int:
        """Discord's error code, 0 when there is none."""
        return int(self.body.get("code", 0)) if isinstance(self.body, Mapping) else 0

    @property
    def id(self) -> str:
        """Id of the created object. The request must have succeeded."""
        assert self.status < 300, self
        return str(self.body["id"])


class Wire:
    """A bot in the server Palm Beach. `room` is a channel there, `alice` a member."""

    def __init__(self, box: Sandbox, http: ClientSession) -> None:
        self.box = box
        self._http = http
        self.guild = box.guild("Palm Beach")
        self.room = self.guild.channel("card-room")
        self.alice = box.person("Alice", self.guild)

    @classmethod
    @asynccontextmanager
    async def open(cls, *, rate_limits: bool = False, heartbeat: float = 41.25) -> AsyncIterator[Self]:
        """Open a sandbox for this bot."""
        box = Sandbox(rate_limits=rate_limits, heartbeat=heartbeat)
        async with box, ClientSession() as http:
            yield cls(box, http)

    # HTTP.

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        files: Sequence[tuple[str, bytes]] = (),
        *,
        first: int = 0,
    ) -> Reply:
        """Send one request below the API's root. `first` is the number of the first file."""
        headers = {"Authorization": f"Bot {self.box.token}"}
        url = f"{self.box.url}/api/v10{path}"
        content = {"data": _form(body, files, first)} if files else {"json": body}
        async with self._http.request(method, url, headers=headers, **content) as answer:
            text = await answer.text()
            return Reply(answer.status, json.loads(text) if text else None)

    async def post_pieces(self, path: str, boundary: str, pieces: AsyncIterator[bytes]) -> Reply:
        """Send one multipart request in these pieces."""
        headers = {
            "Authorization": f"Bot {self.box.token}",
            "Content-Type": f"multipart/form-data; boundary={boundary}",
        }
        url = f"{self.box.url}/api/v10{path}"
        async with self._http.post(url, headers=headers, data=pieces) as answer:
            return Reply(answer.status, json.loads(await answer.text()))

    def messages(self, channel: Channel | None = None) -> str:
        """Return the path of a channel's messages."""
        return f"/channels/{(channel or self.room).id}/messages"

    async def send(self, body: Json, files: Sequence[str] = (), channel: Channel | None = None) -> Reply:
        """Post a message with empty files of these names."""
        return await self.ask("POST", self.messages(channel), body, [(name, b"x") for name in files])

    async def edit(self, before: Json, body: Json, files: Sequence[str] = ()) -> Reply:
        """Post a message, then edit it."""
        sent = await self.send(before)
        path = f"{self.messages()}/{sent.id}"
        return await self.ask("PATCH", path, body, [(name, b"x") for name in files])

    async def put_commands(self, commands: list[Json]) -> Reply:
        return await self.ask("PUT", f"/applications/{self.box.world.bot.id}/commands", commands)

    async def start_thread(
        self, body: Json, *, on: str | None = None, channel: Channel | None = None
    ) -> Reply:
        """Start a thread, on the message `on` if given."""
        path = f"{self.messages(channel)}/{on}" if on else f"/channels/{(channel or self.room).id}"
        return await self.ask("POST", f"{path}/threads", body)

    # Interactions.

    def interaction(self, kind: int = COMMAND, source: str | None = None) -> Interaction:
        """Create an act of Alice in the room: a command, or the use of a component of the message `source`."""
        data: Json = {"id": "1", "name": "play", "type": 1}
        message = self.room.log[int(source)] if source else None
        return self.box.interactions.begin(kind, self.alice.user, self.room, data, message)

    async def callback(self, interaction: Interaction, body: Json) -> Reply:
        """Give the first answer to an interaction."""
        return await self.ask("POST", f"/interactions/{interaction.id}/{interaction.token}/callback", body)

    async def answer_command(self, body: Json) -> Reply:
        """Answer a command of Alice."""
        return await self.callback(self.interaction(), body)

    def hook(self, interaction: Interaction) -> str:
        """Return the path of an interaction's followups."""
        return f"/webhooks/{self.box.world.bot.id}/{interaction.token}"

    # Gateway.

    @asynccontextmanager
    async def gateway(self) -> AsyncIterator[ClientWebSocketResponse]:
        """Open a connection that has received HELLO and sent nothing."""
        async with self._http.ws_connect(self.box.gateway.url) as socket:
            await socket.receive_json()
            yield socket

    async def closed(self, *payloads: Any) -> Reply:
        """Send these payloads to the gateway and wait until it closes the connection, which it must do at once."""
        async with asyncio.timeout(10), self.gateway() as socket:
            for payload in payloads:
                if socket.closed:
                    break
                await socket.send_str(json.dumps(payload))
            async for _ in socket:
                pass
            return Reply(socket.close_code or 0)


def _form(body: Any, files: Sequence[tuple[str, bytes]], first: int) -> FormData:
    form = FormData()
    form.add_field("payload_json", json.dumps(body), content_type="application/json")
    for index, (name, data) in enumerate(files, first):
        form.add_field(f"files[{index}]", BytesIO(data), filename=name)
    return form
