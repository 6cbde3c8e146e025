"""The time computers take to see a pair: drawn from seeds, nothing is measured."""

from random import Random
from statistics import median, quantiles

import pytest

from games.advice import STRENGTHS
from games.twin_it.skill import LEAST, SKILLS, Skill

DRAWS = 4_000


def drawn_times(skill: Skill, faces: int) -> list[int]:
    return [skill.reaction_time(faces, Random(seed)) for seed in range(DRAWS)]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_no_computer_is_faster_than_people_can_be(strength: str) -> None:
    assert min(min(drawn_times(SKILLS[strength], faces)) for faces in (2, 12, 60)) >= LEAST  # type: ignore[index]


def test_the_strongest_computers_take_about_a_second_at_the_beginning_of_a_match() -> None:
    found = drawn_times(SKILLS["sharp"], 12)
    low, *_, high = quantiles(found, n=5)
    assert 750 <= low <= 950
    assert 1_000 <= median(found) <= 1_300
    assert high <= 1_800


def test_each_strength_is_usually_but_not_always_faster_than_the_weaker_one() -> None:
    casual, steady, sharp = (drawn_times(SKILLS[strength], 16) for strength in STRENGTHS)
    for slow, quick in ((casual, steady), (steady, sharp)):
        assert median(slow) > 1.4 * median(quick)
        wins = sum(one < other for one, other in zip(slow, reversed(quick), strict=True)) / DRAWS
        assert 0.1 < wins < 0.35


def test_more_faces_take_more_time() -> None:
    for skill in SKILLS.values():
        few, many = median(drawn_times(skill, 10)), median(drawn_times(skill, 40))
        assert many - few == pytest.approx(30 * skill.item / skill.sees, rel=0.4)


def test_weaker_computers_overlook_more_and_make_more_mistakes() -> None:
    casual, steady, sharp = (SKILLS[strength] for strength in STRENGTHS)
    assert casual.sees < steady.sees < sharp.sees < 1
    assert casual.errs > steady.errs > sharp.errs == 0
