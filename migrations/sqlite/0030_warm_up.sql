-- The campaigns of a workspace that were sent lately: what they sent today counts against its warm-up.
CREATE INDEX mailings_of_campaigns ON mailings (workspace, finished_at) WHERE kind = 'campaign';
