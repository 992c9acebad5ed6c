-- Of `bounced`: messages that the relay had taken before. They are in `sent` too, so whoever counts messages takes them off. Not
-- counted of what bounced before this version: only the day of a warm-up is looked at.
ALTER TABLE mailing_activity ADD COLUMN bounced_later INTEGER NOT NULL DEFAULT 0;
