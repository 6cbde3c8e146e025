"""The profile of a person, and the history of their matches."""
