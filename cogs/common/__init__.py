"""Code that several cogs use."""
