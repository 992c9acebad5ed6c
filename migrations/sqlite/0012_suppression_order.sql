-- Suppressions get an order of creation, in which pages are walked, and say where the present reason came from
-- (null: written before that was kept). The index by reason holds the address, so that a search reads the index alone.
CREATE TABLE suppressions_in_order (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  address TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('HARD_BOUNCE', 'COMPLAINT', 'MANUAL', 'UNSUBSCRIBED')),
  source TEXT CHECK (source IN ('api', 'form', 'confirmation', 'unsubscribe', 'bounce', 'complaint', 'admin', 'preferences', 'import')),
  created_at INTEGER NOT NULL,
  UNIQUE (workspace, address)
) STRICT;
--> statement-breakpoint
INSERT INTO suppressions_in_order (workspace, address, reason, created_at)
  SELECT workspace, address, reason, created_at FROM suppressions ORDER BY created_at, workspace, address;
--> statement-breakpoint
DROP TABLE suppressions;
--> statement-breakpoint
ALTER TABLE suppressions_in_order RENAME TO suppressions;
--> statement-breakpoint
CREATE INDEX suppressions_by_reason ON suppressions (workspace, reason, seq, address);
--> statement-breakpoint
-- record_counts: kind 'suppression' by reason.
INSERT INTO record_counts SELECT workspace, 'suppression', reason, count(*) FROM suppressions GROUP BY workspace, reason;
--> statement-breakpoint
CREATE TRIGGER suppressions_inserted AFTER INSERT ON suppressions BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'suppression', new.reason, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER suppressions_deleted AFTER DELETE ON suppressions BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'suppression' AND status = old.reason;
END;
--> statement-breakpoint
CREATE TRIGGER suppressions_changed_reason AFTER UPDATE OF reason ON suppressions WHEN new.reason <> old.reason BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'suppression' AND status = old.reason;
  INSERT INTO record_counts VALUES (new.workspace, 'suppression', new.reason, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
-- Blocked domains get an order of creation too.
CREATE TABLE blocked_domains_in_order (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  domain TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (workspace, domain)
) STRICT;
--> statement-breakpoint
INSERT INTO blocked_domains_in_order (workspace, domain, created_at)
  SELECT workspace, domain, created_at FROM blocked_domains ORDER BY created_at, workspace, domain;
--> statement-breakpoint
DROP TABLE blocked_domains;
--> statement-breakpoint
ALTER TABLE blocked_domains_in_order RENAME TO blocked_domains;
--> statement-breakpoint
CREATE INDEX blocked_domains_by_workspace ON blocked_domains (workspace, seq);
--> statement-breakpoint
-- The consent log of one address: it also finds entries without a contact.
CREATE INDEX consent_log_by_address ON consent_log (workspace, address, seq);
--> statement-breakpoint
-- record_counts: kind 'consent'. Entries are never deleted.
INSERT INTO record_counts SELECT workspace, 'consent', '', count(*) FROM consent_log GROUP BY workspace;
--> statement-breakpoint
CREATE TRIGGER consent_log_inserted AFTER INSERT ON consent_log BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'consent', '', 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
