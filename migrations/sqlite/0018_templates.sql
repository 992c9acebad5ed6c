-- Letters that are written once and filled in for each message. `format` says what `body` is.
CREATE TABLE templates (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  subject TEXT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('html', 'mjml')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX templates_by_workspace ON templates (workspace, seq);
--> statement-breakpoint
CREATE TRIGGER templates_inserted AFTER INSERT ON templates BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'template', '', 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER templates_deleted AFTER DELETE ON templates BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'template' AND status = '';
END;
