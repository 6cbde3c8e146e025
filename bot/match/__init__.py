"""A match: the entries of its log, the table that appends to it, seats, votes, deadlines and public announcements.

Imports no discord, so that all of it can be tested without a server.
Offers `Tables` (all tables of the bot) and `Table` (one of them, the only place where a match changes).
"""
