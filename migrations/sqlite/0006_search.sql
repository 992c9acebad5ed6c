-- Totals of expensive searches, by status: how many contacts of a set (a workspace's, those with a `tag`, those of a `list`; '' and 0
-- where they do not matter) have `term` in their search text. Counted in slices: `through` is the last contacts.seq that is in; all
-- are once it is 2^53 - 1. The triggers keep what is counted true, whoever writes. `number` tells the oldest, which goes first.
CREATE TABLE search_counts (
  workspace INTEGER NOT NULL REFERENCES workspaces (seq),
  list INTEGER NOT NULL,
  tag TEXT NOT NULL,
  term TEXT NOT NULL,
  number INTEGER NOT NULL,
  through INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  subscribed INTEGER NOT NULL,
  unsubscribed INTEGER NOT NULL,
  bounced INTEGER NOT NULL,
  PRIMARY KEY (workspace, list, tag, term)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX search_counts_by_list ON search_counts (list) WHERE list > 0;
--> statement-breakpoint
CREATE TRIGGER contacts_inserted_found AFTER INSERT ON contacts BEGIN
  UPDATE search_counts SET
    pending = pending + (new.status = 'PENDING'), subscribed = subscribed + (new.status = 'SUBSCRIBED'),
    unsubscribed = unsubscribed + (new.status = 'UNSUBSCRIBED'), bounced = bounced + (new.status = 'BOUNCED')
  WHERE workspace = new.workspace AND list = 0 AND new.seq <= through AND instr(new.search, term) > 0
    AND (tag = '' OR tag IN (SELECT value FROM json_each(new.tags)));
END;
--> statement-breakpoint
-- A change is taken out as it was and put in as it is. Who is on a list is the same before and after it.
CREATE TRIGGER contacts_changing_found BEFORE UPDATE OF search, tags, status ON contacts
WHEN new.search <> old.search OR new.tags <> old.tags OR new.status <> old.status BEGIN
  UPDATE search_counts SET
    pending = pending - (old.status = 'PENDING'), subscribed = subscribed - (old.status = 'SUBSCRIBED'),
    unsubscribed = unsubscribed - (old.status = 'UNSUBSCRIBED'), bounced = bounced - (old.status = 'BOUNCED')
  WHERE workspace = old.workspace AND old.seq <= through AND instr(old.search, term) > 0
    AND (tag = '' OR tag IN (SELECT value FROM json_each(old.tags)))
    AND (list = 0 OR EXISTS (SELECT 1 FROM list_members AS m WHERE m.contact = old.seq AND m.list = search_counts.list));
END;
--> statement-breakpoint
CREATE TRIGGER contacts_changed_found AFTER UPDATE OF search, tags, status ON contacts
WHEN new.search <> old.search OR new.tags <> old.tags OR new.status <> old.status BEGIN
  UPDATE search_counts SET
    pending = pending + (new.status = 'PENDING'), subscribed = subscribed + (new.status = 'SUBSCRIBED'),
    unsubscribed = unsubscribed + (new.status = 'UNSUBSCRIBED'), bounced = bounced + (new.status = 'BOUNCED')
  WHERE workspace = new.workspace AND new.seq <= through AND instr(new.search, term) > 0
    AND (tag = '' OR tag IN (SELECT value FROM json_each(new.tags)))
    AND (list = 0 OR EXISTS (SELECT 1 FROM list_members AS m WHERE m.contact = new.seq AND m.list = search_counts.list));
END;
--> statement-breakpoint
-- Not of lists: a contact that goes leaves them first, and is taken out there.
CREATE TRIGGER contacts_deleted_found BEFORE DELETE ON contacts BEGIN
  UPDATE search_counts SET
    pending = pending - (old.status = 'PENDING'), subscribed = subscribed - (old.status = 'SUBSCRIBED'),
    unsubscribed = unsubscribed - (old.status = 'UNSUBSCRIBED'), bounced = bounced - (old.status = 'BOUNCED')
  WHERE workspace = old.workspace AND list = 0 AND old.seq <= through AND instr(old.search, term) > 0
    AND (tag = '' OR tag IN (SELECT value FROM json_each(old.tags)));
END;
--> statement-breakpoint
CREATE TRIGGER list_members_inserted_found AFTER INSERT ON list_members BEGIN
  UPDATE search_counts SET
    pending = pending + (new.status = 'PENDING'), subscribed = subscribed + (new.status = 'SUBSCRIBED'),
    unsubscribed = unsubscribed + (new.status = 'UNSUBSCRIBED'), bounced = bounced + (new.status = 'BOUNCED')
  WHERE list = new.list AND list > 0 AND new.contact <= through
    AND instr((SELECT search FROM contacts WHERE seq = new.contact), term) > 0;
END;
--> statement-breakpoint
CREATE TRIGGER list_members_deleted_found AFTER DELETE ON list_members BEGIN
  UPDATE search_counts SET
    pending = pending - (old.status = 'PENDING'), subscribed = subscribed - (old.status = 'SUBSCRIBED'),
    unsubscribed = unsubscribed - (old.status = 'UNSUBSCRIBED'), bounced = bounced - (old.status = 'BOUNCED')
  WHERE list = old.list AND list > 0 AND old.contact <= through
    AND instr((SELECT search FROM contacts WHERE seq = old.contact), term) > 0;
END;
--> statement-breakpoint
-- Before its members go one by one: see list-store.ts, which takes the list's totals away first.
CREATE TRIGGER lists_deleted_found AFTER DELETE ON lists BEGIN
  DELETE FROM search_counts WHERE list = old.seq AND list > 0;
END;
