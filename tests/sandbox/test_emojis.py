"""Emojis that the application owns: their routes, refusals, and use in components."""

import base64
import json
from typing import Any

import pytest
from aiohttp import ClientSession

from sandbox.application_emojis import LARGEST, MOST
from tests.sandbox.openapi import SPECIFICATION, validator_for
from tests.sandbox.refused_payloads import button, option, row, select
from tests.sandbox.test_bodies import answered
from tests.sandbox.wire import Reply, Wire

PNG = b"\x89PNG\r\n\x1a\n"


def uri(data: bytes = PNG, media_type: str = "image/png") -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def emojis(wire: Wire, id_: object = "") -> str:
    return f"/applications/{wire.box.world.bot.id}/emojis" + (f"/{id_}" if id_ else "")


async def create(wire: Wire, name: Any = "palm_7", image: Any = None, **more: Any) -> Reply:
    body = {"name": name, "image": uri() if image is None else image} | more
    return await wire.ask("POST", emojis(wire), body)


async def test_an_emoji_is_created_listed_and_deleted(wire: Wire) -> None:
    made = await create(wire)
    assert (made.status, made.body["name"]) == (201, "palm_7")
    assert (await wire.ask("GET", emojis(wire))).body == {"items": [made.body]}
    assert (await wire.ask("DELETE", emojis(wire, made.id))).status == 204
    assert (await wire.ask("GET", emojis(wire))).body == {"items": []}
    gone = await wire.ask("DELETE", emojis(wire, made.id))
    assert (gone.status, gone.code) == (404, 10014)
    assert wire.box.complaints == []


@pytest.mark.skipif(not SPECIFICATION.exists(), reason="Discord's specification is not at hand.")
async def test_bodies_and_answers_obey_discords_specification(wire: Wire) -> None:
    made = await create(wire)
    for method, id_ in (("GET", ""), ("DELETE", made.id)):
        await wire.ask(method, emojis(wire, id_))
    for asked in wire.box.bodies:
        validator = validator_for(asked.method, asked.template)
        assert validator
        assert validator.is_valid(asked.body)
    assert [what for asked in wire.box.requests for what in answered(asked)] == []


async def test_invalid_emojis_are_refused() -> None:
    names: list[Any] = ["x", "x" * 33, "palm 7", "palm-7", None]
    images = ["palm", "data:image/png;base64,!", uri(b"text"), uri(media_type="image/svg+xml")]
    async with Wire.open() as wire:
        for wrong in (
            *({"name": name} for name in names),
            *({"image": image} for image in (*images, uri(PNG + bytes(LARGEST)))),
            {"colour": "green"},
        ):
            reply = await create(wire, **wrong)
            assert (reply.status, reply.code) == (400, 50035), str(wrong)[:40]
        assert wire.box.world.emojis == {}


async def test_unique_names_of_2_and_32_characters_and_pictures_of_256_kib_are_accepted(wire: Wire) -> None:
    for name, code in (("p7", 0), ("P" * 32, 0), ("p7", 50035)):
        assert (await create(wire, name, uri(PNG + bytes(LARGEST - len(PNG))))).code == code


async def test_an_application_has_at_most_2000_emojis(wire: Wire) -> None:
    (first,) = [await create(wire)]
    emoji = wire.box.world.emojis[int(first.id)]
    wire.box.world.emojis.update(dict.fromkeys(range(MOST - 1), emoji))
    full = await create(wire)
    assert (full.status, full.code) == (400, 30008)


async def test_emojis_of_another_application_are_refused(wire: Wire) -> None:
    reply = await wire.ask("GET", "/applications/1/emojis")
    assert (reply.status, reply.code) == (403, 20012)


async def test_buttons_and_options_accept_an_emoji_while_it_exists(wire: Wire) -> None:
    made = await create(wire)
    emoji: dict[str, Any] = {"id": made.id, "name": "any"}
    chosen = select(1) | {"options": [option(emoji=emoji)]}
    body = {"components": [row(button(emoji=emoji)), row(chosen)]}
    for form in (made.id, int(made.id)):
        emoji["id"] = form
        shown = await wire.send(body)
        assert shown.body["components"][0]["components"][0]["emoji"]["id"] == made.id
    assert (await wire.answer_command({"type": 4, "data": body})).status == 204
    await wire.ask("DELETE", emojis(wire, made.id))
    refused = await wire.send(body)
    assert (refused.status, refused.code) == (400, 50035)
    assert "BUTTON_COMPONENT_INVALID_EMOJI" in json.dumps(refused.body)


async def test_the_picture_of_an_emoji_is_served(wire: Wire) -> None:
    async with ClientSession() as http:
        made = await create(wire)
        async with http.get(f"{wire.box.url}/emojis/{made.id}") as answer:
            assert (answer.content_type, await answer.read()) == ("image/png", PNG)
        async with http.get(f"{wire.box.url}/emojis/1") as answer:
            assert answer.status == 404
