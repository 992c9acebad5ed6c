-- Transactional mail, for people to look up: one row for each message of POST /send, none for those of tests. The
-- state is that of the message's own row, written with it; while it is under way it is `queued`.
CREATE TABLE messages (
  workspace INTEGER NOT NULL,
  delivery INTEGER NOT NULL,
  address TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'bounced', 'failed', 'uncertain', 'skipped')),
  PRIMARY KEY (workspace, delivery)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO messages
SELECT m.workspace, d.seq, d.address, iif(d.state = 'dot', 'queued', d.state)
FROM mailings AS m CROSS JOIN deliveries AS d ON d.mailing = m.seq
WHERE m.kind = 'transactional' AND m.is_test = 0;
--> statement-breakpoint
CREATE INDEX messages_by_state ON messages (workspace, state, delivery);
--> statement-breakpoint
CREATE INDEX messages_by_address ON messages (workspace, address, delivery, state);
--> statement-breakpoint
INSERT INTO record_counts SELECT workspace, 'message', state, count(*) FROM messages GROUP BY workspace, state;
--> statement-breakpoint
CREATE TRIGGER messages_inserted AFTER INSERT ON messages BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'message', new.state, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER messages_changed_state AFTER UPDATE OF state ON messages WHEN new.state <> old.state BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'message' AND status = old.state;
  INSERT INTO record_counts VALUES (new.workspace, 'message', new.state, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
-- Mails that could not be read, page by page.
CREATE INDEX unread_mails_of_workspaces ON unread_mails (workspace, seq);
