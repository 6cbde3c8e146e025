"""Tests of Palace: the rules as positions, a slower second referee, the memory of hands, its secrets and golden
games."""
