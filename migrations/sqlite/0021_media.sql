-- Images for letters. The bytes are here too: so a backup has them, and a kill or a full disk leaves all of one or nothing.
-- One row for the same bytes in a workspace. `token` names it in its public address, and follows from workspace and bytes.
CREATE TABLE media (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  bytes INTEGER NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  token TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX media_by_workspace ON media (workspace, seq);
--> statement-breakpoint
CREATE TABLE media_slices (
  media INTEGER NOT NULL REFERENCES media (seq) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (media, number)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER media_inserted AFTER INSERT ON media BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'media', '', 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER media_deleted AFTER DELETE ON media BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'media' AND status = '';
END;
