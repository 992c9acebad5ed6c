-- Whom a send is planned for, where not a list alone says it: `audience` names segments and exclusions, as JSON. Who that is is
-- settled once, before the first contact is planned: one bit for each contacts.seq. It is deleted when the plan is complete.
CREATE TABLE mailing_audiences (
  mailing INTEGER PRIMARY KEY REFERENCES mailings (seq) ON DELETE CASCADE,
  audience TEXT NOT NULL,
  asked BLOB,
  excluded BLOB
) STRICT;
