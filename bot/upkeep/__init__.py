"""Upkeep: deadlines, packing of logs, servers that removed the bot, and metrics, all while the bot runs.

May import all but `bot.cli` and `cogs`.
Offers `Clock` (the loop over all deadlines), `LogPacker`, `LeftGuilds`, and what watches the bot from outside.
"""
