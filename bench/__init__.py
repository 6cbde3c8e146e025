"""Measurements against peers and limits. `python -m bench SUBJECT` prints a table, with `--json` one object.

Nothing is asserted. The module of a subject says what it measures, and what its figures mean.
"""
