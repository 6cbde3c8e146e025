"""`/practice` and `Try it`: a private match of one person against computers, with hints. It does not count."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.alone import open_practice
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.state import Player
from bot.match.table import Table
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import defer, may_stand, send, tell
from bot.messages.custom_ids import CustomId, number
from bot.messages.expected import EXPECTED
from bot.messages.panel import Panel, button, row, text
from bot.messages.router import Click
from bot.messages.venue import or_timeout
from bot.store import StoreFailed
from cogs.common.coded import coded, decoded
from cogs.common.hand_panel import hand_panel
from cogs.common.lookup import Interaction, is_outside, where
from cogs.common.new_table import caller, open_table, party
from games import GAMES, AnyGame, Options
from games.advice import Strength
from games.phrases import listed

NO_PLACE = (
    "Practice is private, but your direct messages are closed to me, and I can make no private thread here. "
    "Allow direct messages in this server's privacy settings and try again, or practise in a text channel where I have "
    "Create Private Threads and Send Messages in Threads."
)
OPENING = "Your practice table is being opened. Wait for its link."


class Practice(commands.Cog):
    """Practice tables in direct messages; where these are closed, in a private thread. Where the bot is no member, they
    are played in an ephemeral message."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self._opening: set[int] = set()
        bot.router.add("try", self.try_it)

    @app_commands.command(name="practice", extras={MAY_WAIT: True})
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        game="Which game",
        computers="Against how many (default: as few as the game takes)",
        strength="How well they play (default: steady)",
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]
    )
    async def practice(
        self,
        interaction: Interaction,
        game: str,
        computers: app_commands.Range[int, 1, 7] | None = None,
        strength: Strength = "steady",
    ) -> None:
        """Play alone against computers, in private and with hints; it does not count"""
        rules = GAMES[game]
        await self._begin(interaction, rules, rules.Options(), computers, strength)

    async def try_it(self, interaction: Interaction, click: Click) -> None:
        """Open a practice table under the options of a page of rules, or of a lesson against as many computers as it
        has, or link to the one that is open."""
        head, _, rest = click.rest.partition(":")
        computers = number(head)
        game, options = decoded(click.rest if computers is None else rest)
        if not (tables := await self._open_tables(interaction.user.id, game)):
            await self._begin(interaction, game, options, computers, "steady")
        else:
            with suppress(Refusal):  # a kill may have come before that
                await tables[0].start(interaction.user.id, self.bot.time.learn_from(interaction.id))
            await tell(interaction, f"You already have a practice table in {where(tables[0])}.")

    async def _open_tables(self, user: int, game: AnyGame) -> list[Table]:
        """Return the person's open practice tables of that game, oldest first."""
        tables = await self.bot.tables.loadable(self.bot.tables.seated(user, game.slug))
        return [each for each in tables if each.state.practice]

    async def _not_begun(self, game: AnyGame, options: Options, players: Sequence[Player]) -> Table | None:
        """Return the practice table that was opened in this way and could not begin; None if there is none."""
        wanted = ("lobby", options, (*players,))
        for each in await self._open_tables(players[0].user, game):
            if (each.state.phase, each.state.options, (*each.state.players,)) == wanted:
                return each
        return None

    async def _begin(
        self,
        interaction: Interaction,
        game: AnyGame,
        options: Options,
        computers: int | None,
        strength: Strength,
    ) -> None:
        """Open a table, start the match, and send the caller its link in an ephemeral message."""
        least = game.seats(options).start - 1
        if computers is not None and computers < least:
            raise Refusal(f"{game.title} needs at least {least} computers beside you.")
        players = party(game, options, caller(interaction), max(1, computers or least), strength)
        if is_outside(interaction):
            await self._play_here(interaction, game, options, players)
            return
        with self._once(interaction.user.id):
            await defer(interaction, thinking=True)
            table = await self._not_begun(game, options, players)
            if table is None:
                table = await self._open_in_private(interaction, game, options, players)
            try:
                await table.start(interaction.user.id, self.bot.time.learn_from(interaction.id))
            except StoreFailed:
                self.bot.publisher.look_again(table)  # below its greeting there is no button yet
                raise
        await tell(interaction, f"Your practice table is ready in {where(table)}.")

    async def _play_here(
        self, interaction: Interaction, game: AnyGame, options: Options, players: Sequence[Player]
    ) -> None:
        """Play in an ephemeral message, where the bot can post nothing else. This ends the last match that was played
        so."""
        if game.real_time:
            raise Refusal(
                f"{game.title} needs a table that everybody sees. Practise it in our direct messages."
            )
        if any(
            player.strength == "sharp" for player in players
        ):  # a search would delay everybody else's clicks
            raise Refusal(
                "Sharp computers think too long for this. Choose `casual` or `steady` here, or use `/practice` in "
                "our direct messages."
            )
        user, tables = interaction.user.id, self.bot.tables
        at = self.bot.time.learn_from(interaction.id)
        with self._once(user):
            former = await self.bot.store.practice_without_place(user)
            # First the new one, which may be refused: the last one goes on then.
            table = await open_practice(tables, game, options, players, at=at, interaction=interaction.id)
            for each in await tables.loadable(former):
                await each.close(CloseReason.REPLACED)
            await send(interaction, await hand_panel(self.bot, table, user))

    @contextmanager
    def _once(self, user: int) -> Iterator[None]:
        """Raise Refusal for a second click while the first is being answered."""
        if user in self._opening:
            raise Refusal(OPENING)
        self._opening.add(user)
        try:
            yield
        finally:
            self._opening.discard(user)

    async def _open_in_private(
        self, interaction: Interaction, game: AnyGame, options: Options, players: Sequence[Player]
    ) -> Table:
        """Open the table in a place that only the caller sees."""
        tables, user = self.bot.tables, interaction.user.id
        tables.check_room(user)
        tables.openings.check(user, tables.clock.now())
        hello = _introduction(game, options, players).with_mentions(self.bot.command_ids)
        async with _private_place(interaction, game, hello) as place:
            return await open_table(
                interaction,
                game,
                options,
                players,
                pace="relaxed",
                practice=True,
                guild=place.guild.id if isinstance(place, discord.Thread) else 0,
                channel=place.id,
            )


