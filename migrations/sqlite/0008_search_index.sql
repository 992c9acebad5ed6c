-- Who is new is put into the trigram index later, for many at a time (storage/sqlite/search-index.ts): up to the contact
-- search_index.through it is complete, and of those beyond it has none. Kept totals count nobody beyond their own `through` any more,
-- which no longer ends in 2^53 - 1: that of a complete one is the newest contact of its time, and the few after it are counted when
-- somebody asks. So whoever writes a new contact writes nothing for searches.
CREATE TABLE search_index (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  through INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO search_index SELECT 1, coalesce(max(seq), 0) FROM contacts;
--> statement-breakpoint
DELETE FROM search_counts;
--> statement-breakpoint
DROP TRIGGER contacts_inserted_found;
--> statement-breakpoint
DROP TRIGGER contacts_inserted;
--> statement-breakpoint
CREATE TRIGGER contacts_inserted AFTER INSERT ON contacts BEGIN
  INSERT INTO contact_counts VALUES (new.workspace, '', new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER contacts_inserted_tagged AFTER INSERT ON contacts WHEN new.tags <> '[]' BEGIN
  INSERT INTO contact_tags SELECT new.workspace, value, new.status, new.seq FROM json_each(new.tags);
END;
--> statement-breakpoint
DROP TRIGGER contacts_deleted;
--> statement-breakpoint
CREATE TRIGGER contacts_deleted BEFORE DELETE ON contacts BEGIN
  DELETE FROM contact_tags WHERE contact = old.seq;
  DELETE FROM list_members WHERE contact = old.seq;
  UPDATE contact_counts SET n = n - 1 WHERE workspace = old.workspace AND tag = '' AND status = old.status;
END;
--> statement-breakpoint
CREATE TRIGGER contacts_deleted_searched BEFORE DELETE ON contacts
WHEN old.seq <= (SELECT through FROM search_index) BEGIN
  DELETE FROM contact_search WHERE rowid = old.seq;
END;
--> statement-breakpoint
DROP TRIGGER contacts_searched_anew;
--> statement-breakpoint
CREATE TRIGGER contacts_searched_anew AFTER UPDATE OF search ON contacts
WHEN new.search <> old.search AND new.seq <= (SELECT through FROM search_index) BEGIN
  DELETE FROM contact_search WHERE rowid = old.seq;
  INSERT INTO contact_search (rowid, search) VALUES (new.seq, new.search);
END;
