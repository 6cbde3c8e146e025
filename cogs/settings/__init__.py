"""`/settings`: what the people who manage a server decide for it."""
