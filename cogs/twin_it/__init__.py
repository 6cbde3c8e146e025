"""Twin It! in Discord: commands and buttons (`cog`), private pages (`pages`), pictures (`layout`) and designs."""
