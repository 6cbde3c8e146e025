"""The store in SQL, the same for all engines: a module for each subject, with its tables, methods and statements.

Statements are understood by SQLite and PostgreSQL alike; `Database` hides the exceptions."""
