"""Tests of Twin Palms: the rules as positions, the ranking computed a second way, its secrets and golden games."""
