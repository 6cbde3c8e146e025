"""The sprites of a game are made while people join, so that the first pictures are drawn as fast as later ones."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from random import Random

import pytest
from PIL import Image

from bench.positions import boards, game_uis, hands
from bot.messages.game_ui import GameUI
from bot.messages.panel import Item, Panel
from bot.pictures import raster


def blank(svg: str, width: int) -> bytes:
    """Return a PNG of the size of an SVG."""
    view = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg)
    assert view
    file = BytesIO()
    Image.new("RGBA", (width, round(width * float(view[2]) / float(view[1])))).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def rasterized(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Record the SVGs that are rasterized, from an empty cache on. Their sprites stay blank, which is faster."""
    made = list[str]()

    def png(svg: str, width: int) -> bytes:
        made.append(svg)
        return blank(svg, width)

    def clear() -> None:
        raster.sprites._kept.clear()
        raster._master.cache_clear()

    monkeypatch.setattr(raster, "_png", png)
    clear()
    yield made
    clear()


def draw(some: Iterator[list[Item]]) -> None:
    """Draw a few pictures."""
    for items in islice(some, 0, 40, 8):
        for picture in Panel(*items).pictures():
            picture.paint()


@pytest.mark.parametrize("ui", game_uis().values(), ids=game_uis())
def test_after_a_rehearsal_few_sprites_of_a_match_are_missing(ui: GameUI, rasterized: list[str]) -> None:
    draw(boards(ui, Random(1)))
    draw(hands(ui, Random(1)))
    needed = len({*rasterized})
    raster.sprites._kept.clear()
    raster._master.cache_clear()
    for request in ui.rehearsal():
        assert request() == b""
    rasterized.clear()
    draw(boards(ui, Random(1)))
    draw(hands(ui, Random(1)))
    assert len({*rasterized}) < needed / 3
