"""The most cards that a hand can lay, compared with a search through every way to lay them."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from games.hand_and_foot.actions import FULL
from games.hand_and_foot.cards import JOKER, MELDABLE, TWO, WILD, by_rank
from games.hand_and_foot.melding import NOTHING, Laid, additions, can_finish

RANKS = (3, 7, 11)
SIZES = [Laid(3, 0), Laid(2, 1), Laid(4, 2), Laid(5, 0), Laid(6, 0), Laid(4, 0), Laid(5, 1)]


@given(
    st.lists(st.sampled_from([NOTHING, *SIZES]), min_size=len(RANKS), max_size=len(RANKS)),
    st.lists(st.sampled_from([*[4 * rank for rank in RANKS] * 3, 4, 4 * TWO, JOKER]), max_size=8),
    st.sets(st.booleans()),
)
def test_whether_a_hand_can_finish_is_found_without_a_search(
    laid: list[Laid], hand: list[int], clean: set[bool]
) -> None:
    melds: list[list[int]] = [[] for _ in range(MELDABLE.stop)]
    for rank, meld in zip(RANKS, laid, strict=True):
        melds[rank] = [4 * rank] * meld.naturals + [JOKER] * meld.wilds
    all_laid = tuple(laid[RANKS.index(rank)] if rank in RANKS else NOTHING for rank in range(MELDABLE.stop))
    piles = [[4] if each else [JOKER] for each in clean]
    assert can_finish(piles, melds, hand) == searched(all_laid, tuple(by_rank(hand)), frozenset(clean))


@cache
def searched(laid: tuple[Laid, ...], held: tuple[int, ...], kinds: frozenset[bool]) -> bool:
    """Return whether all cards but one can be laid, one action after the other, with both kinds of piles."""
    if sum(held) <= 1 and len(kinds) == 2:
        return True
    for rank in MELDABLE:
        for way in additions(laid[rank], min(FULL, held[rank]), min(3, held[TWO]), min(3, held[WILD])):
            after, left, made = [*laid], [*held], kinds
            after[rank] = laid[rank].plus(way)
            if sum(after[rank]) == FULL:
                made |= {not after[rank].wilds}
                after[rank] = NOTHING
            left[rank] -= way.naturals
            left[TWO] -= way.twos
            left[WILD] -= way.jokers
            if searched(tuple(after), tuple(left), made):
                return True
    return False
