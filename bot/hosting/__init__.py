"""For the host of the bot: backups, recounts, moving standings, invitation, doctor, reports to systemd, metrics.

Offers the functions that `bot/cli/tasks.py` calls for the tasks of the command line, and `Metrics` to
`bot/cli/watching.py`.
"""
