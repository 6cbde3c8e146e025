"""A PostgreSQL server of a world: psycopg's connections reach it, and SQLite keeps what it is told in one file.

The code of the bot for PostgreSQL runs as it is, above `Raw`: pipelines, savepoints, commits whose answer is lost and
looked up, connections that are opened again, leases by the server's clock, notices, `pg_terminate_backend`.

What this cannot show: the SQL that only PostgreSQL has (what differs is rewritten, see REWRITTEN and ANSWERED), its
types, plans, migrations, roles and limits, psycopg and libpq themselves; isolation, as here one transaction that writes
follows the other from BEGIN to its end, while a real server lets those on other rows go on, and lets a statement see
what others have committed since BEGIN; a server that itself crashes; real sockets.
"""

import asyncio
import json
import re
import sqlite3
from asyncio import Future
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import Context, copy_context
from itertools import count
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import Any, Final, NamedTuple

import psycopg
import pytest

from bot.store.postgresql import opening, processes
from bot.store.postgresql.connection import Raw
from bot.store.sql.versions import SCRIPTS, versions
from bot.store.sqlite.opening import prepare
from tests.simulation.loop import Loop, settle
from tests.simulation.process import PROCESS, Process

URL: Final = "postgresql://world/palmhouse"
KEEPALIVE: Final = 25.0
"""Seconds after which the server ends a session whose client it cannot reach."""
LONG: Final = 3600.0
DELAYS: Final = (0.001, 0.005, 0.02)
"""Possible greatest numbers of seconds that a word takes between a process and the server."""
REWRITTEN: Final = (
    (re.compile(r"interval '(\d+) seconds'"), r"\g<1>000"),
    (re.compile(r"\* interval '1 millisecond'"), ""),
    (re.compile(r"\(extract\(epoch FROM until\) \* 1000\)::bigint"), "until"),
    (re.compile(r"= ANY\((\$\d)\)"), r"IN (SELECT value FROM json_each(\1))"),
    (re.compile(r"::(text|xid8|regclass|oid)"), ""),
)
"""Parts of statements that SQLite writes in another way."""
IGNORED: Final = re.compile(r"SET |LISTEN |\s*SELECT pg_advisory_xact_lock")
NEVER_WAIT: Final = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET", "LISTEN")
"""Beginnings of statements that take their turn before another transaction is over."""
ANSWERED: Final[dict[str, Callable[[], int]]] = {
    opening.OURS: lambda: max(versions(SCRIPTS)),
    "SELECT version FROM palmhouse": lambda: max(versions(SCRIPTS)),
    processes.HAS_AWAY: lambda: 1,
}
"""Queries about the server that always have the same answer."""
COLUMNS_OF_LOG: Final = 8
"""Number of values of an entry that a table appends."""


class Written(NamedTuple):
    """An entry of a log that a process has committed."""

    process: str
    match: int
    n: int
    kind: str
    user: int | None


