"""How long computers take to see two alike: figures drawn from seeds, no time is measured."""

from random import Random
from statistics import median, quantiles

import pytest

from games.strategies import STRENGTHS
from games.twin_it.skill import LEAST, SKILLS, Skill

DRAWS = 4_000


def times(skill: Skill, faces: int) -> list[int]:
    return [skill.reaction_time(faces, Random(seed)) for seed in range(DRAWS)]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_nobody_is_quicker_than_people_can_be(strength: str) -> None:
    assert min(min(times(SKILLS[strength], faces)) for faces in (2, 12, 60)) >= LEAST  # type: ignore[index]


def test_sharp_eyes_take_about_a_second_with_as_many_faces_as_a_match_begins_with() -> None:
    found = times(SKILLS["sharp"], 12)
    low, *_, high = quantiles(found, n=5)
    assert 750 <= low <= 950
    assert 1_000 <= median(found) <= 1_300
    assert high <= 1_800


def test_each_strength_is_quicker_than_the_one_below_but_not_always() -> None:
    casual, steady, sharp = (times(SKILLS[strength], 16) for strength in STRENGTHS)
    for slow, quick in ((casual, steady), (steady, sharp)):
        assert median(slow) > 1.4 * median(quick)
        wins = sum(one < other for one, other in zip(slow, reversed(quick), strict=True)) / DRAWS
        assert 0.1 < wins < 0.35


def test_the_more_faces_show_the_longer_it_takes() -> None:
    for skill in SKILLS.values():
        few, many = median(times(skill, 10)), median(times(skill, 40))
        assert many - few == pytest.approx(30 * skill.item / skill.sees, rel=0.4)


def test_the_weaker_the_eyes_the_more_they_overlook_and_mistake() -> None:
    casual, steady, sharp = (SKILLS[strength] for strength in STRENGTHS)
    assert casual.sees < steady.sees < sharp.sees < 1
    assert casual.errs > steady.errs > sharp.errs == 0
