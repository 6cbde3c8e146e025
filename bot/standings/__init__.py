"""Standings: ratings of people by the placings of their matches, pure and the same for the same matches.

May import `games` and the rows of `bot.store`. Imports no discord, reads no clock and opens no file.
Offers `ratings` (rate a match, show a rating) with `pools` (their constants), `milestones`, `reliability`, `board` (order
of a leaderboard), `profile` (streaks, facts of several matches, the course of a rating) and `season` (final tables).
"""
