-- What a workspace knows of a contact beyond its fields: one row each contact that has attributes, in the order of contacts.
-- `attributes` is a JSONB object. `folded` is another, or NULL where it would be empty: those of its texts, and whole lists of
-- texts, that SQLite's lower() does not fold as core/fold.ts does. Kept by storage/sqlite/contacts/attribute-writes.ts.
CREATE TABLE contact_attributes (
  contact INTEGER PRIMARY KEY REFERENCES contacts (seq) ON DELETE CASCADE,
  workspace INTEGER NOT NULL,
  attributes BLOB NOT NULL,
  folded BLOB
) STRICT;
--> statement-breakpoint
-- How many contacts of a workspace have a name, by the type of their value; a count of 0 has no row. What is written is counted
-- by attribute-writes.ts, for many contacts at a time; what goes is counted here, whoever takes it away.
CREATE TABLE attribute_counts (
  workspace INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('string', 'number', 'boolean', 'list')),
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace, name, type)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER contact_attributes_deleted AFTER DELETE ON contact_attributes BEGIN
  UPDATE attribute_counts SET n = n - 1 WHERE workspace = old.workspace AND (name, type) IN (
    SELECT key, CASE type WHEN 'text' THEN 'string' WHEN 'array' THEN 'list' WHEN 'true' THEN 'boolean' WHEN 'false' THEN 'boolean' ELSE 'number' END
    FROM json_each(old.attributes));
  DELETE FROM attribute_counts WHERE workspace = old.workspace AND n = 0;
END;
