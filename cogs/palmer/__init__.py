"""Palmer in Discord: commands and forms (`cog`), pictures of table and hands (`picture`)."""
