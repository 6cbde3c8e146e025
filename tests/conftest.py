"""Settings for all tests: modules stay compiled; Hypothesis has no deadlines, and in CI always the same examples;
long tests begin first, and none hangs for ever."""

import gc
import os
import secrets
import signal
import sys
from collections.abc import Callable, Generator, Iterator

import pytest
from hypothesis import settings

from tests.limit import limited
from tests.postgresql import Server, emptying, programs, server

LONGEST = (
    "tests/soak/",
    "tests/rooms/test_rooms.py",
    "tests/browser/test_round.py",
    "tests/browser/test_animation.py",
    "tests/e2e/test_matches.py",
    "tests/bench/test_bench.py",
    "tests/browser/",
    "tests/e2e/test_seasons.py",
    "tests/e2e/test_deals.py",
    "tests/e2e/",
)
"""Paths of the tests that take longest, the longest first."""

# The tests start the bot hundreds of times. Without compiled modules each start would compile all of it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Whoever starts the tests in the background of a script has SIGINT ignored, and so would all bots that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

EXAMPLES = 20
"""Examples of each property. As many find every fault planted in tests/contract/test_laws_bite.py three times over; a
night has the time for more."""

settings.register_profile("local", deadline=None, max_examples=EXAMPLES)
settings.register_profile(
    "ci", settings.get_profile("local"), derandomize=True, database=None, print_blob=True
)
settings.register_profile("quick", deadline=None, max_examples=EXAMPLES // 3)
settings.register_profile("night", deadline=None, max_examples=10 * EXAMPLES, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed",
        help="Seed of all that chance decides in tests in virtual time. In CI it is always the same.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose a seed; the processes of pytest-xdist receive it. Nothing of what is collected becomes garbage."""
    gc.disable()
    if config.option.seed is None:
        config.option.seed = "1" if os.environ.get("CI") else secrets.token_hex(4)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print the seed with a failure."""
    report = yield
    if report.failed and not item.get_closest_marker("real"):
        report.sections.append(("seed", f"Repeat the order of tasks with --seed={item.config.option.seed}"))
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long tests first: one that begins last would run alone at the end, while the other processors wait."""
    items.sort(key=_rank)


def _rank(item: pytest.Item) -> int:
    return next((n for n, path in enumerate(LONGEST) if item.nodeid.startswith(path)), len(LONGEST))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None]:
    with limited():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    with limited():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None]:
    with limited():
        yield


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking through all modules and tests, and from looking often."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """Yield a server that runs until the tests of this process are over."""
    if programs() is None and not os.environ.get("CI"):
        pytest.skip("PostgreSQL is missing; scripts/install-postgresql installs it")
    with server() as running:
        yield running


@pytest.fixture(scope="session")
def empty_database(postgresql: Server) -> Iterator[Callable[[], str]]:
    with emptying(postgresql) as empty:
        yield empty


@pytest.fixture
def database_url(empty_database: Callable[[], str]) -> str:
    """Return the address of a database that is empty."""
    return empty_database()
