"""Routes of the application's own emojis."""

from sandbox.application_emojis import ApplicationEmojis
from sandbox.routes.table import Call, Created, Json, route

_ALL = "/applications/{application_id}/emojis"
_ONE = _ALL + "/{emoji_id}"


def _own(call: Call) -> ApplicationEmojis:
    call.application()
    return ApplicationEmojis(call.box.world)


@route("GET", _ALL)
def every(call: Call) -> Json:
    """All emojis."""
    return {"items": _own(call).all()}


@route("POST", _ALL)
def create(call: Call) -> Created:
    """A new emoji."""
    own = _own(call)
    return Created(own.payload(own.create(call.body)))


@route("GET", _ONE)
def one(call: Call) -> Json:
    """One emoji."""
    own = _own(call)
    return own.payload(own.one(call.id("emoji_id")))


@route("PATCH", _ONE)
def rename(call: Call) -> Json:
    """Rename an emoji."""
    own = _own(call)
    return own.payload(own.rename(call.id("emoji_id"), call.body))


@route("DELETE", _ONE)
def delete(call: Call) -> None:
    """Remove an emoji."""
    _own(call).delete(call.id("emoji_id"))
