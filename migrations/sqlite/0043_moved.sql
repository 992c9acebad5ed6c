-- Where the data went, in words for a person; NULL: it is here. No server starts on a database that was moved away.
ALTER TABLE instance ADD COLUMN moved_to TEXT;
