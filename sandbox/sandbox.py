"""The sandbox: a server on 127.0.0.1 that is Discord to one bot, and what a test or the page does with it."""

import asyncio
import mimetypes
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Self

from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox.clock import Clock
from sandbox.commands import Commands
from sandbox.faults import Fault, Faults
from sandbox.gateway import Gateway
from sandbox.interactions import Interactions
from sandbox.links import is_alive
from sandbox.person import Person
from sandbox.ratelimits import RateLimits
from sandbox.rest import LARGEST_REQUEST, ROOT, Record, Rest
from sandbox.web import Web
from sandbox.world import Guild, World

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
HOST = "127.0.0.1"
TOKEN = "sandbox"  # noqa: S105 - it guards nothing, and so a bot can be started knowing only the address


class Sandbox:
    """Discord for one bot, as an asynchronous context manager.

    `privileged` are the privileged intents enabled for the bot; `heartbeat` the gateway's interval in seconds;
    port 0 picks a free one. While it serves, `url` and `token` are what a bot needs. `requests` records what the
    bot asked, and `complaints` what it should not have: unknown routes and refused forms.
    """

    def __init__(
        self, *, rate_limits: bool = True, port: int = 0, privileged: int = 0, heartbeat: float = 41.25
    ) -> None:
        self.token = TOKEN
        self.clock = Clock()
        self.world = World(self.clock)
        self.commands = Commands(self.world)
        self.interactions = Interactions(self.world)
        self.gateway = Gateway(self.world, self.token, privileged, heartbeat)
        self.rate_limits = RateLimits(self.clock, rate_limits)
        self.faults = Faults()
        self.under_way: Callable[[], float] = lambda: 0.0
        """Real seconds that the next interaction takes to the bot: a test may have one overtake the other."""
        self.people: list[Person] = []
        self.requests: list[Record] = []
        self.complaints: list[str] = []
        self._port = port
        self._runner: web.AppRunner | None = None
        self._archiving: asyncio.Task[None] | None = None
        self.world.dispatch = self.gateway.dispatch

    @property
    def url(self) -> str:
        """The address, such as "http://127.0.0.1:8420"."""
        return self.world.url

    @property
    def bodies(self) -> list[Record]:
        """The requests that had a JSON body."""
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
        """Begin to serve."""
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self._port)
        await site.start()
        port = self._runner.addresses[0][1]
        self.world.url = f"http://{HOST}:{port}"
        self._archiving = asyncio.create_task(self.world.archive_idle_threads())

    async def close(self) -> None:
        """Stop serving."""
        if self._archiving is not None:
            self._archiving.cancel()
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def _app(self) -> web.Application:
        page = Web(self)
        routes = [
            web.get("/gateway/", self.gateway.serve),
            web.get("/gateway", self.gateway.serve),
            web.route("*", ROOT + "/{path:.*}", Rest(self).serve),
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
        """Refuse pages of other sites: their requests name another host or origin. (No middleware: aiohttp keeps what
        has one, with all its files, until a thousand others have come.)"""

        async def guarded(request: web.Request) -> web.StreamResponse:
            address = self.url.removeprefix("http://")
            hosts = {address, address.replace(HOST, "localhost")}
            origin = request.headers.get("Origin")
            if request.host not in hosts or (origin and origin.removeprefix("http://") not in hosts):
                return web.Response(status=403, text="The sandbox answers only its own page and the bot.")
            return await handler(request)

        return guarded

    async def _attachment(self, request: web.Request) -> web.Response:
        data = self.world.files.get(int(request.match_info["id"]))
        if data is None or not is_alive(self.world, request.match_info["id"], request.query):
            raise web.HTTPNotFound
        kind = mimetypes.guess_type(request.match_info["name"])[0]
        return web.Response(body=data, content_type=kind if kind in PICTURES else "application/octet-stream")

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji = self.world.emojis.get(int(request.match_info["id"]))
        if emoji is None:
            raise web.HTTPNotFound
        return web.Response(body=emoji.picture, content_type=emoji.media_type)

    # What a test does.

    def guild(self, name: str) -> Guild:
        """A new guild; the bot is invited."""
        return self.world.guild(name)

    def person(self, name: str, *guilds: Guild) -> Person:
        """Somebody new, a member of these guilds."""
        person = Person(self, self.world.user(name))
        for guild in guilds:
            guild.add(person.user)
        self.people.append(person)
        return person

    def fail(
        self,
        method: str,
        path: str,
        status: int | None = 500,
        *,
        times: int = 1,
        after: bool = False,
        delay: float = 0.0,
    ) -> None:
        """Let the next `times` requests fail whose path below the API's root matches the pattern `path`.

        Status 0 cuts the connection, None only delays, by seconds of the clock. With `after` the request is carried
        out first.
        """
        self.faults.add(Fault(method, path, status, times, after, delay))

    def deliver(self, interaction: Mapping[str, Any]) -> None:
        """Tell the bot of an interaction, as soon as it has made its way."""
        tell = partial(self.gateway.dispatch, "INTERACTION_CREATE", dict(interaction))
        delay = self.under_way()
        if delay:
            asyncio.get_running_loop().call_later(delay, tell)
        else:
            tell()

    async def ready(self, timeout: float = 10) -> None:  # noqa: ASYNC109
        """Wait until a bot is connected."""
        await self.until(lambda: self.gateway.connected, timeout)

    async def until(
        self,
        condition: Callable[[], object],
        timeout: float = 20,  # noqa: ASYNC109 - it is what a reader of a test expects
    ) -> None:
        """Wait until the condition holds; it is looked at whenever something changes here, and now and then.

        Raises TimeoutError, which tells what was last seen and asked, after `timeout` seconds of real time.
        """
        try:
            async with asyncio.timeout(timeout):
                while not condition():
                    await self.clock.change(0.05)
        except TimeoutError:
            raise TimeoutError(f"Not so after {timeout} s. {self._situation()}") from None

    def _situation(self) -> str:
        messages = [each for channel in self.world.channels.values() for each in channel.log.values()]
        messages.sort(key=lambda each: each.id)
        shown = [f"  {each.author.name}: {each.text!r:.200}" for each in messages[-8:]]
        asked = [f"  {each.status} {each.method} {each.path:.80}" for each in self.requests[-8:]]
        complaints = [f"  {each:.300}" for each in self.complaints]
        return "\n".join(["Last messages:", *shown, "Last requests:", *asked, "Complaints:", *complaints])
