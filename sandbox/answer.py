"""The bot's answer to an interaction, as the person who acted sees it."""

from dataclasses import dataclass

from sandbox.bodies import components, texts
from sandbox.checks import Json
from sandbox.interactions import DEFER_UPDATE, Interaction
from sandbox.world import Message

NO_RESPONSE = "The application did not respond"


class Impossible(Exception):
    """Raised for an act that a person's client would not allow. `str()` names the act and the reason."""


@dataclass(frozen=True)
class Modal:
    """A modal that the bot opened."""

    interaction: Interaction
    body: Json

    @property
    def title(self) -> str:
        return str(self.body["title"])

    @property
    def custom_id(self) -> str:
        """Custom id that the bot gave it."""
        return str(self.body["custom_id"])

    @property
    def text(self) -> str:
        """Title, labels, descriptions and texts, one per line."""
        parts = [self.title]
        for component in components(self.body):
            parts += filter(None, (component.get("label"), component.get("description")))
        return "\n".join([*parts, *texts(self.body)])


class Answer:
    """The bot's answer to one interaction. Later followups and edits appear in it too."""

    def __init__(self, interaction: Interaction, failed: bool = False) -> None:
        self.interaction = interaction
        self._failed = failed

    @property
    def failed(self) -> str | None:
        """Sentence that the client shows when the bot did not answer in time, else None."""
        return NO_RESPONSE if self._failed and self.interaction.answer is None else None

    @property
    def message(self) -> Message | None:
        """Message with which the bot answered, or the clicked message that it updated."""
        return self.interaction.original

    @property
    def is_loading(self) -> bool:
        """True while the person only sees that the bot thinks, or nothing new in the message that they used."""
        act, message = self.interaction, self.message
        if act.answer == DEFER_UPDATE and message is not None:
            return message.edits == act.edits and not act.followups
        return message is not None and message.loading

    @property
    def followups(self) -> list[Message]:
        """Messages that the bot sent after the first answer."""
        return self.interaction.followups

    @property
    def ephemeral(self) -> bool:
        """True when only this person sees the message."""
        return self.message is not None and self.message.ephemeral

    @property
    def text(self) -> str:
        """Text that the person reads: of the message, of the modal, or that there was no answer."""
        if self.message is not None:
            return self.message.text
        return self.modal.text if self.modal else self.failed or ""

    @property
    def told(self) -> str:
        """Text of every state of the message since the person acted: an edit may have replaced the first one."""
        if (message := self.message) is None:
            return self.text
        known = self.interaction.edits + 1 if message is self.interaction.source else 0
        return "\n".join(line for body in [*message.past, message.body][known:] for line in texts(body))

    @property
    def modal(self) -> Modal | None:
        """Modal that the bot opened."""
        body = self.interaction.modal
        return None if body is None else Modal(self.interaction, body)

    @property
    def choices(self) -> list[Json]:
        """Choices of an autocomplete, each with `name` and `value`."""
        return self.interaction.choices or []

    def __repr__(self) -> str:
        return f"<Answer {self.interaction.answer} {self.text!r:.200}>"
