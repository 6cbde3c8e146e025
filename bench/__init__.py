"""Measurements against peers and limits. `python -m bench engines` and `python -m bench clicks` print tables, with
`--json` one object of the same figures; nothing is asserted. The keys of the object are the fields of
`bench.engines.Engines` and `bench.clicks.Clicks`, which say what each means.
"""
