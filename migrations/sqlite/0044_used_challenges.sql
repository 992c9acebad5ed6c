-- What passkeys have signed, until it is too old to be taken anyway: each is good once.
CREATE TABLE used_challenges (
  challenge TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX used_challenges_by_end ON used_challenges (expires_at);
