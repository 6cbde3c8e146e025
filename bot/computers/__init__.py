"""Computer players: the worker process in which they think, and the players in games of speed.

Offers `ComputerPlayers`, which acts for every seat that a computer plays, also for absent people.
"""
