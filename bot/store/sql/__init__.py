"""The SQL of a store and the methods around it, the same for all engines. `bot.store.sqlite` opens a file.

Statements are understood by SQLite and PostgreSQL alike; `Database` hides the exceptions."""