class Server:
    """A server that keeps its tables in a file. Use it as a context manager."""

    def __init__(self, loop: Loop, file: Path) -> None:
        self.file = file
        self.ahead = 0.0
        """Seconds by which its clock is ahead of the world's."""
        self.is_up = True
        self.cut_off = set[str]()
        """Names of processes that it cannot reach, nor they it."""
        self.sessions: list[Session] = []
        self.on_commit: Callable[[sqlite3.Connection, Sequence[Written]], None] = lambda *_: None
        """Called with the entries of logs of each transaction, before it is committed."""
        self.loop = loop
        self.context = copy_context()
        self.outcomes = dict[str, str]()
        """By number of the transaction: what became of it."""
        self.numbers = count(1)
        self._writing: Session | None = None
        self._waiting = deque[Session]()
        self._patch = pytest.MonkeyPatch()
        self._chance = loop.world.chance("postgresql")
        self._slowest = self._chance.choice(DELAYS)

    def __enter__(self) -> "Server":
        prepare(self.file)
        self._patch.setattr(Raw, "connect", self.connect)
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.undo()
        for each in [*self.sessions]:
            each.end()

    def delay(self) -> float:
        """Return the seconds that a word takes from or to it."""
        return self._chance.uniform(DELAYS[0] / 4, self._slowest)

    def now(self) -> int:
        """Return the time of its clock in ms."""
        return round((self.loop.world.unix_time + self.ahead) * 1000)

    async def connect(self, *_: object, connect_timeout: float, **__: object) -> "Client":
        """Open a connection to it, in place of psycopg."""
        process = PROCESS.get()
        await asyncio.sleep(2 * self.delay())
        if process is not None and process.name in self.cut_off:
            await asyncio.sleep(connect_timeout)
            raise psycopg.errors.ConnectionTimeout("connection timeout expired")
        if not self.is_up:
            raise psycopg.OperationalError("connection failed: the server is starting up")
        return Client(self, process)

    @contextmanager
    def away(self) -> Iterator[None]:
        """Restart it: it ends all sessions, and takes none until the end of the block."""
        self.is_up = False
        for each in [*self.sessions]:
            each.end()
        try:
            yield
        finally:
            self.is_up = True

    @contextmanager
    def unreachable(self, process: str) -> Iterator[None]:
        """Let nothing come through between a process and this server during the block, without a word to either."""
        self.cut_off.add(process)
        try:
            yield
        finally:
            self.cut_off.discard(process)
            for each in [*self.sessions]:
                each.client.go_on()

    def notify(self, payload: str) -> None:
        """Tell something to all sessions that listen."""
        for each in self.sessions:
            if each.listens:
                each.client.tell(payload)

    # Turns to write

    def may_write(self, session: "Session") -> bool:
        """Return whether a session may begin to write now. If not, it goes on later."""
        if self._writing in (None, session):
            self._writing = session
            return True
        if session not in self._waiting:
            self._waiting.append(session)
        return False

    def leave(self, session: "Session") -> None:
        """End the turn of a session."""
        if session in self._waiting:
            self._waiting.remove(session)
        if self._writing is session:
            self._writing = None
            if self._waiting:
                self.loop.call_soon(self._waiting.popleft().run, context=self.context)


class Question(NamedTuple):
    """What a client asks: a statement, or the end of a part of a pipeline."""

    text: str
    values: Sequence[Any]
    answer: "Future[Any]"
    is_sync: bool


class Rows(NamedTuple):
    """The result of a statement."""

    rows: list[Any]
    changed: int
    description: object


