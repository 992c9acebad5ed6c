-- What happened in a workspace, by quarters of an hour (UTC; `at` is where one begins): every zone's hours and days begin on one.
-- Written in the transaction that writes what is counted; a deletion takes nothing out. See storage/sqlite/stats/activity-writes.ts.
CREATE TABLE activity_counts (
  workspace INTEGER NOT NULL,
  at INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  bounced INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  clicked INTEGER NOT NULL,
  unsubscribed INTEGER NOT NULL,
  complained INTEGER NOT NULL,
  new_contacts INTEGER NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (workspace, at)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- From what is there: contacts and events that were deleted are in no figure, and opt-outs are those of the consent log, each person's
-- first after they agreed last. A bounce is no opt-out.
INSERT INTO activity_counts
SELECT workspace, at, sum(sent), sum(bounced), sum(opened), sum(clicked), sum(unsubscribed), sum(complained), sum(new_contacts), sum(events)
FROM (
  SELECT m.workspace, d.settled_at / 900000 * 900000 AS at, sum(d.state = 'sent') AS sent, sum(d.state = 'bounced') AS bounced,
    0 AS opened, 0 AS clicked, 0 AS unsubscribed, 0 AS complained, 0 AS new_contacts, 0 AS events
  FROM deliveries AS d CROSS JOIN mailings AS m ON m.seq = d.mailing
  WHERE d.settled_at IS NOT NULL AND d.state IN ('sent', 'bounced') GROUP BY 1, 2
  UNION ALL
  SELECT m.workspace, d.opened_at / 900000 * 900000, 0, 0, count(*), 0, 0, 0, 0, 0
  FROM deliveries AS d CROSS JOIN mailings AS m ON m.seq = d.mailing WHERE d.opened_at IS NOT NULL GROUP BY 1, 2
  UNION ALL
  SELECT m.workspace, d.clicked_at / 900000 * 900000, 0, 0, 0, count(*), 0, 0, 0, 0
  FROM deliveries AS d CROSS JOIN mailings AS m ON m.seq = d.mailing WHERE d.clicked_at IS NOT NULL GROUP BY 1, 2
  UNION ALL
  SELECT workspace, at / 900000 * 900000, 0, 0, 0, 0, count(*), 0, 0, 0 FROM (
    SELECT workspace, at, action, lag(action) OVER (PARTITION BY workspace, contact_id ORDER BY seq) AS earlier
    FROM consent_log WHERE contact_id <> '' AND source <> 'bounce')
  WHERE action = 'WITHDRAWN' AND earlier IS NOT 'WITHDRAWN' GROUP BY 1, 2
  UNION ALL
  SELECT workspace, created_at / 900000 * 900000, 0, 0, 0, 0, 0, count(*), 0, 0 FROM suppressions WHERE reason = 'COMPLAINT' GROUP BY 1, 2
  UNION ALL
  SELECT workspace, created_at / 900000 * 900000, 0, 0, 0, 0, 0, 0, count(*), 0 FROM contacts GROUP BY 1, 2
  UNION ALL
  SELECT workspace, created_at / 900000 * 900000, 0, 0, 0, 0, 0, 0, 0, count(*) FROM events GROUP BY 1, 2
) GROUP BY workspace, at;
