"""High Card, a toy game: it proves that a new game needs no change in other files."""
