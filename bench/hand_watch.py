"""Compare a person's newest hand with a freshly drawn one, during a match."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from bench.phone_player import PhonePlayer
from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.match.table import Table
from cogs.common.hand_panel import hand_panel

MERGED = 1.5
"""Seconds within which a hand is to follow: it is edited once a second."""

KINDS = ("agrees", "recent", "late picture", "behind", "in words", "misleads")
"""Kinds of moments. The last two count beside the others."""

Parts: TypeAlias = Iterable[Mapping[str, Any]]


class Look(NamedTuple):
    """The sight of a hand, without a note on the last click."""

    words: tuple[str, ...]
    """All of it, pictures by their alt texts, so that a hand in words looks the same."""
    besides: tuple[str, ...]
    """The same without pictures."""

    @property
    def has_picture(self) -> bool:
        return self.words != self.besides


@dataclass
class Version:
    """The looks of a hand after a change of the table, by the picks in it."""

    since: float
    looks: dict[str, Look] = field(default_factory=dict)
    is_shown: bool = False


@dataclass
class HandWatch:
    """The hand of one player, compared with what it should show."""

    bot: Palmhouse
    table: Table
    player: PhonePlayer
    waits: list[float] = field(default_factory=list)
    """Seconds from changes of the table to the hand that shows them, without answers to clicks."""
    moments: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    disagreements: list[tuple[float, str]] = field(default_factory=list)
    """Seconds for which the hand was behind its table for longer than MERGED, with what was last seen then."""
    _versions: list[Version] = field(default_factory=list)
    _behind_since: float | None = None
    _late_picture: bool = False
    _in_words: bool = False
    _last: str = ""

    async def look(self, changed: float, now: float) -> None:
        """Compare now. The table changed last at `changed`."""
        if self.player.hand is None:
            return
        picks, shown = self.player.picks(), self._shown()
        try:
            panel = await hand_panel(self.bot, self.table, self.player.person.id, picks=picks)
        except Refusal:
            return
        expected = self._look(panel.payload())
        if not self._versions or not _same(self._versions[-1].looks.get(picks, expected), expected):
            self._versions.append(Version(max(changed, self._versions[-1].since) if self._versions else now))
        self._versions[-1].looks[picks] = expected
        del self._versions[:-50]
        self._compare(picks, shown, expected, now)

    def _compare(self, picks: str, shown: Look, expected: Look, now: float) -> None:
        fits = [number for number, each in enumerate(self._versions) if _same(each.looks.get(picks), shown)]
        latest = fits[-1] if fits else -1
        for version in self._versions[: latest + 1]:
            if not version.is_shown and not self.player.is_tapping and version is not self._versions[0]:
                self.waits.append(now - version.since)
            version.is_shown = True
        self._in_words = expected.has_picture and not shown.has_picture
        if _same(shown, expected):
            self._agree(now)
            return
        if self._behind_since is None:
            self._behind_since = self._versions[latest + 1].since if fits else now
        self._late_picture = shown.besides == expected.besides
        differs = [*zip_longest(shown.words, expected.words, fillvalue="")]
        one, other = next(pair for pair in differs if pair[0] != pair[1])
        self._last = (
            f"{self.player.person.name} at entry {self.table.state.n}: {one!r:.200} for {other!r:.200}"
        )

    def _agree(self, now: float) -> None:
        if self._behind_since is not None and now - self._behind_since > MERGED:
            self.disagreements.append((now - self._behind_since, self._last))
        self._behind_since = None

    def sample(self, now: float) -> None:
        """Count this moment."""
        if not self._versions:
            return
        self.moments["misleads"] += self.player.misleads()
        self.moments["in words"] += self._in_words
        if self._behind_since is None:
            kind = "agrees"
        elif now - self._behind_since <= MERGED:
            kind = "recent"
        else:
            kind = "late picture" if self._late_picture else "behind"
        self.moments[kind] += 1

    def _shown(self) -> Look:
        assert self.player.hand is not None
        return self._look(self.player.hand.body["components"])

    def _look(self, components: Parts) -> Look:
        parts = [*_flat(components)]
        heading = next((each for each in parts if "content" in each), None)
        words, besides = [], []
        for part in parts:
            said = self._words(part)
            words.append(said.partition("\n")[0] if part is heading else said)
            if "items" not in part:
                besides.append(words[-1])
        return Look(tuple(filter(None, words)), tuple(filter(None, besides)))

    def _words(self, part: Mapping[str, Any]) -> str:
        if "content" in part:
            return str(part["content"])
        if "items" in part:
            return "\n".join(str(each.get("description")) for each in part["items"])
        if not part.get("custom_id"):
            return ""
        own = str(part["custom_id"]).split(":")
        if own[0] == "form" and self.table.state.game.real_time:
            del own[2]  # the number of the prompt, which changes all the time
        options = [f"{each['label']}={each['value']}" for each in part.get("options", ())]
        label = part.get("label") or part.get("placeholder") or ""
        return f"[{label}] {':'.join(own)} {'off' if part.get('disabled') else ''} {' '.join(options)}"


def _same(one: Look | None, other: Look) -> bool:
    return one is not None and one.words == other.words


def _flat(components: Parts) -> Iterator[Mapping[str, Any]]:
    for part in components:
        yield part
        yield from _flat(part.get("components", ()))
