"""The board of a server: one message that always shows what is on there."""
