"""Routes of the emojis that the application owns."""

from sandbox.application_emojis import ApplicationEmojis
from sandbox.checks import Json
from sandbox.routes.table import Call, Created, route

_ALL = "/applications/{application_id}/emojis"
_ONE = _ALL + "/{emoji_id}"


def _emojis(call: Call) -> ApplicationEmojis:
    call.check_application()
    return ApplicationEmojis(call.world)


@route("GET", _ALL)
def every(call: Call) -> Json:
    return {"items": _emojis(call).all()}


@route("POST", _ALL)
def create(call: Call) -> Created:
    emojis = _emojis(call)
    return Created(emojis.payload(emojis.create(call.body)))


@route("GET", _ONE)
def one(call: Call) -> Json:
    emojis = _emojis(call)
    return emojis.payload(emojis.one(call.id("emoji_id")))


@route("PATCH", _ONE)
def rename(call: Call) -> Json:
    emojis = _emojis(call)
    return emojis.payload(emojis.rename(call.id("emoji_id"), call.body))


@route("DELETE", _ONE)
def delete(call: Call) -> None:
    _emojis(call).delete(call.id("emoji_id"))
