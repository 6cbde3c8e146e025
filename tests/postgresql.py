"""A PostgreSQL server for the tests of one process: in a temporary folder, on a socket there, without any durability.

`scripts/install-postgresql` installs what it needs.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import psycopg

from bot.store.postgresql.opening import prepare

USER: Final = "palmhouse"
GUARDED: Final = "guarded"
"""A role that needs a password; a test may create it."""
DURABLE: Final = ("max_connections=40",)
"""Options of a server as a host runs it."""
FAST: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", *DURABLE)
"""Options of a server for tests."""
NOBODY: Final = "postgres"
"""The user who runs the server for root, which PostgreSQL refuses. Debian's package creates it."""
STARTING: Final = 30
"""Seconds for the start of a server on a busy machine."""
TABLES: Final = """
SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('palmhouse', 'facts')
"""
"""Query for all tables that tests fill."""
AS_NEW: Final = """
DELETE FROM facts WHERE key <> 'installation';
ALTER SEQUENCE matches_id_seq RESTART;
ALTER SEQUENCE seasons_id_seq RESTART
"""
"""Statements that make a database new, once its tables are empty."""


def programs() -> Path | None:
    """Return the folder of the newest server that is installed; None without one."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else None


class Server:
    """A server that runs."""

    def __init__(self, bin: Path, folder: Path, options: Sequence[str] = FAST) -> None:  # noqa: A002
        self.folder = folder
        self._options = options
        self._owner = NOBODY if os.geteuid() == 0 else None
        if self._owner is not None:
            shutil.chown(folder, self._owner)
        self._bin = bin
        self.run(
            "initdb", "-D", str(self.data), "-U", USER, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"
        )
        rules = self.data / "pg_hba.conf"
        rules.write_text(f"local all {GUARDED} scram-sha-256\n{rules.read_text()}")
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs to its end."""
        command = [str(self._bin / program), *arguments]
        subprocess.run(command, user=self._owner, cwd=self.folder, check=True, capture_output=True)

    def dumped(self, url: str) -> Callable[[], None]:
        """Dump a database. Return a function that restores it, as docs/hosting.md says."""
        dump = str(self.folder / "dump")
        self.run("pg_dump", "--format=custom", f"--file={dump}", url)
        options = "--clean", "--if-exists", "--single-transaction", f"--dbname={url}"
        return partial(self.run, "pg_restore", *options, dump)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = [
            part
            for option in (*self._options, f"unix_socket_directories={self.folder}")
            for part in ("-c", option)
        ]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._bin / "postgres", "-D", self.data, "-h", "", *options],
                user=self._owner,
                cwd=self.folder,
                stderr=log,
            )
        give_up_at = time.monotonic() + STARTING
        while True:
            try:
                return psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                if time.monotonic() > give_up_at or self.process.poll() is not None:
                    raise
                time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server at once. Its connections end."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as db:
            db.execute(statement.encode())


@contextmanager
def server(options: Sequence[str] = FAST) -> Iterator[Server]:
    """Run a server until the end of the block."""
    bin = programs()  # noqa: A001
    assert bin is not None, "PostgreSQL is missing; scripts/install-postgresql installs it"
    folder = Path(mkdtemp(prefix="palmhouse-pg-"))
    running = Server(bin, folder, options)
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(folder)


@contextmanager
def emptying(running: Server) -> Iterator[Callable[[], str]]:
    """Yield a function that empties a database with all tables and returns its address."""
    running.execute("CREATE DATABASE palmhouse")
    url = running.url("palmhouse")
    asyncio.run(_prepare(url))
    with psycopg.connect(url, autocommit=True) as db:
        # Rows are deleted in any order, without a check of references: faster by far than TRUNCATE.
        db.execute("SET session_replication_role = replica")
        deletions = "".join(f"DELETE FROM {table};" for (table,) in db.execute(TABLES))

        def empty() -> str:
            db.execute((deletions + AS_NEW).encode())
            return url

        yield empty


async def _prepare(url: str) -> None:
    await (await prepare(url)).close()


def sessions(url: str) -> list[int]:
    """Return the processes of the server for the connections of stores, the oldest first."""
    with psycopg.connect(url) as db:
        query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'palmhouse' ORDER BY backend_start"
        return [pid for (pid,) in db.execute(query)]


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """Freeze the server's processes for all stores during the block."""
    processes = sessions(url)
    try:
        for each in processes:
            os.kill(each, signal.SIGSTOP)
        yield
    finally:
        for each in processes:
            os.kill(each, signal.SIGCONT)
