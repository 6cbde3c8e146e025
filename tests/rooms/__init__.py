"""Whole card rooms under faults, and the laws that hold in them.

`room` has the sandbox, the bot and everything that is counted; `people` play, `faults` disturb them, `screens` looks
at all that is shown to anybody, `laws` has the checks, and `life` brings them together. `make simulate` runs rooms in
virtual time, each from one seed (`seeded`, `simulated_bot`); some have two processes on a PostgreSQL database
(`cluster`), or several shards, and in the others a host makes backups and imports standings (`hosting`). `make soak`
runs one with real processes (`tests/soak`).
"""
