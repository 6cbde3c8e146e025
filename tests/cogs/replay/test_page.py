"""The page of a replay: small, complete without its script, and safe whatever people are called."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bot.match.replay import PUBLIC
from cogs.replay.page import page
from cogs.replay.words import text_file
from tests.cogs.replay.golden_replays import GOLDEN, IDS, UIS, golden_replay, replayed
from tests.contract.subjects import Subject
from tests.present import present

LARGEST = 300_000
HOSTILE = [
    "</script><b>",
    '"><img src=x onerror=alert(1)>',
    "&lt;i&gt;",
    "{title}",
    "<!--",
    "`**_x_**`",
    "]]>",
    "'",
]


class Tags(HTMLParser):
    """The tags of a page, and the texts in its list of steps."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.items = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.attributes += attrs
        self.items += tag == "li"


def data(text: str) -> Any:
    packed = re.search(r'id="data">([^<]*)</script>', text)
    assert packed
    return json.loads(gzip.decompress(base64.b64decode(packed[1])))


@pytest.mark.parametrize(("subject", "path"), GOLDEN, ids=IDS)
def test_a_page_is_small_and_has_every_step_as_text_and_as_data(subject: Subject, path: Path) -> None:
    found, replay = replayed(subject, path)
    for seats in found.points_of_view:
        text = page(found, UIS[subject.game.slug], seats)
        assert len(text.encode()) <= LARGEST
        steps = len(replay.steps(seats))
        assert Tags(text).items == len(data(text)["steps"]) == steps
        assert f"\n{steps}. " in text_file(found, seats)


@pytest.mark.parametrize(("subject", "path"), GOLDEN, ids=IDS)
def test_every_card_has_a_name_or_lies_face_down(subject: Subject, path: Path) -> None:
    found, replay = replayed(subject, path)
    shown = data(page(found, UIS[subject.game.slug], replay.all_hands))
    hands = [seat["hand"] or [] for step in shown["steps"] for seat in step["seats"]]
    assert all(shown["cards"][number][1] for hand in hands for number in hand)


@pytest.mark.parametrize("stem", ["six-players", "house-rules-on", "one-left-of-four", "thirty-one-is-made"])
def test_a_page_and_an_alt_text_say_once_that_a_player_is_out(stem: str) -> None:
    subject, path = next(each for each in GOLDEN if each[1].stem == stem)
    found, replay = replayed(subject, path)
    ui = UIS[subject.game.slug]
    seats = [seat for step in data(page(found, ui, PUBLIC))["steps"] for seat in step["seats"]]
    for step in replay.everything:
        scene = present(ui.looks.table(subject.game.view(step.state, None), step.names))
        for seat in scene.seats:
            assert re.split("[,:] ", f"{seat.describe('')}: ").count("out") == seat.out
    assert any(seat["state"] == "out" for seat in seats)
    assert all(seat["about"].split(" · ").count("out") == (seat["state"] == "out") for seat in seats)


def test_no_name_becomes_markup() -> None:
    subject, path = next(each for each in GOLDEN if each[1].stem == "eight-players")
    found, plain = golden_replay(subject, path, HOSTILE), golden_replay(subject, path)
    assert found.replay is not None
    hostile, usual = (page(each, UIS["palace"], found.replay.all_hands) for each in (found, plain))
    assert Tags(hostile).found == Tags(usual).found
    assert Tags(hostile).attributes == Tags(usual).attributes


def test_a_page_asks_for_nothing_from_elsewhere_and_allows_no_other_script() -> None:
    text = page(golden_replay(*GOLDEN[0]), UIS[GOLDEN[0][0].game.slug], PUBLIC)
    assert not re.search(r"\b(?:src|href)=", text)
    assert not re.search(r"https?:|@import|url\(", text.replace("http://www.w3.org/2000/svg", ""))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    script = re.search(r"<script>(.*)</script>", text, re.DOTALL)
    assert policy
    assert script
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy[1]
    assert "default-src 'none'" in policy[1]
