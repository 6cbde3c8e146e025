"""Texts for players: actions, narration, descriptions and the rules."""

from random import Random

import pytest

from games.contract import Event
from games.twin_it import GAME, record
from games.twin_it.actions import LIFT, on
from games.twin_it.deck import DESIGNS
from games.twin_it.designs import NAMES
from games.twin_it.events import Countdown, Offered, SetWon
from games.twin_it.options import USUAL_SECONDS, TwinItOptions
from games.twin_it.result import graded
from games.twin_it.words import teams
from games.types import SEATS
from tests.games.twin_it.position import LETTERS, Position, opened, position
from tests.seats import FIRST, SECOND

A, D, L = (f"*{NAMES[LETTERS.index(letter)]}*" for letter in "ADL")


def test_every_design_has_a_name_of_its_own() -> None:
    assert len({*NAMES}) == len(NAMES) == DESIGNS


def test_a_flip_is_narrated_with_both_faces() -> None:
    seen = position("classic\ntable |\nAlice | C/D A/f\nBen | G/h")
    seen.act("100 Alice flip")
    assert seen.last_narration() == "Alice flips a card. New: 3 and 4."


def test_a_set_is_narrated_with_its_numbers_and_that_of_the_third_card() -> None:
    seen = position("classic\ntable | A/b A/c A/D\nAlice | C/d\nBen | G/h")
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert seen.last_narration() == "**1 and 2! Alice takes the pair.** New: 7."


def test_a_set_says_by_how_much_the_hands_of_rivals_were_late_the_soonest_first() -> None:
    seen = position("classic\ntable | A/b A/c\nAlice | C/d\nBen | G/h\nCleo | F/k")
    seen.act("100 Alice A.table; 135 Cleo A.table; 145 Ben A.table; 200 Alice A.table.2")
    assert seen.last_narration() == (
        "**1 and 2! Alice takes the pair.** Cleo's hand on 1 came 35 ms later. Ben's hand on 1 came 45 ms later."
    )


def test_a_rivals_earlier_hand_is_not_called_late() -> None:
    seen = position("classic\ntable | A/b A/c\nAlice | C/d\nBen | G/h")
    seen.act("100 Ben A.table; 135 Alice A.table; 800 Alice A.table.2")
    assert "later" not in seen.last_narration()


def test_robbing_a_pair_and_adding_an_own_third_are_narrated_differently() -> None:
    text = "classic\ntable | A/b\nAlice | C/d\nBen | G/h | won A/i A/j"
    robbed, added = position(text), position(text)
    robbed.act("100 Alice A.table; 200 Alice A.Ben's")
    added.act("100 Ben A.table; 200 Ben A.Ben's")
    assert robbed.last_narration() == "**1 and 4! Alice robs a pair.**"
    assert added.last_narration() == "**1 and 4! Ben adds the third copy.**"


def test_a_tie_says_how_far_apart_the_hands_were() -> None:
    seen = position("classic\ntable | A/D A/L\nAlice | C/d\nBen | G/h")
    seen.act("1000 Alice A.table; 1003 Ben A.table.2")
    assert (
        seen.last_narration() == "**Tie!** Alice and Ben were 3 ms apart. The cards turn over. New: 5 and 6."
    )


@pytest.mark.parametrize("second", ["A.table.2", "D.table"])
def test_in_teams_the_mistake_of_both_hands_does_not_tell_what_is_alike(second: str) -> None:
    text = "teams\ntable | A/b A/c D/e\nAlice | C/d\nBen | G/h\nCleo | I/j\nDana | K/l"
    seen = position(text, hand_seconds=1)
    seen.act(f"100 Alice A.table; 200 Alice {second}")
    assert "? Two of a team lay one hand each! Alice's hands are off for 1 second." in seen.last_narration()


FORBIDDEN = "forbidden\nbarred Ben | A/x\ntable | A/b A/c D/e\nAlice | C/d\nBen | G/h"


@pytest.mark.parametrize(
    ("hands", "why"),
    [
        ("100 Ben A.table; 200 Ben A.barred", "1 and 4? The design of 4 is forbidden for Ben!"),
        ("100 Ben D.table; 200 Ben A.barred", "3 and 4? The design of 4 is forbidden for Ben!"),
        ("100 Ben A.table; 200 Ben A.table.2", "1 and 2? No match for Ben!"),
        ("100 Ben A.table; 200 Ben D.table", "1 and 3? No match for Ben!"),
        ("100 Alice A.table; 200 Alice D.table", "1 and 3? No match!"),
    ],
)
def test_a_mistake_where_designs_are_forbidden_does_not_tell_what_is_alike(hands: str, why: str) -> None:
    seen = position(FORBIDDEN, hand_seconds=1)
    seen.act(hands)
    assert seen.last_narration().startswith(f"{why} {seen.names[1 if 'Ben' in hands else 0]}'s hands are off")
    assert record.lines(seen.events[-1:], seen.names)[0].endswith(": mistake")


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ("A.table.2", ". 1 and 2 are alike, but their design is forbidden for you"),
        ("A.barred", ". 1 and 4 are alike, but their design is forbidden for you"),
        ("D.table", ""),
    ],
)
def test_only_the_player_reads_that_a_forbidden_design_was_under_both_hands(second: str, why: str) -> None:
    seen = position(FORBIDDEN)
    seen.act("100 Ben A.table")
    hand = on(seen.number(second))
    seen.act(f"200 Ben {second}")
    assert GAME.words.done(hand, seen.events[-1:]) == f"{GAME.words.label(hand)}{why}"


