"""Palace: its rules as positions, a slow second referee, what is remembered of hands, its secrets and golden games."""
