"""The sandbox refuses what Discord refuses, with Discord's status and code, over the wire."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sandbox.conduct import conduct
from tests.sandbox.fair_play import FAIR
from tests.sandbox.offences import Act, Offence, payloads
from tests.sandbox.openapi import validator_for
from tests.sandbox.wire import Wire

LIMITS = Path(__file__).parents[3] / "shared" / "discord" / "limits.md"
OFFENCES = [*payloads(), *conduct()]

NO_REFUSAL = {
    "Deferred message (5)": "tells what a defer decides",
    "Components V2 after a defer": "advice",
    "Followups of a purely user-installed app": "the sandbox knows no user installs",
    "Callback answer": "tells what a success looks like",
    "default_member_permissions": "tells who sees a command",
    "User install": "the sandbox knows no user installs",
    "Only as an": "elsewhere the flag is ignored, not refused",
    "Seen by one": "tells how long it lives",
    "Public or ephemeral": "a later flag is ignored, not refused",
    "Server commands do": "a person's client does not offer them",
    "Sharding shard =": "the sandbox has one shard",
    "Compression zlib-stream or": "a choice",
}
"""Rows of the limits that state nothing a bot's request could offend against here, and why."""


@pytest.mark.parametrize("offence", OFFENCES, ids=str)
async def test_an_offending_request_is_refused_with_discords_code(offence: Offence) -> None:
    async with Wire.open() as wire:
        reply = await offence.act(wire)
    assert (reply.status, reply.code) == (offence.status, offence.code), reply


@pytest.mark.parametrize("act", FAIR.values(), ids=FAIR.keys())
async def test_what_is_just_within_the_limits_is_accepted(act: Act) -> None:
    """And it is sound by Discord's own specification, where that is at hand."""
    async with Wire.open() as wire:
        reply = await act(wire)
        assert reply.status < 300, reply
        assert wire.box.complaints == []
        for request in wire.box.bodies:
            validator = validator_for(request.method, request.template)
            assert validator is None or validator.is_valid(request.body), request


async def test_a_silent_client_is_hung_up_on() -> None:
    """Heartbeats must come in time, else the gateway closes with 4009."""
    async with Wire.open(heartbeat=0.05) as wire:
        assert (await wire.closed()).status == 4009


@pytest.mark.skipif(not LIMITS.exists(), reason="Discord's limits are not at hand beside the checkout.")
def test_every_fact_of_the_limits_is_offended_against_or_excused() -> None:
    facts = set(_facts(LIMITS.read_text(encoding="utf-8")))
    named = {offence.row for offence in OFFENCES}
    assert facts - named == NO_REFUSAL.keys() & facts
    assert named <= facts


def _facts(text: str) -> Iterator[str]:
    """The first cell of each table row and the first three words of each bullet, without markup."""
    for line in text.replace("**", "").replace("`", "").splitlines():
        if line.startswith("| ") and not line.startswith(("| ---", "| Fact |", "| Limit |")):
            yield line.split("|")[1].strip()
        elif line.startswith("* "):
            yield " ".join(re.sub(r"[:;.,]", "", line[2:]).split()[:3])
