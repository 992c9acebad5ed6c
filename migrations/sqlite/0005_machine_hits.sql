-- What machines did, beside opened_at and clicked_at, which are people's; each the first time it was seen.
ALTER TABLE deliveries ADD COLUMN machine_opened_at INTEGER;
--> statement-breakpoint
ALTER TABLE deliveries ADD COLUMN machine_clicked_at INTEGER;
--> statement-breakpoint
-- Counted as a person's, though its timing looks like a machine's: see tracking/suspicion.ts.
ALTER TABLE deliveries ADD COLUMN suspected_at INTEGER;
--> statement-breakpoint
-- Distinct recipients, as `opened` and `clicked` are.
ALTER TABLE mailings ADD COLUMN machine_opened INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE mailings ADD COLUMN machine_clicked INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE mailings ADD COLUMN suspected INTEGER NOT NULL DEFAULT 0;
