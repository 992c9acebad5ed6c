-- Events are the hottest write: of what is kept by contact, every event touches some page at random. So it is one index now, which tells
-- a contact's events, by name and amount too, without the rows; their number and the latest of a name are read out of it.
DROP TRIGGER events_inserted;
--> statement-breakpoint
DROP TRIGGER contacts_deleted_with_runs;
--> statement-breakpoint
DROP TABLE contact_events;
--> statement-breakpoint
DROP INDEX events_by_value;
--> statement-breakpoint
DROP INDEX events_by_contact;
--> statement-breakpoint
CREATE INDEX events_by_contact ON events (contact, seq, name, value_cents);
--> statement-breakpoint
-- A deleted contact takes its past along, but for the records of what it was sent.
CREATE TRIGGER contacts_deleted_with_runs BEFORE DELETE ON contacts BEGIN
  DELETE FROM automation_starts WHERE contact = old.seq;
  DELETE FROM enrollments WHERE contact = old.seq;
  DELETE FROM events WHERE contact = old.seq;
END;
