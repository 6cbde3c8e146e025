"""Slash commands, buttons, menus and modals. Every module here is a cog; `common` has what several cogs use.

Cogs translate between Discord and the tables; they decide nothing.
"""
