"""The store in a PostgreSQL database. It imports psycopg, so import it only where DATABASE_URL is set."""
