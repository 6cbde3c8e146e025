"""`Tell me when …`: people who look for a game (`form`), and calls to tables that wait (`summoning`, `cog`)."""
