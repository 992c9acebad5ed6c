-- Lists that readers can choose on the preferences page, and what a list is called there.
ALTER TABLE lists ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1));
--> statement-breakpoint
ALTER TABLE lists ADD COLUMN public_name TEXT NOT NULL DEFAULT '';
--> statement-breakpoint
ALTER TABLE lists ADD COLUMN description TEXT NOT NULL DEFAULT '';
--> statement-breakpoint
CREATE INDEX lists_public ON lists (workspace, seq) WHERE is_public = 1;
--> statement-breakpoint
-- Of which list an entry is; NULL where it is about all marketing mail.
ALTER TABLE consent_log ADD COLUMN list_id TEXT;
