"""Whom the public word on an entry calls."""

from bot.narration import Told, told
from bot.sitting import Sitting
from bot.store import Entry
from games import GAMES

ALICE, BEN, CLEO = 11, 12, 13


class Talk:
    """A table of Palmer for three, dealt, and what is said about its moves."""

    def __init__(self) -> None:
        game = GAMES["palmer"]
        self.sitting = Sitting(game, game.Options(), "a seed")
        for user, name in ((ALICE, "Alice"), (BEN, "Ben"), (CLEO, "Cleo")):
            self.enter("join", user=user, body=name)
        self.enter("start", user=ALICE)

    def enter(self, kind: str, seat: int | None = None, user: int | None = None, body: str = "") -> Told:
        entry = Entry(self.sitting.n + 1, kind, seat, user, body, at=0)
        return told(self.sitting, entry, self.sitting.apply(entry), spoken=0)

    def act(self, body: str, *, computer: bool = False) -> Told:
        """The one who is awaited acts, or a computer for them."""
        (seat,) = self.sitting.awaited()
        return self.enter("move", seat, None if computer else self.sitting.players[seat].user, body)


def test_who_has_moved_and_goes_on_alone_is_not_called() -> None:
    talk = Talk()
    drawn = talk.act("draw")
    assert drawn.text
    assert drawn.calls == ()
    assert drawn.text.endswith(" goes on.")
    assert "your turn" not in drawn.text


def test_who_is_played_for_is_not_called_and_everybody_reads_that_a_computer_plays() -> None:
    talk = Talk()
    (seat,) = talk.sitting.awaited()
    talk.enter("caretaker", seat)
    drawn = talk.act("draw", computer=True)
    assert drawn.calls == ()
    assert drawn.text.startswith(f"-# A computer plays for {talk.sitting.players[seat].name}.\n")


def test_the_next_to_act_is_called() -> None:
    talk = Talk()
    (seat,) = talk.sitting.awaited()
    following = talk.sitting.players[(seat + 1) % 3].user
    talk.act("draw")
    placed = talk.act(talk.sitting.game.text(talk.sitting.legal(seat)[0]))
    assert placed.calls == (following,)
    assert f"<@{following}>, your turn." in placed.text
