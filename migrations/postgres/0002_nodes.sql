-- What each node kept to itself, for all of them.

-- What passkeys have signed, until it is too old to be taken anyway: each is good once.
CREATE TABLE used_challenges (
  challenge text COLLATE "C" PRIMARY KEY,
  expires_at int8 NOT NULL
);
CREATE INDEX used_challenges_by_end ON used_challenges (expires_at);