def test_a_forbidden_set_that_is_given_back_was_alike_all_the_same() -> None:
    seen = position("forbidden\nbarred Ben | A/x\ntable | A/b\nAlice | C/d\nBen | G/h | won A/i A/j")
    seen.act("100 Ben A.table; 200 Ben A.Ben's")
    assert "are alike, but" in GAME.words.done(LIFT, seen.events[-1:])


def test_the_board_and_the_description_say_who_plays_with_whom_while_a_match_of_teams_runs() -> None:
    seen = position("teams\ntable | A/b A/c\nAlice | C/d\nBen | G/h\nCleo | I/j", sets_to_win=1)
    assert teams(GAME.view(seen.state, None), seen.names) == ["Alice and Cleo play against Ben."]
    assert "Alice and Cleo play against Ben." in GAME.words.describe(
        GAME.view(seen.state, SECOND), seen.names
    )
    seen.act("100 Alice A.table; 200 Cleo A.table.2")
    assert teams(GAME.view(seen.state, None), seen.names) == []  # the result says it
    assert teams(GAME.view(position("classic\ntable | A/b\nAlice | C/d\nBen | G/h").state, None), "AB") == []


def test_the_advice_fits_the_mode() -> None:
    said = [GAME.how(TwinItOptions(mode=mode)) for mode in ("classic", "teams", "timed")]
    assert [each.partition(" ")[0] for each in said] == ["See", "See", "`Open"]
    assert "your partner" in said[1]


def test_the_primer_of_teams_tells_nobody_to_press_two_numbers_alone() -> None:
    said = GAME.rulebook.primer(TwinItOptions(mode="teams"))
    assert "rob a won pair: two of you press its number and that of the third copy" in said


def test_short_rules_and_reference_name_forbidden_designs_only_where_there_are_some() -> None:
    for options, who in (
        (TwinItOptions(mode="forbidden"), "a player drawn at random, or in a rematch the last winner"),
        (TwinItOptions(mode="forbidden", barred=1), "the player of seat 2"),
        (TwinItOptions(mode="teams", handicap=True), "the bigger of two unequal teams"),
        (TwinItOptions(mode="teams"), ""),
        (TwinItOptions(handicap=True), ""),
    ):
        said = GAME.rulebook.primer(options)
        assert (
            f" Three designs are forbidden for {who}: laying both hands on one is a mistake." in said
        ) is bool(who)
        assert ("forbidden" in said) is ("forbidden" in GAME.rulebook.reference(options)) is bool(who)


def test_a_mistake_says_what_is_given_back_and_who_flips_next() -> None:
    seen = position(
        "classic, Ben flips\ntable | A/b D/c\nAlice | C/d | won L/m L/n\nBen | G/h", hand_seconds=1
    )
    seen.act("100 Alice A.table; 200 Alice D.table")
    assert seen.last_narration() == (
        "1 and 2? No match! Alice's hands are off for 1 second. The last set goes back under the pile. "
        "Alice flips next."
    )


def test_after_a_mistake_anybody_in_teams_flips_next_and_nobody_without_piles() -> None:
    seen = position("teams\ntable | A/b D/c\nAlice | C/d\nBen | G/h\nCleo | E/f\nDan | I/j")
    seen.act("100 Alice A.table; 200 Cleo D.table")
    assert seen.last_narration().endswith("Anybody flips next.")
    used_up = position("classic\ntable | A/b D/c A/e\nAlice |\nBen |")
    used_up.act("100 Alice A.table; 200 Alice D.table")
    assert "flips" not in used_up.last_narration()


def test_a_description_says_what_everybody_has_and_which_faces_show() -> None:
    seen = position(
        "classic, Ben flips\ntable | A/b D/c\nAlice | A/d\nBen | G/h | won L/m L/n", sets_to_win=3
    )
    seen.act("100 Alice A.table")
    assert GAME.words.describe(GAME.view(seen.state, SECOND), seen.names).splitlines() == [
        "**Your turn** · flip",
        "**Twin It!, classic**, first to 3 sets",
        "Alice: 0 sets, 1 in the pile, a hand on 1.",
        "Ben (you): 1 set, 1 in the pile.",
        f"On the piles: 4 *{NAMES[LETTERS.index('G')]}*, 3 {A}.",
        f"On the table: 2 {D}, 1 {A}.",
        f"Won: 5 {L}.",
    ]


