-- One person's entries of the log.
CREATE INDEX consent_log_by_contact ON consent_log (contact_id, seq);
--> statement-breakpoint
-- Who left a list, and when: list_members has those who are on it. An entry goes with its list and with its contact.
CREATE TABLE list_departures (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  contact INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  list INTEGER NOT NULL REFERENCES lists (seq) ON DELETE CASCADE,
  joined_at INTEGER NOT NULL,
  left_at INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX list_departures_by_contact ON list_departures (contact, seq);
--> statement-breakpoint
CREATE INDEX list_departures_by_list ON list_departures (list);
