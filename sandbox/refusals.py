"""Checks of payloads that refuse what Discord refuses, with the same HTTP status, code and form errors.

They are stricter than Discord in one way: Discord may ignore unknown fields, but here they are refused (50035), to
notice misspelt ones. Polls, stickers and forums do not exist here, so their fields are unknown too, and lists of embeds
must be empty.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sandbox import command_checks
from sandbox.bodies import IS_COMPONENTS_V2
from sandbox.checks import (
    Form,
    Refused,
    apply,
    boolean,
    check,
    integer,
    list_of,
    one_of,
    record,
    snowflake,
    text,
)
from sandbox.components import message_components, modal_components, words

EMPTY_MESSAGE = 50006
MOST_FILES = 10

# Messages.


def _parse_or_list(mentions: Mapping[str, Any], form: Form) -> None:
    for kind in ("users", "roles"):
        if kind in (mentions.get("parse") or ()) and mentions.get(kind):
            message = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.fail("MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)


_MENTIONS = record(
    {},
    {
        "parse": list_of(one_of("users", "roles", "everyone"), 0, 3),
        "users": list_of(snowflake, 0, 100),
        "roles": list_of(snowflake, 0, 100),
        "replied_user": boolean,
    },
    _parse_or_list,
)
_ATTACHMENT = record({"id": snowflake}, {"filename": text(1, 1024), "description": text(0, 1024)})


def _nonce(value: Any, form: Form) -> None:
    (text(0, 25) if isinstance(value, str) else integer(-(2**63), 2**63 - 1))(value, form)


def _anything(_value: Any, _form: Form) -> None:
    """Accept anything: components are checked later, when it is known whether the message is V2."""


_MESSAGE = {
    "content": text(0, 2000),
    "tts": boolean,
    "embeds": list_of(_anything, 0, 0),
    "allowed_mentions": _MENTIONS,
    "flags": integer(0, 2**31 - 1),
    "components": _anything,
    "attachments": list_of(_ATTACHMENT, 0, MOST_FILES),
}
_SHORT_MESSAGE = record({}, _MESSAGE)
_NEW_MESSAGE = record({}, {**_MESSAGE, "nonce": _nonce, "enforce_nonce": boolean})


def check_message(
    body: Mapping[str, Any],
    *,
    files: Mapping[int, str] | None = None,
    answer: bool = False,
    edit_of: Mapping[str, Any] | None = None,
    emojis: Collection[int] = (),
) -> None:
    """Raise Refused for a message that Discord would refuse (50035; 50006 if it would be empty).

    `files`: names of the uploaded files by number. `answer`: it answers an interaction, so it has no nonce. `edit_of`:
    the whole message before an edit. `emojis`: ids of the custom emojis the bot may use.
    """
    form = Form()
    before = edit_of or {}
    shape = _SHORT_MESSAGE if answer or edit_of is not None else _NEW_MESSAGE
    apply(body, form, shape)
    form.close()
    v2 = _is_v2(before) or _is_v2(body)
    attachments = _attachments(body, files or {}, edit_of, form.at("attachments"))
    if body.get("components") is not None:
        names = {stored_name(each["filename"]) for each in attachments}
        message_components(v2, names, emojis)(body["components"], form.at("components"))
    after = {**before, **body, "attachments": attachments}
    if v2:
        _only_components(after, body, form)
    form.close()
    if _is_empty(after, v2):
        raise Refused(400, EMPTY_MESSAGE, "Cannot send an empty message")


def _is_v2(message: Mapping[str, Any]) -> bool:
    return bool((message.get("flags") or 0) & IS_COMPONENTS_V2)


def _attachments(
    body: Mapping[str, Any], files: Mapping[int, str], before: Mapping[str, Any] | None, form: Form
) -> list[dict[str, Any]]:
    """Return the attachments that the message will have: the old ones and the files, or of these only the listed ones
    if there is a list. A new message (`before` is None) has all its files."""
    new = {str(index): {"filename": name} for index, name in files.items()}
    old = {str(each["id"]): each for each in (before or {}).get("attachments") or ()}
    listed = body.get("attachments")
    for index, each in enumerate(listed or ()):
        if str(each["id"]) not in (new | old):
            form.at(index, "id").fail("ATTACHMENT_NOT_FOUND", "There is no file or attachment with this id.")
    if listed is not None:
        named = {str(each["id"]): {k: v for k, v in each.items() if v is not None} for each in listed}
        old = {id_: each for id_, each in old.items() if id_ in named}
        new = {id_: each | named.get(id_, {}) for id_, each in new.items() if id_ in named or before is None}
    if len(old) + len(new) > MOST_FILES:
        form.fail("BASE_TYPE_MAX_LENGTH", f"Must be {MOST_FILES} or fewer in length.")
    return [*map(dict, old.values()), *new.values()]


def stored_name(name: str) -> str:
    """Return the name under which Discord keeps an uploaded file."""
    return name.replace(" ", "_")


def _only_components(after: Mapping[str, Any], body: Mapping[str, Any], form: Form) -> None:
    if after.get("content"):
        message = "The content field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        form.at("content").fail("MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message)
    if body.get("flags") is not None and not _is_v2(body):
        form.at("flags").fail("MESSAGE_COMPONENTS_V2_FOR_EVER", "IS_COMPONENTS_V2 cannot be removed.")


def _is_empty(message: Mapping[str, Any], v2: bool) -> bool:
    if v2:
        return not message.get("components")
    filled = message.get("components") or message.get("attachments")
    return not filled and not (message.get("content") or "").strip()


# Interactions.

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
_ANSWERS = {COMMAND: (4, 5, 9), COMPONENT: (4, 5, 6, 7, 9), AUTOCOMPLETE: (8,), MODAL_SUBMIT: (4, 5)}
_MODAL = record({"custom_id": text(1, 100), "title": words(1, 45), "components": modal_components}, {})


def check_answer_type(interaction_type: int, answer_type: int, from_component: bool) -> None:
    """Raise Refused (50035) for a callback type that cannot answer such an interaction.

    `from_component`: a component opened the modal that was submitted.
    """
    allowed = _ANSWERS[interaction_type]
    if interaction_type == MODAL_SUBMIT and from_component:
        allowed += (6, 7)
    check({"type": answer_type}, record({"type": one_of(*allowed)}, {}))


def check_modal(data: Mapping[str, Any]) -> None:
    """Raise Refused (50035) for a modal that Discord would refuse."""
    check(data, _MODAL)


def check_choices(choices: Sequence[Mapping[str, Any]]) -> None:
    """Raise Refused (50035) for choices that cannot answer an autocomplete interaction."""
    check({"choices": choices}, record({"choices": command_checks.CHOICES}, {}))


# Commands and threads.


def check_commands(commands: Sequence[Mapping[str, Any]]) -> None:
    """Raise Refused unless Discord would accept all these commands. The code is 30032 for too many commands, 50035 for
    other errors."""
    check(commands, command_checks.all_of)
    command_checks.check_number(commands)


_THREAD = record(
    {"name": text(1, 100)},
    {
        "auto_archive_duration": one_of(60, 1440, 4320, 10080),
        "rate_limit_per_user": integer(0, 0),
        "invitable": boolean,
        "type": one_of(12),  # public ones are started on messages only
    },
)


def check_thread(body: Mapping[str, Any]) -> None:
    """Raise Refused (50035) for a body that cannot start a thread."""
    check(body, _THREAD)
