-- Sign-up forms. `fields` and `style` are JSON, as the API takes and shows them.
CREATE TABLE forms (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  name TEXT NOT NULL,
  list INTEGER REFERENCES lists (seq) ON DELETE SET NULL,
  fields TEXT NOT NULL,
  style TEXT NOT NULL,
  success_message TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX forms_by_workspace ON forms (workspace, seq);
--> statement-breakpoint
CREATE INDEX forms_by_list ON forms (list) WHERE list IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER forms_inserted AFTER INSERT ON forms BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'form', '', 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER forms_deleted AFTER DELETE ON forms BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'form' AND status = '';
END;
--> statement-breakpoint
-- The submissions of the last ten minutes by client network, so that a restart gives nobody a fresh allowance.
CREATE TABLE form_submissions (
  seq INTEGER PRIMARY KEY,
  client TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX form_submissions_by_client ON form_submissions (client, at);
--> statement-breakpoint
CREATE INDEX form_submissions_by_time ON form_submissions (at);
--> statement-breakpoint
-- Confirmation mails. They outlive form and contact: form_id and address are values, not references.
CREATE TABLE confirmations (
  delivery INTEGER PRIMARY KEY REFERENCES deliveries (seq),
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  form_id TEXT NOT NULL,
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER
) STRICT;
--> statement-breakpoint
CREATE INDEX confirmations_by_address ON confirmations (workspace, address, created_at);
--> statement-breakpoint
-- Why somebody unsubscribed, where they said so.
ALTER TABLE consent_log ADD COLUMN reason TEXT;
