"""The gateway: connections to Discord, sessions, what is kept of servers, and the sharing of shards among processes.

Offers `ShardedBot` (a bot with one connection for each shard), `HeldShards` (leases of shards), and `DiscordTime` (the
time by Discord's clock); `private` has all that is private to discord.py.
"""
