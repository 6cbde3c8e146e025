"""Test the laws themselves: for each law, a version of the toy game with one fault that the law must find."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any, Self

import pytest

from games.contract import AnyGame, Event, Illegal, Outcome
from games.facts import FactKind
from games.types import Action, Seat
from tests.contract import test_laws as laws
from tests.contract import test_replay as replay
from tests.contract import test_secrecy as secrecy
from tests.contract.law import Check, holds
from tests.contract.matches import Draw
from tests.contract.subjects import SUBJECTS, Subject
from tests.seats import SECOND
from tests.toy import rules, toy
from tests.toy.rules import Dealt, HighCard, HighCardOptions, Picked, Shown, State, View

TOY = SUBJECTS["high-card"]
DRAWN = [Draw(options=n, seats=n // 2, seed=10**15 + n, choices=n, part=37 * n % 110) for n in range(10)]

Law = Callable[[Subject], None]
FAULTS: list[tuple[AnyGame, Law]] = []


def breaks(law: Law, **own: Any) -> Callable[[type[HighCard]], type[HighCard]]:
    """Register the decorated rules, with functions of their `own`, as a game with a fault that `law` must find."""

    def register(game: type[HighCard]) -> type[HighCard]:
        FAULTS.append((toy(game, **own), law))
        return game

    return register


def says(law: Law, fault: str, **own: Any) -> None:
    """Register the toy with functions of its `own` as a game with this fault, which `law` must find."""
    breaks(law, **own)(type(fault, (HighCard,), {}))


def check_drawn_matches(law: Law, subject: Subject) -> None:
    """Run the law's check on the prepared matches, without Hypothesis: a failing match need not be reduced."""
    check: Check = vars(law)["check"]
    for draw in DRAWN:
        check(subject, draw)


@breaks(laws.test_random_play_of_the_awaited_seats_ends_within_the_longest_match)
class TakesLongerThanItSays(HighCard):
    longest = 5


@breaks(laws.test_random_play_of_the_awaited_seats_ends_within_the_longest_match)
class HasNoOutcome(HighCard):
    def outcome(self, state: State) -> Outcome | None:
        return None


@breaks(laws.test_random_play_of_the_awaited_seats_ends_within_the_longest_match)
class HasNobodyInFirstPlace(HighCard):
    def outcome(self, state: State) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, placings=tuple(place + 1 for place in outcome.placings))


@breaks(laws.test_apply_accepts_every_legal_action_and_step_does_the_same)
class AppliesMoreThanItSteps(HighCard):
    def apply(self, state: State, seat: Seat, action: Action, at: int = 0) -> list[Event]:
        events = super().apply(state, seat, action)
        state.hands[seat].reverse()
        return events


@breaks(laws.test_apply_accepts_every_legal_action_and_step_does_the_same)
class RefusesWhatIsLegal(HighCard):
    def apply(self, state: State, seat: Seat, action: Action, at: int = 0) -> list[Event]:
        if action == 12:
            raise Illegal("Twelve is too good for you.")
        return super().apply(state, seat, action)


@breaks(laws.test_legal_actions_are_sorted_and_unique_and_every_awaited_seat_has_one)
class ListsActionsBackwards(HighCard):
    def legal(self, state: State, seat: Seat) -> list[Action]:
        return super().legal(state, seat)[::-1]


@breaks(laws.test_apply_refuses_every_other_action_and_a_refusal_changes_nothing)
class AcceptsAnything(HighCard):
    def check(self, state: State, seat: Seat, action: Action) -> None:
        return


@breaks(laws.test_apply_refuses_every_other_action_and_a_refusal_changes_nothing)
class ChangesAndThenRefuses(HighCard):
    def check(self, state: State, seat: Seat, action: Action) -> None:
        state.tricks.reverse()
        super().check(state, seat, action)


@breaks(laws.test_apply_refuses_every_other_action_and_a_refusal_changes_nothing)
class RefusesWithoutASentence(HighCard):
    def apply(self, state: State, seat: Seat, action: Action, at: int = 0) -> list[Event]:
        try:
            return super().apply(state, seat, action)
        except Illegal:
            raise Illegal("no") from None


