"""Tests of Thirty-One: the rules as positions, its secrets and golden games."""
