"""`/leaderboard`, and the final tables of seasons."""
