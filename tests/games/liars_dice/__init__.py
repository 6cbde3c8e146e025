"""Tests of Liar's Dice."""
