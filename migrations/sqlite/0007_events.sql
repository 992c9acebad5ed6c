-- Events are the hottest write, so they are a log: recording one appends its row. Whatever finds events by workspace, name or contact is
-- written later, for many at a time and in its own order, as far as event_index.through tells; beyond it the log itself is read
-- (storage/sqlite/recent-events.ts). What is in a finding table beyond `through` is not finished and counts for nothing.
DROP TRIGGER contacts_deleted_with_runs;
--> statement-breakpoint
DROP TABLE contact_events;
--> statement-breakpoint
-- The log loses its reference to contacts, which would look through all of it whenever a contact is deleted: the trigger below does that.
CREATE TABLE events_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  name TEXT NOT NULL,
  contact INTEGER NOT NULL,
  properties TEXT NOT NULL,
  value_cents INTEGER,
  currency TEXT,
  external_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
-- A number that was used once is not used again.
INSERT INTO sqlite_sequence (name, seq) SELECT 'events_log', seq FROM sqlite_sequence WHERE name = 'events';
--> statement-breakpoint
INSERT INTO events_log SELECT seq, id, workspace, name, contact, properties, value_cents, currency, external_id, created_at FROM events;
--> statement-breakpoint
DROP TABLE events;
--> statement-breakpoint
ALTER TABLE events_log RENAME TO events;
--> statement-breakpoint
CREATE UNIQUE INDEX events_by_external_id ON events (workspace, external_id) WHERE external_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE event_index (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  through INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO event_index SELECT 1, coalesce(max(seq), 0) FROM events;
--> statement-breakpoint
CREATE TABLE workspace_events (
  workspace INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (workspace, seq)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO workspace_events SELECT workspace, seq FROM events ORDER BY 1, 2;
--> statement-breakpoint
CREATE TABLE named_events (
  workspace INTEGER NOT NULL,
  name TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (workspace, name, seq)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO named_events SELECT workspace, name, seq FROM events ORDER BY 1, 2, 3;
--> statement-breakpoint
-- With what scores ask for.
CREATE TABLE contact_events (
  contact INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  name TEXT NOT NULL,
  value_cents INTEGER,
  PRIMARY KEY (contact, seq)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO contact_events SELECT contact, seq, name, value_cents FROM events ORDER BY 1, 2;
--> statement-breakpoint
-- record_counts: kind 'event' by name, and under '' all of them. Who records events adds to them; this takes away.
CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'event' AND status = '';
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'event' AND status = old.name;
  DELETE FROM workspace_events WHERE workspace = old.workspace AND seq = old.seq;
  DELETE FROM named_events WHERE workspace = old.workspace AND name = old.name AND seq = old.seq;
  DELETE FROM contact_events WHERE contact = old.contact AND seq = old.seq;
END;
--> statement-breakpoint
-- A deleted contact takes its past along, but for the records of what it was sent.
CREATE TRIGGER contacts_deleted_with_runs BEFORE DELETE ON contacts BEGIN
  DELETE FROM automation_starts WHERE contact = old.seq;
  DELETE FROM enrollments WHERE contact = old.seq;
  DELETE FROM events WHERE seq IN (SELECT seq FROM contact_events WHERE contact = old.seq);
  DELETE FROM events WHERE seq > (SELECT through FROM event_index) AND contact = old.seq;
END;
