"""The command line: what `python -m bot` can do, its settings, its start and stop, and its logs.

Offers `arguments` and `start` to `bot/__main__.py`.
"""
