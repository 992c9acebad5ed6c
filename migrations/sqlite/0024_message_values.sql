-- What a message's web version needs of its person, as it was when the message was made: JSON. Only for letters that link
-- their web version and name values of the contact. It goes with the contact.
CREATE TABLE delivery_values (
  delivery INTEGER PRIMARY KEY,
  contact INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  kept TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX delivery_values_by_contact ON delivery_values (contact);
