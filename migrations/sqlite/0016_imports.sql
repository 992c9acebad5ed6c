-- Files that are imported into a workspace. `job` is how the file is read, as JSON. `lines_done`: the lines of the file whose
-- rows were kept; it is written with them.
CREATE TABLE imports (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  file_name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
  job TEXT NOT NULL,
  lines_done INTEGER NOT NULL,
  rows INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  error TEXT
) STRICT;
--> statement-breakpoint
CREATE INDEX imports_by_workspace ON imports (workspace, seq);
--> statement-breakpoint
CREATE INDEX imports_running ON imports (workspace, seq) WHERE state = 'RUNNING';
--> statement-breakpoint
-- What was said about rows: the first 1,000 of each import.
CREATE TABLE import_messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  import INTEGER NOT NULL REFERENCES imports (seq) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  message TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX import_messages_by_import ON import_messages (import, seq);
--> statement-breakpoint
-- Two more sources: only a table that is made anew gets another CHECK.
CREATE TABLE consent_log_anew (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  contact_id TEXT NOT NULL,
  address TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('GIVEN', 'WITHDRAWN')),
  source TEXT NOT NULL CHECK (source IN ('api', 'form', 'confirmation', 'unsubscribe', 'bounce', 'complaint', 'admin', 'preferences', 'import')),
  at INTEGER NOT NULL,
  form_id TEXT,
  client_address TEXT,
  user_agent TEXT,
  reason TEXT
) STRICT;
--> statement-breakpoint
INSERT INTO consent_log_anew (seq, workspace, contact_id, address, action, source, at, form_id, client_address, user_agent, reason)
SELECT seq, workspace, contact_id, address, action, source, at, form_id, client_address, user_agent, reason FROM consent_log;
--> statement-breakpoint
DROP TABLE consent_log;
--> statement-breakpoint
ALTER TABLE consent_log_anew RENAME TO consent_log;
--> statement-breakpoint
CREATE INDEX consent_log_by_workspace ON consent_log (workspace, seq);
--> statement-breakpoint
CREATE INDEX consent_log_by_contact ON consent_log (contact_id, seq);
--> statement-breakpoint
CREATE INDEX consent_log_by_address ON consent_log (workspace, address, seq);
--> statement-breakpoint
CREATE TRIGGER consent_log_inserted AFTER INSERT ON consent_log BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'consent', '', 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
