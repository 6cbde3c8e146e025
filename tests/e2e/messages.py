"""The messages that a match's log requires, and those in Discord: both must be the same, each once and in order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.match.announcements import announce, turn
from bot.match.call import Call, call
from bot.match.log import read
from bot.match.pages import Page, Pages
from bot.match.state import TableState
from bot.match.times import Times
from bot.store import LogRow
from sandbox import Channel, Message
from sandbox.world import World


@dataclass(frozen=True)
class TableMessages:
    """The messages where a match is played: the records in order, then the line with the turn in the live table
    while the match is on, and the text of the call."""

    records: tuple[str, ...]
    turn: str
    call: str


def expected_messages(
    state: TableState,
    log: Sequence[LogRow],
    times: Times,
    *,
    greeted: bool = True,
    call_of: Callable[[TableState], Call] | None = None,
) -> TableMessages:
    """Return the messages that the log requires. `state` is the table before its first entry; it is moved to the
    end. In a thread the first live table has called everybody, so no call is expected below it. `call_of` returns the
    call where people may sleep."""
    pages = Pages(state.game)
    for row in log:
        logged = read(row)
        pages.add(announce(state, logged, state.apply(logged), times))
    live = state.phase == "play"
    answer = [_record(page, state) for page in pages.kept if page.closed or not live]
    standing = turn(state) if live else ""
    wanted = call_of(state) if call_of else call(state, times)
    began = next((entry.n for entry in log if entry.kind == "start"), 0)
    return TableMessages(
        tuple(filter(None, answer)), standing, "" if greeted and wanted.number == began else wanted.text
    )


def _record(page: Page, state: TableState) -> str:
    kept = Page(page.first, [item for item in page.items if not item.is_result])
    return "\n".join(kept.lines(state.game))


def posted_messages(world: World, match: int, place: Channel) -> TableMessages:
    """Return the messages that the bot has posted where the match is played, in order."""
    ours = [
        each
        for each in place.messages()
        if each.author is world.bot and not each.ephemeral and each.type == 0
    ]
    cards = [each for each in ours if f"rules:{match}" in each.custom_ids and _page(each, match) is None]
    ours = [each for each in ours if each not in cards and f"rematch:{match}" not in each.custom_ids]
    live = [each for each in ours if _page(each, match) is not None]
    assert len(live) <= 1, "there are two live tables"
    before = ours[: ours.index(live[0])] if live else ours
    after = ours[ours.index(live[0]) + 1 :] if live else []
    assert len(after) <= 1, "more than the call stands below the table"
    lines = live[0].text.splitlines() if live else [""]
    return TableMessages(
        tuple(each.text for each in before),
        next((line for line in reversed(lines) if " turn**" in line), ""),
        after[0].text if after else "",
    )


def _page(message: Message, match: int) -> int | None:
    marks = [name.split(":") for name in message.custom_ids if name.startswith(f"hand:{match}:p")]
    return int(marks[0][2].removeprefix("p")) if marks else None