def test_the_seen_side_of_a_card_stays_known() -> None:
    seen = position("classic\ntable |\nAlice | D/A C/f\nBen | G/h")
    seen.act("100 Alice flip")
    assert (
        GAME.words.describe(GAME.view(seen.state, None), seen.names).splitlines()[-1]
        == f"Seen on other sides: 3 {D}."
    )


def test_with_too_many_faces_the_newest_are_described_and_the_others_counted() -> None:
    seen = opened(6, mode="cooperative")
    for name in seen.names:
        seen.act(f"1000 {name} ready")
    seen.act("6000 tick")
    text = GAME.words.describe(GAME.view(seen.state, FIRST), ["W" * 32] * 6)
    assert "On the table: 135 " in text
    assert text.endswith(" more.")


@pytest.mark.parametrize("mode", ["classic", "forbidden", "teams", "cooperative", "timed"])
def test_the_rules_follow_the_options(mode: str) -> None:
    options = TwinItOptions.model_validate(
        {
            "mode": mode,
            "sets_to_win": 1,
            "singles": 7,
            "hand_seconds": 1,
            "tie_ms": 123,
            "seconds": 33,
            "handicap": True,
        }
    )
    text = GAME.rulebook.rules(options)
    assert "7 on one face, 73 on two, 39 on three" in text
    assert "1 second" in text
    race = mode in ("cooperative", "timed")
    assert ("33 seconds" in text) == race
    assert ("123 ms" in text) == ("1 set" in text) == (not race)
    assert ("**Forbidden.**" in text) == (mode in ("forbidden", "teams"))
    assert ("**Teams.**" in text) == (mode == "teams")
    assert "the first click that Discord received" in text


def test_the_example_in_the_rules_is_correct() -> None:
    """A tie at `tie_ms`; one millisecond later both hands wait; then a second hand ties while the other's is recent."""
    for late, then, kind in ((400, 0, "Tied"), (401, 401 + 400, "Tied"), (401, 401 + 401, "SetWon")):
        seen = position("classic\ntable | A/b\nAlice | C/d\nBen | A/h")
        narration = seen.act(f"0 Ben A.table; {late} Alice A.Ben" + (f"; {then} Ben A.Ben" if then else ""))
        assert narration.split()[-1] == kind


def test_only_a_race_of_a_minute_names_a_verdict() -> None:
    assert "geniuses" in GAME.rulebook.rules(TwinItOptions(mode="cooperative"))
    assert "geniuses" in GAME.rulebook.reference(TwinItOptions(mode="cooperative", seconds=USUAL_SECONDS))
    assert "geniuses" in GAME.rulebook.rules(TwinItOptions(mode="cooperative", seconds=USUAL_SECONDS))
    assert "geniuses" not in GAME.rulebook.rules(TwinItOptions(mode="cooperative", seconds=30))
    assert "geniuses" not in GAME.rulebook.reference(TwinItOptions(mode="timed"))


# Texts while people look for faces


@pytest.mark.parametrize("mode", ["classic", "forbidden", "teams", "cooperative", "timed"])
def test_no_text_names_a_face_while_people_look_for_it(mode: str) -> None:
    seen = opened(4, mode=mode)
    played_for_a_while(seen)
    narration = [GAME.words.narrate(event, seen.names) for event in seen.events]
    narration += [*GAME.record.lines(seen.events, seen.names), GAME.words.task(GAME.view(seen.state, None))]
    assert len(narration) > 10
    assert [text for text in narration if any(name in text for name in NAMES)] == []


def played_for_a_while(seen: Position) -> None:
    """Let everybody act at random."""
    rng = Random(1)
    for _ in range(300):
        due = GAME.due(seen.state)
        if due is not None and (due <= seen.state.now or not rng.randrange(4)):
            seen.events += GAME.tick(seen.state, due)
        seat = rng.choice(SEATS[:4])
        if legal := GAME.legal(seen.state, seat):
            seen.events += GAME.apply(seen.state, seat, rng.choice(legal), seen.state.now + 500)


def test_the_task_says_what_everybody_waits_for() -> None:
    assert GAME.words.task(GAME.view(opened(2).state, None)) == "flip"
    race = opened(2, mode="timed")
    assert GAME.words.task(GAME.view(race.state, None)) == "press `I am ready`"
    for name in race.names:
        race.act(f"1000 {name} ready")
    assert GAME.words.task(GAME.view(race.state, None)) == ""


# Records


