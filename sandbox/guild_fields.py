"""Fields of a guild's payload that do not differ between the guilds of the sandbox."""

from typing import Any

_NOTHING = (
    *("icon", "splash", "discovery_splash", "home_header", "banner", "description", "vanity_url_code"),
    *("application_id", "system_channel_id", "afk_channel_id", "rules_channel_id", "widget_channel_id"),
    *("public_updates_channel_id", "safety_alerts_channel_id", "incidents_data", "max_presences"),
)
_LEVELS = (
    *("verification_level", "explicit_content_filter", "mfa_level", "nsfw_level", "premium_tier"),
    *("premium_subscription_count", "system_channel_flags"),
)
GUILD_FIELDS: dict[str, Any] = {
    **dict.fromkeys(_NOTHING),
    **dict.fromkeys(_LEVELS, 0),
    "default_message_notifications": 1,
    "region": "deprecated",
    "afk_timeout": 300,
    "max_members": 500_000,
    "max_video_channel_users": 25,
    "max_stage_video_channel_users": 50,
    "nsfw": False,
    "widget_enabled": False,
    "premium_progress_bar_enabled": False,
}
