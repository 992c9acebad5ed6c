-- What each node kept to itself, for all of them.

-- What passkeys have signed, until it is too old to be taken anyway: each is good once.
CREATE TABLE used_challenges (
  challenge text COLLATE "C" PRIMARY KEY,
  expires_at int8 NOT NULL
);
CREATE INDEX used_challenges_by_end ON used_challenges (expires_at);

-- Letters that the console shows in a frame, for minutes. Nobody misses them after a crash: nothing of them is logged.
CREATE UNLOGGED TABLE shown_letters (
  token text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL,
  html bytea NOT NULL,
  expires_at int8 NOT NULL
);
