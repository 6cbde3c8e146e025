"""Tests of Hand and Foot: the rules as positions, a referee of its own, its secrets and golden games."""
