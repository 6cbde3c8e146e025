"""A local stand-in for Discord: REST, gateway, and people whom a test controls. It imports no bot."""

from sandbox.answer import Answer as Answer
from sandbox.answer import Impossible as Impossible
from sandbox.answer import Modal as Modal
from sandbox.guilds import Guild as Guild
from sandbox.guilds import TextChannel as TextChannel
from sandbox.guilds import Thread as Thread
from sandbox.permissions import Permission as Permission
from sandbox.person import Person as Person
from sandbox.sandbox import TOKEN as TOKEN
from sandbox.sandbox import Sandbox as Sandbox
from sandbox.world import Channel as Channel
from sandbox.world import DirectChannel as DirectChannel
from sandbox.world import Message as Message
