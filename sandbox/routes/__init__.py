"""The REST routes of API v10, by resource."""

from sandbox.routes import (
    channels,
    commands,
    emojis,
    guilds,
    interactions,
    messages,
    pins,
    reactions,
    threads,
    users,
)
from sandbox.routes.table import ROUTES, Call, Created, Route

__all__ = [
    "ROUTES",
    "Call",
    "Created",
    "Route",
    "channels",
    "commands",
    "emojis",
    "guilds",
    "interactions",
    "messages",
    "pins",
    "reactions",
    "threads",
    "users",
]
