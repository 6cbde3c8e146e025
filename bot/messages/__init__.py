"""Messages: what a table looks like in Discord, how it gets there, and how clicks on it come back.

Offers `Publisher` (keeps every table's messages up to date), `Router` (answers clicks by their custom ids), `Panel` and
its parts (what a message is made of), and `GameUI` (what the cog of a game provides).
"""
