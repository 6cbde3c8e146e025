"""`/daily`: one deal a day, the same for everybody everywhere, alone against the same computers."""
