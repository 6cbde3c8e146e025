"""Upkeep while the bot runs: deadlines, packing of logs, and servers that removed the bot.

Offers `Clock` (the loop over all deadlines), `LogPacker` and `LeftGuilds`.
"""
