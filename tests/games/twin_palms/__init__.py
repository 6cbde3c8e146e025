"""Twin Palms: its rules as positions, its ranking counted another way, its secrets and its golden games."""
