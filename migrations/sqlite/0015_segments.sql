-- Saved questions about contacts. `rules` is JSON as it was sent; who is in a segment is asked, not stored.
CREATE TABLE segments (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  name TEXT NOT NULL,
  rules TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX segments_by_workspace ON segments (workspace, seq);
--> statement-breakpoint
CREATE TRIGGER segments_inserted AFTER INSERT ON segments BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'segment', '', 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER segments_deleted AFTER DELETE ON segments BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'segment' AND status = '';
END;
--> statement-breakpoint
-- Which segments the rules of a segment ask for: one that is used is not deleted.
CREATE TABLE segment_uses (
  segment INTEGER NOT NULL REFERENCES segments (seq) ON DELETE CASCADE,
  used INTEGER NOT NULL REFERENCES segments (seq),
  PRIMARY KEY (segment, used)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX segment_uses_by_used ON segment_uses (used);
--> statement-breakpoint
-- Events by name, with what segments and scores ask of each: it is read from here, and the log is not looked into for every event.
DROP TRIGGER events_deleted;
--> statement-breakpoint
CREATE TABLE events_by_name (
  workspace INTEGER NOT NULL,
  name TEXT NOT NULL,
  seq INTEGER NOT NULL,
  contact INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  value_cents INTEGER,
  PRIMARY KEY (workspace, name, seq)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO events_by_name SELECT n.workspace, n.name, n.seq, e.contact, e.created_at, e.value_cents
  FROM named_events AS n CROSS JOIN events AS e ON e.seq = n.seq ORDER BY 1, 2, 3;
--> statement-breakpoint
DROP TABLE named_events;
--> statement-breakpoint
ALTER TABLE events_by_name RENAME TO named_events;
--> statement-breakpoint
CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'event' AND status = '';
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'event' AND status = old.name;
  DELETE FROM workspace_events WHERE workspace = old.workspace AND seq = old.seq;
  DELETE FROM named_events WHERE workspace = old.workspace AND name = old.name AND seq = old.seq;
  DELETE FROM contact_events WHERE contact = old.contact AND seq = old.seq;
END;
