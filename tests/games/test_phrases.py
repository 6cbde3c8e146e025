"""Phrases that the texts of several games share."""

import pytest

from games.phrases import counted, plural, scored, singular


@pytest.mark.parametrize(
    ("one", "many"), [("token", "tokens"), ("sand dollar", "sand dollars"), ("die", "dice")]
)
def test_a_unit_has_a_plural_of_which_it_is_the_singular(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one


def test_numbers_of_things_are_written_with_the_plural_that_the_thing_has() -> None:
    assert [counted(number, "die") for number in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert [scored(number, "die") for number in (0, 1, 2)] == ["no dice", "1 die", "2 dice"]
    assert [scored(number, "token") for number in (0, 1, 2)] == ["no tokens", "1 token", "2 tokens"]


def test_a_negative_score_has_a_proper_minus() -> None:
    assert [scored(number, "token") for number in (-1, -20)] == ["−1 token", "−20 tokens"]
