"""Game nights: planning one, who comes, and the messages that show its rounds."""
