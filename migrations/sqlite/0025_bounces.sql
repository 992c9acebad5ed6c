-- What reports said of messages: each kind once for a message, however often and by whatever ways it comes.
CREATE TABLE bounce_reports (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  delivery INTEGER NOT NULL REFERENCES deliveries (seq),
  contact INTEGER REFERENCES contacts (seq) ON DELETE CASCADE,
  address TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('delayed', 'policy', 'soft', 'hard', 'complaint', 'auto_reply')),
  reason TEXT NOT NULL,
  status TEXT NOT NULL,
  words TEXT NOT NULL,
  way TEXT NOT NULL CHECK (way IN ('smtp', 'mailbox', 'ses', 'postmark', 'mailgun', 'sendgrid', 'brevo', 'mailjet', 'sparkpost', 'resend')),
  at INTEGER NOT NULL,
  UNIQUE (delivery, kind)
) STRICT;
--> statement-breakpoint
CREATE INDEX bounce_reports_by_contact ON bounce_reports (contact, seq) WHERE contact IS NOT NULL;
--> statement-breakpoint
CREATE INDEX bounce_reports_strikes ON bounce_reports (workspace, address, at) WHERE kind = 'soft';
--> statement-breakpoint
-- Of a message that was sent first: when a report of failure came, and when a complaint.
ALTER TABLE deliveries ADD COLUMN bounced_at INTEGER;
--> statement-breakpoint
ALTER TABLE deliveries ADD COLUMN complained_at INTEGER;
--> statement-breakpoint
-- Mails that came in and that nobody understands, for a person. `digest` is the SHA-256 of the bytes.
CREATE TABLE unread_mails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER REFERENCES workspaces (seq),
  digest BLOB NOT NULL UNIQUE,
  way TEXT NOT NULL CHECK (way IN ('smtp', 'mailbox', 'ses', 'postmark', 'mailgun', 'sendgrid', 'brevo', 'mailjet', 'sparkpost', 'resend')),
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  raw BLOB NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
