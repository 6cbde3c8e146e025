"""The sandbox: a server on 127.0.0.1 that acts as Discord for one bot, with methods for tests."""

import asyncio
import mimetypes
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Self

from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox.clock import Clock
from sandbox.commands import Commands
from sandbox.crowd import Bystander
from sandbox.faults import Fault, Faults
from sandbox.gateway import Gateway
from sandbox.guilds import Guild, archive_idle_threads
from sandbox.interactions import Interactions
from sandbox.members import User
from sandbox.person import Person
from sandbox.ratelimits import RateLimits
from sandbox.rest import LARGEST_REQUEST, ROOT, Record, Rest
from sandbox.routes.table import Services
from sandbox.web import Web
from sandbox.world import GroupChannel, World

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
HOST = "127.0.0.1"
CLOSING_TURNS = 5
"""Turns of the event loop in which an accepted connection begins, or a closed one ends."""
SAME_ORIGIN = {"Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY"}
"""Headers by which a browser refuses to show an answer in another website, as a picture, a script or a frame. A browser
names no origin when it asks for these, so the sandbox cannot refuse them itself."""
TOKEN = "sandbox"  # noqa: S105 - protects nothing; a fixed one lets a bot start with only the address


class Sandbox:
    """Discord for one bot, as an asynchronous context manager.

    While it serves, a bot can connect with `url` and `token`.
    """

    def __init__(self, *, rate_limits: bool = True, port: int = 0, heartbeat: float = 41.25) -> None:
        """`port` 0 picks a free one; `heartbeat` is the gateway's interval in seconds."""
        self.clock = Clock()
        self.world = World(self.clock)
        self.guilds: dict[int, Guild] = {}
        self.commands = Commands(self.world)
        self.interactions = Interactions(self.world)
        self.gateway = Gateway(self.world, self.guilds, TOKEN, heartbeat, rate_limits)
        self.rate_limits = RateLimits(self.clock, rate_limits)
        self.faults = Faults()
        self.under_way: Callable[[], float] = lambda: 0.0
        """Returns the real seconds before the next interaction reaches the bot, so that one can overtake another."""
        self.people: list[Person] = []
        services = Services(
            self.world, self.guilds, self.commands, self.interactions, self.gateway, self.rate_limits
        )
        self._rest = Rest(services, self.faults)
        self._port = port
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None
        self._archiving: asyncio.Task[None] | None = None
        self.world.dispatch = self.gateway.dispatch

    @property
    def url(self) -> str:
        """Address, such as "http://127.0.0.1:8420"."""
        return self.world.url

    @property
    def token(self) -> str:
        """The bot's token. Setting another one makes the old one invalid."""
        return self.gateway.token

    @token.setter
    def token(self, token: str) -> None:
        self.gateway.token = token

    @property
    def requests(self) -> list[Record]:
        """All requests of the bot, oldest first."""
        return self._rest.records

    @property
    def complaints(self) -> list[str]:
        """Errors of the bot: requests without a route, invalid bodies. Also errors of the sandbox itself."""
        return self._rest.complaints

    @property
    def bodies(self) -> list[Record]:
        """Requests that had a JSON body."""
        return [each for each in self.requests if each.body is not None]

    async def __aenter__(self) -> Self:
        try:
            await self.start()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Start to serve."""
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        server = self._runner.server
        assert server is not None, "the runner is set up"
        self._server = await asyncio.get_running_loop().create_server(server, HOST, self._port)
        port = self._server.sockets[0].getsockname()[1]
        self.world.url = f"http://{HOST}:{port}"
        self._archiving = asyncio.create_task(archive_idle_threads(self.world))

    async def close(self) -> None:
        """Stop serving."""
        if self._archiving is not None:
            self._archiving.cancel()
        server, self._server = self._server, None
        if server is not None:
            # Else asyncio forgets connections that it has accepted and not begun, and leaves them open.
            for each in server.sockets:
                asyncio.get_running_loop().remove_reader(each)
            await _some_turns()
            server.close()
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
            await _some_turns()

    def _app(self) -> web.Application:
        page = Web(self.world, self.guilds, self.gateway, self.people)
        routes = [
            web.get("/gateway/", self.gateway.serve),
            web.get("/gateway", self.gateway.serve),
            web.route("*", ROOT + "/{path:.*}", self._rest.serve),
            web.get("/attachments/{channel}/{id}/{name}", self._attachment),
            web.get(r"/emojis/{id:\d+}", self._emoji),
            *page.routes(),
        ]
        app = web.Application(client_max_size=LARGEST_REQUEST)
        app.add_routes(
            [
                web.RouteDef(each.method, each.path, self._local_only(each.handler), each.kwargs)
                for each in routes
            ]
        )
        app.on_shutdown.append(page.close)
        return app

    def _local_only(self, handler: Handler) -> Handler:
        """Return a handler that refuses requests of other websites: those name another host or origin."""

        # Not a middleware: with one, aiohttp keeps each request and its files until a thousand more have come.
        async def guarded(request: web.Request) -> web.StreamResponse:
            address = self.url.removeprefix("http://")
            hosts = {address, address.replace(HOST, "localhost")}
            origin = request.headers.get("Origin")
            if request.host not in hosts or (origin and origin.removeprefix("http://") not in hosts):
                return web.Response(status=403, text="The sandbox answers only its own page and the bot.")
            answer = await handler(request)
            if not answer.prepared:
                answer.headers.update(SAME_ORIGIN)
            return answer

        return guarded

    async def _attachment(self, request: web.Request) -> web.Response:
        data = self.world.files.get(int(request.match_info["id"]))
        if data is None or not self.world.links.is_valid(request.match_info["id"], request.query):
            raise web.HTTPNotFound
        kind = mimetypes.guess_type(request.match_info["name"])[0]
        return web.Response(body=data, content_type=kind if kind in PICTURES else "application/octet-stream")

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji = self.world.emojis.get(int(request.match_info["id"]))
        if emoji is None:
            raise web.HTTPNotFound
        return web.Response(body=emoji.picture, content_type=emoji.media_type)

    # The methods below are for tests.

    def guild(self, name: str, *, bot: bool = True, id_: int | None = None) -> Guild:
        """Create a guild, owned by the bot's owner, and with `bot` invite the bot. The `id_` decides on its shard."""
        guild = Guild(self.world, id_ or self.world.snowflakes.next(), name, self.world.owner)
        self.guilds[guild.id] = guild
        guild.add(self.world.owner)
        if bot:
            guild.invite_bot()
        return guild

    def crowd(self, servers: int) -> None:
        """Put the bot on this many servers of real size in which nothing happens. The gateway recommends a shard for
        each thousand."""
        self.gateway.crowd = [Bystander(number, self.world.bot) for number in range(servers)]
        self.gateway.shards = 1 + servers // 1000

    def group(self, *people: Person) -> GroupChannel:
        """Create group direct messages of these people."""
        users = tuple(person.user for person in people)
        channel = GroupChannel(self.world, self.world.snowflakes.next(), users)
        self.world.channels[channel.id] = channel
        return channel

    def person(self, name: str, *guilds: Guild) -> Person:
        """Create a person who is a member of these guilds."""
        person = self.client_of(self.world.user(name))
        for guild in guilds:
            guild.add(person.user)
        self.people.append(person)
        return person

    def client_of(self, user: User) -> Person:
        """Return a Discord client for a user that exists."""
        return Person(user, self.world, self.gateway, self.commands, self.interactions, self.deliver)

    def fail(
        self,
        method: str,
        path: str,
        status: int | None = 500,
        *,
        times: int = 1,
        after: bool = False,
        delay: float = 0.0,
        retry_after: float = 0.05,
        everywhere: bool = False,
    ) -> None:
        """Make the next `times` requests fail, of those whose path below the API's root matches the pattern `path`.

        `status`: 0 closes the connection, None only delays the answer. `after`: carry out the request first.
        `delay`: seconds of the clock. `retry_after`, `everywhere`: of a 429, real seconds and whether it is global.
        """
        self.faults.add(Fault(method, path, status, times, after, delay, retry_after, everywhere))

    def deliver(self, interaction: Mapping[str, Any]) -> None:
        """Send the bot an interaction, after `under_way`."""
        send = partial(self.gateway.dispatch, "INTERACTION_CREATE", dict(interaction))
        delay = self.under_way()
        if delay:
            asyncio.get_running_loop().call_later(delay, send)
        else:
            send()

    async def ready(self, timeout: float = 10) -> None:  # noqa: ASYNC109
        """Wait until a bot is connected."""
        await self.until(lambda: self.gateway.connected, timeout)

    async def until(
        self,
        condition: Callable[[], object],
        timeout: float = 20,  # noqa: ASYNC109 - simple to read in a test
    ) -> None:
        """Wait until the condition holds, as `Clock.wait_for`; the error names the last messages and requests."""
        try:
            await self.clock.wait_for(condition, timeout)
        except TimeoutError:
            raise TimeoutError(
                f"The condition does not hold after {timeout} s. {self._situation()}"
            ) from None

    def _situation(self) -> str:
        messages = [each for channel in self.world.channels.values() for each in channel.log.values()]
        messages.sort(key=lambda each: each.id)
        shown = [f"  {each.author.name}: {each.text!r:.200}" for each in messages[-8:]]
        asked = [f"  {each.status} {each.method} {each.path:.80}" for each in self.requests[-8:]]
        complaints = [f"  {each:.300}" for each in self.complaints]
        return "\n".join(["Last messages:", *shown, "Last requests:", *asked, "Complaints:", *complaints])


async def _some_turns() -> None:
    for _ in range(CLOSING_TURNS):
        await asyncio.sleep(0)
