"""Tests of Palmer: the rules as positions, its secrets and golden games."""
