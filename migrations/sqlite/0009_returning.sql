-- 1: the person had opted out when they signed up, so that confirming brings them back and joins the form's list.
ALTER TABLE confirmations ADD COLUMN returns INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Set when the person left, bounced, was suppressed or deleted after the mail was sent: the link raises nobody any more.
ALTER TABLE confirmations ADD COLUMN voided_at INTEGER;
--> statement-breakpoint
-- Up to now no link went to anybody who was out: who is out today left after it was sent.
UPDATE confirmations SET voided_at = created_at WHERE
  EXISTS (SELECT 1 FROM suppressions AS s WHERE s.workspace = confirmations.workspace AND s.address = confirmations.address)
  OR NOT EXISTS (SELECT 1 FROM contacts AS c WHERE c.workspace = confirmations.workspace AND c.email = confirmations.address
    AND c.status IN ('PENDING', 'SUBSCRIBED'));