def _introduction(game: AnyGame, options: Options, players: Sequence[Player]) -> Panel:
    """Build the message above the table: the opponents, and how to get help."""
    others = listed(player.name for player in players[1:])
    lines = (
        f"### {game.title} · practice\nYou play against {others}, as long as you like; nobody else sees it.",
        "`Hint` in your hand says what to play and why. `/table leave` ends it.",
    )
    return Panel(
        text("\n".join(lines)), row(button("Rules", CustomId("page", 0, f"first:{coded(game, options)}")))
    )


@asynccontextmanager
async def _private_place(
    interaction: Interaction, game: AnyGame, hello: Panel
) -> AsyncIterator[discord.abc.Snowflake]:
    """Post `hello` in a place that only the caller sees, and yield the place. If the block raises, delete the message.

    Raises Refusal if there is no such place.
    """
    try:  # the only way to find out whether direct messages are closed
        message = await _send(interaction.user, hello, interaction.id)
    except discord.Forbidden:
        async with _private_thread(interaction, game) as thread:
            await _send(thread, hello, interaction.id)
            yield thread
        return
    try:
        yield message.channel
    except BaseException:
        with suppress(*EXPECTED):
            await message.delete()
        raise


async def _send(place: discord.abc.Messageable, hello: Panel, nonce: int) -> discord.Message:
    try:
        return await place.send(view=hello, nonce=nonce, silent=True)
    except EXPECTED as error:
        if not may_stand(error):
            raise
        return await place.send(
            view=hello, nonce=nonce, silent=True
        )  # the same nonce: Discord does not post it twice


@asynccontextmanager
async def _private_thread(interaction: Interaction, game: AnyGame) -> AsyncIterator[discord.Thread]:
    """Make a private thread with the caller in it; if the block raises, delete it.

    Raises Refusal where the bot may not make one.
    """
    here = interaction.channel
    parent = here.parent if isinstance(here, discord.Thread) else here
    if not isinstance(parent, discord.TextChannel):
        raise _no_place(interaction)
    try:
        thread = await parent.create_thread(
            name=f"{game.title} · practice",
            type=discord.ChannelType.private_thread,
            auto_archive_duration=1440,
            invitable=False,
        )
    except discord.HTTPException as error:
        # They may be forbidden or too many, and an announcement channel has none.
        if error.status not in (400, 403):
            raise
        raise _no_place(interaction) from error
    try:
        await thread.add_user(interaction.user)
        yield thread
    except BaseException as error:
        await _remove(thread)
        if isinstance(error, discord.Forbidden):
            raise _no_place(interaction) from error
        raise


def _no_place(interaction: Interaction) -> Refusal:
    return Refusal(or_timeout(interaction.guild, NO_PLACE))


async def _remove(thread: discord.Thread) -> None:
    """Delete a thread, or archive it where the bot may not delete."""
    with suppress(*EXPECTED):
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)