def test_a_record_has_sets_and_mistakes_with_the_numbers_of_their_faces() -> None:
    seen = position("classic\ntable | A/b A/c D/e\nAlice | C/d E/f | won L/m L/n\nBen | G/h H/i")
    seen.act("100 Alice flip; 200 Alice A.table; 300 Alice A.table.2; 400 Alice flip")
    record = GAME.record.lines(seen.events, seen.names)
    assert record == ["1 card flipped · **Alice 1 + 2** · 1 card flipped"]
    assert GAME.record.lines(seen.events[:1], seen.names) == ["1 card flipped"]
    assert GAME.record.lines([], seen.names) == []


def test_a_record_has_mistakes_ties_and_robberies() -> None:
    erred = position("classic\ntable | A/b D/c\nAlice | C/d | won L/m L/n\nBen | G/h")
    erred.act("100 Alice A.table; 200 Alice D.table")
    assert GAME.record.lines(erred.events, erred.names) == ["Alice 1 + 2: mistake, loses a set"]
    tied = position("classic\ntable | A/D A/L\nAlice | C/d\nBen | G/h")
    tied.act("1000 Alice A.table; 1003 Ben A.table.2")
    assert GAME.record.lines(tied.events, tied.names) == ["Alice and Ben tie"]
    robbed = position("classic\ntable | A/b\nAlice | C/d\nBen | G/h | won A/i A/j")
    robbed.act("100 Alice A.table; 200 Alice A.Ben's")
    assert GAME.record.lines(robbed.events, robbed.names) == ["**Alice 1 + 4** (robbed)"]


# The end


def test_a_set_within_a_second_and_a_half_of_the_flip_is_the_highlight() -> None:
    seen = position("classic\ntable | A/b D/e D/f\nAlice | C/A E/f\nBen | G/h G/i")
    seen.act("5000 Alice flip; 5700 Alice A.table; 5740 Alice A.table.2")
    seen.act("9000 Alice D.table; 9012 Ben D.table; 9200 Alice D.table.2")
    assert GAME.record.highlight(seen.events, seen.names) == f"Fastest set: Alice found {A} in 0.7 s."


def test_a_slower_set_is_the_highlight_when_none_was_contested() -> None:
    seen = position("classic\ntable | A/b D/e D/f\nAlice | C/A E/f\nBen | G/h G/i")
    seen.act("5000 Alice flip; 7700 Alice A.table; 7740 Alice A.table.2")
    assert GAME.record.highlight(seen.events, seen.names) == f"Fastest set: Alice found {A} in 2.7 s."
    seen.act("9000 Alice D.table; 9012 Ben D.table; 9200 Alice D.table.2")
    assert GAME.record.highlight(seen.events, seen.names).startswith("Closest call: Alice took")


def test_the_highlight_of_a_race_is_a_set_of_the_race_that_counts() -> None:
    void = [Offered(void=False), Countdown(opens=5000), *found(5100)]
    race = [Offered(void=True), Countdown(opens=70_000), *found(76_000, 78_500, 82_000)]
    assert (
        GAME.record.highlight([*void, *race], ["Alice"]) == f"Fastest set: Alice found *{NAMES[0]}* in 2.5 s."
    )


def found(*times: int) -> list[Event]:
    return [SetWon(FIRST, 0, 0, 2, at, (), (), (), None, None) for at in times]


def test_the_closest_set_is_the_highlight() -> None:
    seen = position("classic\ntable | A/b A/c D/e D/f\nAlice | C/d\nBen | G/h")
    seen.act("100 Alice A.table; 135 Ben A.table; 200 Alice A.table.2; 5000 Ben D.table; 5100 Ben D.table.2")
    assert GAME.record.highlight(seen.events, seen.names) == f"Closest call: Alice took {A} 35 ms before Ben."


def test_without_a_contested_set_the_last_set_is_the_highlight() -> None:
    seen = position("classic\ntable | A/b A/c\nAlice | C/d\nBen | G/h")
    assert GAME.record.highlight(seen.events, seen.names) == ""
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert GAME.record.highlight(seen.events, seen.names) == f"The last set, {A}, went to Alice."


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (9, "Grade: better luck next time, 1 short of prospects."),
        (13, "Grade: experts, 5 short of geniuses."),
        (18, "Grade: geniuses, the best one."),
    ],
)
def test_a_verdict_says_how_many_points_the_next_one_needs(score: int, text: str) -> None:
    assert graded(2, score) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(120, "2 minutes"), (60, "1 minute"), (90, "90 seconds"), (20, "20 seconds")]
)
def test_a_race_says_how_long_it_lasts(seconds: int, text: str) -> None:
    race = TwinItOptions(mode="timed", seconds=seconds)
    assert race.summary() == ["timed", f"a race of {text}"]
    assert text in GAME.rulebook.rules(race)
