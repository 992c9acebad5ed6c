-- Idempotency keys of POST /send. Written in the transaction that makes the mailing; `answer` is null until the request
-- has been answered with 200, and stays null when the server dies before: see transactional/idempotency.ts.
CREATE TABLE send_keys (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  key TEXT NOT NULL,
  body_hash BLOB NOT NULL,
  answer TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, key)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX send_keys_by_age ON send_keys (created_at);
--> statement-breakpoint
-- What a request's sender calls it, for reports.
CREATE TABLE mailing_tags (
  mailing INTEGER NOT NULL REFERENCES mailings (seq) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (mailing, tag)
) STRICT, WITHOUT ROWID;
