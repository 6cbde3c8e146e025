"""Replays of matches that are over: step by step in Discord, as a text file and as a page."""