class Session:
    """The server's end of a connection."""

    def __init__(self, server: Server, client: "Client") -> None:
        self.pid = next(server.numbers)
        self.client = client
        self.listens = False
        self._server = server
        self._db = sqlite3.connect(server.file, isolation_level=None, timeout=0)
        self._db.create_function("now", 0, server.now)
        self._questions = deque[Question]()
        self._skips = self._has_failed = False
        self._number: str | None = None
        """Number of its transaction."""
        self._entries: list[Written] = []
        self._limit = self._usual_limit = LONG
        """Seconds that a statement waits for another transaction before it is ended; that of all transactions."""
        self._idle = LONG
        """Seconds of silence in a transaction after which the session is ended."""
        self._timer: asyncio.TimerHandle | None = None
        server.sessions.append(self)

    @property
    def is_open(self) -> bool:
        return self in self._server.sessions

    def ask(self, question: Question) -> None:
        """Take a question that has arrived."""
        if self.is_open:
            self._questions.append(question)
            self.run()

    def run(self) -> None:
        """Answer the questions, until one must wait for another transaction."""
        self._stop_timer()
        while self.is_open and self._questions:
            question = self._questions[0]
            if self._must_wait(question):
                self._wait(self._limit, self._give_up)
                return
            self._questions.popleft()
            self._answer(question)
        if self.is_open and self._number is not None:
            self._wait(self._idle, self.end)

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        self._timer = self._server.loop.call_later(seconds, then, context=self._server.context)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _must_wait(self, question: Question) -> bool:
        is_free = question.is_sync or self._skips or self._has_failed or question.text.startswith(NEVER_WAIT)
        if is_free or (self._number is None and question.text.startswith("SELECT")):
            return False
        return not self._server.may_write(self)

    def _give_up(self) -> None:
        """End a statement that has waited too long."""
        self._server.leave(self)
        self._fail(self._questions.popleft(), psycopg.errors.QueryCanceled("statement timeout"))
        self.run()

    def _answer(self, question: Question) -> None:
        if question.is_sync:
            self._skips = False
            self.client.deliver(question.answer, None, None, 0.0)
        elif self._skips:
            self.client.deliver(
                question.answer, None, psycopg.errors.PipelineAborted("pipeline aborted"), 0.0
            )
        else:
            try:
                found = self._execute(question.text, question.values)
            except (psycopg.Error, sqlite3.Error) as error:
                self._fail(question, error)
            else:
                took = self._server.loop.world.disk()
                self.client.deliver(question.answer, found, None, took)
        if self._number is None:
            self._server.leave(self)

    def _fail(self, question: Question, error: Exception) -> None:
        self._skips, self._has_failed = True, self._number is not None
        self.client.deliver(question.answer, None, _of_psycopg(error), 0.0)

    def _execute(self, text: str, values: Sequence[Any]) -> Rows:
        word = text.split(maxsplit=1)[0]
        if word == "BEGIN":
            self._number = str(next(self._server.numbers))
        elif word == "COMMIT":
            self._commit()
        elif word == "ROLLBACK":
            self._roll_back(text)
        elif self._has_failed:
            raise psycopg.errors.InFailedSqlTransaction("current transaction is aborted")
        else:
            if self._number is not None and not self._db.in_transaction:
                self._db.execute("BEGIN")
            return self._run(text, values)
        return Rows([], 0, None)

    def _commit(self) -> None:
        if self._has_failed:
            self._roll_back("ROLLBACK")
            return
        if self._db.in_transaction:
            self._server.on_commit(self._db, self._entries)
            self._db.execute("COMMIT")
        self._end_transaction("committed")

    def _roll_back(self, text: str) -> None:
        statement = text.partition("/*")[0]
        self._has_failed = False
        if self._number is not None:
            if self._db.in_transaction:
                self._db.execute(statement)
            if " TO " not in statement:
                self._end_transaction("aborted")

    def _end_transaction(self, outcome: str) -> None:
        assert self._number is not None
        self._server.outcomes[self._number] = outcome
        self._number, self._entries, self._has_failed, self._limit = None, [], False, self._usual_limit

    def _run(self, text: str, values: Sequence[Any]) -> Rows:
        if text in ANSWERED:
            return Rows([(ANSWERED[text](),)], 1, "")
        if IGNORED.match(text):
            self.listens |= text.startswith("LISTEN")
            self._set(text)
            return Rows([], 0, None)
        if text.startswith("SELECT pg_"):
            return Rows([(self._function(text, values),)], 1, "")
        if text.startswith("SELECT pid"):
            return Rows([(self.pid, "0")], 1, "")
        return self._run_in_sqlite(text, values)

    def _set(self, text: str) -> None:
        """Keep limits of time."""
        if found := re.search(r"statement_timeout = (\d+)", text):
            self._limit = int(found[1]) / 1000 or LONG
            if "LOCAL" not in text:
                self._usual_limit = self._limit
        if found := re.search(r"idle_in_transaction_session_timeout = (\d+)", text):
            self._idle = int(found[1]) / 1000

    def _function(self, text: str, values: Sequence[Any]) -> Any:
        """Return the result of one of PostgreSQL's functions."""
        match text.removeprefix("SELECT pg_").split("(")[0]:
            case "current_xact_id_if_assigned":
                return self._number
            case "xact_status":
                return self._server.outcomes.get(values[0], "in progress")
            case "notify":
                self._server.notify(values[1])
            case "terminate_backend":
                for each in [*self._server.sessions]:
                    if each.pid == values[0]:
                        each.end()
            case "try_advisory_lock_shared":
                return True
            case "database_size":
                return self._server.file.stat().st_size
            case other:
                raise psycopg.errors.UndefinedFunction(other)
        return None

    def _run_in_sqlite(self, text: str, values: Sequence[Any]) -> Rows:
        for pattern, other in REWRITTEN:
            text = pattern.sub(other, text)
        given = {
            str(n): json.dumps(each) if isinstance(each, list) else each for n, each in enumerate(values, 1)
        }
        cursor = self._db.execute(text, given)
        # An erasure closes a match by an entry with fewer values.
        if text.startswith("INSERT INTO log ") and len(values) == COLUMNS_OF_LOG:
            process = self.client.process
            name = process.name if process else ""
            match, n, kind, _, user, *_ = values
            self._entries.append(Written(name, match, n, kind, user))
        return Rows(cursor.fetchall(), max(0, cursor.rowcount), cursor.description)

    def end(self) -> None:
        """End it: nothing of its transaction is kept."""
        if self.is_open:
            self._stop_timer()
            self._server.sessions.remove(self)
            if self._number is not None:
                self._end_transaction("aborted")
            self._db.close()  # rolls back
            self._server.leave(self)
            self.client.hang_up()


