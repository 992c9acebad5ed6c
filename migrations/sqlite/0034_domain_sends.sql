-- How many messages to a limited domain went out in each minute (`at`: its beginning). Only the last hour is kept.
CREATE TABLE domain_sends (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  domain TEXT NOT NULL,
  at INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace, domain, at)
) STRICT, WITHOUT ROWID;
