-- Messages that the relay took and that bounced later, counted where the relay took them: what was delivered is `sent` less these.
ALTER TABLE activity_counts ADD COLUMN returned INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
INSERT INTO activity_counts
SELECT m.workspace, d.settled_at / 900000 * 900000, 0, 0, 0, 0, 0, 0, 0, 0, count(*)
FROM deliveries AS d CROSS JOIN mailings AS m ON m.seq = d.mailing
WHERE d.bounced_at IS NOT NULL AND d.settled_at IS NOT NULL AND m.is_test = 0 GROUP BY 1, 2
ON CONFLICT DO UPDATE SET returned = excluded.returned;
