"""The page and its files: served only to browsers on this machine, and without other servers."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSServerHandshakeError

import sandbox
from sandbox import Sandbox

PAGE = Path(sandbox.__file__).parent / "page"
FILES = sorted(each.name for each in PAGE.iterdir())
TEXTS = [name for name in FILES if not name.endswith(".ttf")]
TYPES = {
    ".html": {"text/html"},
    ".css": {"text/css"},
    ".ttf": {"font/ttf", "application/octet-stream"},
    ".js": {"text/javascript", "application/javascript"},
}


@pytest.fixture
async def box() -> AsyncIterator[Sandbox]:
    async with Sandbox() as box:
        box.person("Alice", box.guild("Palm Beach"))
        yield box


@pytest.fixture
async def browser(box: Sandbox) -> AsyncIterator[ClientSession]:
    async with ClientSession(box.url) as browser:
        yield browser


async def test_the_page_is_at_the_root(browser: ClientSession) -> None:
    async with browser.get("/") as answer:
        assert (answer.status, answer.content_type) == (200, "text/html")
        assert "<title>Sandbox</title>" in await answer.text()


async def test_each_file_is_served_with_its_type(browser: ClientSession) -> None:
    for name in FILES:
        async with browser.get(f"/page/{name}") as answer:
            assert answer.status == 200
            assert answer.content_type in TYPES[Path(name).suffix]
            assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("name", TEXTS)
def test_every_file_that_a_file_refers_to_exists(name: str) -> None:
    text = (PAGE / name).read_text(encoding="utf-8")
    for path in re.findall(r'(?:from |href=|src=|url\()"(?:\./|/page/)([^"]+)"', text):
        assert path in FILES


@pytest.mark.parametrize("path", ["/page/../web.py", "/page/%2e%2e/web.py", "/page/", "/page/none.js"])
async def test_nothing_else_is_served(browser: ClientSession, path: str) -> None:
    async with browser.get(path) as answer:
        assert answer.status in (403, 404)


@pytest.mark.parametrize(
    "foreign", [{"Host": "example.com"}, {"Origin": "http://example.com"}, {"Origin": "null"}]
)
async def test_requests_of_other_websites_are_refused(
    box: Sandbox, browser: ClientSession, foreign: dict[str, str]
) -> None:
    """A website that is open in the same browser must not be able to read or act."""
    alice = box.people[0]
    for path in ("/", "/page/main.js", "/sandbox/people", "/api/v10/users/@me", "/gateway"):
        async with browser.get(path, headers=foreign) as answer:
            assert answer.status == 403
    said = {"channel": str(alice.dms.id), "content": "Not me"}
    async with browser.post(f"/sandbox/people/{alice.id}/say", json=said, headers=foreign) as answer:
        assert answer.status == 403
    with pytest.raises(WSServerHandshakeError):
        await browser.ws_connect(f"/sandbox/people/{alice.id}/events", headers=foreign)
    assert alice.dms.messages() == []


@pytest.mark.parametrize("path", ["/", "/page/main.js", "/sandbox/people", "/api/v10/users/@me"])
async def test_other_websites_may_neither_frame_nor_embed_an_answer(
    browser: ClientSession, path: str
) -> None:
    """Frames and pictures of a website are requested without an Origin, so the browser must refuse to show them."""
    async with browser.get(path) as answer:
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


async def test_requests_of_the_page_are_answered(box: Sandbox, browser: ClientSession) -> None:
    own = {"Origin": box.url}
    async with browser.get("/sandbox/people", headers=own) as answer:
        (alice,) = await answer.json()
    events: ClientWebSocketResponse = await browser.ws_connect(
        f"/sandbox/people/{alice['id']}/events", headers=own
    )
    assert (await events.receive_json())["me"]["id"] == alice["id"]
    await events.close()


@pytest.mark.parametrize("name", TEXTS)
def test_texts_become_no_markup_and_no_other_server_is_used(name: str) -> None:
    """Untrusted text becomes text nodes only, and the page sends requests to no other server."""
    text = (PAGE / name).read_text(encoding="utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text
    )
    assert not re.search(r"""(?:src|href|url\(|from|import|fetch\()\s*=?\s*["'(]*https?://""", text)


def test_the_security_policy_forbids_other_servers() -> None:
    policy = re.search(r'content="(default-src[^"]+)"', (PAGE / "index.html").read_text(encoding="utf-8"))
    assert policy is not None
    allowed = set(policy[1].replace(";", "").split()[1:])
    sources = {each for each in allowed if not each.endswith("-src")}
    assert sources == {"'none'", "'self'", "data:"}