def _of_psycopg(error: Exception) -> psycopg.Error:
    """Return the error that psycopg would raise."""
    if isinstance(error, psycopg.Error):
        return error
    if isinstance(error, sqlite3.IntegrityError):
        return psycopg.errors.UniqueViolation(str(error))
    return psycopg.errors.SyntaxError(str(error))


class Cursor:
    """The result of a statement that may not be there yet."""

    def __init__(self, client: "Client", answer: "Future[Rows]") -> None:
        self._client = client
        self._answer = answer

    async def fetchall(self) -> list[Any]:
        await self._client.receive()
        return self._answer.result().rows

    async def fetchone(self) -> Any:
        return next(iter(await self.fetchall()), None)

    @property
    def rowcount(self) -> int:
        return self._answer.result().changed

    @property
    def description(self) -> object:
        return self._answer.result().description


class Pipeline:
    """A part of a connection's traffic in which nobody waits for each answer."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    async def __aenter__(self) -> "Pipeline":
        self._client.is_in_pipeline = True
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        try:
            await self.sync()
        finally:
            self._client.is_in_pipeline = False

    async def sync(self) -> None:
        """Wait for all answers, and let the server go on after an error."""
        await self._client.sync()


class Way:
    """One of the two ways of a connection."""

    def __init__(self, context: Context) -> None:
        self.context = context
        """Of the one to whom it leads."""
        self.sent = deque[Callable[[], None]]()
        """What was sent and has not arrived."""
        self.due = 0.0
        """Time at which what was sent last arrives."""
        self.held = 0
        """Number of things that would have arrived if both could reach each other."""


class Client:
    """The bot's end of a connection, in place of `Raw`."""

    info = SimpleNamespace(
        server_version=170000, parameter_status={"server_encoding": "UTF8", "server_version": "17"}.get
    )
    adapters = SimpleNamespace(register_dumper=lambda *_: None)

    def __init__(self, server: Server, process: Process | None) -> None:
        self.process = process
        self.closed = False
        self.is_in_pipeline = False
        self._server = server
        self._loop = server.loop
        self._is_lost = False
        self._answers: list[Future[Any]] = []
        """Those that are not received yet."""
        self._notices: asyncio.Queue[str] = asyncio.Queue()
        self._up, self._down = Way(server.context), Way(copy_context())
        self._session = Session(server, self)
        if process is not None:
            process.transports.append(self)

    # For the bot

    async def execute(self, query: bytes | str, values: Sequence[Any] = ()) -> Cursor:
        text = query.decode() if isinstance(query, bytes) else query
        answer = self._ask(text, values)
        if not self.is_in_pipeline:
            await self.sync()
        return Cursor(self, answer)

    async def sync(self) -> None:
        self._ask("", (), is_sync=True)
        await self.receive()

    async def receive(self) -> None:
        """Wait for all answers, and raise the first error."""
        answers = [*self._answers]
        if answers:
            await asyncio.wait(answers)
        self._answers = [each for each in self._answers if each not in answers]
        errors = [error for each in answers if (error := each.exception()) is not None]
        if errors:
            raise errors[0]

    def pipeline(self) -> Pipeline:
        return Pipeline(self)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        await self.execute("BEGIN")
        try:
            yield
        except BaseException:
            with suppress(psycopg.Error):
                await self.execute("ROLLBACK")
            raise
        await self.execute("COMMIT")

    async def notifies(self, *, timeout: float, stop_after: int) -> AsyncIterator[Any]:  # noqa: ASYNC109
        with suppress(TimeoutError):
            said = await asyncio.wait_for(self._notices.get(), timeout)
            if self._is_lost or self.closed:
                raise psycopg.OperationalError("the connection is lost")
            yield SimpleNamespace(payload=said)

    def has_ended(self) -> bool:
        return self._is_lost or self.closed

    def cut(self) -> None:
        self._lose()
        self._pass(self._up, self._session.end)

    async def close(self) -> None:
        self.cut()

    # Between both ends

    def _ask(self, text: str, values: Sequence[Any], *, is_sync: bool = False) -> "Future[Any]":
        if self._is_lost or self.closed:
            self.closed = True
            raise psycopg.OperationalError("the connection is lost")
        answer = self._loop.create_future()
        self._answers.append(answer)
        question = Question(text, values, answer, is_sync)
        self._pass(self._up, lambda: self._session.ask(question))
        return answer

    def deliver(self, answer: "Future[Any]", result: object, error: Exception | None, took: float) -> None:
        """Bring an answer to the bot."""
        self._pass(self._down, lambda: self._settle(answer, result, error), took)

    def tell(self, payload: str) -> None:
        """Bring a notice to the bot."""
        self._pass(self._down, lambda: self._notices.put_nowait(payload))

    def hang_up(self) -> None:
        """Bring the bot the end of the connection."""
        self._pass(self._down, self._lose)

    def vanish(self) -> None:
        """End the connection as the system does when its process is gone."""
        self._pass(self._up, self._session.end)

    def go_on(self) -> None:
        """Let pass what was held."""
        for way in (self._up, self._down):
            for _ in range(way.held):
                self._loop.call_soon(self._arrive, way, context=way.context)
            way.held = 0

    def _pass(self, way: "Way", then: Callable[[], None], took: float = 0.0) -> None:
        """Call a function at the other end, after all that was sent there before."""
        way.due = max(way.due, self._loop.time() + took + self._server.delay())
        way.sent.append(then)
        self._loop.call_at(way.due, self._arrive, way, context=way.context)

    def _arrive(self, way: "Way") -> None:
        if self.process is not None and self.process.name in self._server.cut_off:
            if not self._up.held and not self._down.held:
                self._loop.call_later(KEEPALIVE, self._give_up, context=self._server.context)
            way.held += 1
        else:
            way.sent.popleft()()

    def _give_up(self) -> None:
        """End the session of a client that is out of reach for too long."""
        if self._up.held or self._down.held:
            self._session.end()

    def _settle(self, answer: "Future[Any]", result: object, error: Exception | None) -> None:
        if not self._is_lost:
            settle(answer, result, error)

    def _lose(self) -> None:
        if self._is_lost:
            return
        self._is_lost = True
        self._notices.put_nowait("")
        for each in self._answers:
            self.closed = True
            settle(each, None, psycopg.OperationalError("the connection is lost"))
        self.closed |= bool(self._answers)
