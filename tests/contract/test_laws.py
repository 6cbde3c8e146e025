"""The laws of play, chance, imagination and texts, for every game. Secrecy and replay have their own files."""

import pickle
import re
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from itertools import accumulate, chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.chance import recorded
from games.contract import Illegal, Outcome
from games.phrases import whose_turn
from games.types import SEATS, Action, Seat
from tests.contract.law import every_game, law, law_of_matches
from tests.contract.matches import NAMES, Draw, Match, begin, moment, play_next_entry, play_to_the_end, public
from tests.contract.structure import structure
from tests.contract.subjects import Subject

SAMPLE = 30
"""Number of actions tried where many are legal."""
LOWEST = 6
"""Number of first actions that are tried besides."""
WORLDS = 12
"""Number of imagined worlds in which an action may become legal."""
FORCED = 4
"""Number of different actions of others below which these may leave a player no choice."""


@law_of_matches
def test_random_play_of_the_awaited_seats_ends_within_the_longest_match(subject: Subject, draw: Draw) -> int:
    match, rng = begin(subject, draw), Random(draw.choices)
    while match.is_open:
        awaited = match.game.awaited(match.state)
        assert list(awaited) == sorted(set(awaited)), "awaited seats ascend"
        assert match.game.outcome(match.state) is None, "an open match waits for a seat or for time to pass"
        play_next_entry(match, rng)
        assert match.actions <= match.game.longest
        assert_nothing_due_by(match)
    assert not match.active_seats(), "nobody may act once the match is over"
    assert_in_order(match.game.outcome(match.state), match.game.sides(match.options, len(match.seats)))
    return len(match.log)


