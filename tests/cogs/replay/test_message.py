"""Every step of every golden game can be shown from every point of view, within Discord's limits."""

from pathlib import Path

import pytest
from discord.ui import ActionRow, Button, Select

from bot.match.replay import PUBLIC, PointOfView
from bot.messages.custom_ids import LONGEST
from bot.messages.panel import MOST_TEXT, Panel
from bot.pictures.encoding import encode
from bot.pictures.scene import MOST_ALT
from cogs.replay.message import code, jumps, point_of_view, step_panel
from games.types import SEATS
from tests.cogs.replay.golden_replays import GOLDEN, IDS, UIS, named, replayed
from tests.contract.subjects import SUBJECTS, Subject
from tests.seats import FIRST, SECOND

WIDE = [f"{seat}{'W' * 19}" for seat in SEATS[:8]]
"""Names of the greatest width that is shown."""
SOME = 9
"""Distance of the steps that are shown in words, and from the points of view that show fewer cards."""
every_golden_game = pytest.mark.parametrize(("subject", "path"), GOLDEN, ids=IDS)


def names_of(path: Path) -> list[str]:
    header = path.read_text(encoding="utf-8").splitlines()[3]
    return WIDE[: len(header.split(", "))]


@every_golden_game
def test_every_step_fits_into_a_message_from_every_point_of_view(subject: Subject, path: Path) -> None:
    found, replay = replayed(subject, path, names_of(path))
    ui = UIS[subject.game.slug]
    for seats in found.points_of_view:
        every = 1 if seats == replay.all_hands else SOME
        for at in range(0, len(replay.steps(seats)), every):
            pictures = bool(at % SOME)
            check(step_panel(found, ui, seats, at, pictures=pictures), pictures=pictures)


def check(panel: Panel, *, pictures: bool) -> None:
    texts = [part for part in panel.walk_children() if hasattr(part, "content")]
    assert sum(len(part.content) for part in texts) <= MOST_TEXT
    assert all(part.content for part in texts)
    found = panel.pictures()
    assert all(len(each.alt) < MOST_ALT for each in found)
    assert len({each.name for each in found}) == len(found)
    assert pictures or not found
    parts = [part for part in panel.walk_children() if isinstance(part, Button | Select)]
    ids = [str(part.custom_id) for part in parts]
    assert len(set(ids)) == len(ids)
    assert max(map(len, ids)) <= LONGEST
    assert all(1 <= len(part.options) <= 25 for part in parts if isinstance(part, Select))
    rows = [part for part in panel.children if isinstance(part, ActionRow)]
    assert max(len(row.children) for row in rows) <= 4


@pytest.mark.parametrize("slug", UIS)
def test_the_hands_of_the_first_step_are_drawn_as_small_files(slug: str) -> None:
    subject, path = next(each for each in GOLDEN if each[0].game.slug == slug)
    found, replay = replayed(subject, path, names_of(path))
    for picture in step_panel(found, UIS[slug], replay.all_hands, 0, pictures=True).pictures():
        assert picture.paint().width == 1000
        assert len(encode(picture.paint())) < 120_000


def test_a_hand_is_in_the_picture_of_those_points_of_view_that_see_it() -> None:
    found, replay = named("house-rules-off")

    def words(seats: PointOfView) -> str:
        return " ".join(
            each.alt for each in step_panel(found, UIS["palace"], seats, 0, pictures=True).pictures()
        )

    hands = {seats: words(seats) for seats in found.points_of_view}
    (alice,) = (
        part for part in hands[(FIRST,)].split(". ") if part.startswith("Alice: ") and "face down" not in part
    )
    assert alice in hands[replay.all_hands]
    assert alice not in hands[(SECOND,)]
    assert "Hands, face up" not in hands[PUBLIC]
    assert "Cleo: " in hands[replay.all_hands].partition("Hands, face up")[2]


def test_a_hidden_bid_is_said_beside_the_hand() -> None:
    found, replay = named("normal")
    at, name, bid = next(
        (at, step.names[step.move[0]], step.move[1])
        for at, step in enumerate(replay.steps(replay.all_hands))
        if step.move is not None and step.move[1].startswith("Bid")
    )
    panel = step_panel(found, UIS["twin-palms"], replay.all_hands, at, pictures=True)
    assert f"{name}, {bid.lower()}: " in panel.pictures()[1].alt
    assert f"{name}: {bid}" in panel.texts()
    public = step_panel(found, UIS["twin-palms"], PUBLIC, at, pictures=True)
    assert f"{name} has moved." in public.texts()
    assert bid not in public.texts()


def test_the_menu_jumps_to_each_round_or_where_there_is_one_round_to_some_steps() -> None:
    rounds, steps = [named(name)[1] for name in ("normal", "house-rules-on")]
    seats = rounds.all_hands
    to_rounds = jumps(rounds, rounds.steps(seats), seats)
    assert [label.partition(" ·")[0] for _, label in to_rounds] == [f"Round {n} of 6" for n in range(1, 7)]
    seats = steps.all_hands
    to_steps = jumps(steps, steps.steps(seats), seats)
    assert 13 <= len(to_steps) <= 25, "as many as fit into the menu at equal distances"
    assert to_steps[1][1].startswith(f"Step {to_steps[1][0] + 1}: ")


def test_a_menu_that_cannot_have_every_round_says_how_many_there_are() -> None:
    found, replay = named("calza")
    seats = replay.all_hands
    steps = replay.steps(seats)
    count = len(replay.rounds(steps))
    assert 25 < count <= 50
    (menu,) = [
        each.placeholder
        for each in step_panel(found, UIS["liars-dice"], seats, 0, pictures=True).walk_children()
        if isinstance(each, Select) and str(each.placeholder).startswith("Jump")
    ]
    assert menu == f"Jump to … ({count} rounds, every 2nd here)"


def test_the_end_of_a_round_shows_the_table_of_that_round_and_what_was_revealed() -> None:
    found, replay = named("palifico")
    ui = UIS["liars-dice"]
    for seats in (PUBLIC, replay.all_hands):
        steps = replay.steps(seats)
        at = next(at for at, step in enumerate(steps) if replay.ends_round(step))
        panel = step_panel(found, ui, seats, at, pictures=True)
        table, shown = (picture.alt for picture in panel.pictures())
        assert table.startswith("Round 1 · 15 dice · ones are wild. Ben bids seven fives.")
        assert shown.startswith("Ben bid seven fives? Six there. Alice: match the bid 2")
        assert "Round 2" not in panel.texts()
        after = step_panel(found, ui, seats, at + 1, pictures=True)
        assert "Round 2" in after.texts()
        assert at + 1 in replay.rounds(steps)


def test_the_code_of_a_point_of_view_is_read_again() -> None:
    for subject in SUBJECTS.values():
        found, replay = replayed(*next(each for each in GOLDEN if each[0] is subject))
        for seats in found.points_of_view:
            assert point_of_view(code(seats), replay) == seats
