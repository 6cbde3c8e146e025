"""What people touch: slash commands, buttons, selects, modals. Every module here is a cog; `common` is what they share.
Cogs translate between Discord and the house; they decide nothing."""
