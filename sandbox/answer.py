"""What a person gets to see of an interaction: the bot's answer, or that there is none."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from sandbox.interactions import Interaction
from sandbox.messages import Message, components, texts

Json: TypeAlias = dict[str, Any]

NO_RESPONSE = "The application did not respond"


class Impossible(Exception):
    """A person's client would not let them do this. `str()` says what and why."""


@dataclass(frozen=True)
class Modal:
    """A form that the bot opened."""

    interaction: Interaction
    body: Json

    @property
    def title(self) -> str:
        """Its title."""
        return str(self.body["title"])

    @property
    def custom_id(self) -> str:
        """The bot's own name for it."""
        return str(self.body["custom_id"])

    @property
    def text(self) -> str:
        """Its title, labels, descriptions and texts."""
        parts = [self.title]
        for component in components(self.body):
            parts += filter(None, (component.get("label"), component.get("description")))
        return "\n".join([*parts, *texts(self.body)])


class Answer:
    """The bot's answer to one interaction. It is live: followups and edits that come later show here."""

    def __init__(self, interaction: Interaction, failed: bool = False) -> None:
        self.interaction = interaction
        self._failed = failed

    @property
    def failed(self) -> str | None:
        """What the client says when the bot did not answer in time."""
        return NO_RESPONSE if self._failed and self.interaction.answer is None else None

    @property
    def message(self) -> Message | None:
        """The message the bot answered with, or the clicked one that it updated."""
        return self.interaction.original

    @property
    def followups(self) -> list[Message]:
        """Further messages."""
        return self.interaction.followups

    @property
    def ephemeral(self) -> bool:
        """Whether only this person sees the message."""
        return self.message is not None and self.message.ephemeral

    @property
    def text(self) -> str:
        """All the person reads of it: the message's text, the modal's, or that there was no answer."""
        if self.message is not None:
            return self.message.text
        return self.modal.text if self.modal else self.failed or ""

    @property
    def modal(self) -> Modal | None:
        """The form the bot opened."""
        body = self.interaction.modal
        return None if body is None else Modal(self.interaction, body)

    @property
    def choices(self) -> list[Json]:
        """The choices that complete an option: each has `name` and `value`."""
        return self.interaction.choices or []

    def __repr__(self) -> str:
        return f"<Answer {self.interaction.answer} {self.text!r:.200}>"