@law
def test_apply_accepts_every_legal_action_and_step_does_the_same(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    accepted = 0
    for seat in match.seats:
        for action in some_legal(match, seat, rng):
            applied, stepped = match.state.copy(), match.state.copy()
            match.game.apply(applied, seat, action)
            match.game.step(stepped, seat, action)
            assert structure(applied) == structure(stepped)
            accepted += 1
    return accepted


@law
def test_legal_actions_are_sorted_and_unique_and_every_awaited_seat_has_one(
    subject: Subject, draw: Draw
) -> int:
    match = moment(subject, draw)
    for seat in match.seats:
        legal = list(match.game.legal(match.state, seat))
        assert legal == sorted(set(legal))
        assert legal or seat not in match.game.awaited(match.state)
    return len(match.seats)


@law
def test_apply_refuses_every_other_action_and_a_refusal_changes_nothing(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    before = structure(match.state)
    somebodys = {action for seat in match.seats for action in match.game.legal(match.state, seat)}
    actions = sorted(
        somebodys | {*map(Action, (-1, 0, 10**9, *(rng.randrange(-300, 3000) for _ in range(20))))}
    )
    for seat in (Seat(-1), *match.seats, Seat(len(match.seats))):
        legal = set(match.game.legal(match.state, seat)) if seat in match.seats else set()
        for action in actions:
            if action not in legal:
                with pytest.raises(Illegal) as refusal:
                    match.game.apply(match.state, seat, action)
                assert_sentence(str(refusal.value))
    assert structure(match.state) == before
    return len(actions)


@law
def test_time_never_runs_backwards(subject: Subject, draw: Draw) -> int:
    """An action with an earlier time counts as made at the time of the last entry."""
    match, rng = moment(subject, draw), Random(draw.choices)
    compared = 0
    for seat in match.seats:
        for action in some_legal(match, seat, rng):
            now, before = (match.state.copy() for _ in range(2))
            events = match.game.apply(now, seat, action, match.now)
            assert structure(match.game.apply(before, seat, action, 0)) == structure(events)
            assert structure(before) == structure(now)
            compared += 1
    return compared


@law_of_matches
def test_a_match_continues_after_an_outage(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    game, due = match.game, match.game.due(match.state)
    if due is not None:
        cards = sorted(subject.secrets.cards(match.state))
        match.now = due + 600_000
        match.events.append(game.resume(match.state, match.now))
        assert sorted(subject.secrets.cards(match.state)) == cards
        assert match.is_open, "an outage alone ends no match"
    assert game.outcome(play_to_the_end(match, rng).state) is not None
    return 1


@law
def test_an_impossible_number_of_seats_is_refused(subject: Subject, draw: Draw) -> int:
    options = begin(subject, draw).options
    allowed = subject.game.seats(options)
    assert allowed, "somebody may play"
    assert allowed[-1] <= len(SEATS)
    for seats in (-1, 0, allowed[0] - 1, allowed[-1] + 1):
        with pytest.raises(ValueError, match=r"\."):
            subject.game.new(options, seats, draw.seed)
    return 1


@law
def test_who_is_not_awaited_may_choose_ahead_what_can_still_become_legal(subject: Subject, draw: Draw) -> int:
    """In some world that the seat cannot tell from this one, somebody can act so that some of it stays possible."""
    match, rng = moment(subject, draw), Random(draw.choices)
    game = match.game
    for seat in match.seats:
        ahead = list(game.ahead(match.state, seat))
        assert ahead == sorted(set(ahead))
        assert not ahead or seat not in game.awaited(match.state)
        possible = some_possible(match, seat, rng) if ahead else {}
        # Who remembers which cards are gone, or whose suits, may know of some that they cannot come to that, or that
        # something else is forced.
        some = not ahead or {*ahead} & {*chain(*possible.values())}
        assert some or len(possible) < FORCED, f"seat {seat} can do nothing of {[*map(game.text, ahead)]}"
    return 1  # a game may know nothing to choose ahead


def some_possible(match: Match, seat: Seat, rng: Random) -> dict[Action, set[Action]]:
    """Return some actions of others in imagined worlds, and for each of them what the seat may then do, or choose
    ahead."""
    game = match.game
    possible: dict[Action, set[Action]] = {}
    for _ in range(WORLDS):
        world = game.imagine(game.view(match.state, seat), rng)
        for other in game.awaited(world):
            legal = game.legal(world, other)
            # The first, too: nearly all bids of Liar's Dice are higher than what a seat may still bid.
            for action in {*legal[:LOWEST], *rng.sample(legal, min(SAMPLE, len(legal)))}:
                after = world.copy()
                game.step(after, other, action)
                possible.setdefault(action, set()).update(game.legal(after, seat), game.ahead(after, seat))
    return possible


@law
def test_every_legal_action_has_one_text_and_a_label(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    game = match.game
    spoken = [action for seat in match.seats for action in some_legal(match, seat, rng)]
    spoken += [action for seat in match.seats for action in game.ahead(match.state, seat)[:SAMPLE]]
    for action in spoken:
        text = game.text(action)
        assert text == " ".join(text.split()), "a text is one line with single spaces"
        for form in (text, text.upper(), text.lower(), f"  {text.replace(' ', '   ')} "):
            assert game.parse(form) == action
        assert 0 < len(game.words.label(action)) <= 100
    return len(spoken)


@law_of_matches
def test_each_shuffle_is_of_a_kind_that_the_game_names(subject: Subject, draw: Draw) -> int:
    """`verify.py` refuses any other deck."""
    with recorded() as shuffles:
        match = begin(subject, draw)
        play_to_the_end(match, Random(draw.choices))
    pack = subject.game.pack(match.options)
    assert [*pack] == sorted(pack)
    for shuffle in shuffles:
        name, deck = f"{shuffle.purpose} {shuffle.number}", shuffle.after
        kind = subject.game.shuffles.get(re.sub(r"\b(0|[1-9]\d*)\b", "N", name))
        assert kind in ("lot", "whole", "part"), name
        assert (kind == "lot") == (not shuffle.are_cards)
        if kind != "lot":
            packs = max(1, len(deck) // len(pack))
            assert Counter(deck) <= Counter([*pack] * packs)
            assert kind == "part" or len(deck) == packs * len(pack)
    return len(shuffles)


@law_of_matches
def test_every_card_that_is_shuffled_has_a_name_of_its_own_in_ascii(subject: Subject, draw: Draw) -> int:
    with recorded() as shuffles:
        play_to_the_end(begin(subject, draw), Random(draw.choices))
    found = {card for shuffle in shuffles if shuffle.are_cards for card in shuffle.after}
    texts = {card: subject.game.card_names[card] for card in found}
    for text in texts.values():
        assert text.isascii()
        assert text.isprintable()
        assert text == " ".join(text.split()) != ""
    assert len({*texts.values()}) == len(found), "only equal cards have the same name"
    return len(found)


@every_game
@given(rubbish=st.text(max_size=40))
def test_parse_refuses_rubbish_with_a_sentence(subject: Subject, rubbish: str) -> None:
    match = begin(subject, Draw(0, 0, 1, 1, 0))
    text = subject.game.text(subject.game.legal(match.state, match.game.awaited(match.state)[0])[0])
    # No game uses a tilde. Without it Hypothesis would find real actions among the strings of the sources.
    for line in (f"~{rubbish}", f"{text}~{rubbish}", f"{text} {text}", "", "A" * 3000):
        with pytest.raises(Illegal) as refusal:
            subject.game.parse(line)
        assert_sentence(str(refusal.value))


@law_of_matches
def test_no_card_is_lost_or_duplicated_in_a_match(subject: Subject, draw: Draw) -> int:
    match, rng = begin(subject, draw), Random(draw.choices)
    cards = sorted(subject.secrets.cards(match.state))
    while match.is_open:
        play_next_entry(match, rng)
        assert sorted(subject.secrets.cards(match.state)) == cards
    return len(cards)


@law_of_matches
def test_copies_views_and_events_do_not_change_with_the_state(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    game, original = match.game, match.state
    kept = original.copy(), [game.view(original, seat) for seat in match.viewers], list(match.events)
    before = structure(kept)
    assert structure(kept[0]) == structure(original)
    play_to_the_end(match, rng)
    assert structure(kept) == before, "playing on changes neither a copy nor a view nor an event"
    match.state = kept[0].copy()
    play_to_the_end(match, rng)
    assert structure(kept) == before, "playing on in a copy does not change its original"
    return 1


@law
def test_an_imagined_state_has_the_same_view_and_all_cards(subject: Subject, draw: Draw) -> int:
    match = moment(subject, draw)
    game, cards = match.game, sorted(subject.secrets.cards(match.state))
    for seat in match.viewers:
        view = game.view(match.state, seat)
        world = game.imagine(view, Random(draw.choices))
        assert structure(game.view(world, seat)) == structure(view)
        assert sorted(subject.secrets.cards(world)) == cards
        assert str(draw.seed) not in structure(world), "an imagined state has a seed of its own"
        assert structure(game.imagine(view, Random(draw.choices))) == structure(world)
        assert list(game.awaited(world)) == list(game.awaited(match.state))
    return len(match.viewers)


@law_of_matches
def test_an_imagined_state_can_be_played_to_the_end(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    seat = rng.choice(match.viewers)
    match.state = match.game.imagine(match.game.view(match.state, seat), rng)
    assert match.game.outcome(play_to_the_end(match, rng).state) is not None
    return 1


@law
def test_imagination_varies_the_cards_in_every_hidden_place(subject: Subject, draw: Draw) -> int:
    """Among 200 imagined states every hidden place that could hold other cards holds others at least once."""
    match, rng = moment(subject, draw), Random(draw.choices)
    seat = rng.choice(match.viewers)
    view = match.game.view(match.state, seat)
    places = subject.secrets.unseen(match.state, seat)
    open_places = [name for name in places if could_hold_others(places, name)]
    first, alike = subject.secrets.unseen(match.game.imagine(view, rng), seat), set(open_places)
    for _ in range(199):
        if alike:
            world = subject.secrets.unseen(match.game.imagine(view, rng), seat)
            alike = {name for name in alike if sorted(world[name]) == sorted(first[name])}
    assert not alike, f"always the same cards in {', '.join(sorted(alike))}"
    return len(open_places)


@law
def test_the_fallback_of_every_awaited_seat_is_legal(subject: Subject, draw: Draw) -> int:
    match = moment(subject, draw)
    awaited = match.game.awaited(match.state)
    for seat in awaited:
        assert match.game.fallback(match.state, seat) in match.game.legal(match.state, seat)
    return len(awaited)


@law
def test_legal_actions_and_fallback_depend_only_on_the_view(subject: Subject, draw: Draw) -> int:
    """In a state imagined from a seat's view the seat has the same legal actions."""
    match, rng = moment(subject, draw), Random(draw.choices)
    for seat in match.seats:
        world = match.game.imagine(match.game.view(match.state, seat), rng)
        assert list(match.game.legal(world, seat)) == list(match.game.legal(match.state, seat))
        if seat in match.game.awaited(match.state):
            assert match.game.fallback(world, seat) == match.game.fallback(match.state, seat)
    return len(match.seats)


@law
def test_descriptions_fit_into_a_discord_message(subject: Subject, draw: Draw) -> int:
    match = moment(subject, draw)
    names = NAMES[: len(match.seats)]
    for seat in match.viewers:
        text = match.game.words.describe(match.game.view(match.state, seat), names)
        assert 0 < len(text) <= 1500
    return 1


@law
def test_a_description_begins_with_whose_turn_it_is(subject: Subject, draw: Draw) -> int:
    match = moment(subject, draw)
    game, awaited = match.game, match.game.awaited(match.state)
    names = [f"P{seat}" for seat in match.seats]
    for seat in match.viewers:
        first, *rest = game.words.describe(game.view(match.state, seat), names).splitlines()
        assert first.startswith(whose_turn(awaited, names, seat, ""))
        assert " turn**" not in "".join(rest), "once"
    return len(awaited)


@law_of_matches
def test_the_narration_of_one_action_fits_into_a_discord_message(subject: Subject, draw: Draw) -> int:
    """An action may end several deals at once, if hands win as they are dealt; then each has a message of its own."""
    match = play_to_the_end(begin(subject, draw), Random(draw.choices))
    names = NAMES[: len(match.seats)]
    for events in match.events:
        ended = [0, *accumulate(match.game.record.closes(event) for event in events)]
        for reader in match.seats:
            lengths = Counter[int]()
            for deal, event in zip(ended, events, strict=False):
                if event.to in (None, reader):
                    lengths[deal] += len(match.game.words.narrate(event, names)) + 1
            assert max(lengths.values(), default=0) <= 1500
    return len(match.events)


@law_of_matches
def test_the_end_of_each_round_is_told_in_one_line(subject: Subject, draw: Draw) -> int:
    match = play_to_the_end(begin(subject, draw), Random(draw.choices))
    names = NAMES[: len(match.seats)]
    for event in public(match):
        told = match.game.record.recap(event, names)
        assert told or not match.game.record.closes(event)
        assert "\n" not in told
        assert len(told) <= 1000
    return 1


@law_of_matches
def test_any_part_of_a_match_gives_a_record_of_short_lines(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    if not public(match):  # at the beginning
        play_to_the_end(match, rng)
    if not match.is_open:
        match.events.pop()  # a result has a line for each seat
    names, events = [f"P{seat}" for seat in match.seats], public(match)
    for _ in range(SAMPLE):
        first, last = sorted((rng.randrange(len(events) + 1), rng.randrange(len(events) + 1)))
        for line in match.game.record.lines(events[first:last], names):
            assert line
            assert "\n" not in line
            assert len(line) <= 500
    return len(events)


@law_of_matches
def test_the_highlight_of_a_match_is_one_sentence_or_nothing(subject: Subject, draw: Draw) -> int:
    match = play_to_the_end(begin(subject, draw), Random(draw.choices))
    said = match.game.record.highlight(public(match), [f"P{seat}" for seat in match.seats])
    assert "\n" not in said
    assert not said or said.endswith(".")
    return 1


@law
def test_a_primer_is_at_most_five_short_lines(subject: Subject, draw: Draw) -> int:
    lines = subject.game.rulebook.primer(begin(subject, draw).options).splitlines()
    assert 0 < len(lines) <= 5
    assert max(map(len, lines)) <= 220
    return 1


@law
def test_rules_and_reference_fit_into_a_discord_message(subject: Subject, draw: Draw) -> int:
    game, options = subject.game, begin(subject, draw).options
    assert len(game.rulebook.rules(options)) <= 3800
    assert game.rulebook.rules(options).endswith(game.rulebook.CREDIT)
    assert 0 < len(game.rulebook.reference(options)) <= 1500
    return 1


@every_game
def test_different_option_sets_are_announced_differently(subject: Subject) -> None:
    said = [tuple(options.summary()) for options in subject.secrets.options()]
    assert len({*said}) == len(said)


@law_of_matches
def test_the_score_equals_a_count_of_the_public_events(subject: Subject, draw: Draw) -> int:
    match = play_to_the_end(begin(subject, draw), Random(draw.choices))
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    referee = subject.secrets.Referee(match.options, len(match.seats))
    for event in public(match):
        referee.receive(event)
    assert outcome.scores == referee.scores()
    return 1


@law_of_matches
def test_scores_by_round_are_known_after_each_round_and_end_with_the_outcome(
    subject: Subject, draw: Draw
) -> int:
    match = play_to_the_end(begin(subject, draw), Random(draw.choices))
    game, events, outcome = match.game, public(match), match.game.outcome(match.state)
    assert outcome is not None
    found = game.record.scores_by_round(events, match.options)
    ends = [place for place, event in enumerate(events, 1) if game.record.closes(event)]
    if found:
        assert len(found) == len(ends)
        assert found[-1] == outcome.scores
        assert all(len(scores) == len(match.seats) for scores in found)
        part = len(found) // 2
        assert game.record.scores_by_round(events[: ends[part]], match.options) == found[: part + 1]
    return 1


@law_of_matches
def test_facts_have_known_keys_and_are_ints_of_at_least_0(subject: Subject, draw: Draw) -> int:
    match = play_to_the_end(begin(subject, draw), Random(draw.choices))
    compared = 0
    for seat in match.seats:
        for key, value in match.game.facts.count(public(match), seat).items():
            assert key in match.game.facts.KINDS
            assert type(value) is int
            assert value >= 0
            compared += 1
    return compared


@law_of_matches
def test_all_seats_have_the_same_sums_and_no_part_exceeds_its_whole(subject: Subject, draw: Draw) -> int:
    match = play_to_the_end(begin(subject, draw), Random(draw.choices))
    kinds = match.game.facts.KINDS
    facts = [match.game.facts.count(public(match), seat) for seat in match.seats]
    sums = [{key for key in found if kinds[key].combine == "sum"} for found in facts]
    assert all(keys == sums[0] for keys in sums)
    parts = [(found, key, kinds[key].of) for found in facts for key in found if kinds[key].of]
    for found, part, whole in parts:
        assert found[part] <= found[whole]
    return len(sums)


@law_of_matches
def test_facts_depend_only_on_the_events_and_do_not_change_them(subject: Subject, draw: Draw) -> int:
    match = play_to_the_end(begin(subject, draw), Random(draw.choices))
    events, game = public(match), match.game
    copied, before = deepcopy(events), structure(events)
    first = [game.facts.count(events, seat) for seat in match.seats]
    assert structure(events) == before
    again = [game.facts.count(copied, seat) for seat in reversed(match.seats)]
    assert structure(again[::-1]) == structure(first)
    return len(first)


@law
def test_a_match_is_rated_in_a_pool_of_its_game_unless_all_win_together(subject: Subject, draw: Draw) -> int:
    match = begin(subject, draw)
    pool, sides = match.game.pool(match.options), match.game.sides(match.options, len(match.seats))
    assert pool in match.game.pools or pool is None
    assert pool is None or len({*sides}) > 1
    return 1


@every_game
def test_a_worker_process_finds_the_game(subject: Subject) -> None:
    assert pickle.loads(pickle.dumps(subject.game)) is subject.game


@every_game
def test_kinds_of_facts_have_titles_of_their_own_and_wholes_that_are_sums(subject: Subject) -> None:
    kinds = subject.game.facts.KINDS
    titles = [kind.title for kind in kinds.values()]
    assert len({*titles}) == len(titles)
    for kind in kinds.values():
        assert 0 < len(kind.title) <= 60
        assert kind.title == kind.title.strip(" .:")
        assert not kind.of or kinds[kind.of].combine == kind.combine == "sum"


def assert_nothing_due_by(match: Match) -> None:
    due = match.game.due(match.state)
    assert due is None or due > match.now, "everything due by then has happened"


def some_legal(match: Match, seat: Seat, rng: Random) -> list[Action]:
    legal = match.game.legal(match.state, seat)
    return list(legal) if len(legal) <= SAMPLE else rng.sample(list(legal), SAMPLE)


def could_hold_others(places: dict[str, list[int]], name: str) -> bool:
    """Return whether another unseen place has a card that differs from one of this place."""
    elsewhere = {card for other in places if other != name for card in places[other]}
    return any(card != other for card in places[name] for other in elsewhere)


def assert_sentence(text: str) -> None:
    """Assert that a refusal is short and ends like a sentence."""
    assert text == text.strip()
    assert text.endswith((".", "!", "?"))
    assert len(text) <= 500


def assert_in_order(outcome: Outcome | None, sides: Sequence[int]) -> None:
    assert outcome is not None, "a match that waits for nobody has an outcome"
    assert len(outcome.placings) == len(outcome.scores) == len(sides)
    assert_sentence(outcome.reason)
    if len({*sides}) == 1 and not any(outcome.placings):
        return  # they have lost together
    better = [sum(other < own for other in outcome.placings) for own in outcome.placings]
    assert list(outcome.placings) == [1 + number for number in better], "equal placings are shared: 1, 1, 3"
