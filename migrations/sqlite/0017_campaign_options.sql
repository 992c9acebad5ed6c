-- What is set of a campaign beside its own fields, as JSON; without a row everything is as at first. Its text part stands beside
-- the body: both are long.
CREATE TABLE campaign_options (
  campaign INTEGER PRIMARY KEY REFERENCES campaigns (seq) ON DELETE CASCADE,
  options TEXT NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE campaign_bodies ADD COLUMN text TEXT;
--> statement-breakpoint
-- Which segments a campaign asks for: one that a campaign not yet SENT uses is not deleted.
CREATE TABLE campaign_segments (
  segment INTEGER NOT NULL REFERENCES segments (seq) ON DELETE CASCADE,
  campaign INTEGER NOT NULL REFERENCES campaigns (seq) ON DELETE CASCADE,
  PRIMARY KEY (segment, campaign)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX campaign_segments_by_campaign ON campaign_segments (campaign);
