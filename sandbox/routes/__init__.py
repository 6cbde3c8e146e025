"""The REST routes of API v10, one module for each resource."""

from sandbox.routes import (
    channels,
    commands,
    emojis,
    guilds,
    interactions,
    messages,
    pins,
    threads,
    users,
)
from sandbox.routes.table import ROUTES, Call, Created, Route, Services

__all__ = [
    "ROUTES",
    "Call",
    "Created",
    "Route",
    "Services",
    "channels",
    "commands",
    "emojis",
    "guilds",
    "interactions",
    "messages",
    "pins",
    "threads",
    "users",
]
