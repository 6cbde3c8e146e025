"""A hostile website in the browser of somebody who runs the sandbox: it can neither read, act, frame nor embed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from playwright.async_api import Page

from sandbox import Person, Sandbox
from tests.browser.chromium import chromium, needed

FOREIGN = "attacker.example"
RULES = f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1"
"""The browser finds this name at the address of the sandbox, as after a DNS rebinding."""

ATTACKS = """
async ([sandbox, person, channel]) => {
  const said = JSON.stringify({ channel, content: "Not me" });
  const path = `${sandbox}/sandbox/people/${person}`;
  const loaded = (tag, url) => new Promise((resolve) => {
    const element = document.body.appendChild(document.createElement(tag));
    element.onload = () => resolve("loaded");
    element.onerror = () => resolve("refused");
    element.src = url;
  });
  const asked = async (url, options) => {
    try {
      const answer = await fetch(url, options);
      return answer.type === "opaque" ? "opaque" : answer.status;
    } catch {
      return "refused";
    }
  };
  const opened = (url) => new Promise((resolve) => {
    const socket = new WebSocket(url.replace("http", "ws"));
    socket.onopen = () => resolve("opened");
    socket.onerror = () => resolve("refused");
  });
  return {
    read: await asked(`${sandbox}/sandbox/people`),
    act: await asked(`${path}/say`, { method: "POST", body: said, headers: { "Content-Type": "application/json" } }),
    actBlindly: await asked(`${path}/say`, { method: "POST", body: said, mode: "no-cors" }),
    watch: await opened(`${path}/events`),
    pose: await opened(`${sandbox}/gateway`),
    script: await loaded("script", `${sandbox}/page/main.js`),
    picture: await loaded("img", `${sandbox}/attachments/1/${channel}/hand.png`),
  };
}
"""


@asynccontextmanager
async def hostile_website(sandbox: Sandbox) -> AsyncIterator[str]:
    """Serve a website that shows the sandbox in a frame. Yields its address."""

    async def page(_request: web.Request) -> web.Response:
        text = f'<title>Win a prize</title><iframe src="{sandbox.url}/"></iframe>'
        return web.Response(text=text, content_type="text/html")

    app = web.Application()
    app.add_routes([web.get("/", page)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://{FOREIGN}:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


async def test_a_hostile_website_can_neither_read_act_frame_nor_embed() -> None:
    needed()
    async with Sandbox() as box, hostile_website(box) as address, chromium(RULES) as browser:
        alice = box.person("Alice", box.guild("Palm Beach"))
        page = await browser.new_page()
        await page.goto(address)
        assert await page.title() == "Win a prize"
        assert await frames(page) == []
        found = await page.evaluate(ATTACKS, [box.url, str(alice.id), str(alice.dms.id)])
        assert found.pop("actBlindly") == "opaque", "sent, and refused by the sandbox"
        assert set(found.values()) == {"refused"}, found
        assert said(alice) == []


async def test_a_name_that_leads_to_this_machine_shows_nothing_of_the_sandbox() -> None:
    needed()
    async with Sandbox() as box, chromium(RULES) as browser:
        page = await browser.new_page()
        answer = await page.goto(box.url.replace("127.0.0.1", FOREIGN))
        assert answer is not None
        assert answer.status == 403
        assert await page.text_content("body") == "The sandbox answers only its own page and the bot."


async def frames(page: Page) -> list[str]:
    """Return the titles of the sandbox's pages that are shown in frames."""
    titles = [await frame.title() for frame in page.frames if frame is not page.main_frame]
    return [title for title in titles if "Sandbox" in title]


def said(person: Person) -> list[str]:
    return [message.text for message in person.dms.messages()]