class PicksForTheSlowPlayer(HighCard):
    """The toy with a clock: half a second into the match the first seat's first card is picked for it."""

    def due(self, state: State) -> int | None:
        return None if state.outcome or state.tricks or any(state.picks) else 500

    def tick(self, state: State, at: int) -> list[Event]:
        state.picks[0] = state.hands[0][0]
        return []


@breaks(laws.test_time_never_runs_backwards)
class AcceptsEarlierTimes(HighCard):
    def apply(self, state: State, seat: Seat, action: Action, at: int = 0) -> list[Event]:
        return [*super().apply(state, seat, action), Picked(seat=seat, ready=at)]


@breaks(laws.test_a_match_continues_after_an_outage)
class EndsAfterAnOutage(PicksForTheSlowPlayer):
    def resume(self, state: State, at: int) -> list[Event]:
        state.outcome = Outcome((1,) * state.seats, (0,) * state.seats, "The bot was away.")
        return []


@breaks(laws.test_random_play_of_the_awaited_seats_ends_within_the_longest_match)
class TicksWithoutEffect(PicksForTheSlowPlayer):
    def tick(self, state: State, at: int) -> list[Event]:
        return []


@breaks(laws.test_an_impossible_number_of_seats_is_refused)
class AcceptsAnyNumberOfSeats(HighCard):
    def new(self, options: HighCardOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        return super().new(options, max(2, min(seats, 4)), seed)


@breaks(laws.test_each_shuffle_is_of_a_kind_that_the_game_names)
class ShufflesACardThatIsNotInThePack(HighCard):
    def pack(self, options: HighCardOptions) -> Sequence[int]:
        return super().pack(options)[1:]


@breaks(laws.test_each_shuffle_is_of_a_kind_that_the_game_names)
class ShufflesForAPurposeThatItDoesNotName(HighCard):
    shuffles = {"cards N": "whole"}  # noqa: RUF012


@breaks(laws.test_every_card_that_is_shuffled_has_a_name_of_its_own_in_ascii)
class CallsTwoCardsTheSame(HighCard):
    card_names = tuple(str(min(card, 11)) for card in range(13))


@breaks(laws.test_every_card_that_is_shuffled_has_a_name_of_its_own_in_ascii)
class WritesASymbolIntoTheDealFile(HighCard):
    card_names = tuple(f"\N{BLACK HEART SUIT}{card}" for card in range(13))


@breaks(laws.test_who_is_not_awaited_may_choose_ahead_what_can_still_become_legal)
class ChoosesAheadForWhoIsAsked(HighCard):
    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        return self.legal(state, seat)


@breaks(laws.test_who_is_not_awaited_may_choose_ahead_what_can_still_become_legal)
class ChoosesAheadWhatIsGone(HighCard):
    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        gone = sorted({card for trick in state.tricks for card in trick})
        return () if seat in self.awaited(state) else [*map(Action, gone)]


@breaks(secrecy.test_hidden_choices_of_others_change_nothing_that_a_seat_can_learn)
class ChoosesAheadByThePicksOfOthers(HighCard):
    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        return [Action(pick) for other, pick in enumerate(state.picks) if pick and other != seat]


@breaks(laws.test_every_legal_action_has_one_text_and_a_label)
class ParsesSmallLettersOnly(HighCard):
    def parse(self, text: str) -> Action:
        return super().parse(text if text.islower() else "?")


says(
    laws.test_every_legal_action_has_one_text_and_a_label,
    "HasLongLabels",
    label=lambda _: "a very " * 20 + "good card",
)


@breaks(laws.test_no_card_is_lost_or_duplicated_in_a_match)
class DuplicatesCards(HighCard):
    def _show(self, state: State, trick: tuple[int, ...]) -> list[Event]:
        kept = state.hands[0][:]
        events = super()._show(state, trick)
        state.hands[0] = kept
        return events


class HalfCopied(State):
    """A state whose copies share its hands."""

    __slots__ = ()

    def copy(self) -> Self:
        half = super().copy()
        half.hands = self.hands
        return half


@breaks(laws.test_copies_views_and_events_do_not_change_with_the_state)
class CopiesOnlyHalf(HighCard):
    def new(self, options: HighCardOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        state, events = super().new(options, seats, seed)
        return HalfCopied(options, seats, seed, hands=state.hands), events


@breaks(laws.test_copies_views_and_events_do_not_change_with_the_state)
class ShowsTheStateItself(HighCard):
    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), tricks=state.tricks)  # type: ignore[arg-type] # the fault


