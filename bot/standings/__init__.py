"""Standings: ratings of people by the placings of their matches, pure and the same for the same matches.

May import `games` and the rows of `bot.store`. Imports no discord, reads no clock and opens no file.
Offers `bot.standings.ratings` (rate a match, show a rating), `bot.standings.pools` (constants of each rating pool),
`bot.standings.milestones`, `bot.standings.reliability`, `bot.standings.board` (order of a leaderboard),
`bot.standings.profile` (streaks, facts of several matches, the course of a rating) and `bot.standings.season` (points,
final tables).
"""
