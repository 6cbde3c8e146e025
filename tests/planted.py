"""`python -m tests.planted`: does the suite find faults that are planted in all rooms of the house?

Each is put into a copy of the project, where the tests of its part are run.
"""

import re
import sys
from typing import Final, NamedTuple

from tests.planting import PARTS, Fault, Search, arguments, plant


class Planted(NamedTuple):
    """A fault, and the tests that are run where it is planted."""

    fault: Fault
    tests: str


FAULTS: Final = (
    # Engines
    Planted(
        Fault(
            "a card that nobody holds is played",
            "games/twin_palms/refusals.py",
            "        if kind not in hand:\n",
            "        if kind not in hand and kind < 0:\n",
        ),
        "tests/games/twin_palms",
    ),
    Planted(
        Fault(
            "hands are never off after a mistake",
            "games/twin_it/hands.py",
            "    until = state.rests[hand.seat] = state.now + state.options.hand_ms\n",
            "    until = state.rests[hand.seat] = state.now\n",
        ),
        "tests/games/twin_it",
    ),
    Planted(
        Fault(
            "a match of thirteen hands is allowed",
            "games/charms/options.py",
            "Field(ge=1, le=12)",
            "Field(ge=1, le=13)",
        ),
        "tests/games",
    ),
    Planted(
        Fault(
            "a record has empty lines",
            "games/twin_palms/record.py",
            "    return [line for run in runs if (line := _line(run, names))]\n",
            "    return [_line(run, names) for run in runs]\n",
        ),
        "tests/contract/test_laws.py tests/games/twin_palms",
    ),
    Planted(
        Fault(
            "equal sets win the trick",
            "games/twin_palms/rules.py",
            "        if sets.count(value) == 1:\n",
            "        if sets.count(value) >= 1:\n",
        ),
        "tests/games/twin_palms",
    ),
    Planted(
        Fault(
            "the pile may be taken though a card fits",
            "games/palace/rules.py",
            "        if not actions or (state.options.voluntary_pickup and state.pile):\n",
            "        if not actions or state.pile:\n",
        ),
        "tests/games/palace",
    ),
    Planted(
        Fault(
            "a card that was just taken may be dropped",
            "games/thirty_one/rules.py",
            "for card in hand if card != state.taken]",
            "for card in hand]",
        ),
        "tests/games/thirty_one",
    ),
    Planted(
        Fault(
            "a bid that is met exactly is wrong",
            "games/liars_dice/rules.py",
            "else found < QUANTITY[bid]",
            "else found <= QUANTITY[bid]",
        ),
        "tests/games/liars_dice",
    ),
    Planted(
        Fault(
            "two cards of a rank count",
            "games/palmer/rules.py",
            "        odd ^= 1 <<",
            "        odd |= 1 <<",
        ),
        "tests/games/palmer",
    ),
    Planted(
        Fault(
            "the led suit need not be followed",
            "games/charms/rules.py",
            "        playable = holds & ASKED[state.suits[seat]][state.led] or holds\n",
            "        playable = holds\n",
        ),
        "tests/games/charms",
    ),
    Planted(
        Fault(
            "the last card may be dropped without the piles",
            "games/hand_and_foot/legality.py",
            "    return has_leave(state, seat) and has_piles(state, seat)\n",
            "    return True\n",
        ),
        "tests/games/hand_and_foot",
    ),
    # Forms
    Planted(
        Fault(
            "a forged place in the square is used",
            "cogs/palmer/cog.py",
            'if name == "card" and value in map(str, PLACES) and',
            'if name == "card" and',
        ),
        "tests/cogs",
    ),
    Planted(
        Fault(
            "a form is there out of turn",
            "cogs/palmer/cog.py",
            "    if not view.placing:\n        items.append(\n",
            "    if True:\n        items.append(\n",
        ),
        "tests/cogs",
    ),
    Planted(
        Fault(
            "picks may have a colon",
            "cogs/common/hand_panel.py",
            '    if len(picks) > MOST_PICKS or ":" in picks:\n',
            "    if len(picks) > MOST_PICKS + 60:\n",
        ),
        "tests/cogs tests/e2e/test_forged.py tests/e2e/test_hands.py",
    ),
    # Tables
    Planted(
        Fault(
            "a table takes one person too many",
            "bot/match/table.py",
            "        if not self.has_free(user):\n",
            "        if False:\n",
        ),
        "tests/bot/match tests/e2e/test_bad_moves.py",
    ),
    Planted(
        Fault(
            "a person sits twice at one table",
            "bot/match/table.py",
            "            if self.state.seat_of(user) is not None:\n                raise Refusal"
            '("You already sit at this table.")\n            self.check_free',
            "            self.check_free",
        ),
        "tests/bot/match tests/e2e/test_bad_moves.py",
    ),
    Planted(
        Fault(
            "anybody starts a table",
            "bot/match/table.py",
            "        if not self.state.is_host(user):\n",
            "        if not self.state.is_host(user) and user < 0:\n",
        ),
        "tests/bot/match tests/e2e/test_bad_moves.py",
    ),
    Planted(
        Fault(
            "a table goes on without people",
            "bot/match/table.py",
            "        return Close(CloseReason.EVERYBODY_LEFT, user) if people == [seat] else None\n",
            "        return None\n",
        ),
        "tests/bot/match",
    ),
    Planted(
        Fault(
            "half of the voters decide",
            "bot/match/state.py",
            "if 2 * votes.count(choice) > len(voters)",
            "if 2 * votes.count(choice) >= len(voters)",
        ),
        "tests/bot/match",
    ),
    Planted(
        Fault(
            "a lobby never closes",
            "bot/match/deadlines.py",
            '    if state.phase == "lobby":\n        return CloseReason.NOT_STARTED\n',
            '    if state.phase == "lobby":\n        return None\n',
        ),
        "tests/bot/match",
    ),
    Planted(
        Fault(
            "a form of an earlier question is taken",
            "bot/match/table.py",
            "            if click in self._clicks or (prompt is not None and prompt != self.state.prompts[seat]):\n",
            "            if click in self._clicks:\n",
        ),
        "tests/bot/match tests/e2e/test_hands.py",
    ),
    # Router
    Planted(
        Fault(
            "a number of a table may have any digits",
            "bot/messages/custom_ids.py",
            "digits.isascii() and digits.isdigit() and len(digits) < 16",
            "digits.isdigit() and len(digits) < 16",
        ),
        "tests/e2e/test_forged.py tests/e2e/test_bad_moves.py",
    ),
    Planted(
        Fault(
            "a number of a table may be too large for the database",
            "bot/messages/custom_ids.py",
            "digits.isdigit() and len(digits) < 16",
            "digits.isdigit()",
        ),
        "tests/e2e/test_forged.py tests/e2e/test_bad_moves.py",
    ),
    # Standings
    Planted(
        Fault(
            "a match that starts as a season ends belongs to it",
            "bot/standings/season.py",
            "    return season.starts <= started < season.ends\n",
            "    return season.starts <= started <= season.ends\n",
        ),
        "tests/bot/standings",
    ),
    Planted(
        Fault(
            "a missed day ends every streak",
            "bot/standings/daily.py",
            "            forgiven.add(month)\n",
            "            break\n",
        ),
        "tests/bot/standings",
    ),
    Planted(
        Fault(
            "an outage that began after the end makes a day longer",
            "bot/standings/daily.py",
            "        if since < end and lost > SHORTEST_OUTAGE:\n",
            "        if lost > SHORTEST_OUTAGE:\n",
        ),
        "tests/bot/standings",
    ),
    Planted(
        Fault(
            "who was replaced keeps the placing",
            "bot/standings/ratings.py",
            "    if people and all(seat.replaced for seat in people):\n        return math.inf\n",
            "    if not people:\n        return math.inf\n",
        ),
        "tests/bot/standings",
    ),
    # Secrecy
    Planted(
        Fault(
            "a watcher has the hand of the first seat",
            "cogs/common/hand_panel.py",
            "    seat = table.state.seat_of(user)\n    if seat is None:\n",
            "    seat = table.state.seat_of(user) or 0\n    if seat is None:\n",
        ),
        "tests/e2e/test_bad_moves.py tests/e2e/test_forged.py",
    ),
    Planted(
        Fault(
            "the last bids are shown with the picture of the hands",
            "games/twin_palms/view.py",
            "        bids=None if hidden else tuple(state.bids),\n",
            "        bids=tuple(state.bids),\n",
        ),
        "tests/contract/test_secrecy.py",
    ),
    # Publisher
    Planted(
        Fault(
            "a card that was posted just before a kill is not found",
            "bot/messages/recovery.py",
            "        if found := self._outbox.take_card(table, after=card or 0):\n",
            "        if (found := self._outbox.take_card(table, after=card or 0)) and False:\n",
        ),
        "tests/e2e/test_kill.py",
    ),
    Planted(
        Fault(
            "a final table is posted again where no message can be looked for",
            "cogs/standings/closing.py",
            '            nonce=f"season-{season.id}",\n',
            "",
        ),
        "tests/e2e/test_seasons.py",
    ),
    Planted(
        Fault(
            "a picture has no words where files are not allowed",
            "bot/messages/panel.py",
            "    return text(item.picture.alt) if isinstance(item, _PictureItem) else item\n",
            "    return item\n",
        ),
        "tests/e2e/test_missing_pictures.py tests/e2e/test_bad_places.py",
    ),
    Planted(
        Fault(
            "a table that is over stays among those that are stuck",
            "bot/messages/live_messages.py",
            "        self.stuck.discard(match)\n        self.calls.forget(match)\n",
            "        self.calls.forget(match)\n",
            old=True,
        ),
        "tests/e2e/test_live_table.py",
    ),
    Planted(
        Fault(
            "a move counts as shown while its click is answered",
            "bot/messages/live_message.py",
            "        async with self._lock:  # a click may be answered by an edit; if that fails, another one is due\n"
            "            number = number if self._shown else self._drawn + 1\n"
            "        await self._reach(number)\n",
            "",
            old=True,
        ),
        "tests/e2e/test_twin_it.py",
    ),
    Planted(
        Fault(
            "a shard that was lost again counts as there",
            "bot/client.py",
            " or not socket.open or",
            " or",
            old=True,
        ),
        "tests/e2e/test_shards.py",
    ),
    Planted(
        Fault(
            "a refusal has seats in place of names",
            "bot/match/refusal.py",
            "        raise AgainstTheRules(addressed(str(illegal), who)) from illegal\n",
            "        raise AgainstTheRules(str(illegal)) from illegal\n",
        ),
        "tests/bot/match tests/e2e/test_play.py tests/games",
    ),
    # Store
    Planted(
        Fault(
            "what is appended need not follow the last entry",
            "bot/match/table.py",
            "            self._behind = True\n            raise\n",
            "            raise\n",
        ),
        "tests/bot/match",
    ),
    Planted(
        Fault(
            "an erased name stays in a cut",
            "bot/store/sql/privacy.py",
            '        "cut": f"{digest}\\n{FORMER}",\n',
            "",
        ),
        "tests/bot/store tests/e2e/test_privacy.py",
    ),
    Planted(
        Fault(
            "an export has the names of others",
            "bot/store/sql/privacy.py",
            'row.kind in ("offer", "give") and not named',
            'row.kind in ("offer",) and not named',
        ),
        "tests/bot/store tests/e2e/test_privacy.py",
    ),
    Planted(
        Fault(
            "a heartbeat forgets where people are away",
            "bot/store/sql/own_state.py",
            "{**away}",
            "{}",
        ),
        "tests/bot/test_clock.py",
    ),
)


def main() -> int:
    """Plant the faults, and return 1 when one was not found."""
    tests = {fault: names.split() for fault, names in FAULTS}
    search = Search(
        lambda fault: ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests[fault]),
        re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE),
        (*PARTS, "bench", "docs", "scripts"),
    )
    return plant([fault for fault, _ in FAULTS], arguments(__doc__).parse_args(), search)


if __name__ == "__main__":
    sys.exit(main())
