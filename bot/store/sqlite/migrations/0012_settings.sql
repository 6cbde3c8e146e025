-- Settings of servers for their tables.

-- JSON list of the channels in which tables may be opened; empty: in all channels
ALTER TABLE guild_settings ADD COLUMN channels TEXT NOT NULL DEFAULT '[]' CHECK (json_type(channels) = 'array');

-- Pace of tables that are opened without one
ALTER TABLE guild_settings ADD COLUMN pace TEXT NOT NULL DEFAULT 'live'
    CHECK (pace IN ('live', 'relaxed', 'correspondence'));

-- The role whose members may close tables, besides people with Manage Server
ALTER TABLE guild_settings ADD COLUMN table_role INTEGER;
