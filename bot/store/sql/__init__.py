"""The SQL of a store and the methods around it, the same for all engines. `bot.store.sqlite` opens a file.

Statements are written so that SQLite and PostgreSQL understand them. Where they cannot be, `Database` hides it."""
