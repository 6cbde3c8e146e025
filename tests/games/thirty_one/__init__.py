"""Thirty-One: its rules as positions, and what is secret in it."""
