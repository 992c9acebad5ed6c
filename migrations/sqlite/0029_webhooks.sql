-- Endpoints of other programs. HELD: in a copy of a database, until somebody decides; it listens, but nothing goes out.
-- DELETED: its rows are being removed. `events` is a JSON array of types, or ["*"]. `failures`: attempts in a row that failed.
-- Nothing is tried before `resume_at`.
CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('ENABLED', 'HELD', 'DISABLED', 'DELETED')),
  disabled_reason TEXT,
  secret TEXT NOT NULL,
  old_secret TEXT,
  old_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  resume_at INTEGER NOT NULL DEFAULT 0
) STRICT;
--> statement-breakpoint
CREATE INDEX webhooks_by_workspace ON webhooks (workspace, seq);
--> statement-breakpoint
-- What is owed to an endpoint, or was: the outbox, written in the transaction of what happened. `nonce` makes the public id
-- (see storage/sqlite/webhooks/delivery-id.ts). `tries` and `first_tried_at` begin anew with a replay, `attempts` is the log.
CREATE TABLE webhook_deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'DELIVERED', 'FAILED')),
  next_attempt_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  first_tried_at INTEGER,
  attempts TEXT NOT NULL DEFAULT '[]'
) STRICT;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (webhook, state, seq);
--> statement-breakpoint
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
--> statement-breakpoint
-- How many deliveries an endpoint has, by state. Kept by the triggers below.
CREATE TABLE webhook_counts (
  webhook INTEGER NOT NULL,
  state TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (webhook, state)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_inserted AFTER INSERT ON webhook_deliveries BEGIN
  INSERT INTO webhook_counts VALUES (new.webhook, new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_deleted AFTER DELETE ON webhook_deliveries BEGIN
  UPDATE webhook_counts SET n = n - 1 WHERE webhook = old.webhook AND state = old.state;
END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_moved AFTER UPDATE OF state ON webhook_deliveries WHEN new.state <> old.state BEGIN
  UPDATE webhook_counts SET n = n - 1 WHERE webhook = old.webhook AND state = old.state;
  INSERT INTO webhook_counts VALUES (new.webhook, new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
