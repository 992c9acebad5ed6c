-- Every table is STRICT. `seq` is creation order (AUTOINCREMENT: never used again, so a cursor or a link stays true
-- after its row is gone); `id` is what the API shows. Instants are milliseconds since 1970, UTC.

CREATE TABLE instance (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  signing_secret BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
-- One row each time a server takes this database over. The number is also kept beside the file: see storage/sqlite/run-record.ts.
CREATE TABLE runs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE workspaces (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE settings (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workspace, key)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE api_keys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
--> statement-breakpoint
CREATE INDEX api_keys_by_workspace ON api_keys (workspace, seq);
--> statement-breakpoint

-- How many records of a kind a workspace has, by status ('' where the kind has none). Kept by the triggers below.
CREATE TABLE record_counts (
  workspace INTEGER NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace, kind, status)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint

-- Contacts. `search` is the folded text that `q` looks in: address, first and last name, a line each.
CREATE TABLE contacts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  email TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'SUBSCRIBED', 'UNSUBSCRIBED', 'BOUNCED')),
  search TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (workspace, email)
) STRICT;
--> statement-breakpoint
CREATE INDEX contacts_by_status ON contacts (workspace, status, seq);
--> statement-breakpoint
-- Which contacts carry a tag, in creation order per status. Derived from contacts.tags by the triggers below.
CREATE TABLE contact_tags (
  workspace INTEGER NOT NULL,
  tag TEXT NOT NULL,
  status TEXT NOT NULL,
  contact INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  PRIMARY KEY (workspace, tag, status, contact)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX contact_tags_by_contact ON contact_tags (contact);
--> statement-breakpoint
-- How many contacts a workspace has by tag ('' = whatever their tags) and status. Kept by triggers.
CREATE TABLE contact_counts (
  workspace INTEGER NOT NULL,
  tag TEXT NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace, tag, status)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Substrings of contacts.search by trigram; the rowid is contacts.seq. A hit is verified against contacts.search.
CREATE VIRTUAL TABLE contact_search USING fts5 (
  search, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
--> statement-breakpoint
CREATE TRIGGER contacts_inserted AFTER INSERT ON contacts BEGIN
  INSERT INTO contact_search (rowid, search) VALUES (new.seq, new.search);
  INSERT INTO contact_counts VALUES (new.workspace, '', new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
  INSERT INTO contact_tags SELECT new.workspace, value, new.status, new.seq FROM json_each(new.tags);
END;
--> statement-breakpoint
CREATE TRIGGER contacts_deleted BEFORE DELETE ON contacts BEGIN
  DELETE FROM contact_search WHERE rowid = old.seq;
  DELETE FROM contact_tags WHERE contact = old.seq;
  DELETE FROM list_members WHERE contact = old.seq;
  UPDATE contact_counts SET n = n - 1 WHERE workspace = old.workspace AND tag = '' AND status = old.status;
END;
--> statement-breakpoint
CREATE TRIGGER contacts_searched_anew AFTER UPDATE OF search ON contacts WHEN new.search <> old.search BEGIN
  DELETE FROM contact_search WHERE rowid = old.seq;
  INSERT INTO contact_search (rowid, search) VALUES (new.seq, new.search);
END;
--> statement-breakpoint
CREATE TRIGGER contacts_changed_status AFTER UPDATE OF status ON contacts WHEN new.status <> old.status BEGIN
  UPDATE contact_counts SET n = n - 1 WHERE workspace = old.workspace AND tag = '' AND status = old.status;
  INSERT INTO contact_counts VALUES (new.workspace, '', new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
  UPDATE list_members SET status = new.status WHERE contact = new.seq;
END;
--> statement-breakpoint
CREATE TRIGGER contacts_changed_tags AFTER UPDATE OF tags, status ON contacts
WHEN new.tags <> old.tags OR (new.status <> old.status AND new.tags <> '[]') BEGIN
  DELETE FROM contact_tags WHERE contact = old.seq;
  INSERT INTO contact_tags SELECT new.workspace, value, new.status, new.seq FROM json_each(new.tags);
END;
--> statement-breakpoint
CREATE TRIGGER contact_tags_inserted AFTER INSERT ON contact_tags BEGIN
  INSERT INTO contact_counts VALUES (new.workspace, new.tag, new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER contact_tags_deleted AFTER DELETE ON contact_tags BEGIN
  UPDATE contact_counts SET n = n - 1 WHERE workspace = old.workspace AND tag = old.tag AND status = old.status;
END;
--> statement-breakpoint

CREATE TABLE suppressions (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  address TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('HARD_BOUNCE', 'COMPLAINT', 'MANUAL', 'UNSUBSCRIBED')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, address)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE blocked_domains (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  domain TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, domain)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Outlives the contact: contact_id and address are values, not references.
CREATE TABLE consent_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  contact_id TEXT NOT NULL,
  address TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('GIVEN', 'WITHDRAWN')),
  source TEXT NOT NULL CHECK (source IN ('api', 'form', 'confirmation', 'unsubscribe', 'bounce', 'complaint', 'admin')),
  at INTEGER NOT NULL,
  form_id TEXT,
  client_address TEXT,
  user_agent TEXT
) STRICT;
--> statement-breakpoint
CREATE INDEX consent_log_by_workspace ON consent_log (workspace, seq);
--> statement-breakpoint

CREATE TABLE lists (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  name TEXT NOT NULL,
  search TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX lists_by_workspace ON lists (workspace, seq);
--> statement-breakpoint
CREATE TRIGGER lists_inserted AFTER INSERT ON lists BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'list', '', 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER lists_deleted AFTER DELETE ON lists BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'list' AND status = '';
END;
--> statement-breakpoint
-- `status` repeats the contact's, so that a list is walked by status in the order of its contacts' creation.
CREATE TABLE list_members (
  list INTEGER NOT NULL REFERENCES lists (seq),
  status TEXT NOT NULL,
  contact INTEGER NOT NULL REFERENCES contacts (seq),
  added_at INTEGER NOT NULL,
  PRIMARY KEY (list, status, contact)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX list_members_by_contact ON list_members (contact, list);
--> statement-breakpoint
CREATE TABLE list_counts (
  list INTEGER NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (list, status)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER list_members_inserted AFTER INSERT ON list_members BEGIN
  INSERT INTO list_counts VALUES (new.list, new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER list_members_deleted AFTER DELETE ON list_members BEGIN
  UPDATE list_counts SET n = n - 1 WHERE list = old.list AND status = old.status;
END;
--> statement-breakpoint
CREATE TRIGGER list_members_changed_status AFTER UPDATE OF status ON list_members WHEN new.status <> old.status BEGIN
  UPDATE list_counts SET n = n - 1 WHERE list = old.list AND status = old.status;
  INSERT INTO list_counts VALUES (new.list, new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint

-- What the ledger sends from: one row per campaign send (later also per automation node, transactional request,
-- confirmation). The counters are written in the transaction that moves the rows.
CREATE TABLE mailings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  kind TEXT NOT NULL CHECK (kind IN ('campaign', 'automation', 'transactional', 'confirmation')),
  source_id TEXT NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('planning', 'sending', 'finished', 'stopped')),
  held INTEGER NOT NULL DEFAULT 0,
  list INTEGER,
  planned_through INTEGER NOT NULL DEFAULT 0,
  scheduled_at INTEGER,
  reserved_day TEXT,
  reserved_month TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  planned INTEGER NOT NULL DEFAULT 0,
  queued INTEGER NOT NULL DEFAULT 0,
  dot INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0,
  bounced INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  uncertain INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  accepted INTEGER NOT NULL DEFAULT 0,
  opened INTEGER NOT NULL DEFAULT 0,
  clicked INTEGER NOT NULL DEFAULT 0,
  unsubscribed INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, source_id)
) STRICT;
--> statement-breakpoint
-- One each: for a query that says `phase = 'sending'` SQLite does not see that it is among two.
CREATE INDEX mailings_planning ON mailings (phase, seq) WHERE phase = 'planning';
--> statement-breakpoint
CREATE INDEX mailings_sending ON mailings (phase, seq) WHERE phase = 'sending';
--> statement-breakpoint
-- The frozen letter as JSON: apart, because SQLite writes a row whole and the counters change with every message.
CREATE TABLE mailing_contents (
  mailing INTEGER PRIMARY KEY REFERENCES mailings (seq) ON DELETE CASCADE,
  content TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE mailing_exclusions (
  mailing INTEGER NOT NULL REFERENCES mailings (seq) ON DELETE CASCADE,
  address TEXT NOT NULL,
  PRIMARY KEY (mailing, address)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE mailing_links (
  mailing INTEGER NOT NULL REFERENCES mailings (seq) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (mailing, number)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE mailing_skips (
  mailing INTEGER NOT NULL REFERENCES mailings (seq) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (mailing, reason)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint

-- The ledger: one row per message. See deliveries/ledger.ts for its states and arrows.
CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  mailing INTEGER NOT NULL REFERENCES mailings (seq),
  contact INTEGER REFERENCES contacts (seq) ON DELETE SET NULL,
  address TEXT NOT NULL,
  visit INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL CHECK (state IN ('queued', 'dot', 'sent', 'bounced', 'failed', 'uncertain', 'skipped')),
  reason TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  first_attempt_at INTEGER,
  next_attempt_at INTEGER,
  run INTEGER,
  reply_code INTEGER,
  reply_enhanced TEXT,
  reply_text TEXT,
  settled_at INTEGER,
  opened_at INTEGER,
  clicked_at INTEGER,
  unsubscribed_at INTEGER,
  UNIQUE (mailing, address, visit)
) STRICT;
--> statement-breakpoint
CREATE INDEX deliveries_by_state ON deliveries (mailing, state, seq);
--> statement-breakpoint
CREATE INDEX deliveries_to_retry ON deliveries (mailing, next_attempt_at) WHERE state = 'queued' AND next_attempt_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX deliveries_by_contact ON deliveries (contact) WHERE contact IS NOT NULL;
--> statement-breakpoint
-- Replies that are no proof by themselves that an address is dead, counted until they are: see deliveries/strikes.ts.
CREATE TABLE address_strikes (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  address TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, address, kind)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Messages reserved or sent per calendar day ('2026-11-21') and month ('2026-11') of the workspace's zone.
CREATE TABLE sending_usage (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  period TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace, period)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint

CREATE TABLE campaigns (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  name TEXT NOT NULL,
  subject TEXT NOT NULL,
  search TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('DRAFT', 'SCHEDULED', 'SENT')),
  list INTEGER REFERENCES lists (seq) ON DELETE SET NULL,
  scheduled_at INTEGER,
  sent_at INTEGER,
  mailing INTEGER REFERENCES mailings (seq),
  blocked TEXT,
  next_try_at INTEGER,
  held INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX campaigns_by_status ON campaigns (workspace, status, seq);
--> statement-breakpoint
CREATE INDEX campaigns_by_list ON campaigns (list) WHERE list IS NOT NULL;
--> statement-breakpoint
CREATE INDEX campaigns_by_mailing ON campaigns (mailing) WHERE mailing IS NOT NULL;
--> statement-breakpoint
CREATE INDEX campaigns_due ON campaigns (next_try_at) WHERE status = 'SCHEDULED' AND mailing IS NULL AND held = 0;
--> statement-breakpoint
CREATE TABLE campaign_bodies (
  campaign INTEGER PRIMARY KEY REFERENCES campaigns (seq) ON DELETE CASCADE,
  html TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TRIGGER campaigns_inserted AFTER INSERT ON campaigns BEGIN
  INSERT INTO record_counts VALUES (new.workspace, 'campaign', new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER campaigns_deleted AFTER DELETE ON campaigns BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'campaign' AND status = old.status;
END;
--> statement-breakpoint
CREATE TRIGGER campaigns_changed_status AFTER UPDATE OF status ON campaigns WHEN new.status <> old.status BEGIN
  UPDATE record_counts SET n = n - 1 WHERE workspace = old.workspace AND kind = 'campaign' AND status = old.status;
  INSERT INTO record_counts VALUES (new.workspace, 'campaign', new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
