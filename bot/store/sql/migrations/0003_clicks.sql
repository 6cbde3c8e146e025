-- The interaction that made a move: Discord may deliver it again, also to the next run of the bot.
ALTER TABLE log ADD COLUMN click INTEGER;
