"""A local stand-in for Discord: REST, gateway, and people whom a test controls. It imports no bot."""

from sandbox.answer import Answer, Impossible, Modal
from sandbox.guilds import Guild, TextChannel, Thread
from sandbox.permissions import Permission
from sandbox.person import Person
from sandbox.sandbox import TOKEN, Sandbox
from sandbox.world import Channel, DirectChannel, Message

__all__ = [
    "TOKEN",
    "Answer",
    "Channel",
    "DirectChannel",
    "Guild",
    "Impossible",
    "Message",
    "Modal",
    "Permission",
    "Person",
    "Sandbox",
    "TextChannel",
    "Thread",
]
