-- Why a campaign's send is paused, as its report says it; null where it is not. While a plan or a send is there, its
-- mailing is held too (held & 2), because that is what the sender reads.
ALTER TABLE campaigns ADD COLUMN paused TEXT;
--> statement-breakpoint
DROP INDEX campaigns_due;
--> statement-breakpoint
CREATE INDEX campaigns_due ON campaigns (next_try_at) WHERE status = 'SCHEDULED' AND mailing IS NULL AND held = 0 AND paused IS NULL;
--> statement-breakpoint
-- The sends that were stopped: those whose campaign is still there have rows to be skipped.
CREATE INDEX mailings_stopped ON mailings (phase, seq) WHERE phase = 'stopped';