@breaks(laws.test_an_imagined_state_has_the_same_view_and_all_cards)
class ForgetsWhoHasPicked(HighCard):
    def imagine(self, view: View, rng: Random) -> State:
        return super().imagine(replace(view, picked=(False,) * len(view.picked)), rng)


@breaks(laws.test_an_imagined_state_has_the_same_view_and_all_cards)
class ImaginesWithoutTheGenerator(HighCard):
    def imagine(self, view: View, rng: Random) -> State:
        return super().imagine(view, Random())


@breaks(laws.test_an_imagined_state_can_be_played_to_the_end)
class ImaginesAnEndlessMatch(HighCard):
    def imagine(self, view: View, rng: Random) -> State:
        state = super().imagine(view, rng)
        state.options = HighCardOptions.model_construct(hands=100)
        return state


@breaks(laws.test_imagination_varies_the_cards_in_every_hidden_place)
class ImaginesTheSameAgain(HighCard):
    def imagine(self, view: View, rng: Random) -> State:
        return super().imagine(view, Random(1))


@breaks(laws.test_the_fallback_of_every_awaited_seat_is_legal)
class HasAnIllegalFallback(HighCard):
    def fallback(self, state: State, seat: Seat) -> Action:
        return Action(0)


@breaks(secrecy.test_swapping_unseen_cards_changes_nothing_that_a_seat_can_learn)
@breaks(laws.test_legal_actions_and_fallback_depend_only_on_the_view)
class ChoosesTheFallbackByOthersCards(HighCard):
    def fallback(self, state: State, seat: Seat) -> Action:
        return Action(state.hands[seat][-1 if sum(state.hands[seat - 1]) % 2 else 0])


says(
    laws.test_descriptions_fit_into_a_discord_message,
    "DescribesTooMuch",
    describe=lambda *seen: rules.describe(*seen) * 20,
)
says(
    laws.test_the_narration_of_one_action_fits_into_a_discord_message,
    "NarratesTooMuch",
    narrate=lambda *seen: rules.narrate(*seen) * 30,
)
says(
    laws.test_the_end_of_each_round_is_told_in_one_line,
    "TellsATrickInTwoLines",
    recap=lambda event, names: "\n".join(names) if isinstance(event, Shown) else "",
)
says(
    laws.test_any_part_of_a_match_gives_a_record_of_short_lines,
    "RecordsNothing",
    lines=lambda events, _: ["" for _ in events],
)
says(
    laws.test_the_highlight_of_a_match_is_one_sentence_or_nothing,
    "NeverEndsASentence",
    highlight=lambda *_: "Somebody won",
)
says(
    laws.test_a_primer_is_at_most_five_short_lines,
    "ExplainsTooMuch",
    primer=lambda _: "Take your time.\n" * 6,
)
says(
    laws.test_rules_and_reference_fit_into_a_discord_message,
    "OmitsTheCredit",
    rules=lambda _: "The highest card wins.",
)


@breaks(laws.test_the_score_equals_a_count_of_the_public_events)
class FavoursTheFirstSeat(HighCard):
    def outcome(self, state: State) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=(outcome.scores[0] + 1, *outcome.scores[1:]))


says(
    laws.test_facts_have_known_keys_and_are_ints_of_at_least_0,
    "CountsWhatHasNoKind",
    count=lambda events, seat: rules.count(events, seat) | {"events": len(events)},
)
says(
    laws.test_facts_have_known_keys_and_are_ints_of_at_least_0,
    "AnswersWithTrueInsteadOfANumber",
    count=lambda *seen: rules.count(*seen) | {"tricks_won": True},
)


