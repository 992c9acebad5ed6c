-- A mail that could not be read is kept once for each workspace it came to, not once for all of them.
CREATE TABLE unread_mails_kept (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER REFERENCES workspaces (seq),
  digest BLOB NOT NULL,
  way TEXT NOT NULL CHECK (way IN ('smtp', 'mailbox', 'ses', 'postmark', 'mailgun', 'sendgrid', 'brevo', 'mailjet', 'sparkpost', 'resend')),
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  raw BLOB NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
-- A number that was used once is not used again.
INSERT INTO sqlite_sequence (name, seq) SELECT 'unread_mails_kept', seq FROM sqlite_sequence WHERE name = 'unread_mails';
--> statement-breakpoint
INSERT INTO unread_mails_kept SELECT seq, workspace, digest, way, sender, subject, size_bytes, raw, received_at FROM unread_mails;
--> statement-breakpoint
DROP TABLE unread_mails;
--> statement-breakpoint
ALTER TABLE unread_mails_kept RENAME TO unread_mails;
--> statement-breakpoint
CREATE INDEX unread_mails_of_workspaces ON unread_mails (workspace, seq);
--> statement-breakpoint
-- Mails that belong to no workspace are kept once too.
CREATE UNIQUE INDEX unread_mails_once ON unread_mails (coalesce(workspace, 0), digest);
--> statement-breakpoint
-- The first message's personal links were kept as if they were its mailing's. Where another message has one of its own
-- (number -2 - n stands in place of link n), each message that had the mailing's gets it as its own.
INSERT INTO delivery_links
SELECT d.seq, -2 - l.number, l.url
FROM (SELECT DISTINCT d.mailing, -2 - o.number AS number FROM delivery_links AS o JOIN deliveries AS d ON d.seq = o.delivery
      WHERE o.number <= -2) AS own
JOIN mailing_links AS l ON l.mailing = own.mailing AND l.number = own.number
JOIN deliveries AS d ON d.mailing = own.mailing AND d.contact IS NOT NULL AND d.first_attempt_at IS NOT NULL
WHERE NOT EXISTS (SELECT 1 FROM delivery_links AS o WHERE o.delivery = d.seq AND (o.number >= -1 OR o.number = -2 - l.number));
--> statement-breakpoint
UPDATE mailing_links SET url = '' WHERE (mailing, number) IN
  (SELECT d.mailing, -2 - o.number FROM delivery_links AS o JOIN deliveries AS d ON d.seq = o.delivery WHERE o.number <= -2);
--> statement-breakpoint
-- A link that only one person clicked, by an address of their own: its row stays with its figures, the address goes. No
-- address begins with '-'.
UPDATE link_clicks SET url = '-' || seq WHERE recipients = 1 AND seq IN
  (SELECT c.link FROM deliveries AS d JOIN delivery_clicks AS c ON c.delivery = d.seq JOIN link_clicks AS l ON l.seq = c.link
   WHERE d.contact IS NULL AND EXISTS (SELECT 1 FROM delivery_links AS o WHERE o.delivery = d.seq AND o.url = l.url));
--> statement-breakpoint
UPDATE delivery_links SET url = '' WHERE delivery IN (SELECT seq FROM deliveries WHERE contact IS NULL);
--> statement-breakpoint
CREATE TRIGGER contacts_deleted_with_links BEFORE DELETE ON contacts BEGIN
  UPDATE link_clicks SET url = '-' || seq WHERE recipients = 1 AND seq IN
    (SELECT c.link FROM deliveries AS d JOIN delivery_clicks AS c ON c.delivery = d.seq JOIN link_clicks AS l ON l.seq = c.link
     WHERE d.contact = old.seq AND EXISTS (SELECT 1 FROM delivery_links AS o WHERE o.delivery = d.seq AND o.url = l.url));
  UPDATE delivery_links SET url = '' WHERE delivery IN (SELECT seq FROM deliveries WHERE contact = old.seq);
END;
