-- Messages by the reason of their state, so that who stands behind a number is found at any size.
CREATE INDEX deliveries_by_reason ON deliveries (mailing, reason, state, seq) WHERE reason IS NOT NULL;
--> statement-breakpoint
-- How many messages of a mailing have which reason, by state; those that were skipped are counted in mailing_skips. Kept by the triggers below.
CREATE TABLE mailing_reasons (
  mailing INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (mailing, state, reason)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO mailing_reasons
SELECT mailing, state, reason, count(*) FROM deliveries WHERE reason IS NOT NULL AND state <> 'skipped' GROUP BY mailing, state, reason;
--> statement-breakpoint
CREATE TRIGGER deliveries_lost_reason AFTER UPDATE OF state, reason ON deliveries
WHEN old.reason IS NOT NULL AND old.state <> 'skipped' BEGIN
  UPDATE mailing_reasons SET n = n - 1 WHERE mailing = old.mailing AND state = old.state AND reason = old.reason;
END;
--> statement-breakpoint
CREATE TRIGGER deliveries_gained_reason AFTER UPDATE OF state, reason ON deliveries
WHEN new.reason IS NOT NULL AND new.state <> 'skipped' BEGIN
  INSERT INTO mailing_reasons VALUES (new.mailing, new.state, new.reason, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
