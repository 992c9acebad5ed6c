-- Of `bounced`: messages that the relay had taken before. They are in `sent` too, so whoever counts messages takes them off.
-- Nodes of the version before do not count it, and drop it where they fold: then such a message counts twice, as before.
ALTER TABLE mailing_activity ADD COLUMN bounced_later int8 NOT NULL DEFAULT 0;
