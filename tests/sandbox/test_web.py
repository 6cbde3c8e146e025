"""The API of the page, which refuses other websites."""

import asyncio
import json
import sys
from typing import Any

import aiohttp
import discord
from discord import app_commands

from sandbox import Person, Sandbox, TextChannel
from tests.sandbox.bots import Bot
from tests.sandbox.test_interactions import Panel


async def act(http: aiohttp.ClientSession, person: Person, what: str, **body: Any) -> tuple[int, Any]:
    async with http.post(f"/sandbox/people/{person.id}/{what}", json=body) as answer:
        return answer.status, await answer.json()


class Screen:
    """The state that the WebSocket sends to the page of one person."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.messages: dict[str, list[dict[str, Any]]] = {}

    async def until(self, channel: TextChannel, *contents: str) -> None:
        """Read until the channel has these messages."""
        async with asyncio.timeout(20):
            while [each["content"] for each in self.messages.get(str(channel.id), [])] != list(contents):
                part = json.loads(await self.socket.receive_str())
                if part["type"] == "state":
                    self.state = part
                else:
                    self.messages[part["channel"]] = part["messages"]


async def test_the_page_receives_what_one_person_sees_as_it_changes(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person, ben: Person, http: aiohttp.ClientSession
) -> None:
    bot.act = lambda it: it.response.send_message("secret", ephemeral=True)
    async with (
        http.ws_connect(f"/sandbox/people/{alice.id}/events") as hers,
        http.ws_connect(f"/sandbox/people/{ben.id}/events") as his,
    ):
        screens = Screen(hers), Screen(his)
        await alice.slash(room, "do")
        await alice.say(room, "hello")
        await screens[0].until(room, "secret", "hello")
        await screens[1].until(room, "hello")
        state = screens[0].state
        assert (state["me"]["name"], state["connected"]) == ("Alice", True)
        assert "card-room" in [each["name"] for each in state["channels"]]
        assert [each["name"] for each in state["commands"][str(room.id)]] == ["do"]


async def test_pages_are_disconnected_when_the_sandbox_stops() -> None:
    """Otherwise the server would wait for them."""
    async with Sandbox() as box, aiohttp.ClientSession(box.url) as http:
        alice = box.person("Alice", box.guild("Palm Beach"))
        async with http.ws_connect(f"/sandbox/people/{alice.id}/events") as events:
            await events.receive_json()
            closing = asyncio.create_task(box.close())
            while (event := await events.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
            assert (event.type, event.data) == (aiohttp.WSMsgType.CLOSE, aiohttp.WSCloseCode.GOING_AWAY)
            await closing


async def test_an_answer_names_the_full_command(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    """The name includes the subcommands, for the line above the answer."""
    game = app_commands.Group(name="game", description="A game")

    @game.command(name="start", description="Start it")
    async def _start(interaction: discord.Interaction[Bot]) -> None:
        await interaction.response.send_message("started")

    bot.tree.add_command(game)
    await bot.tree.sync()
    answer = await alice.slash(room, "game start")
    assert answer.message
    assert answer.message.interaction
    assert answer.message.interaction["interaction"]["name"] == "game start"


async def test_the_page_acts_as_a_person(
    bot: Bot, room: TextChannel, alice: Person, http: aiohttp.ClientSession
) -> None:
    channel = str(room.id)
    bot.act = lambda it: it.response.send_message("panel", view=Panel())
    status, answer = await act(http, alice, "slash", channel=channel, command="do")
    assert (status, answer["type"], answer["failed"]) == (200, 4, None)
    (shown,) = room.messages()
    form = next(each["custom_id"] for each in shown.buttons if each["label"] == "Form")
    _, answer = await act(http, alice, "click", message=answer["message"], custom_id=form)
    modal = answer["modal"]
    values = {modal["components"][0]["component"]["custom_id"]: "7"}
    await act(http, alice, "submit", interaction=modal["interaction"], values=values)
    assert shown.text == "bid 7"
    await act(http, alice, "say", channel=channel, content="hello")
    assert room.messages()[-1].text == "hello"


async def test_an_impossible_act_is_answered_with_a_sentence(
    bot: Bot, room: TextChannel, alice: Person, http: aiohttp.ClientSession
) -> None:
    status, body = await act(http, alice, "slash", channel=str(room.id), command="nothing")
    assert (status, "finds no /nothing" in body["message"]) == (400, True)


async def test_the_sandbox_runs_as_a_program() -> None:
    """The program prints its address, and has a server with four people."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sandbox", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout
        line = (await process.stdout.readline()).decode()
        url = line.split()[0]
        async with aiohttp.ClientSession() as http, http.get(f"{url}/sandbox/people") as answer:
            people = await answer.json()
        assert [each["name"] for each in people] == ["Alice", "Ben", "Cleo", "Dana"]
        assert [each["name"] for each in people if each["manages"]] == ["Alice"]
    finally:
        process.terminate()
        await process.wait()


async def test_a_port_that_is_taken_is_named_in_a_sentence(box: Sandbox) -> None:
    port = box.url.rsplit(":", 1)[1].strip("/")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sandbox", "--port", port, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert said.decode().startswith(f"The sandbox cannot use port {port} (")
    assert "Traceback" not in said.decode()
