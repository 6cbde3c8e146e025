"""A match: the entries of its log, the table that appends to it, seats, votes, deadlines and public announcements.

May import `games` and `bot.store`, and imports no discord: everything here can be tried without a server.
Offers `Tables` (all tables of the bot) and `Table` (one of them, the only place where a match changes).
"""
