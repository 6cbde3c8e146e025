"""Files of messages: which are kept, under which name, and how payloads describe them."""

import io

import discord
import pytest
from aiohttp import ClientSession
from PIL import Image

from sandbox import Person, Sandbox, TextChannel
from sandbox.pictures import size
from tests.sandbox.bots import Bot, Interaction
from tests.sandbox.wire import Wire

V2 = 1 << 15
GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}


def picture(kind: str, **options: bool) -> bytes:
    file = io.BytesIO()
    Image.new("RGBA" if options else "RGB", (300, 20)).save(file, kind, **options)
    return file.getvalue()


async def test_files_are_found_by_their_number(wire: Wire) -> None:
    listed = {"attachments": [{"id": 8, "description": "the second"}, {"id": 7, "filename": "c.png"}]}
    files = [("a.png", b"a"), ("b.png", b"b")]
    sent = await wire.ask("POST", wire.messages(), listed, files, first=7)
    shown = [(each["filename"], each.get("description")) for each in sent.body["attachments"]]
    assert shown == [("c.png", None), ("b.png", "the second")]


async def test_an_edit_keeps_the_files_it_lists(wire: Wire) -> None:
    sent = await wire.send({"content": "x"}, ["old.png"])
    path = f"{wire.messages()}/{sent.id}"
    files = [("a.png", b"a"), ("b.png", b"b")]
    edited = await wire.ask("PATCH", path, {"attachments": [{"id": 1}]}, files)
    assert [each["filename"] for each in edited.body["attachments"]] == ["b.png"]
    edited = await wire.ask("PATCH", path, {"content": "y"}, files[:1])
    assert [each["filename"] for each in edited.body["attachments"]] == ["b.png", "a.png"]


async def test_spaces_in_a_name_become_underscores(channel: discord.TextChannel) -> None:
    sent = await channel.send(file=discord.File(io.BytesIO(b"x"), "my card.png"))
    assert sent.attachments[0].filename == "my_card.png"


@pytest.mark.parametrize(
    "data",
    [
        picture("PNG"),
        picture("GIF"),
        picture("WEBP"),
        picture("WEBP", lossless=True),
        picture("WEBP", lossless=True, exact=True),
    ],
)
def test_a_picture_has_a_size(data: bytes) -> None:
    assert size(data) == (300, 20)


@pytest.mark.parametrize("data", [b"", b"RIFF", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF0000WEBP" + bytes(30)])
def test_another_file_has_no_size(data: bytes) -> None:
    assert size(data) is None


def gallery() -> discord.ui.LayoutView:
    return discord.ui.LayoutView().add_item(
        discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://a.png"))
    )


def media(message: discord.Message) -> discord.UnfurledMediaItem:
    (shown,) = message.components
    assert isinstance(shown, discord.MediaGalleryComponent)
    return shown.items[0].media


async def test_the_payload_of_a_picture_has_its_size(channel: discord.TextChannel) -> None:
    file = discord.File(io.BytesIO(picture("PNG")), "a.png")
    plain = await channel.send(file=file)
    shown = await channel.send(view=gallery(), file=discord.File(io.BytesIO(picture("PNG")), "a.png"))
    assert [(each.width, each.height) for each in (plain.attachments[0], media(shown))] == [(300, 20)] * 2


async def test_a_message_does_not_list_the_attachments_that_its_components_show(
    channel: discord.TextChannel,
) -> None:
    sent = await channel.send(view=gallery(), file=discord.File(io.BytesIO(b"x"), "a.png"))
    fetched = await channel.fetch_message(sent.id)
    assert [sent.attachments, fetched.attachments] == [[], []]
    assert media(fetched).attachment_id
    assert media(fetched).attachment_id == media(sent).attachment_id


async def test_an_edit_keeps_an_attachment_that_its_components_show_by_its_id(wire: Wire) -> None:
    body = {"flags": V2, "components": [GALLERY]}
    sent = await wire.send(body, ["a.png"])
    id_ = sent.body["components"][0]["items"][0]["media"]["attachment_id"]
    edited = await wire.ask(
        "PATCH",
        f"{wire.messages()}/{sent.id}",
        {"attachments": [{"id": id_}], "components": [{**GALLERY, "id": 7}]},
    )
    assert edited.body["components"][0]["items"][0]["media"]["attachment_id"] == id_


async def test_a_link_is_valid_for_a_day_and_then_replaced(
    box: Sandbox, channel: discord.TextChannel
) -> None:
    sent = await channel.send(view=gallery(), file=discord.File(io.BytesIO(b"x"), "a.png"))
    async with ClientSession() as http:

        async def status(url: str) -> int:
            async with http.get(url) as answer:
                return answer.status

        old = media(sent).url
        assert [await status(old), await status(old.partition("?")[0])] == [200, 404]
        box.clock.advance(24 * 3600 - 1)
        assert await status(old) == 200
        box.clock.advance(3601)
        new = media(await channel.fetch_message(sent.id)).url
        assert [await status(old), await status(new)] == [404, 200]


async def test_files_of_an_ephemeral_message_are_ephemeral(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    ephemeral: list[bool] = []

    async def act(it: Interaction) -> None:
        await it.response.defer(ephemeral=bool(ephemeral))
        sent = await it.followup.send(file=discord.File(io.BytesIO(b"x"), "a.png"), wait=True)
        ephemeral.append(sent.attachments[0].ephemeral)
        box.clock.notify()

    bot.act = act
    await alice.slash(room, "do")
    await box.until(lambda: len(ephemeral) == 1)
    await alice.slash(room, "do")
    await box.until(lambda: len(ephemeral) == 2)
    assert ephemeral == [False, True]
