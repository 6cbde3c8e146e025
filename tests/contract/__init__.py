"""Tests of the contract: laws that hold for every game, each run for all games."""
