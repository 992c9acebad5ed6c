-- People who sign in: who they are, which workspaces they may enter, and their sessions.
CREATE TABLE users (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE,
  -- Null until the person has chosen a password.
  password_hash TEXT,
  -- In use: each code opens once, so the newest used step is kept. Proposed: shown, not confirmed yet.
  totp_secret TEXT,
  totp_step INTEGER,
  totp_proposed TEXT,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER
) STRICT;
--> statement-breakpoint
CREATE TABLE memberships (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL,
  user INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  created_at INTEGER NOT NULL,
  -- Null: invited. The person has not answered yet, and may not enter.
  joined_at INTEGER
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX memberships_of_users ON memberships (user, workspace);
--> statement-breakpoint
CREATE INDEX memberships_of_workspaces ON memberships (workspace, seq);
--> statement-breakpoint
CREATE TABLE sessions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user INTEGER NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  stays INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX sessions_of_users ON sessions (user);
--> statement-breakpoint
CREATE TABLE welcome_links (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  hash BLOB NOT NULL UNIQUE,
  -- Null: for the first owner, whoever that is.
  user INTEGER,
  -- Null: not an invitation into one workspace.
  workspace INTEGER,
  -- Null: good for as long as nobody owns a workspace.
  expires_at INTEGER
) STRICT;
--> statement-breakpoint
-- Who did what. Without a workspace: an attempt to sign in by nobody we know.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  target TEXT
) STRICT;
--> statement-breakpoint
CREATE INDEX audit_of_workspaces ON audit (workspace, seq);
--> statement-breakpoint
CREATE INDEX audit_by_kind ON audit (workspace, what, seq);
--> statement-breakpoint
CREATE TRIGGER audit_added AFTER INSERT ON audit WHEN new.workspace IS NOT NULL BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'audit', new.what, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER audit_removed AFTER DELETE ON audit WHEN old.workspace IS NOT NULL BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'audit' AND status = old.what;
END;
