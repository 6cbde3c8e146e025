"""Charms: its rules as positions, its follow rule counted another way, its secrets and its golden games."""
