"""`make soak`: a card room of `tests.rooms` in real time, with the bot and its tasks as processes.

What only the real thing shows is added here: backups by other processes, the death of a worker, and memory.
"""
