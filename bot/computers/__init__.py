"""Computer players at work: the worker process in which they think, and the players in games of speed.

May import `bot.match`, `bot.store` and `games`; their strategies belong to the games.
Offers `ComputerPlayers`, which acts for every seat that a computer plays, also for absent people.
"""
