"""Slash commands whose options are the fields of pydantic models: type, limits, default and description."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any, Literal, Optional

import discord
from discord import app_commands

from cogs.common.lookup import Interaction
from games.options import DescribedOptions, schemas

Answer = Callable[[Interaction, dict[str, Any]], Awaitable[None]]
"""Answers a command, given its options by name. An option that was left out has its default."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a slash command. `annotation` is a type as discord.py reads it."""

    name: str
    annotation: Any
    default: Any
    description: str

    def parameter(self) -> Parameter:
        return Parameter(self.name, Parameter.KEYWORD_ONLY, default=self.default, annotation=self.annotation)


def options_of(model: type[DescribedOptions], names: Iterable[str], typed: Mapping[str, Any]) -> list[Option]:
    """Return an option for each of these fields.

    `typed` has other annotations, by name, for fields that people type in another form. Their default is None.
    """
    found, usual = schemas(model), model.usual()
    return [
        Option(name, typed[name], None, found[name]["description"])
        if name in typed
        else Option(name, annotation(found[name]), usual[name], found[name]["description"])
        for name in names
    ]


def annotation(schema: Mapping[str, Any]) -> Any:
    """Return the type of a field, as an annotation for discord.py, from its JSON schema."""
    match schema:
        case {"anyOf": [kind, {"type": "null"}]}:
            return Optional[annotation(kind)]  # noqa: UP045 - built while the bot runs
        case {"enum": [*words]}:
            return Literal[tuple(words)]
        case {"type": "boolean"}:
            return bool
        case {"type": "integer", "minimum": least, "maximum": most}:
            return app_commands.Range[int, least, most]
    raise TypeError(f"no option of a slash command is like {schema}")


def command(
    name: str, description: str, options: Sequence[Option], answer: Answer
) -> app_commands.Command[Any, ..., None]:
    """Return a slash command with these options that calls `answer`."""

    async def callback(interaction: discord.Interaction[Any], **given: Any) -> None:
        await answer(interaction, given)

    # discord.py makes a command's options from the parameters of its callback.
    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD)
    callback.__signature__ = Signature(  # type: ignore[attr-defined]
        [first, *(option.parameter() for option in options)]
    )
    app_commands.describe(**{option.name: option.description for option in options})(callback)
    return app_commands.Command(name=name, description=description, callback=callback)
