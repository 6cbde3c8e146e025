"""Tests of Charms: the rules as positions, the follow rule checked against a slower one, its secrets and golden
games."""
