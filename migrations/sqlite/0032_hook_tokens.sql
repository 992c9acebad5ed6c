-- Tokens of requests that Mailgun signed, until they are too old to be taken anyway: each is good once.
CREATE TABLE hook_tokens (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  token TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, token)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX hook_tokens_by_end ON hook_tokens (expires_at);
