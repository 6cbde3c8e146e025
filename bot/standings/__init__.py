"""Standings: ratings of people by the placings of their matches, pure and the same for the same matches.

Imports no discord, reads no clock and opens no file.
Offers `ratings` (rate a match, show a rating) and its constants in `pools`, `milestones`, `reliability`, `board` (the
order of a leaderboard), `profile` (streaks, facts of several matches, the course of a rating), `season` (tables), and
for game nights `seating` (with its search in `division`) and `night` (points and standings).
"""
