-- Tests of a campaign go out as requests do. They count in no figure and no limit but their own.
ALTER TABLE mailings ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE INDEX mailings_of_tests ON mailings (workspace, created_at) WHERE is_test = 1;
