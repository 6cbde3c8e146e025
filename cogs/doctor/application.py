"""Checks of the application, for its owner: what Discord's verification and the App Directory still want."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import discord

from bot.client import Palmhouse
from bot.hosting.doctor.finding import Level
from bot.hosting.invite import SCOPES, permissions
from bot.program import PROGRAM
from bot.store import StoreFailed
from cogs.doctor.findings import UNREAD, Finding
from games.phrases import counted, listed

Application = Mapping[str, Any]
"""An application as `GET /applications/@me` describes it."""

MAY_VERIFY: Final = 75
"""Number of servers from which Discord verifies an application."""
MUST_VERIFY: Final = 100
"""Number of servers that an application may be in without being verified."""
ACCEPTED: Final = 2
"""State of a person who has joined a team, in Discord's API."""
PRIVILEGED: Final = {
    "Presence": (1 << 12) | (1 << 13),
    "Server Members": (1 << 14) | (1 << 15),
    "Message Content": (1 << 18) | (1 << 19),
}
"""Flags of an application by the privileged intent that they allow."""
GENERAL: Final = "Developer portal, General Information"
FOOTNOTES: Final = (
    "Discord does not say these, so check them in the developer portal: the owner of the team has proved who they are "
    "(App Verification); everybody in the team has two-factor authentication; the App Directory has a support server "
    "with Community switched on, and Enable Discovery was pressed (Discovery).",
)


def owners(application: Application) -> set[int]:
    """Return the ids of the owner of an application; of the people in its team if it belongs to one."""
    team = application.get("team")
    if not team:
        return {int(application["owner"]["id"])}
    joined = [each for each in team["members"] if each["membership_state"] == ACCEPTED]
    return {int(each["user"]["id"]) for each in joined} | {int(team["owner_user_id"])}


async def application_findings(bot: Palmhouse, application: Application) -> list[Finding]:
    return [
        # The bot itself may be one process of several, and knows the servers of its shards.
        *_verification(bot, application.get("approximate_guild_count", len(bot.guild_ids))),
        *_team(application),
        *_texts(application),
        *_installing(application),
        *_intents(application),
        *await _database(bot),
    ]


def _verification(bot: Palmhouse, servers: int) -> Iterator[Finding]:
    on = f"The bot is on {counted(servers, 'server')}."
    if bot.user is not None and bot.user.public_flags.verified_bot:
        yield Finding(Level.OK, f"{on} It is verified.")
    elif servers < MAY_VERIFY:
        yield Finding(
            Level.OK, f"{on} Discord verifies from {MAY_VERIFY}, and demands it from {MUST_VERIFY}."
        )
    else:
        late = servers >= MUST_VERIFY
        more = "It can join no more before it is verified" if late else f"It needs that from {MUST_VERIFY}"
        yield Finding(
            Level.FAULT if late else Level.WARNING,
            f"{on} It is not verified. {more}.",
            "Developer portal, App Verification. The App Directory lists verified applications only.",
        )


def _team(application: Application) -> Iterator[Finding]:
    if application.get("team"):
        yield Finding(Level.OK, "The application belongs to a team.")
    else:
        yield Finding(
            Level.FAULT,
            "The application belongs to one person. Verification wants a team.",
            "Developer portal, Teams, New Team; then transfer the application to it in General Information.",
        )


def _texts(application: Application) -> Iterator[Finding]:
    policy = f"`{PROGRAM} policy` prints it. Publish it, and put its address there: {GENERAL}."
    wanted = {
        "privacy_policy_url": ("the address of a privacy policy", policy),
        "terms_of_service_url": ("the address of terms of service", policy),
        "description": ("a description", f"{GENERAL}."),
        "tags": ("tags (up to five, such as `card games`)", f"{GENERAL}."),
        "icon": ("an icon", f"{GENERAL}."),
    }
    for field, (name, remedy) in wanted.items():
        if application.get(field):
            yield Finding(Level.OK, f"The application has {name}.")
        else:
            yield Finding(Level.FAULT, f"The application lacks {name}.", remedy)


def _installing(application: Application) -> Iterator[Finding]:
    if application.get("bot_public"):
        yield Finding(Level.OK, "Everybody can add the bot to a server.")
    else:
        yield Finding(
            Level.FAULT,
            "Only you can add the bot to a server.",
            "Developer portal, Bot: switch on Public Bot.",
        )
    if application.get("bot_require_code_grant"):
        yield Finding(
            Level.FAULT,
            "Discord asks for a code grant, so nobody can add the bot by a link.",
            "Developer portal, Bot: switch off Requires OAuth2 Code Grant.",
        )
    yield _link(application)
    if "1" in (application.get("integration_types_config") or {}):
        yield Finding(Level.OK, "People can install it for themselves.")
    else:
        yield Finding(
            Level.WARNING,
            "People cannot install it for themselves.",
            "If you want that: developer portal, Installation, User Install, scope `applications.commands`.",
        )


def _link(application: Application) -> Finding:
    """Check the link with which Discord's own button adds the bot."""
    if application.get("custom_install_url"):
        return Finding(Level.OK, "The application has an install link of your own.")
    on_servers = (application.get("integration_types_config") or {}).get("0") or {}
    link = on_servers.get("oauth2_install_params") or application.get("install_params")
    remedy = f"Developer portal, Installation: Discord Provided Link, scopes {_code(SCOPES)}, and the permissions that "
    remedy += f"`{PROGRAM} invite` lists."
    if not link:
        return Finding(Level.FAULT, "The application has no install link.", remedy)
    asked = discord.Permissions(int(link["permissions"]))
    if not {*SCOPES} <= {*link["scopes"]} or permissions() & ~asked:
        return Finding(Level.WARNING, "The install link asks for less than the bot needs.", remedy)
    if asked & ~permissions():
        return Finding(
            Level.WARNING, "The install link asks for more permissions than the bot needs.", remedy
        )
    return Finding(Level.OK, "The install link asks for what the bot needs.")


def _intents(application: Application) -> Iterator[Finding]:
    flags = int(application.get("flags_new") or application.get("flags") or 0)
    allowed = [name for name, bits in PRIVILEGED.items() if flags & bits]
    if allowed:
        yield Finding(
            Level.WARNING,
            f"Privileged intents are switched on: {listed(allowed)}. The bot does not use them.",
            "Developer portal, Bot: switch them off. Verification asks what each is for.",
        )
    else:
        yield Finding(Level.OK, "No privileged intent is switched on. The bot reads no messages.")


async def _database(bot: Palmhouse) -> list[Finding]:
    try:
        health = await bot.store.health()
    except (OSError, StoreFailed):
        return [UNREAD]
    free = "" if health.free is None else f"; {health.free / 1e9:,.1f} GB are free"
    return [Finding(Level.OK, f"The database has {health.size / 1e6:,.1f} MB{free}.")]


def _code(words: Mapping[str, str]) -> str:
    return listed(f"`{word}`" for word in words)
