-- What version 1 has only here, after the tables of `bot/store/sql/schema.sql`. Of erasures, the id is the key and the
-- hash of a person's id with it: the ledger is part of the database.

CREATE TABLE palmhouse (version BIGINT NOT NULL); -- marks the schema as ours; one row

INSERT INTO palmhouse VALUES (1);

-- In place of the triggers of SQLite.
CREATE FUNCTION check_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM log WHERE match = NEW.match) THEN
        RAISE integrity_constraint_violation USING MESSAGE =
            'the entry does not follow the last one of this match';
    ELSIF NEW.n = 1 AND EXISTS (SELECT 1 FROM packed_logs WHERE match = NEW.match) THEN
        RAISE integrity_constraint_violation USING MESSAGE =
            'the log of this match is packed, so nothing can be added to it';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER log_has_no_gap BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION check_entry();

-- Functions of SQLite that statements use, for JSON with integers only.

-- STRICT keeps the planner from inlining it: it would expect 200 rows, and read whole tables for the few that there are.
CREATE FUNCTION json_each(body text) RETURNS TABLE (key text, value bigint) LANGUAGE sql IMMUTABLE STRICT ROWS 5 AS $$
    SELECT each.key, each.value::bigint
    FROM json_each_text(CASE json_typeof(body::json) WHEN 'object' THEN body::json ELSE '{}' END) AS each
    UNION ALL
    SELECT NULL, each.value::bigint
    FROM json_array_elements_text(CASE json_typeof(body::json) WHEN 'array' THEN body::json ELSE '[]' END) AS each
$$;

CREATE FUNCTION json_extract(body text, path text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT (body::json ->> substr(path, 4, length(path) - 4))::bigint -- the path is $."key"
$$;

CREATE FUNCTION instr(body text, part text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT strpos(body, part) $$;
