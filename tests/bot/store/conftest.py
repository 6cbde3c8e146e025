"""Fixtures for the tests of the store."""

import asyncio
import os
from collections.abc import Callable, Iterator
from typing import Final

import psycopg
import pytest

from bot.store.postgresql.opening import prepare
from tests.postgresql import Server, programs, server

TABLES: Final = """
SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('palmhouse', 'facts')
"""
AS_NEW: Final = """
DELETE FROM facts WHERE key <> 'installation';
ALTER SEQUENCE matches_id_seq RESTART;
ALTER SEQUENCE seasons_id_seq RESTART
"""


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """Yield a server that runs until the tests are over."""
    if programs() is None and not os.environ.get("CI"):
        pytest.skip("PostgreSQL is missing; scripts/install-postgresql installs it")
    with server() as running:
        yield running


@pytest.fixture(scope="session")
def prepared(postgresql: Server) -> Iterator[Callable[[], str]]:
    """Yield a function that empties a database with all tables and returns its address."""
    postgresql.execute("CREATE DATABASE palmhouse")
    url = postgresql.url("palmhouse")
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


@pytest.fixture
def database_url(prepared: Callable[[], str]) -> str:
    """Return the address of a database that is empty."""
    return prepared()
