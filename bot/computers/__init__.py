"""Computer players: the worker process in which they think, and the players in games of speed.

May import `bot.match`, `bot.store`, `bot.worker_process` and `games`, which have the strategies.
Offers `ComputerPlayers`, which acts for every seat that a computer plays, also for absent people.
"""
