"""Routes of users, the application itself, and where the gateway is."""

from sandbox import payloads
from sandbox.form import Refused, list_of, snowflake, text
from sandbox.routes.table import Call, Json, route
from sandbox.world import World


@route("GET", "/users/@me")
def me(call: Call) -> Json:
    """Who the bot is."""
    return payloads.user(call.box.world.bot) | {
        "verified": True,
        "mfa_enabled": False,
        "locale": payloads.LOCALE,
        "email": None,
        "premium_type": 0,
    }


@route("GET", "/users/{user_id}")
def user(call: Call) -> Json:
    """Any user."""
    users = call.box.world.users
    if call.id("user_id") not in users:
        raise Refused(404, 10013, "Unknown User")
    return payloads.user(users[call.id("user_id")])


@route("POST", "/users/@me/channels")
def open_direct_messages(call: Call) -> Json:
    """Open direct messages; that works even when they are closed, but not with many people at once."""
    world = call.box.world
    recipient = world.users.get(int(call.form({"recipient_id": snowflake}, {})["recipient_id"]))
    if recipient is None or recipient.bot:
        raise Refused(400, 50033, "Invalid Recipient(s)")
    if call.box.rate_limits.unannounced("direct messages") is not None:
        raise Refused(403, 40003, "You are opening direct messages too fast.")
    return world.direct(recipient).payload()


@route("GET", "/oauth2/applications/@me")
@route("GET", "/applications/@me")
def application(call: Call) -> Json:
    """The application, as its bot sees it."""
    return _application(call.box.world)


def _application(world: World) -> Json:
    return world.about | {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "type": None,
        "icon": None,
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": payloads.user(world.owner),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {"0": {}},
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
    }


@route("PATCH", "/applications/@me")
def describe(call: Call) -> Json:
    """Change the description or the tags of the application."""
    form = call.form({}, {"description": text(0, 400), "tags": list_of(text(1, 20), 0, 5)})
    call.box.world.about |= {name: value for name, value in form.items() if value is not None}
    return _application(call.box.world)


@route("GET", "/gateway/bot")
def gateway(call: Call) -> Json:
    """Where to connect, and how often that is allowed."""
    used = call.box.gateway.identifies
    limit = {"total": 1000, "remaining": max(1000 - used, 0), "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": call.box.gateway.url, "shards": 1, "session_start_limit": limit}
