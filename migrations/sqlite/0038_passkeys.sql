-- Passkeys (WebAuthn): what people sign in with in place of a password.
CREATE TABLE passkeys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- The relying party's id: it works at this host name only.
  host TEXT NOT NULL,
  -- As the authenticator names it, in base64url, and the key that its signatures are checked with
  -- (SubjectPublicKeyInfo).
  credential TEXT NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
--> statement-breakpoint
CREATE INDEX passkeys_of_users ON passkeys (user);
