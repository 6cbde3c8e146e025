"""The REST API: finds the route of a request, checks its token and limits, applies faults, and keeps a record."""

import hashlib
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from aiohttp import web

from sandbox.checks import INVALID_FORM, RateLimited, Refused
from sandbox.faults import Fault, Faults
from sandbox.posting import Upload
from sandbox.ratelimits import Verdict, retry_headers
from sandbox.refusals import stored_name
from sandbox.routes.table import ROUTES, Call, Created, Route, Services

ROOT = "/api/v10"
LARGEST_REQUEST = 25 * 1024 * 1024
LARGEST_FILE = 10 * 1024 * 1024
WITHOUT_TOKEN = ("/interactions", "/webhooks")

FILE = re.compile(r'name="files\[(\d+)\]"(?:; filename="([^"]*)")?')

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Record:
    """One request and its answer."""

    method: str
    path: str
    template: str
    """Path template of the route; the path itself if no route was found."""
    body: Any
    time: float
    """Unix time of the answer."""
    status: int
    answer: bytes
    files: tuple[str, ...] = ()
    """Name and hash of each file that was sent with it. The files themselves would fill the memory."""


class Rest:
    """Answers the requests below `ROOT`."""

    def __init__(self, services: Services, faults: Faults) -> None:
        self.records: list[Record] = []
        self.complaints: list[str] = []
        self._services = services
        self._faults = faults
        self._rate_limits = services.rate_limits
        self._clock = services.world.clock

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer one request: with 429 alone if the bot was refused too often."""
        if self._rate_limits.banned:
            # As Cloudflare answers: without JSON and without a "Via".
            return web.Response(status=429, text="error code: 1015", headers={"Retry-After": "600"})
        answer = await self._serve(request)
        self._rate_limits.count_answer(answer.status)
        return answer

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        """Answer one request, with the fault that a test set for it, if any."""
        path = request.path.removeprefix(ROOT)
        fault = self._faults.next(request.method, path)
        if fault is None:
            return await self._answer(request, path)
        answer = await self._answer(request, path) if fault.after else None
        if fault.arrives:
            await request.read()  # kept by `request` though the bot hangs up
            if fault.status == 0 and request.transport is not None:
                request.transport.abort()
        await self._clock.sleep(fault.delay)
        if fault.status is None or (fault.status == 0 and fault.arrives):
            # Usually nothing follows of a bot that was killed.
            if answer is None and (fault.arrives or request.transport is not None):
                answer = await self._answer(request, path)
            return web.Response() if answer is None else answer
        if fault.status == 0 and request.transport is not None:  # else the bot has closed it, or was killed
            request.transport.abort()
        return _faulty(fault)

    async def _answer(self, request: web.Request, path: str) -> web.Response:
        try:
            body, files = await _read(request)
        except ValueError:
            return _json(400, Refused(400, 50109, "The request body contains invalid JSON.").body())
        except web.HTTPRequestEntityTooLarge:
            return _json(413, _too_large().body())
        except ConnectionResetError:
            return web.Response()  # the bot was killed while it sent the request; nobody reads this answer
        route, ids = self._find(request.method, path)
        template = route.template if route else path
        limits = self._rate_limits.take(request.method, template, ids)
        if limits.retry_after is not None:
            answer = _too_many(limits)
        else:
            call = Call(self._services, ids, request.query, body, files)
            answer = self._act(request, path, route, call)
            answer.headers.update(limits.headers)
        now = self._clock.now()
        answer.headers["Date"] = formatdate(now, usegmt=True)
        json_ = answer.body if isinstance(answer.body, bytes) else b""
        sent = tuple(f"{each.name} {hashlib.sha256(each.data).hexdigest()}" for each in files)
        self.records.append(Record(request.method, path, template, body, now, answer.status, json_, sent))
        self._clock.notify()
        return answer

    def _find(self, method: str, path: str) -> tuple[Route | None, Mapping[str, str]]:
        for route in ROUTES:
            ids = route.match(method, path)
            if ids is not None:
                return route, ids
        return None, {}

    def _act(self, request: web.Request, path: str, route: Route | None, call: Call) -> web.Response:
        """Carry out a request. Errors of the bot and of the sandbox itself become complaints."""
        try:
            if route is None:
                raise Refused(404, 0, f"404: Not Found. The sandbox has no route {request.method} {path}.")
            self._authorize(request, path)
            _not_too_large(call.files)
            done = route.action(call)
        except Refused as refused:
            if route is None or refused.code == INVALID_FORM:
                self.complaints.append(f"{request.method} {path}: {refused} in {call.body!r:.2000}")
            answer = _json(refused.status, refused.body())
            if isinstance(refused, RateLimited):
                answer.headers.update(retry_headers(refused.wait))
            return answer
        except Exception as error:
            log.exception("the sandbox failed at %s %s", request.method, path)
            self.complaints.append(f"{request.method} {path}: the sandbox failed: {error!r}")
            return _json(500, {"message": f"The sandbox failed: {error!r}", "code": 0})
        if isinstance(done, Created):
            return _json(201, done.body)
        return web.Response(status=204) if done is None else _json(200, done)

    def _authorize(self, request: web.Request, path: str) -> None:
        given = request.headers.get("Authorization")
        if not path.startswith(WITHOUT_TOKEN) and given != f"Bot {self._services.gateway.token}":
            raise Refused(401, 0, "401: Unauthorized")


async def _read(request: web.Request) -> tuple[Any, list[Upload]]:
    """Return the JSON body and the files of a request, which may be sent in several parts."""
    sent, kind = await request.read(), request.headers.get("Content-Type", "")
    if not kind.startswith("multipart/"):
        return (json.loads(sent) if sent else None), []
    body: Any = None
    files = []
    boundary = kind.partition("boundary=")[2].strip('"').encode()
    for part in (b"\r\n" + sent).split(b"\r\n--" + boundary)[1:-1]:
        head, _, data = part.partition(b"\r\n\r\n")
        if b'name="payload_json"' in head:
            body = json.loads(data)
        elif found := FILE.search(head.decode()):
            files.append(Upload(stored_name(found[2] or "file"), data, int(found[1])))
    return body, files


def _too_large() -> Refused:
    return Refused(413, 40005, "Request entity too large")


def _not_too_large(files: list[Upload]) -> None:
    sizes = [len(file.data) for file in files]
    if max(sizes, default=0) > LARGEST_FILE or sum(sizes) > LARGEST_REQUEST:
        raise _too_large()


def _json(status: int, body: Any) -> web.Response:
    # discord.py reads JSON only where the content type says exactly this, without a charset.
    return web.Response(status=status, body=json.dumps(body).encode(), content_type="application/json")


def _too_many(limits: Verdict) -> web.Response:
    text = "You are being rate limited."
    body = {"message": text, "retry_after": limits.retry_after, "global": limits.everywhere}
    answer = _json(429, body)
    answer.headers.update(limits.headers)
    return answer


def _faulty(fault: Fault) -> web.Response:
    status = fault.status or 500
    if status == 429:
        return _too_many(Verdict(retry_headers(fault.retry_after), fault.retry_after, fault.everywhere))
    return _json(status, {"message": f"{status}: a fault that a test set", "code": fault.code})
