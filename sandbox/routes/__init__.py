"""The REST routes of API v10, one module for each resource. Importing them here fills the table of routes."""

from sandbox.routes import (  # noqa: F401
    channels,
    commands,
    emojis,
    events,
    guilds,
    interactions,
    messages,
    pins,
    threads,
    users,
)
