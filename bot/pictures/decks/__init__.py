"""Decks of cards that several games use."""
