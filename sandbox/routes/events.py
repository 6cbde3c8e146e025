"""Routes of scheduled events of guilds: those of external places, which is all that the bot uses."""

from datetime import datetime
from typing import Any

from sandbox.checks import Form, Json, Refused, one_of, record, text
from sandbox.permissions import Permission
from sandbox.routes.table import Call, route

EXTERNAL, GUILD_ONLY, SCHEDULED = 3, 2, 1
"""Discord's numbers of the type of place, of the privacy level, and of the status."""
MOST = 100
"""Maximum number of events of a guild that are to come."""


def _time(value: Any, form: Form) -> None:
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        form.fail("DATE_TIME_TYPE_PARSE", f"Could not parse {value}. Should be ISO8601.")


@route("GET", "/guilds/{guild_id}/scheduled-events")
def events(call: Call) -> list[Json]:
    """List the events of a guild."""
    return [*call.guild().events.values()]


@route("POST", "/guilds/{guild_id}/scheduled-events")
def create(call: Call) -> Json:
    """Create an event outside of Discord's voice channels."""
    guild = call.guild()
    _require(call, Permission.CREATE_EVENTS)
    body = call.form(
        {
            "name": text(1, 100),
            "privacy_level": one_of(GUILD_ONLY),
            "scheduled_start_time": _time,
            "scheduled_end_time": _time,
            "entity_type": one_of(EXTERNAL),
            "entity_metadata": record({"location": text(1, 100)}, {}),
        },
        {"description": text(1, 1000)},
    )
    start, end = (
        datetime.fromisoformat(body[f"scheduled_{each}_time"]).timestamp() for each in ("start", "end")
    )
    if not call.now < start < end:
        raise Refused(400, 50035, "Invalid Form Body: the time is past")
    if len(guild.events) >= MOST:
        raise Refused(400, 30038, "Maximum number of guild scheduled events reached (100)")
    event = body | {
        "id": str(call.world.snowflakes.next()),
        "guild_id": str(guild.id),
        "channel_id": None,
        "creator_id": str(call.bot),
        "description": body.get("description"),
        "image": None,
        "status": SCHEDULED,
        "entity_id": None,
        "recurrence_rule": None,
        "user_count": 0,
        "guild_scheduled_event_exceptions": [],
    }
    guild.events[int(event["id"])] = event
    guild.dispatch("GUILD_SCHEDULED_EVENT_CREATE", event)
    return event


@route("DELETE", "/guilds/{guild_id}/scheduled-events/{event_id}")
def delete(call: Call) -> None:
    """Delete an event. The bot may delete its own ones with the permission to create some."""
    guild = call.guild()
    event = guild.events.get(call.id("event_id"))
    if event is None:
        raise Refused(404, 10070, "Unknown Guild Scheduled Event")
    _require(call, Permission.CREATE_EVENTS)
    del guild.events[int(event["id"])]
    guild.dispatch("GUILD_SCHEDULED_EVENT_DELETE", event)


def _require(call: Call, needed: Permission) -> None:
    if not call.guild().permissions(call.bot) & needed:
        raise Refused(403, 50013, "Missing Permissions")
