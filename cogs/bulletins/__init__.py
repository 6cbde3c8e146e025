"""Posts beside a board, quiet and at most one a day and one a week: the deal of the day, and what happened."""
