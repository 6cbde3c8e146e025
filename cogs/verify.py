"""`/verify`: the deal of a finished match, computed again, with a file that anybody can check without the bot."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.deal_file import ReplayedDeal, after_cut_of, checks, deal_file, replayed, seals
from bot.match.entries import Practice, Reserve
from bot.match.refusal import Refusal
from bot.match.replay import people_in
from bot.match.tables import game_of
from bot.messages.answers import defer
from bot.messages.command_mentions import tappable
from bot.messages.router import Click
from bot.standings import daily
from bot.store import LogRow, Match
from bot.store.seeds import secret_of
from cogs.common.audience import may_look
from cogs.common.daily_result import heading
from cogs.common.lookup import Interaction, Typed
from cogs.common.matches import NO_SUCH_MATCH, OPTION, match_meant, match_on, matches_named, title
from cogs.night.page import proof
from cogs.replay.access import may_see_hands
from games.phrases import counted

CHECKER: Final = Path(__file__).parent.parent / "verify.py"
"""The script that is attached to every answer."""
LAST_SEAL: Final = "this was the last one. The first file has all of them, and what changed each.\n-# {}"
OWN_CUT: Final = (
    "`Cut` showed you this: compare it with what you copied. After your cut {} came.\n-# {}"
)
NO_CARD: Final = "practice has no lobby that shows it before the match.\n-# {}"
NO_CUT: Final = (
    "➖ **Cuts:** none. The joins keep the person who opened the table from choosing the deal. Only a cut keeps "
    "whoever runs the bot from it."
)
ERASED: Final = (
    "➖ **Not proved: {} without words.** The person who cut was erased. Nobody can check such a cut, so it binds "
    "nobody."
)
NOT_DEALT: Final = "➖ **Decks:** none. The lobby closed before the start."
DAILY: Final = (
    "Match {} was {}. Its seed is `{}`. The SHA-256 of this seed is in the line {} of the list that "
    "`About` of `/daily` leads to."
)
NIGHT_ON: Final = (
    "The deal of match {} follows from a secret from which the next rounds of its game night follow, too. `/verify` "
    "reveals it when the night is over."
)
NO_FILE: Final = (
    "**The file shows all hands**, so it goes to the people who played, or to everybody when all of them choose "
    "`Replays: open` in `/preferences`."
)
CHECKED: Final = (
    "It checks all of this but the moves, and prints every shuffled list. Compare them with the match, as it cannot "
    "notice a missing one. `seats` has the players by their joins, counted from 0, in the order of their seats.{} {}"
)
OPPOSITE: Final = " Partners who chose each other then sat opposite: the later one changed places."
WHO_CUT: Final = "**Not proved: who cut.** Trust a cut that you made yourself, or whose maker you know."
WHO_LOOKED: Final = (
    "**Not proved: that nobody looked.** The bot knows all hands, so whoever runs it can see them."
)


class Verify(commands.Cog):
    """The command `/verify`. Its answer is for the caller alone."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.tree.add_command(app_commands.ContextMenu(name="Verify", callback=self.verify_of))
        bot.router.add("verify", self.pressed)

    @app_commands.command(name="verify")
    @app_commands.describe(match=OPTION)
    async def verify(self, interaction: Interaction, match: Typed) -> None:
        """Check that the cards of a finished match were not chosen, and get a file to check it yourself"""
        await self._answer(interaction, match_meant(match))

    async def verify_of(self, interaction: Interaction, message: discord.Message) -> None:
        """Check the match of a message."""
        await self._answer(interaction, match_on(interaction, message))

    @verify.autocomplete("match")
    async def matches(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest matches."""
        return await matches_named(interaction, typed)

    async def pressed(self, interaction: Interaction, click: Click) -> None:
        """Answer a press of `Verify` below the last message of a match, as the command does."""
        await self._answer(interaction, click.match)

    async def _answer(self, interaction: Interaction, match: int) -> None:
        await defer(interaction, thinking=True)
        replay, log = await self._replay(interaction, match)
        may_have_file = not replay.started or await may_see_hands(interaction, people_in(log))
        lines = [*answer(replay, interaction.user.id), by_hand(replay) if may_have_file else NO_FILE]
        contents = {f"seals-{match}.txt": seals(replay).encode()}
        if may_have_file:
            contents |= {_name(replay.match): deal_file(replay), CHECKER.name: CHECKER.read_bytes()}
        files = [discord.File(io.BytesIO(content), name) for name, content in contents.items()]
        said = tappable("\n".join(lines), self.bot.command_ids)
        await interaction.followup.send(said, files=files, ephemeral=True)

    async def _replay(self, interaction: Interaction, number: int) -> tuple[ReplayedDeal, Sequence[LogRow]]:
        """Return the replay of a match, and its log.

        Raises Refusal if the caller may not see it, or there is nothing to check.
        """
        match, log = await self.bot.store.match(number), await self.bot.store.log(number)
        took_part = any(row.user == interaction.user.id and row.kind != Reserve.kind for row in log)
        if match is None or not (took_part or await _is_public(interaction, match, log)):
            raise Refusal(NO_SUCH_MATCH)
        if match.phase in ("lobby", "play"):
            raise Refusal(
                f"Match {number} is not over. `/verify` reveals its deal, so use it after the match."
            )
        game = game_of(match)
        if not log:
            raise Refusal(f"The moves of match {number} are not stored any more, so nothing can be checked.")
        if game is None:
            raise Refusal(
                f"The rules of {title(match.game)} have changed since match {number}, so its deal cannot be computed "
                "again."
            )
        await self._check_daily(match)
        await self._check_night(match)
        if not secret_of(match.seed):
            raise Refusal(f"The deal of match {number} was not sealed, so there is nothing to check.")
        return replayed(match, game, log), log

    async def _check_daily(self, match: Match) -> None:
        """Raise Refusal for an attempt at a daily deal. Once it is closed, that says how to check the seed."""
        await self.bot.dailies.check_revealed(match.id)
        attempt = await self.bot.store.attempt_of(match.id)
        if attempt is not None:
            date = daily.date_of(attempt.day).isoformat()
            raise Refusal(DAILY.format(match.id, heading(attempt.day), match.seed, date))

    async def _check_night(self, match: Match) -> None:
        """Raise Refusal for a match of a game night. Once the night is over, that says how to check the seed."""
        await self.bot.nights.check_revealed(match.id)
        found = await self.bot.store.night_of(match.id)
        if found is None:
            return
        night, round_ = found
        # After a cancellation the last round may still be played.
        if night.phase != "over" or await self.bot.store.is_round_played(night.id, night.round):
            raise Refusal(NIGHT_ON.format(match.id))
        raise Refusal(proof(night, round_, match.id, match.seed))


async def _is_public(interaction: Interaction, match: Match, log: Sequence[LogRow]) -> bool:
    """Return whether a match of other people is public on this server: no practice, in a channel that the caller
    sees."""
    practice = any(row.kind == Practice.kind for row in log)
    return match.guild == interaction.guild_id and not practice and await may_look(interaction, match)


def answer(replay: ReplayedDeal, user: int) -> Iterator[str]:
    """Yield the lines of the answer for a person: each check with its mark, then what is not proved."""
    match, state = replay.match, replay.state
    yield f"### The deal of match {match.id} · {state.game.title}"
    yield f"👀 **Seal:** {_seal(replay, user)}"
    if not replay.started:
        yield NOT_DEALT
    elif not state.cuts:
        yield NO_CUT
    if erased := sum(not cut.words for cut in replay.cuts):
        yield ERASED.format(counted(erased, "cut"))
    for check in checks(replay):
        yield f"{'✅' if check.holds else '❌'} **{check.name}:** {check.finding}."
    if replay.started:
        yield from [WHO_CUT] * bool(state.cuts)
        yield WHO_LOOKED


def _seal(replay: ReplayedDeal, user: int) -> str:
    """Return the seal to compare: before the person's own cut, else the last one."""
    if (cut := after_cut_of(replay, user)) is not None:
        seal, later = cut
        return OWN_CUT.format(later or "nothing", seal)
    return (NO_CARD if replay.state.practice else LAST_SEAL).format(replay.state.seal)


def by_hand(replay: ReplayedDeal) -> str:
    """Return the line on checking the file."""
    command = f"python {CHECKER.name} {_name(replay.match)}"
    opposite = OPPOSITE * bool(replay.state.wishes)
    checked = "It checks the seal and the cuts."
    if replay.started:
        checked = CHECKED.format(opposite, replay.state.game.dealing)
    return f"**Check it without the bot:** save the other two files, then `{command}`. {checked}"


def _name(match: Match) -> str:
    return f"deal-{match.id}.json"
