"""The rules of the router, and the custom ids that it reads."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.messages.custom_ids import CustomId
from bot.messages.panel import Modal, text, text_field
from bot.messages.router import Click, Kind, Router, click_of
from bot.pictures.worker_client import WorkerClient


async def nothing(_interaction: Any, _click: Click) -> None: ...


def test_a_verb_is_registered_once() -> None:
    router = Router()
    router.add("join", nothing)
    with pytest.raises(ValueError, match="'join' has a route already"):
        router.add("join", nothing)


def test_a_route_may_wait_unless_it_is_called_at_once() -> None:
    router = Router()
    router.add("join", nothing)
    router.add("type", nothing, at_once=True)
    clicks = [Click(verb, 1, "", Kind.BUTTON) for verb in ("join", "type", "unknown")]
    assert [router.may_wait(click) for click in (*clicks, None)] == [True, False, False, False]


async def test_a_verb_of_a_game_finds_its_route_only_at_tables_of_that_game() -> None:
    router, pressed = Router(), list[str]()

    async def press(_interaction: Any, click: Click) -> None:
        pressed.append(click.verb)

    router.add("toy.press", press)
    for custom_id in ("toy.press:1", "press:1", "toy.press:2"):
        interaction = clicked(custom_id, {1: "toy", 2: "chess"})
        await router.dispatch(interaction, click_of(interaction))
    assert pressed == ["toy.press"]


async def test_a_modal_has_another_custom_id_when_its_content_has_changed_and_one_route() -> None:
    """Of a custom id that they know, phones show the content that they saw first."""

    def modal(seal: str) -> Modal:
        return Modal("Cut", CustomId("cut", 1, "late"), text("Copy"), text_field("Seal", 9, default=seal))

    first, again, changed = modal("abc"), modal("abc"), modal("abd")
    assert first.custom_id == again.custom_id != changed.custom_id
    read = {CustomId.read(each.custom_id) for each in (first, changed)}
    assert read == {CustomId("cut", 1, "late")}


def clicked(custom_id: str, games: dict[int, str]) -> Any:
    """Return a click on a button. `games`: the slug of each match's game."""

    async def get(match: int) -> Any:
        return SimpleNamespace(match=SimpleNamespace(game=games[match]))

    async def send_message(**_: Any) -> Any:
        return SimpleNamespace(resource=None)

    return SimpleNamespace(
        type=discord.InteractionType.component,
        data={"component_type": discord.ComponentType.button.value, "custom_id": custom_id},
        client=SimpleNamespace(
            tables=SimpleNamespace(get=get),
            is_closed=lambda: False,
            command_ids={},
            rasterizer=WorkerClient(),
        ),
        response=SimpleNamespace(is_done=lambda: False, send_message=send_message),
        extras={},
    )


# Custom ids


@pytest.mark.parametrize(
    ("custom_id", "written"),
    [
        (CustomId("join", 7), "join:7"),
        (CustomId("page", 0, "full:palace:{}"), "page:0:full:palace:{}"),
        (CustomId("twin-it.press", 7, "hand 12"), "twin-it.press:7:hand 12"),
    ],
)
def test_a_custom_id_is_read_as_it_was_written(custom_id: CustomId, written: str) -> None:
    assert str(custom_id) == written
    assert CustomId.read(written) == custom_id


@pytest.mark.parametrize("forged", ["", "join", "join:", "join:x", "join:-1", "join:²", "join:" + "9" * 16])
def test_no_other_text_is_a_custom_id(forged: str) -> None:
    assert CustomId.read(forged) is None


def test_a_custom_id_that_discord_would_refuse_is_not_written() -> None:
    assert len(str(CustomId("form", 7, "x" * 93))) == 100
    with pytest.raises(ValueError, match="at most 100 characters"):
        str(CustomId("form", 7, "x" * 94))
