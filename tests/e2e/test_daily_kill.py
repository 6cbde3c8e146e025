"""`kill -9` in the middle of a daily: it goes on where it was, in one attempt, and nothing that was shown is lost."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from sandbox import Message, Person, TextChannel
from tests.e2e.daily_player import has_form
from tests.e2e.followed_match import bot_and_channel
from tests.e2e.players import shown, tap
from tests.e2e.processes import BotProcess, Condition

CONDITIONS: dict[str, Callable[[BotProcess], Condition]] = {
    "the click is sent": lambda _: lambda: True,
    "the move is stored": BotProcess.entry_stored,
    "the answer is given": lambda bot: bot.request_made("POST", r"^/interactions/"),
}
MOVES = "SELECT n, user FROM log WHERE kind = 'move' AND user IS NOT NULL"


async def opened(person: Person, room: TextChannel) -> Message:
    """Open the deal with `/daily` and `Play` or `Go on`."""
    card = shown(await person.slash(room, "daily"))
    label = next((each["label"] for each in card.buttons if each["label"] in ("Play", "Go on")), None)
    return card if label is None else shown(await person.click(card, label))


async def kill_while_tapping(
    bot: BotProcess, alice: Person, deal: Message, condition: str, rng: Random
) -> None:
    """Tap on the form, kill the bot meanwhile, and start it again."""
    await bot.kill_during(
        lambda: _tapped(alice, deal, rng), CONDITIONS[condition](bot), rng.uniform(0, 0.005)
    )
    await bot.start()


async def _tapped(alice: Person, deal: Message, rng: Random) -> None:
    for _ in range(40):  # a tap may change the picks alone
        if not bot_is_there(alice) or not has_form(deal):
            return
        await _tap_once(alice, deal, rng)


def bot_is_there(person: Person) -> bool:
    """Return whether the bot has answered the person's last act."""
    return not person.answers or person.answers[-1].failed is None


async def _tap_once(alice: Person, deal: Message, rng: Random) -> None:
    try:
        await tap(alice, deal, rng)
    except AssertionError:  # no answer: the bot is killed
        return


@pytest.mark.parametrize("condition", CONDITIONS)
async def test_a_daily_goes_on_after_kills(condition: str, tmp_path: Path) -> None:
    rng = Random(condition)
    async with bot_and_channel(tmp_path / "palmhouse.sqlite3") as (bot, room):
        alice = bot.box.person("Alice", room.guild)
        for _ in range(4):
            deal = await opened(alice, room)
            if not has_form(deal):
                break
            shown_moves = bot.read(MOVES)
            await kill_while_tapping(bot, alice, deal, condition, rng)
            assert bot.read(MOVES)[: len(shown_moves)] == shown_moves
        deal = await opened(alice, room)
        while has_form(deal):
            deal = await tap(alice, deal, rng)
        assert " of 4" in deal.text
        ((placing, match),) = bot.read("SELECT placing, match FROM daily_attempts")
        assert placing is not None
        assert bot.read("SELECT phase FROM matches") == [("over",)]
        assert [row.n for row in bot.log(match)] == [*range(1, len(bot.log(match)) + 1)]


async def test_a_kill_while_a_daily_begins_leaves_one_attempt(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path / "palmhouse.sqlite3") as (bot, room):
        alice = bot.box.person("Alice", room.guild)
        card = shown(await alice.slash(room, "daily"))
        await bot.kill_during(lambda: alice.click(card, "Play"), bot.entry_stored())
        await bot.start()
        deal = await opened(alice, room)
        assert has_form(deal)
        assert len(bot.read("SELECT * FROM daily_attempts")) == len(bot.read("SELECT * FROM matches")) == 1
