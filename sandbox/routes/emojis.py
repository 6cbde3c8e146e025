"""Routes of the emojis that the application owns."""

from sandbox.application_emojis import ApplicationEmojis
from sandbox.checks import Json
from sandbox.routes.table import Call, Created, route

_ALL = "/applications/{application_id}/emojis"


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


@route("DELETE", _ALL + "/{emoji_id}")
def delete(call: Call) -> None:
    _emojis(call).delete(call.id("emoji_id"))
