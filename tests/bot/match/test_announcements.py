"""Announcements of moves: the lines in the record, the player in turn, and the users whom the call mentions."""

from bot.match.announcements import announce, names, turn
from bot.match.call import call
from bot.match.log import read
from bot.match.pages import PublicItem, lines
from bot.match.state import TableState
from bot.match.times import Times
from bot.store import LogRow
from games import GAMES
from tests.games.hand_and_foot.position import position

ALICE, BEN, CLEO = 11, 12, 13
TIMES = Times()


class PlayedMatch:
    """A match for three, or with others, and the announcements of its log entries."""

    def __init__(self, slug: str = "palmer", *others: str) -> None:
        game = GAMES[slug]
        self.record: list[PublicItem] = []
        self.state = TableState(game, game.Options(), "a seed")
        for user, name in enumerate(("Alice", "Ben", "Cleo", *others), ALICE):
            self.enter("sit", user=user, body=f"0 {name}")
        self.enter("start", user=ALICE)

    def enter(self, kind: str, seat: int | None = None, user: int | None = None, body: str = "") -> list[str]:
        """Append an entry to the log. Return the lines that the table itself adds to the record."""
        logged = read(LogRow(self.state.n + 1, kind, seat, user, body, at=0))
        items = announce(self.state, logged, self.state.apply(logged), TIMES)
        self.record += items
        return [item.line for item in items if item.line]

    def act(self, body: str, *, computer: bool = False) -> None:
        """Act for the awaited seat, as its player or as a computer."""
        (seat,) = self.state.awaited()
        self.enter("move", seat, None if computer else self.state.players[seat].user, body)

    def called(self) -> list[int]:
        """Return the users whom the call mentions."""
        return [user for part in call(self.state, TIMES).newest for user in part.users]


def test_a_player_who_moves_twice_in_a_row_is_not_called_again() -> None:
    match = PlayedMatch()
    match.act("draw")
    assert match.called() == []


def test_an_asked_partner_is_told_who_asks_and_what() -> None:
    match = PlayedMatch("hand-and-foot", "Dan")
    match.state.game_state = position(
        "Alice plays, drawn\nAlice | QC 9C | no foot | melds Q Q Q | piles K clean, 8 dirty\n"
        "Ben | KC\nCleo | KD\nDan | KH"
    ).state
    match.act("ask")
    assert (
        call(match.state, TIMES).text
        == f"**<@{CLEO}>'s turn** · Alice asks whether to go out: agree or refuse"
    )
    assert turn(match.state) == "**Cleo's turn** · Alice asks whether to go out: agree or refuse"
    match.act("agree")
    assert call(match.state, TIMES).text.endswith(
        "'s turn** · Cleo has answered: meld if you like, then discard a card"
    )
    assert turn(match.state) == "**Alice's turn** · Cleo has answered: meld if you like, then discard a card"


def test_cards_laid_aside_in_secret_do_not_take_the_call_away() -> None:
    match = PlayedMatch("hand-and-foot")
    game = match.state.game
    while True:
        position, (seat,) = match.state.game_state, match.state.awaited()
        legal = [game.text(action) for action in game.legal(position, seat)]
        aside = [each for each in legal if each.startswith("meld") and "draw" in legal]
        if aside:
            break
        match.act(game.text(game.fallback(position, seat)))
    assert match.called() == [match.state.players[seat].user]
    match.act(aside[0])
    assert match.called() == [match.state.players[seat].user]
    match.act("take")
    assert match.called() == []


def test_a_seat_that_a_computer_keeps_is_marked_until_its_player_is_back() -> None:
    match = PlayedMatch()
    (seat,) = match.state.awaited()
    name = match.state.players[seat].name
    match.enter("caretaker", body=str(seat))
    assert turn(match.state).startswith(f"**🤖 {name}'s turn** · ")
    assert turn(match.state, seat) == turn(match.state), "the absent player cannot act"
    match.act("draw", computer=True)
    match.act(match.state.game.text(match.state.legal(seat)[0]), computer=True)
    assert lines(match.record, match.state.game)[-1].startswith(f"🤖 {name} draws ")
    assert match.enter("back", seat, match.state.players[seat].user) == [f"🪑 {name} is back."]
    assert names(match.state)[seat] == name


def test_the_next_to_act_is_called_and_the_table_says_whose_turn_it_is() -> None:
    match = PlayedMatch()
    (seat,) = match.state.awaited()
    following = match.state.players[(seat + 1) % 3]
    match.act("draw")
    match.act(match.state.game.text(match.state.legal(seat)[0]))
    assert match.called() == [following.user]
    assert call(match.state, TIMES).text.startswith(f"**<@{following.user}>'s turn** · ")
    assert turn(match.state).startswith(f"**{following.name}'s turn**")
