"""Whose turn it is, and whom the call below the table mentions."""

from bot.match.announcements import items, turn
from bot.match.call import call
from bot.match.deadlines import Times
from bot.match.state import TableState
from bot.store import Entry
from games import GAMES

ALICE, BEN, CLEO = 11, 12, 13
TIMES = Times()


class Talk:
    """A table of Palmer for three, dealt, and what is said about its moves."""

    def __init__(self) -> None:
        game = GAMES["palmer"]
        self.state = TableState(game, game.Options(), "a seed")
        for user, name in ((ALICE, "Alice"), (BEN, "Ben"), (CLEO, "Cleo")):
            self.enter("join", user=user, body=name)
        self.enter("start", user=ALICE)

    def enter(self, kind: str, seat: int | None = None, user: int | None = None, body: str = "") -> list[str]:
        """An entry of the log; the lines that the table itself adds to the record."""
        entry = Entry(self.state.n + 1, kind, seat, user, body, at=0)
        return [item.line for item in items(self.state, entry, self.state.apply(entry), TIMES) if item.line]

    def act(self, body: str, *, computer: bool = False) -> None:
        """The one who is awaited acts, or a computer for them."""
        (seat,) = self.state.awaited()
        self.enter("move", seat, None if computer else self.state.players[seat].user, body)

    def called(self) -> list[int]:
        """Whom the call mentions."""
        return [user for part in call(self.state, TIMES).newest for user in part.users]


def test_who_has_moved_and_goes_on_alone_is_not_called() -> None:
    talk = Talk()
    talk.act("draw")
    assert talk.called() == []


def test_a_player_whose_seat_a_computer_keeps_is_not_called() -> None:
    talk = Talk()
    (seat,) = talk.state.awaited()
    name = talk.state.players[seat].name
    assert talk.enter("caretaker", seat) == [f"🤖 A computer plays for {name} until they press `I'm back`."]
    talk.act("draw", computer=True)
    assert talk.called() == []


def test_the_next_to_act_is_called_and_the_table_says_whose_turn_it_is() -> None:
    talk = Talk()
    (seat,) = talk.state.awaited()
    following = talk.state.players[(seat + 1) % 3]
    talk.act("draw")
    talk.act(talk.state.game.text(talk.state.legal(seat)[0]))
    assert talk.called() == [following.user]
    assert call(talk.state, TIMES).text.startswith(f"<@{following.user}>, your turn")
    assert turn(talk.state).startswith(f"**{following.name}'s turn**")
