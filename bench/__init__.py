"""Measurements against peers and limits. `python -m bench SUBJECT` prints a table, with `--json` one object.

Nothing is asserted. The keys of the object are the fields of the subject's dataclass, such as `bench.engines.Engines`
and `bench.clicks.Clicks`; their docstrings define each figure.
"""
