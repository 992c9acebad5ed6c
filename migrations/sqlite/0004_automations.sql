-- What client applications say contacts did. Looked up by contact, name or external id, never by `id`.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  name TEXT NOT NULL,
  contact INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  properties TEXT NOT NULL,
  value_cents INTEGER,
  currency TEXT,
  external_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX events_by_external_id ON events (workspace, external_id) WHERE external_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX events_by_workspace ON events (workspace, seq);
--> statement-breakpoint
CREATE INDEX events_by_name ON events (workspace, name, seq);
--> statement-breakpoint
CREATE INDEX events_by_contact ON events (contact, seq);
--> statement-breakpoint
-- For rules that ask for a least amount.
CREATE INDEX events_by_value ON events (contact, name, value_cents) WHERE value_cents IS NOT NULL;
--> statement-breakpoint
-- How many events of a name a contact has, and when the latest came: totals, conditions and scores cost the same however many there are.
CREATE TABLE contact_events (
  contact INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  n INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (contact, name)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- record_counts: kind 'event' by name, and under '' all of them.
CREATE TRIGGER events_inserted AFTER INSERT ON events BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'event', '', 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
  INSERT INTO record_counts VALUES (new.workspace, 'event', new.name, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
  INSERT INTO contact_events VALUES (new.contact, new.name, 1, new.created_at)
    ON CONFLICT DO UPDATE SET n = n + 1, last_at = max(last_at, excluded.last_at);
END;
--> statement-breakpoint
CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'event' AND status = '';
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'event' AND status = old.name;
END;
--> statement-breakpoint

-- Points for events. A score is summed up when it is asked for, so a changed rule counts at once.
CREATE TABLE scoring_rules (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  event TEXT NOT NULL,
  min_value_cents INTEGER,
  points INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX scoring_rules_by_workspace ON scoring_rules (workspace, seq);
--> statement-breakpoint

-- DELETED: shown nowhere, does nothing; its rows are cleared away in slices, then it goes too.
CREATE TABLE automations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('DRAFT', 'LIVE', 'PAUSED', 'DELETED')),
  flow_version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX automations_by_status ON automations (workspace, status, seq);
--> statement-breakpoint
CREATE INDEX automations_live ON automations (status, seq) WHERE status = 'LIVE';
--> statement-breakpoint
CREATE INDEX automations_deleted ON automations (status, seq) WHERE status = 'DELETED';
--> statement-breakpoint
CREATE TABLE automation_flows (
  automation INTEGER PRIMARY KEY REFERENCES automations (seq) ON DELETE CASCADE,
  flow TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TRIGGER automations_inserted AFTER INSERT ON automations BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'automation', new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER automations_changed_status AFTER UPDATE OF status ON automations WHEN new.status <> old.status BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'automation' AND status = old.status;
  INSERT INTO record_counts VALUES (new.workspace, 'automation', new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER automations_cleared AFTER DELETE ON automations BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'automation' AND status = old.status;
END;
--> statement-breakpoint
-- What LIVE automations wait for, read from their flows: a change finds whom it starts with one look. `detail` is a tag or an event's name.
CREATE TABLE automation_listeners (
  workspace INTEGER NOT NULL,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  automation INTEGER NOT NULL REFERENCES automations (seq) ON DELETE CASCADE,
  PRIMARY KEY (workspace, kind, detail, automation)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX automation_listeners_by_automation ON automation_listeners (automation);
--> statement-breakpoint
-- Triggers: written in the transaction of the change that caused them, one for each automation that listens, gone once it has taken it.
CREATE TABLE automation_starts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  automation INTEGER NOT NULL REFERENCES automations (seq) ON DELETE CASCADE,
  contact INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  event INTEGER,
  depth INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  next_try_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  problem TEXT
) STRICT;
--> statement-breakpoint
CREATE INDEX automation_starts_due ON automation_starts (automation, next_try_at);
--> statement-breakpoint
CREATE INDEX automation_starts_by_contact ON automation_starts (contact);
--> statement-breakpoint
CREATE INDEX automation_starts_in_trouble ON automation_starts (automation, seq) WHERE problem IS NOT NULL;
--> statement-breakpoint

-- One contact's way through an automation: see automations/step-outcome.ts.
CREATE TABLE enrollments (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  automation INTEGER NOT NULL REFERENCES automations (seq),
  contact INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  event INTEGER,
  depth INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'COMPLETED', 'FAILED')),
  node TEXT NOT NULL,
  waiting INTEGER NOT NULL DEFAULT 0,
  steps INTEGER NOT NULL DEFAULT 0,
  steps_since_wait INTEGER NOT NULL DEFAULT 0,
  next_run_at INTEGER NOT NULL,
  enrolled_at INTEGER NOT NULL,
  completed_at INTEGER,
  error_message TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  first_attempt_at INTEGER,
  problem TEXT
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX enrollments_active ON enrollments (automation, contact) WHERE status = 'ACTIVE';
--> statement-breakpoint
CREATE INDEX enrollments_by_contact ON enrollments (contact, automation);
--> statement-breakpoint
CREATE INDEX enrollments_by_status ON enrollments (automation, status, seq);
--> statement-breakpoint
CREATE INDEX enrollments_due ON enrollments (automation, next_run_at) WHERE status = 'ACTIVE';
--> statement-breakpoint
CREATE INDEX enrollments_in_trouble ON enrollments (automation, seq) WHERE status = 'ACTIVE' AND problem IS NOT NULL;
--> statement-breakpoint
CREATE TABLE enrollment_counts (
  automation INTEGER NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (automation, status)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER enrollments_inserted AFTER INSERT ON enrollments BEGIN
  INSERT INTO enrollment_counts VALUES (new.automation, new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_changed_status AFTER UPDATE OF status ON enrollments WHEN new.status <> old.status BEGIN
  UPDATE enrollment_counts SET n = n - 1 WHERE automation = old.automation AND status = old.status;
  INSERT INTO enrollment_counts VALUES (new.automation, new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_deleted AFTER DELETE ON enrollments BEGIN
  UPDATE enrollment_counts SET n = n - 1 WHERE automation = old.automation AND status = old.status;
END;
--> statement-breakpoint
-- A deleted contact takes its past along, but for the records of what it was sent.
CREATE TRIGGER contacts_deleted_with_runs BEFORE DELETE ON contacts BEGIN
  DELETE FROM automation_starts WHERE contact = old.seq;
  DELETE FROM enrollments WHERE contact = old.seq;
  DELETE FROM events WHERE contact = old.seq;
  DELETE FROM contact_events WHERE contact = old.seq;
END;
--> statement-breakpoint

-- Which automation's which mail a mailing is: one a month for each node and wording.
CREATE TABLE automation_mailings (
  mailing INTEGER PRIMARY KEY REFERENCES mailings (seq) ON DELETE CASCADE,
  automation INTEGER NOT NULL,
  node TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX automation_mailings_by_node ON automation_mailings (automation, node);
--> statement-breakpoint
-- The step that planned a message: a step plans one message at most. `enrollment` and `event` are values, they may be gone.
CREATE TABLE automation_deliveries (
  delivery INTEGER PRIMARY KEY REFERENCES deliveries (seq),
  enrollment INTEGER NOT NULL,
  execution INTEGER NOT NULL,
  event INTEGER,
  UNIQUE (enrollment, execution)
) STRICT;
--> statement-breakpoint
-- The links of a message that differ from its mailing's: a template can fill a link in.
CREATE TABLE delivery_links (
  delivery INTEGER NOT NULL REFERENCES deliveries (seq),
  number INTEGER NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (delivery, number)
) STRICT, WITHOUT ROWID;
