"""Routes that answer interactions: the callback, followups, and their edits."""

from sandbox import payloads, posting
from sandbox.checks import Json, one_of
from sandbox.interactions import MESSAGE, UPDATE, Interaction
from sandbox.routes.table import Call, route
from sandbox.world import Message

_HOOK = "/webhooks/{application_id}/{token}"
_ORIGINAL = _HOOK + "/messages/@original"
_FOLLOWUP = _HOOK + "/messages/{message_id}"


@route("POST", "/interactions/{interaction_id}/{token}/callback")
def callback(call: Call) -> Json | None:
    """Give the first answer."""
    call.form({"type": one_of(*range(1, 13))}, {"data": lambda _value, _form: None})
    ids = call.id("interaction_id"), call.ids["token"]
    interaction = call.services.interactions.respond(*ids, call.body, call.files)
    return _response(interaction) if call.query.get("with_response") in ("1", "true") else None


def _response(interaction: Interaction) -> Json:
    about: Json = {"id": str(interaction.id), "type": interaction.type}
    message = interaction.original
    if message is None:
        return {"interaction": about}
    about |= {
        "response_message_id": str(message.id),
        "response_message_loading": message.loading,
        "response_message_ephemeral": message.ephemeral,
    }
    if interaction.answer not in (MESSAGE, UPDATE):
        return {"interaction": about}
    return {
        "interaction": about,
        "resource": {"type": interaction.answer, "message": payloads.message(message)},
    }


@route("POST", _HOOK)
def follow_up(call: Call) -> Json | None:
    """Send a followup."""
    message = call.services.interactions.follow_up(call.token(), call.body, call.files)
    return payloads.message(message)


@route("GET", _ORIGINAL)
@route("GET", _FOLLOWUP)
def message(call: Call) -> Json:
    """Return the original response or a followup."""
    return payloads.message(_message(call))


@route("PATCH", _ORIGINAL)
@route("PATCH", _FOLLOWUP)
def edit(call: Call) -> Json:
    """Edit the original response or a followup."""
    edited = _message(call)
    posting.check_writable(edited.channel)
    call.services.interactions.edit(edited, call.body, call.files)
    return payloads.message(edited)


@route("DELETE", _ORIGINAL)
@route("DELETE", _FOLLOWUP)
def delete(call: Call) -> None:
    """Delete the original response or a followup."""
    posting.delete(_message(call))


def _message(call: Call) -> Message:
    which = call.id("message_id") if "message_id" in call.ids else None
    return call.services.interactions.message(call.token(), which)
