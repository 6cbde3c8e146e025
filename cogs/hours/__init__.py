"""`/hours`: when a person is awake or away, and one message a day in place of calls."""
