"""Time zones, and the names by which people mean them. It is pure."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.match.names import isolated, printable
from bot.match.refusal import Refusal

CITIES: Final = (
    *("Europe/Berlin", "Europe/London", "Europe/Athens", "Europe/Moscow", "Africa/Lagos"),
    *("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Sao_Paulo"),
    *("America/Halifax", "America/Anchorage", "Pacific/Honolulu", "Africa/Johannesburg", "Asia/Dubai"),
    *("Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo"),
    *("Australia/Sydney", "Pacific/Auckland"),
)
"""Zones of large cities, for people who type "CET" or "UTC+2": such a name leaves open whether clocks change."""
OFFERED: Final = 3
"""Maximum number of zones that are offered in place of one that there is not."""
OFFSET: Final = re.compile(r"(?:utc|gmt)?([+-])(\d\d?)(?::?(\d\d))?")
HALF_A_YEAR: Final = timedelta(days=182)


class UnknownZone(Refusal):
    """There is no time zone of the name that a person has typed; `offered` may be meant."""

    def __init__(self, typed: str, offered: list[str]) -> None:
        advice = (
            "Press the one whose clocks are yours, or type a large city into `/hours zone:`."
            if offered
            else "Type a large city of yours into `/hours zone:`, and pick one from the list, such as "
            f"{CITIES[0]}."
        )
        super().__init__(f"There is no time zone {isolated(printable(typed))}. {advice}")
        self.offered = offered


@cache
def zone_of(name: str) -> tzinfo:
    """Return a zone; UTC for one that this machine does not know any more."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


@cache
def zones() -> frozenset[str]:
    """Return the names of all zones of places, which follow the changes of clocks there, and UTC."""
    places = {name for name in available_timezones() if "/" in name and not name.startswith("Etc/")}
    return frozenset(places and {*places, "UTC"})


def time_in(zone: str, at: int) -> datetime:
    """Return a time in ms on the clocks of a zone."""
    return datetime.fromtimestamp(at / 1000, zone_of(zone))


def matching(typed: str) -> list[str]:
    """Return the zones of whose names a typed text is a part, first those whose city begins with it."""
    found = [name for name in zones() if _plain(typed) in name.casefold()]
    return sorted(found, key=lambda name: (not _city(name).startswith(_plain(typed)), name))


def meant(typed: str, now: int) -> list[str]:
    """Return the zones of large cities that are called so at some time of the year, such as "CET", or whose clocks have
    that offset now, such as "UTC+2"."""
    said = _plain(typed).replace("_", "").replace("−", "-")
    if offset := OFFSET.fullmatch(said):
        sign, hours, minutes = offset.groups()
        said = f"{sign}{hours:0>2}{minutes or '00'}"
    return [zone for zone in CITIES if zone in zones() and said in _called(zone, now)]


def _called(zone: str, now: int) -> set[str]:
    there = time_in(zone, now)
    names = {at.strftime("%Z").casefold() for at in (there, there + HALF_A_YEAR)}
    return {*names, there.strftime("%z")}


def zone_named(typed: str, now: int) -> str:
    """Return the zone that a person has typed, in full or by its city. Raises UnknownZone, and Refusal where no zone is
    known."""
    if not zones():
        raise Refusal("This bot knows no time zones. Whoever runs it can install the package `tzdata`.")
    found = matching(typed)
    exact = [name for name in found if _plain(typed) in (name.casefold(), _city(name))]
    if len(exact) != 1:
        few = found if len(found) <= OFFERED else []
        raise UnknownZone(typed, meant(typed, now)[:OFFERED] or few)
    return exact[0]


def _plain(typed: str) -> str:
    return typed.strip().casefold().replace(" ", "_")


def _city(zone: str) -> str:
    return zone.rpartition("/")[2].casefold()
