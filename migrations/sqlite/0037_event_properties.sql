-- The index by name gets the properties of events, where they are short: conditions on them are then answered
-- without a look at each event. Null: they are long, and stand in the event alone.
DROP TRIGGER events_deleted;
--> statement-breakpoint
CREATE TABLE events_by_name (
  workspace INTEGER NOT NULL,
  name TEXT NOT NULL,
  seq INTEGER NOT NULL,
  contact INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  value_cents INTEGER,
  properties TEXT,
  PRIMARY KEY (workspace, name, seq)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO events_by_name
  SELECT n.workspace, n.name, n.seq, n.contact, n.created_at, n.value_cents,
    iif(octet_length(e.properties) <= 256, e.properties, NULL)
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
