"""Names of seats, for tests that act in one."""

from games.types import SEATS

FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH = SEATS
