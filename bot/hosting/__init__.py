"""For the host of the bot: backups, recounts, moving standings, invitation, doctor, reports to systemd, metrics.

May import `bot.match`, `bot.standings`, `bot.store`, `bot.worker_process` and `games`.
Offers the functions that `bot/cli/tasks.py` calls for the tasks of the command line, and `Metrics` to
`bot/upkeep/watching.py`.
"""
