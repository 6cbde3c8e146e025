"""Measurements that chose constants, and measurements of the source. `python -m research.<module>` runs one.

No gate looks at this folder: neither lint, types nor tests. Whoever needs a module again mends it first.
"""