def too_few(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    found = rules.count(events, seat)
    return found | {"tricks_won": found["tricks_won"] - 1}


says(laws.test_facts_have_known_keys_and_are_ints_of_at_least_0, "CountsBelowZero", count=too_few)
says(
    laws.test_all_seats_have_the_same_sums_and_no_part_exceeds_its_whole,
    "OmitsZero",
    count=lambda *seen: {key: n for key, n in rules.count(*seen).items() if n},
)
says(
    laws.test_all_seats_have_the_same_sums_and_no_part_exceeds_its_whole,
    "CountsMoreThanThereAre",
    count=lambda events, seat: rules.count(events, seat) | {"tricks_won": 1 + len(events)},
)


MATCHES = count()


def remembered(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    return rules.count(events, seat) | {"tricks": next(MATCHES)}


says(
    laws.test_facts_depend_only_on_the_events_and_do_not_change_them,
    "RemembersEarlierMatches",
    count=remembered,
)
says(
    laws.test_facts_depend_only_on_the_events_and_do_not_change_them,
    "CountsAtRandom",
    count=lambda *seen: rules.count(*seen) | {"tricks": random.getrandbits(64)},
)


def counted_and_gone(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    found = rules.count(events, seat)
    if seat == 0:
        events.clear()  # type: ignore[attr-defined] # the fault
    return found


says(
    laws.test_facts_depend_only_on_the_events_and_do_not_change_them,
    "RemovesEventsItHasCounted",
    count=counted_and_gone,
)


@breaks(laws.test_a_match_is_rated_in_a_pool_of_its_game_unless_all_win_together)
class IsRatedInAnUnknownPool(HighCard):
    def pool(self, options: HighCardOptions) -> str | None:
        return "highest-card"


@breaks(laws.test_a_match_is_rated_in_a_pool_of_its_game_unless_all_win_together)
class RatesMatchesWithoutRivals(HighCard):
    def sides(self, options: HighCardOptions, seats: int) -> tuple[int, ...]:
        return (0,) * seats


def by_trick(events: Sequence[Event], _: HighCardOptions) -> list[tuple[int, ...]]:
    tricks = [event.cards for event in events if isinstance(event, Shown)]
    wins = [[card == max(cards) for card in cards] for cards in tricks]
    return [tuple(map(sum, zip(*wins[:number], strict=True))) for number in range(1, len(wins) + 1)]


def ends_trick(event: Event) -> bool:
    return isinstance(event, Shown)


def test_the_toy_with_a_round_for_each_trick_keeps_the_law() -> None:
    law = laws.test_scores_by_round_are_known_after_each_round_and_end_with_the_outcome
    check_drawn_matches(law, replace(TOY, game=toy(closes=ends_trick, scores_by_round=by_trick)))


says(
    laws.test_scores_by_round_are_known_after_each_round_and_end_with_the_outcome,
    "ForgetsTheFirstRound",
    closes=ends_trick,
    scores_by_round=lambda *seen: by_trick(*seen)[1:],
)
says(
    laws.test_scores_by_round_are_known_after_each_round_and_end_with_the_outcome,
    "DoesNotCountTheLastRound",
    closes=ends_trick,
    scores_by_round=lambda *seen: [*by_trick(*seen)[:-1], by_trick(*seen)[-2]],
)
says(
    laws.test_scores_by_round_are_known_after_each_round_and_end_with_the_outcome,
    "CountsBackwardsFromTheEnd",
    closes=ends_trick,
    scores_by_round=lambda *seen: [by_trick(*seen)[-1] for _ in by_trick(*seen)],
)


@breaks(replay.test_every_prefix_of_a_log_replays_to_the_same_state_and_events)
class DealsWithTheGlobalGenerator(HighCard):
    def _deal(self, state: State) -> list[Event]:
        events = super()._deal(state)
        random.shuffle(state.hands)
        return events


@breaks(secrecy.test_swapping_unseen_cards_changes_nothing_that_a_seat_can_learn, describe=lambda *_: "")
class ShowsACard(HighCard):
    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), tricks=((state.hands[0] or [0])[0],))  # type: ignore[arg-type]


@breaks(secrecy.test_swapping_unseen_cards_changes_nothing_that_a_seat_can_learn)
class RefusesWithACard(HighCard):
    def why_not(self, state: State, seat: Seat, action: Action) -> str:
        return f"You cannot pick that against {state.hands[0]}."


@breaks(secrecy.test_swapping_unseen_cards_changes_nothing_that_a_seat_can_learn)
class WaitsForSeatsWithAHighCard(HighCard):
    def awaited(self, state: State) -> tuple[Seat, ...]:
        waiting = super().awaited(state)
        return tuple(seat for seat in waiting if max(state.hands[seat]) > 6) or waiting


says(
    laws.test_a_description_begins_with_whose_turn_it_is,
    "SaysTheTurnLater",
    describe=lambda *seen: f"A table of cards.\n{rules.describe(*seen)}",
)


@breaks(secrecy.test_hidden_choices_of_others_change_nothing_that_a_seat_can_learn)
class ShowsPicks(HighCard):
    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), picked=tuple(state.picks))  # type: ignore[arg-type] # the fault


