"""`Tell me when …`: people who look for a game (`form`), and summons to tables that wait (`summoning`, `cog`)."""
