-- What became of a campaign's mail, by quarters of an hour (UTC; `at` is where one begins), as activity_counts has it of a workspace.
-- Kept for campaigns only. See storage/sqlite/stats/activity-writes.ts.
CREATE TABLE mailing_activity (
  mailing INTEGER NOT NULL,
  at INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  clicked INTEGER NOT NULL,
  bounced INTEGER NOT NULL,
  unsubscribed INTEGER NOT NULL,
  PRIMARY KEY (mailing, at)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO mailing_activity
SELECT mailing, at, sum(sent), sum(opened), sum(clicked), sum(bounced), sum(unsubscribed)
FROM (
  SELECT d.mailing, d.settled_at / 900000 * 900000 AS at, sum(d.state = 'sent') AS sent, 0 AS opened, 0 AS clicked,
    sum(d.state = 'bounced') AS bounced, 0 AS unsubscribed
  FROM deliveries AS d WHERE d.settled_at IS NOT NULL AND d.state IN ('sent', 'bounced') GROUP BY 1, 2
  UNION ALL
  SELECT mailing, opened_at / 900000 * 900000, 0, count(*), 0, 0, 0 FROM deliveries WHERE opened_at IS NOT NULL GROUP BY 1, 2
  UNION ALL
  SELECT mailing, clicked_at / 900000 * 900000, 0, 0, count(*), 0, 0 FROM deliveries WHERE clicked_at IS NOT NULL GROUP BY 1, 2
  UNION ALL
  SELECT mailing, unsubscribed_at / 900000 * 900000, 0, 0, 0, 0, count(*) FROM deliveries WHERE unsubscribed_at IS NOT NULL GROUP BY 1, 2
) WHERE mailing IN (SELECT seq FROM mailings WHERE kind = 'campaign') GROUP BY mailing, at;
--> statement-breakpoint
-- Clicks by the address that they led to, of campaigns only; machines are not counted. Clicks before this version have no address.
CREATE TABLE link_clicks (
  seq INTEGER PRIMARY KEY,
  mailing INTEGER NOT NULL,
  url TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  recipients INTEGER NOT NULL,
  UNIQUE (mailing, url)
) STRICT;
--> statement-breakpoint
CREATE INDEX link_clicks_most ON link_clicks (mailing, clicks DESC);
--> statement-breakpoint
CREATE TABLE delivery_clicks (
  delivery INTEGER NOT NULL,
  link INTEGER NOT NULL REFERENCES link_clicks (seq),
  PRIMARY KEY (delivery, link)
) STRICT, WITHOUT ROWID;