@breaks(secrecy.test_events_of_an_action_do_not_reveal_hidden_cards_or_choices)
class RevealsPicksInEvents(HighCard):
    def apply(self, state: State, seat: Seat, action: Action, at: int = 0) -> list[Event]:
        return [
            replace(event, ready=action) if isinstance(event, Picked) else event
            for event in super().apply(state, seat, action)
        ]


@breaks(secrecy.test_events_of_an_action_do_not_reveal_hidden_cards_or_choices)
class RevealsAnothersCardInAnEvent(HighCard):
    def apply(self, state: State, seat: Seat, action: Action, at: int = 0) -> list[Event]:
        return [*super().apply(state, seat, action), Dealt(cards=tuple(state.hands[0]), to=SECOND)]


@breaks(secrecy.test_events_of_a_deal_do_not_reveal_hidden_cards)
class DealsInPublic(HighCard):
    def _deal(self, state: State) -> list[Event]:
        return [replace(event, to=None) for event in super()._deal(state)]


@breaks(secrecy.test_views_are_frozen_plain_data_without_the_seed)
class ShowsTheSeed(HighCard):
    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), pick=int(state.seed))


@pytest.mark.parametrize(
    ("game", "law"), FAULTS, ids=lambda part: getattr(part, "__name__", type(part).__name__)
)
def test_a_law_finds_the_game_that_breaks_it(game: AnyGame, law: Law) -> None:
    with pytest.raises((AssertionError, Illegal, pytest.fail.Exception)):
        check_drawn_matches(law, replace(TOY, game=game))


def test_every_law_has_a_faulty_game() -> None:
    tests = [
        test for module in (laws, replay, secrecy) for test in vars(module).values() if "check" in dir(test)
    ]
    assert {test.__name__ for test in tests} - {law.__name__ for _, law in FAULTS} == {
        "test_the_secrets_module_describes_the_state_correctly"  # checks the secrets module, not the game
    }


def test_the_parse_law_finds_a_game_that_accepts_rubbish() -> None:
    class ReadsAnything(HighCard):
        def parse(self, text: str) -> Action:
            return super().parse(re.sub(r"~.*", "", text, flags=re.DOTALL))

    with pytest.raises((pytest.fail.Exception, BaseExceptionGroup)):
        laws.test_parse_refuses_rubbish_with_a_sentence(subject=replace(TOY, game=toy(ReadsAnything)))


@pytest.mark.parametrize(
    "fault",
    [
        {"tricks_won": FactKind("tricks", "sum")},
        {"tricks_won": FactKind("", "sum")},
        {"tricks_won": FactKind("tricks won.", "sum")},
        {"tricks_won": FactKind("tricks won", "most", of="tricks")},
        {"tricks_won": FactKind("tricks won", "sum", of="lowest_winner")},
    ],
)
def test_a_fault_in_the_kinds_of_facts_is_found(fault: dict[str, FactKind]) -> None:
    game = toy(KINDS={**rules.KINDS, **fault})
    with pytest.raises(AssertionError):
        laws.test_kinds_of_facts_have_titles_of_their_own_and_wholes_that_are_sums(
            subject=replace(TOY, game=game)
        )


def test_a_secrets_module_that_does_not_place_the_cards_is_found() -> None:
    class DoesNotPlaceCards:
        def __getattr__(self, name: str) -> Any:
            return getattr(TOY.secrets, name)

        def put(self, state: State, places: dict[str, list[int]]) -> State:
            return state.copy()

    with pytest.raises(AssertionError):
        check_drawn_matches(
            secrecy.test_the_secrets_module_describes_the_state_correctly,
            replace(TOY, secrets=DoesNotPlaceCards()),
        )


def test_a_law_that_compares_nothing_fails() -> None:
    with pytest.raises(AssertionError, match="nothing was tested"):
        holds(lambda subject, draw: 0, TOY)
