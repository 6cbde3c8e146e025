"""The sandbox refuses what Discord refuses, with Discord's status and code."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sandbox.accepted import ACCEPTED
from tests.sandbox.openapi import validator_for
from tests.sandbox.refused_acts import refused_acts
from tests.sandbox.refused_payloads import Act, refused_payloads
from tests.sandbox.wire import Wire

LIMITS = Path(__file__).parents[3] / "shared" / "discord" / "limits.md"
REFUSED = [*refused_payloads(), *refused_acts()]

NO_REFUSAL = {
    "Deferred message (5)": "describes what a defer decides",
    "Components V2 after a defer": "advice",
    "Followups of a purely user-installed app": "the sandbox has no user installs",
    "Callback answer": "describes a success",
    "reactions": "the sandbox has none",
    "bulk delete": "the sandbox has no such route",
    "Renaming a channel": "the sandbox renames none",
    "default_member_permissions": "describes who sees a command",
    "User install": "the sandbox has no user installs",
    "Only as an": "in other requests the flag is ignored, not refused",
    "Seen by one": "describes how long it exists",
    "Public or ephemeral": "a later flag is ignored, not refused",
    "Server commands do": "a person's client does not offer them",
    "Sharding shard =": "the gateway closes the connection (test_gateway.py)",
    "Compression zlib-stream or": "a choice",
}
"""Rows of the limits for which no request can be refused here, and the reason."""


async def test_a_request_beyond_a_limit_is_refused_with_discords_code() -> None:
    wrong = {}
    for case in REFUSED:
        async with Wire.open() as wire:
            reply = await case.act(wire)
        if (reply.status, reply.code) != (case.status, case.code):
            wrong[str(case)] = reply
    assert wrong == {}


async def test_a_request_just_within_the_limits_is_accepted() -> None:
    """It is also valid by Discord's specification, if that is available."""
    wrong = {name: faults for name, act in ACCEPTED.items() if (faults := await _faults_of(act))}
    assert wrong == {}


async def _faults_of(act: Act) -> list[object]:
    """Return what Discord would say against a request."""
    async with Wire.open() as wire:
        reply = await act(wire)
        validators = [(each, validator_for(each.method, each.template)) for each in wire.box.bodies]
        return [
            *([reply] if reply.status >= 300 else []),
            *wire.box.complaints,
            *(each for each, validator in validators if validator and not validator.is_valid(each.body)),
        ]


async def test_a_client_that_sends_nothing_is_disconnected() -> None:
    """Without heartbeats the gateway closes with 4009."""
    async with Wire.open(heartbeat=0.05) as wire:
        assert (await wire.closed()).status == 4009


@pytest.mark.skipif(not LIMITS.exists(), reason="Discord's limits are not beside the checkout.")
def test_every_limit_has_a_refused_case_or_an_excuse() -> None:
    facts = set(_facts(LIMITS.read_text(encoding="utf-8")))
    named = {case.row for case in REFUSED}
    assert facts - named == NO_REFUSAL.keys() & facts
    assert named <= facts


def _facts(text: str) -> Iterator[str]:
    """Yield the first cell of each table row and the first three words of each bullet, without markup."""
    for line in text.replace("**", "").replace("`", "").splitlines():
        if line.startswith("| ") and not line.startswith(("| ---", "| Fact |", "| Limit |")):
            yield line.split("|")[1].strip()
        elif line.startswith("* "):
            yield " ".join(re.sub(r"[:;.,]", "", line[2:]).split()[:3])
