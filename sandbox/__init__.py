"""A local stand-in for Discord: REST, gateway, and people to drive. It knows no bot."""

from sandbox.answer import Answer, Impossible, Modal
from sandbox.channels import Channel, DirectChannel, TextChannel, Thread
from sandbox.messages import Message
from sandbox.permissions import Permission
from sandbox.person import Person
from sandbox.sandbox import TOKEN, Sandbox
from sandbox.world import Guild

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
