"""Decks that several games are played with."""
