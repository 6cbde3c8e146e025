"""Hand and Foot in Discord: commands (`cog`), the form of a turn (`form`) and pictures (`picture`)."""
