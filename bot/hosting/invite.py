"""`python -m bot invite`: the link that adds the bot to a server, with what it asks for."""

from typing import Final

import discord

SCOPES: Final = {
    "bot": "makes the bot a member of the server",
    "applications.commands": "adds its slash commands",
}
"""Scopes of the link, each with what it is for."""
PERMISSIONS: Final = {
    "View Channels": "seeing the channel of the table",
    "Send Messages": "the table's card, in the channel of `start`",
    "Create Public Threads": "a thread for each match, so that the channel stays readable",
    "Send Messages in Threads": "the table and the record of each round",
    "Attach Files": "the pictures; without it the bot writes everything as text",
    "Read Message History": "finding its own messages after a crash, so that it posts nothing twice",
}
"""Permissions that the link asks for, by the names on Discord's screens, each with what it is for."""


def permissions() -> discord.Permissions:
    """Return the permissions that the link asks for."""
    attributes = (name.lower().replace(" ", "_") for name in PERMISSIONS)
    # Discord's screens say "View Channels" of a server, its interface "VIEW_CHANNEL".
    known = (name.replace("view_channels", "view_channel") for name in attributes)
    return discord.Permissions(**dict.fromkeys(known, True))


def invitation(application: int) -> str:
    """Return the link for the application with this id, and what it asks for, line by line."""
    link = discord.utils.oauth_url(application, permissions=permissions(), scopes=SCOPES)
    asked = [f"  {name}: {purpose}" for name, purpose in (SCOPES | PERMISSIONS).items()]
    return "\n".join(["Open this link and choose your server:", "", link, "", "It asks for:", *asked])
