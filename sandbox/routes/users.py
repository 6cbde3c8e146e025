"""Routes of users, of the application, and of the gateway's address."""

from sandbox.checks import Json, Refused, snowflake
from sandbox.gateway import SESSIONS_A_DAY
from sandbox.members import LOCALE
from sandbox.routes.table import Call, route


@route("GET", "/users/@me")
def me(call: Call) -> Json:
    """Describe the bot."""
    return call.world.bot.payload() | {
        "verified": True,
        "mfa_enabled": False,
        "locale": LOCALE,
        "email": None,
        "premium_type": 0,
    }


@route("GET", "/users/{user_id}")
def user(call: Call) -> Json:
    return call.user().payload()


@route("POST", "/users/@me/channels")
def open_direct_messages(call: Call) -> Json:
    """Open direct messages, even with a user who refuses messages. Too many in a short time are refused (40003)."""
    world = call.world
    recipient = world.users.get(int(call.form({"recipient_id": snowflake}, {})["recipient_id"]))
    if recipient is None or recipient.bot:
        raise Refused(400, 50033, "Invalid Recipient(s)")
    if call.services.rate_limits.unannounced("direct messages") is not None:
        raise Refused(403, 40003, "You are opening direct messages too fast.")
    return world.direct(recipient).payload()


@route("GET", "/oauth2/applications/@me")
@route("GET", "/applications/@me")
def application(call: Call) -> Json:
    world = call.world
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "type": None,
        "icon": None,
        "summary": "",
        "description": "",
        "tags": [],
        "bot": world.bot.payload(),
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": world.owner.payload(),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {"0": {}, "1": {}},
        "approximate_guild_count": len(call.services.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
    } | world.about


@route("GET", "/gateway/bot")
def gateway(call: Call) -> Json:
    """Return the gateway's address, the recommended number of shards, and how many sessions may still begin."""
    here = call.services.gateway
    limit = {
        "total": SESSIONS_A_DAY,
        "remaining": max(here.remaining, 0),
        "reset_after": 86_400_000,
        "max_concurrency": here.max_concurrency,
    }
    return {"url": here.url, "shards": here.shards, "session_start_limit": limit}
