"""A local stand-in for Discord: REST, gateway, and people whom a test controls. It imports no bot."""
# What this package offers is imported here.
# mypy: implicit-reexport
# ruff: noqa: F401

from sandbox.answer import Answer, Impossible, Modal
from sandbox.guilds import Guild, TextChannel, Thread
from sandbox.permissions import Permission
from sandbox.person import Person
from sandbox.sandbox import TOKEN, Sandbox
from sandbox.world import Channel, DirectChannel, Message
