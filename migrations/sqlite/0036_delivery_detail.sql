-- Why a message could not be made, in words.
ALTER TABLE deliveries ADD COLUMN detail TEXT;
