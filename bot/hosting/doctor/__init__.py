"""`python -m bot doctor`: checks of the machine, the database and Discord, each with what to do about its finding.

`checks.py` lists which checks run when. No check changes anything, and all may run beside a bot.
"""
